import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { battleyeGuidOf, dayzIdOf } from '../../src/api/identifiers.ts';
import type { Arrivals, WatchList } from '../../src/commands/interfaces/watch-list.ts';
import { createArrivals, createWatchList } from '../../src/community/watch-list.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { Database } from '../../src/server/store/engine/database.ts';
import { findProjectId } from '../../src/server/store/repositories/projects/projects.ts';
import { exportPlayer } from '../../src/server/store/repositories/rights/export-player.ts';
import { forgetPlayer } from '../../src/server/store/repositories/rights/forget-player.ts';
import { deleteOldStays } from '../../src/server/store/repositories/logs/presence.ts';
import { deleteEndedEntries } from '../../src/server/store/repositories/watch/watch-list.ts';
import { createTestClock } from '../harness/clock.ts';
import { createSourceWatch, type SourceWatch } from '../harness/logs.ts';
import { header, idA, idB, idC, temporaryFolder, temporaryStore } from '../server/ingest/fixture.ts';
import { storedFrom } from './stored.ts';

const day = 86_400_000;
const noon = Date.UTC(2024, 4, 1, 12);
const who = { guildId: '11', userId: '22' };
const config = configSchema.parse({
  projects: [{ slug: 'p', name: 'P', servers: [{ id: 's', name: 'S', host: '127.0.0.1', port: 2302 }] }],
  discord: {},
});

let db: Database;
let folder: string;
let log: string;
let source: SourceWatch;
let clock: ReturnType<typeof createTestClock>;
let arrivals: Arrivals;
let watch: WatchList;
beforeEach(async () => {
  db = await temporaryStore();
  folder = temporaryFolder();
  log = join(folder, 'DayZServer_x64.ADM');
  clock = createTestClock(noon + 60_000);
  restart();
  const project = storedFrom(() => config, db, clock);
  arrivals = createArrivals(project);
  watch = createWatchList(project);
});

/** Another process goes on. */
function restart(): void {
  source = createSourceWatch(db, { clock });
}

const poll = () => source.followOn({ servers: [{ id: 's', logs: folder }], banlists: [] });
const came = (time: string, name: string, id: string) => `${time} | Player "${name}"(id=${id}) is connected`;
const left = (time: string, name: string, id: string) =>
  `${time} | Player "${name}"(id=${id}) has been disconnected`;
async function begin(at = '2024-05-01 12:00:00'): Promise<void> {
  writeFileSync(log, header(at));
  await poll();
}
async function append(...lines: string[]): Promise<void> {
  appendFileSync(log, lines.map((line) => `${line}\n`).join(''));
  await poll();
}
const all = async () => (await arrivals.after(['s'], 0, 100)).arrivals;
const names = async () => (await all()).map(({ name, isContinued }) => (isContinued ? `(${name})` : name));
const add = (text: string, days: number | null = null) => watch.add({ text, reason: 'Cheats', days }, who);

describe('an arrival', () => {
  it('is found by servers that members may see, a page at a time, even if a page has none of theirs', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), came('12:01:05', 'Bob', idB));
    const [, bob] = await all();
    expect(await arrivals.after(['other'], 0, 2)).toEqual({ arrivals: [], through: bob?.id, isLast: false });
    expect(await arrivals.after(['s'], bob!.id, 2)).toEqual({ arrivals: [], through: bob?.id, isLast: true });
    const [project] = config.projects;
    const suspended = { ...config, projects: [{ ...project!, suspended: true }] };
    const there = createArrivals(storedFrom(() => suspended, db, clock));
    expect((await there.after(['s'], 0, 2)).arrivals).toEqual([]);
  });

  it('is one for each stay: who is back within ten minutes has not left', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA));
    // 2026 writes it again at every respawn.
    await append(came('12:05:00', 'Ann', idA));
    await append(left('12:20:00', 'Ann', idA));
    await append(came('12:29:00', 'Ann', idA), left('12:30:00', 'Ann', idA));
    expect(await names()).toEqual(['Ann']);
    await append(came('12:41:00', 'Ann', idA));
    expect(await names()).toEqual(['Ann', 'Ann']);
  });

  it('is noticed although the player left before the log was read again', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), left('12:02:00', 'Ann', idA), came('12:03:00', 'Bob', idB));
    expect(await names()).toEqual(['Ann', 'Bob']);
  });

  it('is none after a restart of the game server, nor where Outpost starts again or a log is copied', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), came('12:01:10', 'Bob', idB), left('12:03:00', 'Bob', idB));
    restart();
    await append('12:05:00 | Player "Ann" (id=' + idA + ' pos=<1.0, 2.0, 3.0>)');
    renameSync(log, join(folder, 'DayZServer_x64_2024_05_01_120000.ADM'));
    await begin('2024-05-01 12:07:00');
    await append(came('12:08:00', 'Ann', idA));
    restart();
    await poll();
    expect(await names()).toEqual(['Ann', 'Bob']);
    await append(came('12:14:00', 'Bob', idB));
    expect(await names()).toEqual(['Ann', 'Bob', 'Bob']);
  });

  it('goes on in the next run of the game server, also when the log of the one before is finished then', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA));
    log = join(folder, 'DayZServer_x64_2024-05-01_12-05-00.ADM');
    await begin('2024-05-01 12:05:00');
    await append(came('12:06:00', 'Ann', idA));
    for (let i = 0; i < 8; i++) await poll();
    expect((await all()).map(({ name, isOver }) => [name, isOver])).toEqual([['Ann', false]]);
  });

  it('ends as the log says that was read late, not when it had been read last', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), came('12:01:10', 'Bob', idB), came('12:01:20', 'Cid', idC));
    restart();
    await append(
      left('12:20:00', 'Ann', idA),
      left('12:20:10', 'Bob', idB),
      left('12:25:00', 'Cid', idC),
      came('12:26:00', 'Cid', idC),
      header('2024-05-01 12:27:00').trim(),
      came('12:28:00', 'Ann', idA),
    );
    restart();
    await append(left('12:40:00', 'Ann', idA), came('12:41:00', 'Ann', idA));
    expect((await all()).map(({ name, isOver }) => [name, isOver])).toEqual([
      ['Ann', false],
      ['Bob', true],
      ['Cid', true],
    ]);
  });

  it('is not noticed again when a log of a clock that is ahead is read again', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), left('12:02:00', 'Ann', idA));
    await append(came('18:00:00', 'Ann', idA), left('19:00:00', 'Ann', idA));
    restart();
    await append(came('19:30:00', 'Bob', idB));
    expect(await names()).toEqual(['Ann', 'Ann', 'Bob']);
  });

  it('is over when the player left while Outpost did not run and a tool emptied the log', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), came('12:01:10', 'Bob', idB));
    const line = (time: string, text: string) => `${time} | ${text}`;
    writeFileSync(
      log,
      `${line('12:02:00', `Player "Ann" (id=${idA} pos=<1.0, 2.0, 3.0>) performed EmoteDance`)}\n`,
    );
    await poll();
    restart();
    await append(
      left('12:03:00', 'Ann', idA),
      line('12:05:00', '##### PlayerList log: 1 players'),
      line('12:05:00', `Player "Bob" (id=${idB} pos=<1.0, 2.0, 3.0>)`),
      line('12:05:00', '#####'),
    );
    expect((await all()).map(({ name, isOver }) => [name, isOver])).toEqual([
      ['Ann', true],
      ['Bob', false],
    ]);
  });

  it('is nothing that a log says of the past', async () => {
    writeFileSync(log, `${header('2024-05-01 12:00:00')}${came('12:01:00', 'Ann', idA)}\n`);
    await poll();
    await append(came('12:02:00', 'Bob', idB));
    expect(await names()).toEqual(['Bob']);
  });

  it('is noticed again of who left after the clock was set right with players on', async () => {
    await begin();
    await append(came('12:01:00', 'Bob', idB), came('12:20:00', 'Ann', idA));
    await append('12:02:00 | Player "Bob" (id=' + idB + ' pos=<1.0, 2.0, 3.0>)');
    await append(left('12:05:00', 'Ann', idA));
    await append(came('12:31:00', 'Ann', idA));
    expect(await names()).toEqual(['Bob', 'Ann', 'Ann']);
  });

  it('is new on a server of which more than a day is known', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA));
    expect((await all()).map(({ isNew }) => isNew)).toEqual([false]);
    clock.advance(2 * day);
    await begin('2024-05-03 12:00:00');
    await append(`12:01:00 | Player "Bob" (id=${idB}) is connecting`);
    await append(came('12:01:30', 'Bob', idB), came('12:01:31', 'Ann', idA));
    expect((await all()).slice(1).map(({ name, isNew }) => [name, isNew])).toEqual([
      ['Bob', true],
      ['Ann', false],
    ]);
  });

  it('is not new where the players.db of the server knows the player from before', async () => {
    await begin();
    clock.advance(2 * day);
    await begin('2024-05-03 12:00:00');
    for (const [dayz_id, hours] of [
      [idA, 100],
      [idB, 0.1],
    ] as const) {
      const { id: player_id } = await db
        .insertInto('player')
        .values({ project_id: await findProjectId(db, 'p'), dayz_id })
        .returning('id')
        .executeTakeFirstOrThrow();
      const figures = { last: '{}', total: JSON.stringify({ playtime: hours * 3_600 }) };
      await db
        .insertInto('character')
        .values({ server_id: 's', player_id, sampled_at: clock.now(), ...figures })
        .execute();
    }
    await append(came('12:01:00', 'Ann', idA), came('12:01:10', 'Bob', idB), came('12:01:20', 'Cid', idC));
    expect((await all()).map(({ name, isNew }) => [name, isNew])).toEqual([
      ['Ann', false],
      // Came on a moment ago.
      ['Bob', true],
      ['Cid', true],
    ]);
  });

  it('says by the log when it was, where that was not read meanwhile', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA));
    restart();
    clock.advance(8 * 3_600_000);
    const late = [came('12:30:00', 'Bob', idB), came('12:30:00', 'Eve', idC), left('12:40:00', 'Eve', idC)];
    await append(...late);
    const lateMs = 8 * 3_600_000 - 29 * 60_000;
    expect((await all()).map(({ name, at, storedAt, isOver }) => [name, storedAt - at, isOver])).toEqual([
      ['Ann', 0, false],
      ['Bob', lateMs, false],
      ['Eve', lateMs, true],
    ]);
    expect((await all())[0]?.lateByMs).toBe(0);
    const [project] = config.projects;
    const [server] = project!.servers;
    const files = { type: 'nitrado', token: 'x', serviceId: '1', baseUrl: undefined } as const;
    const hosted = { ...config, projects: [{ ...project!, servers: [{ ...server!, files }] }] };
    const there = createArrivals(storedFrom(() => hosted, db, clock));
    expect((await there.after(['s'], 0, 1)).arrivals[0]?.lateByMs).toBe(30 * 60_000);
  });

  it('says a new name, and a stay that goes on under another one', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), left('12:30:00', 'Ann', idA), came('12:31:00', 'Eve', idA));
    await append(left('12:32:00', 'Eve', idA), came('12:33:00', 'Ann', idA));
    expect(await names()).toEqual(['Ann', '(Eve)', '(Ann)']);
    expect((await all()).map(({ nameBefore }) => nameBefore)).toEqual([null, 'Ann', null]);
  });
});

describe('the watch list', () => {
  it('knows a player by whatever name, until the entry ends or is removed', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), left('12:02:00', 'Ann', idA));
    expect(await add('ann', 2)).toEqual({ about: 'player', subject: 'Ann', on: [] });
    await append(came('13:01:00', 'Eve', idA), came('13:01:05', 'Bob', idB));
    const found = (await all()).slice(1);
    expect(found.map(({ name, watched }) => [name, watched?.reason ?? null])).toEqual([
      ['Eve', 'Cheats'],
      ['Bob', null],
    ]);
    expect(found[0]?.watched).toMatchObject({ addedBy: '22', addedAt: clock.now() });
    clock.advance(2 * day);
    expect((await all()).map(({ watched }) => watched)).toEqual([null, null, null]);
    expect(await watch.list()).toEqual([]);
    await deleteEndedEntries(db, clock.now());
    expect(await db.selectFrom('watch_entry').selectAll().execute()).toEqual([]);
    await add('Eve');
    const [entry] = await watch.list();
    expect(await watch.remove(entry!.id, who)).toMatchObject({ subject: 'Eve' });
    expect(await watch.remove(entry!.id, who)).toBeNull();
  });

  it('finds an entry by an identifier of its player, who is listed by name', async () => {
    const steamId64 = '76561198000000001';
    const other = '76561198000000002';
    await begin();
    await append(came('12:01:00', 'Ann', dayzIdOf(steamId64)), came('12:01:00', 'Bob', dayzIdOf(other)));
    await add('Ann');
    const [entry] = await watch.list();
    expect(entry?.subject).toBe('Ann');
    expect(await watch.find(steamId64)).toBe(entry?.id);
    expect(await watch.find(other)).toBeNull();
    expect(await watch.find('Ann')).toBeNull();
  });

  it('keeps the reason of an entry that is added again without one', async () => {
    await add('Bob');
    await watch.add({ text: 'Bob', reason: null, days: 3 }, { ...who, userId: '33' });
    const [entry, ...others] = await watch.list();
    expect(entry).toMatchObject({ reason: 'Cheats', addedBy: '33', expiresAt: clock.now() + 3 * day });
    expect(others).toEqual([]);
  });

  it('says where the player is now, as long as the log is up to date', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), came('12:01:10', 'Bob', idB), left('12:02:00', 'Bob', idB));
    expect(await add('Ann')).toMatchObject({ on: ['s'] });
    expect(await add('Bob')).toMatchObject({ on: [] });
    clock.advance(3_600_000);
    expect(await add('Ann')).toMatchObject({ on: [] });
  });

  it('knows a player by an identifier of whom a ban file has another one', async () => {
    const steamId64 = '76561198000000001';
    await begin();
    await append(came('12:01:00', 'Ann', dayzIdOf(steamId64)));
    const project_id = await findProjectId(db, 'p');
    await db
      .insertInto('player')
      .values({ project_id, battleye_guid: battleyeGuidOf(steamId64) })
      .execute();
    expect(await add(steamId64)).toEqual({ about: 'player', subject: 'Ann', on: ['s'] });
  });

  it('finds who was unknown by the identifier or the name, in whatever form', async () => {
    expect(await add(idA)).toEqual({ about: 'identifier', subject: idA, on: [] });
    expect(await add('Bob')).toEqual({ about: 'name', subject: 'Bob', on: [] });
    expect(await add('BOB ')).toMatchObject({ about: 'name' });
    expect(await watch.list()).toHaveLength(2);
    await begin();
    await append(came('12:01:00', 'Ann', idA), came('12:01:00', 'bob', idB), came('12:01:00', 'Cid', idC));
    expect((await all()).map(({ name, watched }) => [name, watched !== null])).toEqual([
      ['Ann', true],
      ['bob', true],
      ['Cid', false],
    ]);
  });

  it('notices another player who takes the name of a watched one', async () => {
    await begin();
    await append(came('12:00:30', 'Cid', idC), came('12:01:00', 'Ann', idA), left('12:02:00', 'Ann', idA));
    await add('Ann');
    await append(came('12:03:00', 'ANN', idB));
    const found = (await all()).at(-1);
    expect(found).toMatchObject({ name: 'ANN', watched: null, namesakeOf: { reason: 'Cheats' } });
    // The next time it is known that this is another one.
    clock.advance(3_600_000);
    await append(left('12:04:00', 'ANN', idB), came('13:03:00', 'ANN', idB));
    expect((await all()).at(-1)).toMatchObject({ name: 'ANN', watched: null, namesakeOf: null });
  });

  it('takes the number that games add to a shared name for none of the name', async () => {
    await begin();
    await append(came('12:00:10', 'Cid', idC), came('12:00:20', 'Ann', idA), left('12:20:00', 'Ann', idA));
    await add('Ann');
    await add('Dan');
    await append(came('12:21:00', 'Ann (3)', idA), left('12:22:00', 'Cid', idC));
    expect((await all()).at(-1)).toMatchObject({ name: 'Ann (3)', nameBefore: null, isContinued: true });
    // While the watched one is on, the game tells them apart.
    await append(came('12:40:00', 'Ann (2)', idB));
    expect((await all()).at(-1)).toMatchObject({ watched: null, namesakeOf: { reason: 'Cheats' } });
    await append(came('12:50:00', 'Dan (2)', idC));
    expect((await all()).at(-1)).toMatchObject({ name: 'Dan (2)', watched: { reason: 'Cheats' } });
  });

  it('takes nobody for a namesake who chose no name', async () => {
    await begin();
    await append(came('12:01:00', 'Survivor', idA), left('12:02:00', 'Survivor', idA));
    await append(came('12:20:00', 'Ann', idA), left('12:21:00', 'Ann', idA));
    await add('Ann');
    await append(came('12:30:00', 'Survivor', idB), came('12:30:10', 'Survivor (2)', idC));
    expect((await all()).slice(2).map(({ namesakeOf }) => namesakeOf)).toEqual([null, null]);
  });

  it('says whom a message may name', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA), came('12:01:05', 'Bob', idB));
    const victim = `Player "Bob" (DEAD) (id=${idB} pos=<1.0, 2.0, 3.0>)`;
    await append(
      `12:02:00 | ${victim} killed by Player "Ann" (id=${idA} pos=<1.0, 2.0, 3.0>) with M4-A1 from 9 meters`,
    );
    await append(left('12:03:00', 'Bob', idB));
    await add('Bob');
    await append(came('12:30:00', 'Bob', idC));
    const [ann, bob, other] = await all();
    const playersOf = async (id = 0) => (await arrivals.get(id))?.players ?? [];
    // One killed the other.
    expect(new Set(await playersOf(ann?.id))).toEqual(new Set(await playersOf(bob?.id)));
    expect(new Set(await playersOf(ann?.id)).size).toBe(2);
    // Another Bob: the watched one's name, too.
    expect(other?.players).toHaveLength(2);
    expect(other?.players[1]).toBe(bob?.players[0]);
  });

  it('loses who is forgotten, and keeps to itself who wrote an entry', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA));
    await add('Ann');
    await add(idB);
    const [exported] = await exportPlayer(db, { identity: { dayzId: idA } });
    expect(exported?.['watch_entry']).toMatchObject([{ reason: 'Cheats' }]);
    expect(JSON.stringify(exported)).not.toMatch(/added_by/);
    expect(exported?.['stay']).toHaveLength(1);
    for (const id of [idA, idB]) await forgetPlayer(db, { identity: { dayzId: id } });
    expect(await watch.list()).toEqual([]);
    expect(await all()).toEqual([]);
    expect(await add(idA)).toBe('forgotten');
    await append(left('12:30:00', 'Ann', idA), came('13:01:00', 'Ann', idA));
    expect(await all()).toEqual([]);
  });

  it('holds a bounded number of entries, and stays for two days', async () => {
    await begin();
    await append(came('12:01:00', 'Ann', idA));
    const entry = { project_id: 'p', added_at: 1, added_by: '22' };
    const entries = Array.from({ length: watch.most }, (_, i) => ({ ...entry, name: `Player ${i}` }));
    await db.insertInto('watch_entry').values(entries).execute();
    expect(await add('Ann')).toBe('full');
    // In place of the one before.
    expect(await add('Player 7')).toMatchObject({ about: 'name' });
    await deleteOldStays(db, clock.now() + day);
    expect(await all()).toHaveLength(1);
    await deleteOldStays(db, clock.now() + 3 * day);
    expect(await all()).toEqual([]);
  });
});
