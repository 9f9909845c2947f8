import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { battleyeGuidOf } from '../../../../src/api/identifiers.ts';
import type { SourceOutcome } from '../../../../src/server/ingest/follower/polled-source.ts';
import type { BanListSources } from '../../../../src/server/ingest/follower/sources.ts';
import type { BanFormat } from 'dayz-files';
import { addBan, liftBan } from '../../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../../src/server/ingest/bans/import.ts';
import { banSource } from '../../../../src/server/store/repositories/bans/ban-sources.ts';
import { listBans } from '../../../../src/server/store/repositories/bans/ban-lists.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { onPostgres } from '../../../harness/new-store.ts';
import { steamA, steamB, temporaryFiles, temporaryStore } from '../fixture.ts';

const [guidA, guidB] = [steamA, steamB].map(battleyeGuidOf) as [string, string];
const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');

/** A list of servers s and t that follows one file, a clock that stands, and what the service says of it. */
async function following(content: string, format: BanFormat) {
  const db = await temporaryStore(['s', 't']);
  await db.updateTable('ban_list').set({ server_ids: '["s","t"]' }).execute();
  const [file] = temporaryFiles({ 'bans.txt': content }) as [string];
  const clock = createTestClock(start);
  const lists: BanListSources[] = [{ id: 'bans', sources: [{ file, format }] }];
  const watch = createSourceWatch(db, { clock });
  const look = async (times = 1) => {
    const outcomes: SourceOutcome[] = [];
    for (let i = 0; i < times; i++) {
      outcomes.push(...(await watch.followOn({ servers: [], banlists: [...lists] })));
    }
    return outcomes;
  };
  const bans = async () => (await listBans(db, 'p', 'bans', 100, clock.now())) ?? [];
  const states = async () =>
    (await bans())
      .map(({ player, targets }) => [player.battleyeGuid, ...targets.map(({ state }) => state)])
      .toSorted(([a = ''], [b = '']) => String(a).localeCompare(String(b)));
  const ban = (value: string, options: Partial<Parameters<typeof addBan>[1]> = {}) =>
    addBan(db, {
      listId: 'bans',
      player: { kind: 'steamId64', value },
      category: 'TOXICITY',
      reason: 'rude',
      expiresAt: null,
      now: clock.now,
      ...options,
    });
  const lift = (value: string) =>
    liftBan(db, { listId: 'bans', player: { kind: 'steamId64', value }, now: clock.now });
  const text = () => readFileSync(file, 'utf8');
  return { db, file, clock, lists, look, bans, states, ban, lift, text };
}

describe('a ban file that is followed', () => {
  test('adds what comes, lifts what goes, keeps reason and end, and an end passes by itself', async () => {
    const { file, clock, look, bans } = await following(`${guidA} -1 cheating\n`, 'battleye');
    expect(await look()).toMatchObject([{ kind: 'bans', id: 'bans', path: file, report: { added: 1 } }]);
    expect(await look()).toEqual([]);
    writeFileSync(file, `${guidA} -1 cheating\n${guidB} ${(start + day) / 1000} duping\n`);
    expect(await look(2)).toMatchObject([{ report: { added: 1, unchanged: 1 } }]);
    expect(await bans()).toMatchObject([
      { reason: 'duping', category: 'EXPLOITING', expiresAt: '2026-01-02T00:00:00.000Z' },
      { reason: 'cheating', permanent: true },
    ]);
    clock.advance(day);
    expect(await bans()).toMatchObject([{ reason: 'cheating' }]);
    writeFileSync(file, `// nobody but ${guidB}\n${guidB} -1 x\n`);
    expect(await look(2)).toMatchObject([{ report: { lifted: 1 } }]);
    expect(await bans()).toMatchObject([{ reason: 'x', player: { battleyeGuid: guidB } }]);
  });

  test('is read only once it stands still: half a file lifts nobody', async () => {
    const whole = `${guidA} -1 one\n${guidB} -1 two\n`;
    const { file, look, bans } = await following(whole, 'battleye');
    await look();
    for (const length of [5, 40, 43, 60]) {
      writeFileSync(file, whole.slice(0, length));
      expect(await look()).toEqual([]);
      expect(await bans()).toHaveLength(2);
    }
    writeFileSync(file, whole);
    expect(await look(2)).toMatchObject([{ report: { unchanged: 2, lifted: 0 } }]);
  });

  test('loses its last ban as fast as any other where something is left in it', async () => {
    const { file, look, bans } = await following(`// ours\n${guidA} -1 one\n${guidB} -1 two\n`, 'battleye');
    await look();
    writeFileSync(file, '// ours\n');
    expect(await look(2)).toMatchObject([{ report: { lifted: 2 } }]);
    expect(await bans()).toEqual([]);
  });

  test('that is emptied keeps its bans for ten seconds, as after a crash, and loses them when it stays so', async () => {
    const { file, clock, look, bans } = await following(`${guidA} -1 one\n`, 'battleye');
    await look();
    writeFileSync(file, '');
    expect(await look(2)).toMatchObject([{ error: expect.stringContaining('stayed so for 10 seconds') }]);
    clock.advance(9_000);
    clock.step(day);
    expect(await look()).toEqual([]);
    expect(await bans()).toHaveLength(1);
    clock.advance(1_000);
    expect(await look()).toMatchObject([{ recovered: true, report: { lifted: 1 } }]);
    expect(await bans()).toEqual([]);
  });

  test('that is absent is an empty list, and is read when it comes', async () => {
    const { file, lists, look } = await following('', 'battleye');
    rmSync(file);
    expect(await look(3)).toMatchObject([{ kind: 'bans', report: { entries: 0 } }]);
    writeFileSync(file, `${guidA} -1 one\n`);
    expect(await look()).toMatchObject([{ report: { added: 1 } }]);
    lists[0] = {
      id: 'bans',
      sources: [{ file: join(dirname(file), 'nowhere', 'bans.txt'), format: 'battleye' }],
    };
    expect(await look(2)).toMatchObject([
      { error: expect.stringContaining('no such file, and no such folder: check the path') },
      { path: file, report: { lifted: 1 } },
    ]);
  });

  test('that has left the config loses its bans, if need be when the store can be written again', async () => {
    const { db, file, lists, look, bans } = await following(`${guidA} -1 x\n`, 'battleye');
    await look();
    lists[0] = { id: 'bans', sources: [] };
    const putBack = await makeBansUnwritable(db);
    expect(await look()).toMatchObject([{ path: 'removed files', error: expect.stringContaining('full') }]);
    expect(await look()).toEqual([]);
    expect(await bans()).toHaveLength(1);
    await putBack();
    expect(await look()).toMatchObject([{ path: file, recovered: true, report: { lifted: 1 } }]);
    expect(await bans()).toEqual([]);
    expect(await look()).toEqual([]);
  });

  test('that has left the config with another one loses its bans one poll after the other', async () => {
    const { file, lists, look, bans } = await following(`${guidA} -1 x\n`, 'battleye');
    const [other] = temporaryFiles({ 'other.txt': `${guidB} -1 y\n` }) as [string];
    lists[0] = { id: 'bans', sources: [file, other].map((each) => ({ file: each, format: 'battleye' })) };
    await look(2);
    expect(await bans()).toHaveLength(2);
    lists[0] = { id: 'bans', sources: [] };
    const lifted = [file, other].map((path) => ({ path, report: { file: path, lifted: 1 } }));
    const outcomes = (await look(3)).toSorted(
      (one, two) => [file, other].indexOf(one.path) - [file, other].indexOf(two.path),
    );
    expect(outcomes).toMatchObject(lifted);
    expect(await bans()).toEqual([]);
  });

  test('that cannot be read keeps its bans, says so once, and says when it is back', async () => {
    const { file, look, bans } = await following(`${guidA} -1 one\n`, 'battleye');
    await look();
    rmSync(file);
    expect(await look(3)).toMatchObject([
      {
        kind: 'bans',
        path: file,
        error: expect.stringMatching(/no such file; its bans stay in force: put it back/),
      },
    ]);
    writeFileSync(file, Buffer.alloc(500));
    expect(await look(4)).toMatchObject([
      { error: expect.stringMatching(/is not a text file in UTF-8.*save it as UTF-8/) },
    ]);
    expect(await bans()).toHaveLength(1);
    writeFileSync(file, `${guidA} -1 one\n`);
    expect(await look(3)).toMatchObject([{ recovered: true, report: { unchanged: 1 } }]);
  });

  test('of one server is enforced there; elsewhere its bans are pending', async () => {
    const { db, file, look, states } = await following(`${guidA} -1 one\n`, 'battleye');
    const source = banSource('config', 'battleye', file);
    await db
      .updateTable('ban_list')
      .set({ file_servers: JSON.stringify({ [source]: ['t'] }) })
      .execute();
    await look();
    expect(await states()).toEqual([[guidA, 'PENDING', 'ENFORCED']]);
  });
});

describe('a ban file that loses most of its bans', () => {
  const guids = Array.from({ length: 48 }, (_, i) => String(i).padStart(32, 'a'));
  const whole = guids.map((guid) => `${guid} -1 x\n`).join('');
  const minute = 60_000;

  async function followed() {
    const all = await following(whole, 'battleye');
    await all.look(2);
    return all;
  }

  test.each([
    ['emptied', '', 48],
    ['cut in a line', whole.slice(0, whole.length * 0.69), 15],
    ['of which little is left', `${guids[0]} -1 x\n`, 47],
  ])('and is %s lifts nobody when it grows back, and says so', async (_, damaged, missing) => {
    const { file, clock, look, bans } = await followed();
    writeFileSync(file, damaged);
    const [outcome, ...others] = await look(3);
    expect(others).toEqual([]);
    expect(outcome?.error).toContain(
      `missing from the file: ${missing} of 48 bans. They stay in force until`,
    );
    expect(outcome?.error).toContain('(00:05:00 UTC)');
    expect(outcome?.error).toContain(`outpost import bans --banlist bans --format battleye "${file}"`);
    clock.advance(4.9 * minute);
    expect(await look(2)).toEqual([]);
    expect(await bans()).toHaveLength(48);
    writeFileSync(file, whole);
    expect(await look(2)).toMatchObject([{ recovered: true, report: { lifted: 0, unchanged: 48 } }]);
  });

  test('is believed once it has stayed so for five minutes, by a clock that nobody sets', async () => {
    const { file, clock, look, bans } = await followed();
    writeFileSync(file, `${guids[0]} -1 x\n`);
    await look(2);
    clock.step(day);
    expect(await look(2)).toEqual([]);
    clock.advance(4 * minute);
    clock.step(-2 * day);
    // A ban that comes meanwhile does not make it wait longer.
    writeFileSync(file, `${guids[0]} -1 x\n${guidA} -1 y\n`);
    expect(await look(2)).toEqual([]);
    clock.advance(minute);
    expect(await look(2)).toMatchObject([{ recovered: true, report: { lifted: 47, added: 1 } }]);
    expect(await bans()).toHaveLength(2);
  });

  test('restarts its wait whenever it grows back in part, or was missing', async () => {
    const { file, clock, look, bans } = await followed();
    for (const lines of [1, 5, 20, 3, 0]) {
      writeFileSync(file, `${guids.slice(0, lines).join('\n')}\n`);
      await look(2);
      clock.advance(4 * minute);
      await look(2);
      expect(await bans()).toHaveLength(48);
    }
    rmSync(file);
    await look();
    writeFileSync(file, '\n');
    await look(2);
    clock.advance(4 * minute);
    await look(2);
    expect(await bans()).toHaveLength(48);
  });

  test('is believed at once when the owner imports it', async () => {
    const { db, file, clock, look, bans } = await followed();
    writeFileSync(file, '');
    await look(2);
    await importBanFile(db, { listId: 'bans', file, format: 'battleye', origin: 'config', now: clock.now });
    expect(await bans()).toEqual([]);
    // A file in doubt is not read again at each poll.
    expect(await look()).toEqual([]);
    clock.advance(10_000);
    expect(await look()).toMatchObject([{ recovered: true, report: { lifted: 0 } }]);
  });

  test('counts no ban as lost that has ended', async () => {
    const ends = (start + day) / 1000;
    const lines = guids.map((guid) => `${guid} ${ends} x\n`).join('');
    const { file, clock, look } = await following(lines, 'battleye');
    await look(2);
    clock.advance(day);
    writeFileSync(file, `${guidA} -1 y\n`);
    expect(await look(2)).toMatchObject([{ report: { lifted: 48, added: 1 } }]);
  });
});

describe('a ban made by hand', () => {
  test('is pending until a file holds the player, which Outpost leaves as it is', async () => {
    const owners = `${guidB} -1 two\n`;
    const { file, look, ban, bans, states, text } = await following(owners, 'battleye');
    await ban(steamA);
    await look(3);
    expect(text()).toBe(owners);
    expect(readdirSync(dirname(file))).toEqual(['bans.txt']);
    expect(await states()).toEqual([
      [guidA, 'PENDING', 'PENDING'],
      [guidB, 'ENFORCED', 'ENFORCED'],
    ]);
    writeFileSync(file, `${owners}${guidA} -1 rude\n`);
    await look(2);
    expect((await states())[0]).toEqual([guidA, 'ENFORCED', 'ENFORCED']);
    expect(await bans()).toHaveLength(2);
  });

  test('is lifted in the list alone where a file holds the player, too', async () => {
    const owners = `${guidA} -1 mine\n`;
    const { file, look, ban, lift, states, text } = await following(owners, 'battleye');
    await ban(steamA);
    await look(3);
    expect(await lift(steamA)).toEqual({ lifted: 1, stillIn: [`battleye:${file}`] });
    await look(3);
    expect(text()).toBe(owners);
    expect(await states()).toEqual([[guidA, 'ENFORCED', 'ENFORCED']]);
  });
});

/** Each change of a ban fails, as on a full disk. @returns what ends that */
async function makeBansUnwritable(db: Database): Promise<() => Promise<unknown>> {
  if (!onPostgres) {
    await sql`CREATE TRIGGER refusal BEFORE UPDATE ON ban BEGIN SELECT RAISE(ABORT, 'full'); END`.execute(db);
    return async () => await sql`DROP TRIGGER refusal`.execute(db);
  }
  await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full'; END $$`.execute(
    db,
  );
  await sql`CREATE TRIGGER refusal BEFORE UPDATE ON ban EXECUTE FUNCTION refuse()`.execute(db);
  return async () => await sql`DROP TRIGGER refusal ON ban`.execute(db);
}
