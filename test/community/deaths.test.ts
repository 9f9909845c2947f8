import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Deaths } from '../../src/commands/interfaces/community.ts';
import { createDeaths } from '../../src/community/deaths.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import type { Database } from '../../src/server/store/engine/database.ts';
import { setHidden } from '../../src/server/store/repositories/rights/hide-player.ts';
import { createTestClock } from '../harness/clock.ts';
import { createSourceWatch, type SourceWatch } from '../harness/logs.ts';
import { header, idA, idB, idC, run, temporaryFolder, temporaryStore } from '../server/ingest/fixture.ts';
import { storedFrom } from './stored.ts';

/** The deaths of the project `p`. */
function deathsOf(db: Database, config: Config): Deaths {
  return createDeaths(storedFrom(() => config, db));
}

const kill = (time: string, victim: string, killer: string, meters = 300): string =>
  `${time} | Player "${victim[0]}" (DEAD) (id=${victim} pos=<1, 2, 3>) killed by ` +
  `Player "${killer[0]}" (id=${killer} pos=<1, 2, 3>) with SVD from ${meters} meters `;

it('gives a kill feed what a followed log says, without its past and other servers', async () => {
  const db = await temporaryStore(['s', 'other', 'off']);
  const server = (id: string) => ({ id, name: id, host: '127.0.0.1', port: 2302 });
  const config = configSchema.parse({
    projects: [
      { slug: 'p', name: 'P', servers: [server('s'), server('other'), { ...server('off'), active: false }] },
    ],
    discord: {},
  });
  const deaths = deathsOf(db, config);
  const servers = ['s', 'other', 'off'].map((id) => ({ id, logs: temporaryFolder() }));
  const fileOf = (id: string): string =>
    join(servers.find((each) => each.id === id)?.logs ?? '', 'DayZServer_x64.ADM');
  for (const { id } of servers) writeFileSync(fileOf(id), `${run(kill('12:00:01', idA, idB))}\n`);
  const follow = () => createSourceWatch(db).importChanged({ servers, banlists: [] });
  await follow();
  // Logs that wait together are stored in any order.
  const latestOfProject = async (): Promise<number | null> => {
    const { id } = await db
      .selectFrom('death')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('server_id', '<>', 'off')
      .executeTakeFirstOrThrow();
    return id;
  };
  const past = await deaths.latest();
  expect(past).toBe(await latestOfProject());
  expect(await deaths.after(['s', 'other', 'off'], 0, 10)).toEqual({
    deaths: [],
    through: past,
    isLast: true,
  });

  for (const { id } of servers) appendFileSync(fileOf(id), `${kill('12:05:00', idC, idB)}\n`);
  await follow();
  const latest = await deaths.latest();
  expect(latest).toBe(await latestOfProject());
  const { deaths: found, ...rest } = await deaths.after(['s', 'off', 'nowhere'], past, 10);
  expect(found).toMatchObject([
    { serverId: 's', cause: 'player', weapon: 'SVD', meters: 300, position: null, streak: 2, endedStreak: 0 },
  ]);
  expect(rest).toEqual({ through: found[0]?.id, isLast: true });
  expect(await deaths.after(['s'], latest, 10)).toEqual({ deaths: [], through: latest, isLast: true });

  const [first] = (await deaths.after(['s', 'other'], past, 1)).deaths;
  expect(await deaths.after(['s', 'other'], past, 1)).toMatchObject({ through: first?.id, isLast: false });
});

describe('a kill feed gets', () => {
  let deaths: Deaths;
  let log: string;
  let watch: SourceWatch;
  const clock = createTestClock(Date.parse('2024-05-01T13:00:00Z'));
  let poll: () => Promise<unknown>;
  beforeEach(async () => {
    const db = await temporaryStore();
    const servers = [{ id: 's', name: 's', host: '127.0.0.1', port: 2302 }];
    const config = configSchema.parse({ projects: [{ slug: 'p', name: 'P', servers }], discord: {} });
    deaths = deathsOf(db, config);
    const logs = temporaryFolder();
    log = join(logs, 'DayZServer_x64.ADM');
    writeFileSync(log, `${run(kill('12:00:01', idA, idB))}\n`);
    watch = createSourceWatch(db, { clock });
    poll = () => watch.importChanged({ servers: [{ id: 's', logs }], banlists: [] });
    await poll();
  });
  const found = async () => (await deaths.after(['s'], 0, 10)).deaths;

  it('the moment of a kill by this machine’s clock, where the log’s is in another zone', async () => {
    appendFileSync(log, `${kill('12:00:05', idC, idB)}\n`);
    clock.advance(1_000);
    await poll();
    expect(await found()).toMatchObject([{ at: clock.now(), storedAt: clock.now() }]);
    // After an outage, nobody knows.
    clock.advance(60_000);
    appendFileSync(log, `${kill('12:01:05', idC, idB)}\n`);
    await poll();
    expect((await found())[1]).toMatchObject({ at: Date.parse('2024-05-01T12:01:05Z') });
  });

  it('kills of a run that began and ended between two polls', async () => {
    const ended = log.replace('.ADM', '_2024_05_01_140000000.ADM');
    writeFileSync(ended, `${header('2024-05-01 14:00:00')}${kill('14:05:00', idC, idB)}\n`);
    utimesSync(ended, 1_000, 1_000);
    await poll();
    expect(await found()).toMatchObject([{ at: Date.parse('2024-05-01T14:05:00Z') }]);
  });
});

describe('the longest shot of a season', () => {
  const seasons = [
    { name: 'Second', start: '2024-04-20T12:00:00Z' },
    { name: 'First', start: '2024-01-01T00:00:00Z' },
  ];

  /** Follows the log of a run of 1 May 2024, after a shot of 900 m in the season before. */
  async function world(over: object = { seasons }) {
    const db = await temporaryStore(['s', 'other']);
    const server = (id: string) => ({ id, name: id, host: '127.0.0.1', port: 2302 });
    const project = { slug: 'p', name: 'P', servers: [server('s'), server('other')], ...over };
    const deaths = deathsOf(db, configSchema.parse({ projects: [project], discord: {} }));
    const servers = ['s', 'other'].map((id) => ({ id, logs: temporaryFolder() }));
    const fileOf = (id: string) => join(servers.find((one) => one.id === id)!.logs, 'DayZServer_x64.ADM');
    const earlier = `${header('2024-04-10 12:00:00')}${kill('12:00:01', idA, idB, 900)}\n`;
    for (const { id } of servers) writeFileSync(fileOf(id), `${earlier}${run()}`);
    const follow = () => createSourceWatch(db).importChanged({ servers, banlists: [] });
    await follow();
    let through = await deaths.latest();
    /** Appends these shots to a log. @returns the distance of each that the feed shows, and what record it is */
    const shoot = async (shots: readonly string[], id = 's') => {
      appendFileSync(fileOf(id), shots.map((line) => `${line}\n`).join(''));
      await follow();
      const next = await deaths.after([id], through, 100);
      through = next.through;
      return next.deaths.map(({ meters, record }) => [meters, record]);
    };
    return { db, deaths, shoot };
  }

  it('is a record once it beats another, on its own server', async () => {
    const { shoot } = await world();
    expect(await shoot([kill('12:01:00', idA, idB, 400)])).toEqual([[400, null]]);
    expect(await shoot([kill('12:02:00', idA, idC, 350)])).toEqual([[350, null]]);
    expect(await shoot([kill('12:03:00', idA, idC, 450)])).toEqual([[450, 'season']]);
    // As far as the record is none.
    expect(await shoot([kill('12:04:00', idA, idB, 450)])).toEqual([[450, null]]);
    expect(await shoot([kill('12:05:00', idA, idB, 299)])).toEqual([[299, null]]);
    expect(await shoot([kill('12:05:00', idA, idB, 460)], 'other')).toEqual([[460, null]]);
  });

  it('is one at most of many that are read at once', async () => {
    const { shoot } = await world();
    const meters = [400, 500, 600, 700, 650, 800, 750];
    const backlog = meters.map((one, i) => kill(`12:0${i}:30`, idA, idB, one));
    expect((await shoot(backlog)).filter(([, record]) => record !== null)).toEqual([[800, 'season']]);
  });

  it('is that of the month where a project has no seasons', async () => {
    const { shoot } = await world({});
    await shoot([kill('12:01:00', idA, idB, 400)]);
    expect(await shoot([kill('12:02:00', idA, idC, 500)])).toEqual([[500, 'month']]);
  });

  it('is never that of a hidden player, who keeps nobody else from it', async () => {
    const { db, shoot } = await world();
    await shoot([kill('12:01:00', idA, idB, 400), kill('12:01:00', idB, idC, 700)]);
    await setHidden(db, { identity: { dayzId: idC } }, true);
    expect(await shoot([kill('12:02:00', idA, idC, 800)])).toEqual([[800, null]]);
    expect(await shoot([kill('12:03:00', idA, idB, 500)])).toEqual([[500, 'season']]);
  });
});
