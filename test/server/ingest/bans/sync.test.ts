import {
  chmodSync,
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { battleyeGuidOf, dayzIdOf } from '../../../../src/api/identifiers.ts';
import type { SourceOutcome } from '../../../../src/server/ingest/follower/polled-source.ts';
import type { BanListFiles } from '../../../../src/server/ingest/bans/removed-files.ts';
import type { BanFormat } from '../../../../src/server/ingest/bans/formats/index.ts';
import { addBan, liftBan } from '../../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../../src/server/ingest/bans/import.ts';
import { directPort } from '../../../../src/server/files/direct-files.ts';
import { banSource } from '../../../../src/server/store/repositories/bans/ban-sources.ts';
import { listBans } from '../../../../src/server/store/repositories/bans/ban-lists.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { onPostgres } from '../../../harness/new-store.ts';
import { samples, steamA, steamB, steamC, temporaryFiles, temporaryStore } from '../fixture.ts';

const [guidA, guidB, guidC] = [steamA, steamB, steamC].map(battleyeGuidOf) as [string, string, string];
const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');

/** A list of servers s and t that follows one file, a clock that stands, and what the service says of it. */
async function following(content: string | Buffer, format: BanFormat, more: object = {}) {
  const db = await temporaryStore(['s', 't']);
  await db.updateTable('ban_list').set({ server_ids: '["s","t"]' }).execute();
  const [file] = temporaryFiles({ 'bans.txt': content }) as [string];
  const clock = createTestClock(start);
  const lists: BanListFiles[] = [{ id: 'bans', sources: [{ file, format, ...more }] }];
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
    expect(await look()).toMatchObject([{ path: file, error: expect.stringContaining('full') }]);
    expect(await look()).toEqual([]);
    expect(await bans()).toHaveLength(1);
    await putBack();
    expect(await look()).toMatchObject([{ path: file, recovered: true, report: { lifted: 1 } }]);
    expect(await bans()).toEqual([]);
    expect(await look()).toEqual([]);
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

  async function followed(more: object = {}) {
    const all = await following(whole, 'battleye', more);
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
    clock.advance(10_000);
    expect(await look()).toMatchObject([{ recovered: true, report: { lifted: 0 } }]);
  });

  test('is not written into before it is believed', async () => {
    const { file, clock, look, ban, text } = await followed({ write: true });
    await ban(steamA);
    await look(3);
    writeFileSync(file, '');
    await ban(steamB);
    await look(3);
    clock.advance(4 * minute);
    await look(3);
    expect(text()).toBe('');
    clock.advance(minute);
    await look(3);
    expect(text()).toBe(`${guidA} -1 rude\n${guidB} -1 rude\n`);
  });

  test('does not doubt what Outpost took out itself, and writes again what the game wrote over', async () => {
    const people = guids.slice(0, 5).map((_, i) => String(76_561_198_000_000_001n + BigInt(i)));
    const { file, look, ban, bans, lift, text } = await followed({ write: true });
    for (const person of people) await ban(person);
    await look(3);
    const written = text();
    writeFileSync(file, whole);
    await look(3);
    expect(text()).toBe(written);
    await look(2);
    for (const person of people) await lift(person);
    await look(3);
    expect(text()).toBe(whole);
    expect(await bans()).toHaveLength(48);
    expect(await look(3)).toEqual([]);
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
  test('is pending while no file holds it, and no file is touched that may not be written', async () => {
    const { look, ban, states, text } = await following(`${guidB} -1 two\n`, 'battleye');
    await ban(steamA);
    await look(3);
    expect(text()).toBe(`${guidB} -1 two\n`);
    expect(await states()).toEqual([
      [guidA, 'PENDING', 'PENDING'],
      [guidB, 'ENFORCED', 'ENFORCED'],
    ]);
  });

  test('is written into BattlEye’s file, is enforced then, and leaves it as it was when it is lifted', async () => {
    const owners = `// my bans\r\n${guidB} -1 two // really\r\n\r\n203.0.113.9 -1 vpn\r\n`;
    const { file, look, ban, bans, lift, states, text } = await following(owners, 'battleye', {
      write: true,
    });
    chmodSync(file, 0o640);
    await ban(steamA, { reason: 'rude,\r\nvery\u0000 rude', expiresAt: start + day + 1 });
    expect(await look()).toMatchObject([
      { kind: 'bans' },
      { kind: 'banWrites', path: file, report: { written: 1, removed: 0, failed: 0 } },
    ]);
    expect(text()).toBe(`${owners}${guidA} ${start / 1000 + 86_401} rude, very rude\r\n`);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(dirname(file))).toEqual(['bans.txt']);
    expect((await states())[0]).toEqual([guidA, 'PENDING', 'PENDING']);
    await look(2);
    expect((await states())[0]).toEqual([guidA, 'ENFORCED', 'ENFORCED']);
    // It is one ban, as it was made: the file knows neither its category nor its start.
    expect(await bans()).toMatchObject([
      { category: 'TOXICITY', startsAt: new Date(start).toISOString(), permanent: false },
      { reason: 'two // really' },
    ]);
    expect((await bans())[0]?.expiresAt).toBe(new Date(start + day + 1).toISOString());

    expect(await lift(steamA)).toMatchObject({ lifted: 1, stillIn: [], written: [`battleye:${file}`] });
    expect(await look()).toMatchObject([{ kind: 'banWrites', report: { written: 0, removed: 1 } }]);
    expect(text()).toBe(owners);
    await look(2);
    expect(await states()).toEqual([[guidB, 'ENFORCED', 'ENFORCED']]);
  });

  test('is written into ban.txt in whatever encoding, and taken out when it is over, which the file cannot say', async () => {
    // A comment in CP1251, and a last line without an end.
    const owners = Buffer.concat([
      readFileSync(join(samples, 'bans', 'ban-stock.txt')),
      Buffer.from('\n// \xcf\xf0\xe8\xe2\xe5\xf2', 'latin1'),
    ]);
    const { file, clock, look, ban, bans, text } = await following(owners, 'dayz', { write: true });
    await ban(steamA, { expiresAt: start + day });
    await look(3);
    const bytes = readFileSync(file);
    expect(bytes.subarray(0, owners.length)).toEqual(owners);
    expect(bytes.subarray(owners.length).toString()).toMatch(/^\r?\n/);
    expect(bytes.subarray(owners.length).toString().trim()).toBe(`${dayzIdOf(steamA)} // rude`);
    expect((await bans())[0]).toMatchObject({ permanent: false, targets: [{ state: 'ENFORCED' }, {}] });
    clock.advance(day);
    await look(3);
    expect(text()).not.toContain(dayzIdOf(steamA));
    expect(readFileSync(file).subarray(0, owners.length)).toEqual(owners);
    expect(await bans()).toHaveLength(1);
  });

  test.each([
    [
      'with records',
      `{\r\n\t"m_BanList": [\r\n\t\t{"Steam64Id": "${steamC}", "Mine": 1.50}\r\n\t],\r\n\t"Other": 12345678901234567890\r\n}`,
    ],
    ['that is empty', '{\n    "m_BanList": [],\n    "m_Version": 2\n}\n'],
    ['on one line', `{"m_BanList":[{"Steam64Id":"${steamC}"}],"z":{"m_BanList":[1]}}`],
  ])('is written into VPP’s list %s, in which all else stays', async (_, owners) => {
    const { look, ban, lift, bans, text } = await following(owners, 'vpp', { write: true });
    await ban(steamA, { reason: 'a "quoted" word', expiresAt: start + 90_000 });
    await ban(steamB);
    await look(3);
    const list = JSON.parse(text()) as { m_BanList: object[] };
    expect(list.m_BanList.slice(-2)).toEqual([
      {
        playerName: '',
        Steam64Id: steamA,
        GUID: dayzIdOf(steamA),
        banReason: 'a "quoted" word',
        issuedBy: 'Outpost',
        expirationDate: { Hour: 0, Minute: 2, Year: 2026, Month: 1, Day: 1, Permanent: 0 },
      },
      expect.objectContaining({
        Steam64Id: steamB,
        expirationDate: expect.objectContaining({ Permanent: 1 }),
      }),
    ]);
    for (const piece of owners.match(/"(?:Mine|Other|z|m_Version)": ?[^\r\n}]+/g) ?? [])
      expect(text()).toContain(piece);
    expect((await bans()).slice(0, 2)).toMatchObject([
      { targets: [{ state: 'ENFORCED' }, {}] },
      { targets: [{ state: 'ENFORCED' }, {}], expiresAt: new Date(start + 90_000).toISOString() },
    ]);
    await lift(steamA);
    await lift(steamB);
    await look();
    expect(JSON.parse(text())).toEqual(JSON.parse(owners));
    if (owners.includes(steamC)) expect(text()).toBe(owners);
  });

  test('is not written where the file holds the player already, and lifting it leaves the owner’s line', async () => {
    const owners = `${guidA} -1 mine\n`;
    const { file, look, ban, lift, states, text } = await following(owners, 'battleye', { write: true });
    await ban(steamA);
    await look(3);
    expect(text()).toBe(owners);
    expect(await states()).toEqual([[guidA, 'ENFORCED', 'ENFORCED']]);
    expect(await lift(steamA)).toMatchObject({ lifted: 1, stillIn: [`battleye:${file}`], written: [] });
    await look(3);
    expect(text()).toBe(owners);
  });

  test.each([
    ['at once', false],
    ['while the config names both for some time', true],
  ])('stays Outpost’s when its file moves %s: it is taken out, and its end is known', async (_, hasBoth) => {
    const { file, lists, look, ban, lift, bans } = await following('// ours\n', 'dayz', { write: true });
    await ban(steamA, { expiresAt: start + day });
    await ban(steamB);
    await look(3);
    const [moved] = temporaryFiles({ 'ban.txt': readFileSync(file) }) as [string];
    const sources = [file, moved].map((path) => ({ file: path, format: 'dayz' as const, write: true }));
    if (hasBoth) {
      lists[0] = { id: 'bans', sources };
      await look(3);
    }
    lists[0] = { id: 'bans', sources: sources.slice(1) };
    await look(3);
    expect(await bans()).toMatchObject([{ permanent: true }, { expiresAt: '2026-01-02T00:00:00.000Z' }]);
    await lift(steamA);
    await lift(steamB);
    await look(3);
    expect(readFileSync(moved, 'utf8')).toBe('// ours\n');
  });

  test('is written once the owner’s own line has ended', async () => {
    const owners = `${guidA} ${(start + day) / 1000} mine\n`;
    const { clock, look, ban, text } = await following(owners, 'battleye', { write: true });
    await ban(steamA);
    await look(3);
    expect(text()).toBe(owners);
    clock.advance(day);
    await look();
    expect(text()).toBe(`${owners}${guidA} -1 rude\n`);
  });

  test('that the game wrote over is written again; one that the owner changed is the owner’s', async () => {
    const { file, look, ban, lift, text } = await following('', 'battleye', { write: true });
    await ban(steamA);
    await look(3);
    writeFileSync(file, `${guidC} -1 by the game\n`);
    await look(3);
    expect(text()).toBe(`${guidC} -1 by the game\n${guidA} -1 rude\n`);
    writeFileSync(file, `${guidA} -1 I know better\n`);
    await look(3);
    await lift(steamA);
    await look(3);
    expect(text()).toBe(`${guidA} -1 I know better\n`);
  });

  test('that is replaced changes its line in place', async () => {
    const { look, ban, file, text } = await following('', 'battleye', { write: true });
    await ban(steamA);
    await look(3);
    writeFileSync(file, `${text()}${guidB} -1 two\n`);
    await look(3);
    await ban(steamA, { reason: 'worse', expiresAt: start + day });
    await look(3);
    expect(text()).toBe(`${guidA} ${(start + day) / 1000} worse\n${guidB} -1 two\n`);
  });

  test('of a player whose id the format needs is not known has failed, and says what helps', async () => {
    const { db, look, ban, states, text } = await following('', 'dayz', { write: true });
    const player = { kind: 'battleyeGuid', value: guidA } as const;
    await addBan(db, { listId: 'bans', player, category: 'OTHER', reason: null, expiresAt: null });
    expect(await look(3)).toMatchObject([
      { kind: 'bans' },
      { kind: 'banWrites', error: expect.stringContaining('1 ban cannot be written: no DayZ id') },
    ]);
    expect(await states()).toEqual([[guidA, 'FAILED', 'FAILED']]);
    expect(await db.selectFrom('ban_write').select('error').execute()).toEqual([
      { error: expect.stringContaining('no DayZ id of the player is known') },
    ]);
    expect(text()).toBe('');
    // Another identifier of the same player is met: now it can be written.
    await ban(steamA);
    expect(await look()).toMatchObject([{ kind: 'banWrites', recovered: true, report: { written: 1 } }]);
    await look(2);
    expect(await states()).toEqual([[guidA, 'ENFORCED', 'ENFORCED']]);
  });

  test.each([
    ['battleye', `${guidA} -1 rude`],
    ['dayz', `${dayzIdOf(steamA)} // rude`],
    ['vpp', `"Steam64Id": "${steamA}"`],
  ] as const)(
    'is the first, and makes the %s file, which its folder’s owner may write',
    async (format, line) => {
      const { file, look, ban, bans, lift, text } = await following('', format, { write: true });
      rmSync(file);
      chmodSync(dirname(file), 0o770);
      await ban(steamA);
      await look(3);
      expect(text()).toContain(line);
      expect(statSync(file)).toMatchObject({ mode: 0o100660, uid: statSync(dirname(file)).uid });
      expect(readdirSync(dirname(file))).toEqual(['bans.txt']);
      expect(await bans()).toMatchObject([{ targets: [{ state: 'ENFORCED' }, { state: 'ENFORCED' }] }]);
      await lift(steamA);
      await look(3);
      expect(text()).not.toContain(line);
      expect(await bans()).toEqual([]);
      // A share that is away shows an empty folder: what was there once is not made anew.
      rmSync(file);
      await ban(steamB);
      await look(3);
      expect(readdirSync(dirname(file))).toEqual([]);
      expect(await bans()).toMatchObject([{ targets: [{ state: 'FAILED' }, { state: 'FAILED' }] }]);
    },
  );

  test.each(['1111111111112222222222222333333333XXXXXXAAAA\t//Example of a character ID\n', '// nobody\n'])(
    'is the first in the ban.txt that the game ships: %j',
    async (shipped) => {
      const { look, ban, text, lift } = await following(shipped, 'dayz', { write: true });
      await ban(steamA);
      await look(3);
      expect(text()).toBe(`${shipped}${dayzIdOf(steamA)} // rude\n`);
      await lift(steamA);
      await look(3);
      expect(text()).toBe(shipped);
    },
  );

  test('has failed while its file is gone, says so once, and is enforced when the file is back', async () => {
    const { file, lists, clock, look, ban, states, text } = await following(`${guidA} -1 x\n`, 'battleye', {
      write: true,
    });
    await look(2);
    writeFileSync(file, '// none\n');
    await look(2);
    rmSync(file);
    await ban(steamA);
    expect(await look(3)).toMatchObject([
      { kind: 'bans', report: { entries: 0 } },
      { kind: 'banWrites', error: expect.stringMatching(/bans\.txt: no such file .* create an empty one/) },
    ]);
    expect(await states()).toEqual([[guidA, 'FAILED', 'FAILED']]);
    writeFileSync(file, '');
    clock.advance(10_000);
    await look(4);
    expect(text()).toBe(`${guidA} -1 rude\n`);
    expect(await states()).toEqual([[guidA, 'ENFORCED', 'ENFORCED']]);
    // What may no longer be written has not failed.
    rmSync(file);
    await ban(steamB);
    clock.advance(10_000);
    await look();
    expect((await states())[1]).toEqual([guidB, 'FAILED', 'FAILED']);
    lists[0] = { id: 'bans', sources: [{ file, format: 'battleye', write: false }] };
    await look(2);
    expect((await states())[1]).toEqual([guidB, 'PENDING', 'PENDING']);
  });

  test('is not written into a file of another format', async () => {
    const { look, ban, states, text } = await following('hello = 1;\n', 'battleye', { write: true });
    await ban(steamA);
    expect(await look()).toMatchObject([
      { error: expect.stringContaining('is not a ban file') },
      { kind: 'banWrites', error: expect.stringContaining('is not a ban file') },
    ]);
    expect(text()).toBe('hello = 1;\n');
    expect(await states()).toEqual([[guidA, 'FAILED', 'FAILED']]);
  });
});

describe('replacing a file', () => {
  test('leaves one alone that somebody changed meanwhile', async () => {
    const [file] = temporaryFiles({ 'bans.txt': 'old' }) as [string];
    const seen = await directPort.stat(file);
    writeFileSync(file, 'theirs');
    await expect(directPort.replace(file, Buffer.from('ours'), seen)).rejects.toMatchObject({
      code: 'ECHANGED',
    });
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    expect(readdirSync(dirname(file))).toEqual(['bans.txt']);
  });

  test.skipIf(process.getuid?.() !== 0)('keeps it its owner’s (only root can give one away)', async () => {
    const [file] = temporaryFiles({ 'bans.txt': 'old' }) as [string];
    chmodSync(file, 0o600);
    chownSync(file, 12_345, 23_456);
    await directPort.replace(file, Buffer.from('new'), await directPort.stat(file));
    expect(statSync(file)).toMatchObject({ uid: 12_345, gid: 23_456, mode: 0o100600 });
  });

  test('keeps a link a link', async () => {
    const [file] = temporaryFiles({ 'bans.txt': 'old' }) as [string];
    const link = `${file}.link`;
    symlinkSync(file, link);
    await directPort.replace(link, Buffer.from('new'), await directPort.stat(file));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('new');
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
