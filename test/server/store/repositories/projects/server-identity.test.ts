import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../../harness/parse-config.ts';
import { activeSources } from '../../../../../src/server/ingest/follower/sources.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { addMissing, reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import {
  forgetServer,
  readServerContents as contentsOfServer,
} from '../../../../../src/server/store/repositories/projects/server-identity.ts';
import { saveServerState } from '../../../../harness/server-states.ts';
import { refreshStale } from '../../../../../src/server/store/repositories/players/stale-statistics.ts';
import {
  contents,
  idA,
  idB,
  run,
  samples,
  statsOf,
  temporaryFolder,
  temporaryStore,
} from '../../../ingest/fixture.ts';
import { createSourceWatch, importLogs } from '../../../../harness/logs.ts';

/** A project `p` whose servers have logs and a players.db in folders of these names. */
async function world() {
  const folder = temporaryFolder();
  for (const name of ['one', 'two']) mkdirSync(join(folder, name));
  const log = join(folder, 'one', 'DayZServer_x64.ADM');
  const kill = `Player "B" (DEAD) (id=${idB} pos=<1, 2, 3>) killed by Player "A" (id=${idA} pos=<1, 2, 3>) with M4 from 50 meters`;
  writeFileSync(log, run(`12:00:00 | Player "A"(id=${idA}) is connected`, `12:01:00 | ${kill}`));
  copyFileSync(join(samples, 'server-c', 'players.db'), join(folder, 'one', 'players.db'));
  writeFileSync(join(folder, 'two', 'DayZServer_x64.ADM'), run(`12:00:00 | ${kill}`));
  const db = await temporaryStore([]);
  const configOf = (ids: Record<string, string>, formerly?: Record<string, string>) =>
    parseConfig(
      JSON.stringify({
        projects: [
          {
            slug: 'p',
            name: 'P',
            servers: Object.entries(ids).map(([id, name]) => ({
              id,
              ...(formerly?.[id] !== undefined && { formerly: formerly[id] }),
              name,
              host: 'localhost',
              port: 2302,
              logs: join(folder, name),
              ...(name === 'one' && { playersDb: join(folder, name, 'players.db') }),
            })),
            banlists: [
              {
                id: 'bans',
                name: 'Bans',
                sources: [
                  { file: join(folder, 'b.txt'), format: 'battleye', servers: [Object.keys(ids)[0]] },
                ],
              },
            ],
          },
        ],
      }),
      join(folder, 'outpost.yaml'),
    );
  const follow = async (ids: Record<string, string>, formerly?: Record<string, string>) => {
    const config = configOf(ids, formerly);
    await reconcile(db, config);
    await createSourceWatch(db).importChanged(activeSources(config));
  };
  return { db, folder, log, configOf, follow };
}

const without = async (db: Database) => {
  const { runs, ...rest } = (await contents(db)) as { runs: unknown; effects: unknown };
  return JSON.stringify([rest, runs]).replaceAll(/\\"server_id\\":\\"\w+\\"|"(?:old|new) 20/g, '');
};

describe('a server whose id changed in the config', () => {
  test('is refused while its files are counted under the old id, with the remedy', async () => {
    const { db, configOf, follow } = await world();
    await follow({ old: 'one', other: 'two' });
    const before = await contents(db);
    const refusal = /server id "new" is new, .* server "old": .* "formerly: old"/;
    await expect(reconcile(db, configOf({ new: 'one', other: 'two' }))).rejects.toThrow(refusal);
    await expect(addMissing(db, configOf({ new: 'one', other: 'two' }))).rejects.toThrow(refusal);
    // It has logs and no players.db.
    await expect(reconcile(db, configOf({ old: 'one', new: 'two' }))).rejects.toThrow(/server "other"/);
    expect(await contents(db)).toEqual(before);
    await follow({ old: 'one', other: 'two', third: 'three' });
  });

  test('gets no run by an import that the old id has, as it is or longer', async () => {
    const { db, log, configOf } = await world();
    await reconcile(db, configOf({ old: 'nowhere', other: 'two' }));
    await importLogs(db, { serverId: 'old', files: [log] });
    await importLogs(db, { serverId: 'other', files: [join(log, '..', '..', 'two', 'DayZServer_x64.ADM')] });
    const before = await contents(db);
    await reconcile(db, configOf({ new: 'nowhere', other: 'two' }));
    const refusal = /run that started on 2024-05-01 12:00:00 is .* the server "old": .* "formerly: old"/;
    await expect(importLogs(db, { serverId: 'new', files: [log] })).rejects.toThrow(refusal);
    appendFileSync(log, `12:05:00 | Player "A"(id=${idA}) has been disconnected\n`);
    await expect(importLogs(db, { serverId: 'new', files: [log] })).rejects.toThrow(refusal);
    expect(await contents(db)).toEqual(before);
    await reconcile(db, configOf({ new: 'nowhere', other: 'two' }, { new: 'old' }));
    expect((await importLogs(db, { serverId: 'new', files: [log] })).runs).toMatchObject({ longer: 1 });
  });

  test('keeps all its data, and reading its logs continues where it stopped', async () => {
    const { db, log, follow } = await world();
    await follow({ old: 'one', other: 'two' });
    await saveServerState(db, 'old', {
      status: 'ONLINE',
      map: null,
      players: 3,
      maxPlayers: 9,
      checkedAt: 60_000,
    });
    const before = await without(db);
    await follow({ new: 'one', other: 'two' }, { new: 'old' });
    expect(await db.selectFrom('ban_list').select(['server_ids', 'file_servers']).execute()).toEqual([
      { server_ids: '["new","other"]', file_servers: expect.stringContaining('["new"]') },
    ]);
    expect(await without(db)).toBe(before);
    appendFileSync(log, `12:05:00 | Player "A"(id=${idA}) has been disconnected\n`);
    await follow({ new: 'one', other: 'two' });
    expect(await statsOf(db, idA)).toMatchObject({ player_kills: 2, total_play_seconds: 300 });
    expect(await db.selectFrom('server').select('id').orderBy('id').execute()).toEqual([
      { id: 'new' },
      { id: 'other' },
    ]);
    expect(await db.selectFrom('server_sample').select(['server_id', 'players']).execute()).toEqual([
      { server_id: 'new', players: 3 },
    ]);
    expect(
      await db.selectFrom('source_state').select('kind').where('owner_id', '=', 'old').execute(),
    ).toEqual([]);
  });

  test('is renamed once, and by a start alone', async () => {
    const { db, configOf, follow } = await world();
    await follow({ old: 'one', other: 'two' });
    const before = await contents(db);
    const formerly = { new: 'old' };
    await addMissing(db, configOf({ new: 'one', other: 'two' }, formerly));
    expect(await contents(db)).toEqual(before);
    await follow({ new: 'one', other: 'two' }, formerly);
    const renamed = await contents(db);
    // The key may stay.
    await follow({ new: 'one', other: 'two' }, formerly);
    expect(await contents(db)).toEqual(renamed);
  });

  test('never takes the place of a server that has figures', async () => {
    const { db, configOf, follow } = await world();
    await follow({ old: 'one', other: 'two' });
    const runs = async () =>
      await db.selectFrom('log_run').select(['server_id', 'header']).orderBy('server_id').execute();
    const before = await runs();
    await reconcile(db, configOf({ other: 'two' }, { other: 'old' }));
    expect(await runs()).toEqual(before);
  });

  test('that was counted under both ids has its figures once when one is forgotten', async () => {
    const { db, folder, follow } = await world();
    await follow({ old: 'one', other: 'two' });
    const before = await statsOf(db, idA);
    // As an earlier version did: another id for a copy of the same files.
    mkdirSync(join(folder, 'copy'));
    copyFileSync(join(folder, 'one', 'DayZServer_x64.ADM'), join(folder, 'copy', 'DayZServer_x64.ADM'));
    await follow({ new: 'copy', other: 'two' });
    expect(await statsOf(db, idA)).toMatchObject({ player_kills: 3 });
    expect(await forgetServer(db, 'new')).toMatchObject({ runs: 1, players: 2 });
    await refreshStale(db);
    expect(await statsOf(db, idA)).toEqual(before);
    await forgetServer(db, 'old');
    await refreshStale(db);
    expect(await statsOf(db, idA)).toMatchObject({ player_kills: 1 });
    expect(await db.selectFrom('server').select('id').execute()).toEqual([{ id: 'other' }]);
    expect(await db.selectFrom('ban_list').select('server_ids').execute()).toEqual([
      { server_ids: '["other"]' },
    ]);
    expect(
      await db.selectFrom('log_file').select('path').where('server_id', '!=', 'other').execute(),
    ).toEqual([]);
  });
});

test('forgetting a server that was interrupted is completed when it is repeated', async () => {
  const { db, follow } = await world();
  await follow({ old: 'one', other: 'two' });
  const cut = db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'DeleteQueryNode' && JSON.stringify(node).includes('player_alias'))
        throw new Error('cut');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await expect(forgetServer(cut, 'old')).rejects.toThrow('cut');
  await refreshStale(db);
  // Its logs are gone, and its players.db still counts.
  expect(await contentsOfServer(db, 'old')).toMatchObject({
    runs: 0,
    characters: expect.any(Number) as number,
  });
  expect(await statsOf(db, idA)).toMatchObject({ player_kills: 1 });
  await forgetServer(db, 'old');
  await refreshStale(db);
  expect(await db.selectFrom('server').select('id').execute()).toEqual([{ id: 'other' }]);
  expect(await db.selectFrom('character').select('server_id').execute()).toEqual([]);
  expect(await statsOf(db, idA)).toMatchObject({ player_kills: 1 });
});

test('forgetting a server takes the names of those who were seen nowhere else', async () => {
  const { db, follow } = await world();
  await follow({ old: 'one', two: 'two' });
  const known = async () =>
    await db
      .selectFrom('player')
      .select(['name', 'last_seen_at'])
      .where('name', 'is not', null)
      .orderBy('name')
      .execute();
  expect((await known()).map(({ name }) => name)).toEqual(expect.arrayContaining(['A', 'B']));
  await forgetServer(db, 'old');
  expect((await known()).map(({ name }) => name)).toEqual(['A', 'B']);
  await forgetServer(db, 'two');
  expect(await known()).toEqual([]);
  expect(await db.selectFrom('player').select('id').where('last_seen_at', 'is not', null).execute()).toEqual(
    [],
  );
});
