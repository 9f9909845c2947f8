import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { readDeathsAfter } from '../../../../../src/server/store/repositories/kills/deaths.ts';
import {
  openReader,
  openWriter,
  type Database,
  type WriteDatabase,
} from '../../../../../src/server/store/engine/database.ts';
import { writeProject, writeStore, writeValue } from '../../../../../src/server/store/engine/transactions.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import {
  markStale,
  refreshStale,
} from '../../../../../src/server/store/repositories/players/stale-statistics.ts';
import { refreshStatistics } from '../../../../../src/server/store/repositories/players/statistics.ts';
import { saveServerStates } from '../../../../../src/server/store/repositories/projects/servers.ts';
import { forgetPlayer } from '../../../../../src/server/store/repositories/rights/forget-player.ts';
import { readForgottenList } from '../../../../../src/server/store/repositories/rights/forgotten-list.ts';
import { openNewDatabase, patient, type NewStore } from '../../../../harness/new-store.ts';

const projects = ['a', 'b', 'c'];
let store: NewStore;
let other: WriteDatabase;
beforeEach(async () => {
  store = await openNewDatabase({ busyTimeoutMs: 60_000 });
  other = await openWriter(store.location, { busyTimeoutMs: 60_000, limits: patient });
  onTestFinished(async () => {
    await other.close();
    await store.close();
  });
  for (const id of projects) {
    await store.db
      .insertInto('project')
      .values({ id, slug: id, name: id, plan: 'PRO', suspended: 0, support: '{}', active: 1 })
      .execute();
    const row = {
      game: 'dayz',
      host: 'h',
      port: 1,
      query_port: null,
      timezone: 'UTC',
      active: 1,
      position: 0,
    };
    await store.db
      .insertInto('server')
      .values({ id: `server-${id}`, project_id: id, name: id, ...row })
      .execute();
  }
});

const dayzIdOf = (at: number): string => `${at}`.padStart(43, 'x') + '=';
const person = (at: number, round = 1) => ({
  identity: { dayzId: dayzIdOf(at) },
  names: [[`N${round}`, { firstSeenAt: round, lastSeenAt: round }]] as [
    string,
    { firstSeenAt: number; lastSeenAt: number },
  ][],
  firstSeenAt: round,
  lastSeenAt: round,
});

async function addDeath(tx: Database, project: string, at: number): Promise<number> {
  const { ids } = await savePeople(tx, project, [{ ...person(at), serverId: `server-${project}` }]);
  const run = {
    server_id: `server-${project}`,
    header: `run ${at}`,
    started_at: 0,
    bytes: 0,
  };
  const { id: run_id } = await tx
    .insertInto('log_run')
    .values({ ...run, digest: '', imported_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const death = {
    server_id: run.server_id,
    run_id,
    game_id: dayzIdOf(at),
    number: 1,
    at,
    cause: 'OTHER' as never,
  };
  const { id } = await tx
    .insertInto('death')
    .values({ ...death, victim_id: ids[0] as number, stored_at: 0, live: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

it('stores a project while another one is being written, and gives their players different ids', async () => {
  const [theirs, ours] = await writeProject(store.db, 'a', async (tx) => {
    const { ids } = await savePeople(tx, 'a', [person(1), person(2)]);
    // This would wait for ever if it waited for the transaction around it.
    const saved = await writeProject(other.db, 'b', async (own) => await savePeople(own, 'b', [person(1)]));
    return [ids, saved.ids];
  });
  expect(new Set([...theirs, ...ours]).size).toBe(3);
});

it('lets one transaction of a project write at a time, and waits for those of the whole store', async () => {
  const order: string[] = [];
  const write = (db: Database, name: string) =>
    writeProject(db, 'a', async (tx) => {
      order.push(`${name} begins`);
      for (let at = 0; at < 5; at += 1) await savePeople(tx, 'a', [person(at)]);
      order.push(`${name} ends`);
    });
  const whole = (db: Database) =>
    writeStore(db, async (tx) => {
      order.push('whole begins');
      for (let at = 0; at < 5; at += 1) await savePeople(tx, 'b', [person(at)]);
      order.push('whole ends');
    });
  await Promise.all([
    write(store.db, 'one'),
    write(other.db, 'two'),
    whole(other.db),
    write(store.db, 'three'),
  ]);
  expect(order).toHaveLength(8);
  for (let at = 0; at < order.length; at += 2)
    expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'));
});

it('has many writers of several projects and of all of them, and none fails or is lost', async () => {
  const rounds = 8;
  const players = Array.from({ length: 30 }, (_, at) => at);
  const follow = async ({ db }: WriteDatabase, project: string, some: readonly number[]): Promise<void> => {
    for (let round = 1; round <= rounds; round += 1) {
      await writeProject(db, project, async (tx) => {
        for (const half of [some.slice(0, 15), some.slice(15)]) {
          const { ids } = await savePeople(
            tx,
            project,
            half.map((at) => ({ ...person(at, round), serverId: `server-${project}` })),
          );
          const known = ids.flatMap((id) => id ?? []);
          await (round % 2 === 0 ? markStale(tx, known) : refreshStatistics(tx, known));
        }
        await addDeath(tx, project, 1_000 + some[0]! * 100 + round);
      });
      await refreshStale(db);
    }
  };
  const poll = async ({ db }: WriteDatabase, order: readonly string[]): Promise<void> => {
    for (let round = 1; round <= rounds; round += 1) {
      const state = {
        status: 'ONLINE' as const,
        map: null,
        players: round,
        maxPlayers: 60,
        checkedAt: round,
      };
      await saveServerStates(
        db,
        order.map((id) => ({ serverId: `server-${id}`, ...state })),
      );
    }
  };
  const count = async ({ db }: WriteDatabase): Promise<void> => {
    for (let round = 1; round <= rounds; round += 1) {
      await writeValue(db, 'count', async (tx) => {
        const row = await tx.selectFrom('keyv').select('value').where('key', '=', 'n').executeTakeFirst();
        const value = String(Number(row?.value ?? 0) + 1);
        await tx
          .insertInto('keyv')
          .values({ key: 'n', value })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
          .execute();
      });
    }
  };
  const forget = async ({ db }: WriteDatabase): Promise<void> => {
    for (let at = 0; at < 3; at += 1) await forgetPlayer(db, { identity: { dayzId: dayzIdOf(5_000 + at) } });
  };
  const writers = [
    ...projects.flatMap((project) => [
      follow(store, project, players),
      follow(other, project, players.toReversed()),
    ]),
    poll(store, projects),
    poll(other, projects.toReversed()),
    count(store),
    count(other),
    forget(other),
  ];
  expect((await Promise.allSettled(writers)).flatMap((one) => ('reason' in one ? [one.reason] : []))).toEqual(
    [],
  );
  const deaths = await store.db.selectFrom('death').select('id').execute();
  expect(deaths).toHaveLength(2 * rounds * projects.length);
  const seen = await store.db.selectFrom('player').select(['project_id', 'dayz_id']).execute();
  expect(seen).toHaveLength(projects.length * (players.length + 2 * rounds));
  expect((await store.db.selectFrom('keyv').select('value').where('key', '=', 'n').execute())[0]?.value).toBe(
    String(2 * rounds),
  );
});

it('forgets in all projects a person of whom one project learns another identifier', async () => {
  const steamId64 = '76561198000000001';
  const cftoolsId = '5f1d7a4e3c2b1a0098765432';
  const seen = { names: [], firstSeenAt: 1, lastSeenAt: 1 };
  await writeProject(
    store.db,
    'b',
    async (tx) => await savePeople(tx, 'b', [{ identity: { cftoolsId }, ...seen }]),
  );
  await forgetPlayer(store.db, { identity: { steamId64 } });
  let times = 0;
  const { ids } = await writeProject(store.db, 'a', async (tx) => {
    times += 1;
    return await savePeople(tx, 'a', [{ identity: { steamId64, cftoolsId }, ...seen }]);
  });
  // The second time it holds the whole store.
  expect(times).toBe(2);
  expect(ids).toEqual([null]);
  expect((await readForgottenList(store.db)).hasPerson({ cftoolsId })).toBe(true);
  expect(await store.db.selectFrom('player').select('id').where('hidden', '<>', 3).execute()).toEqual([]);
});

it('gives a kill feed the deaths that are committed after one of another project with a higher id', async () => {
  const reader = openReader(store.location);
  onTestFinished(reader.close);
  const begun = await writeProject(store.db, 'b', async (tx) => await addDeath(tx, 'b', 1));
  const after = async (project: string) =>
    (await readDeathsAfter(reader.db, [`server-${project}`], begun, 10)).deaths.map(({ id }) => id);
  const [lower, higher] = await writeProject(store.db, 'a', async (tx) => {
    const own = await addDeath(tx, 'a', 2);
    const others = await writeProject(other.db, 'b', async (theirs) => await addDeath(theirs, 'b', 3));
    expect(await after('b')).toEqual([others]);
    return [own, others];
  });
  expect(lower).toBeLessThan(higher);
  expect(await after('a')).toEqual([lower]);
});
