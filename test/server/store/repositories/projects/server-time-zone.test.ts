import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../../harness/parse-config.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { savePeople } from '../../../../../src/server/store/repositories/players/players.ts';
import { readAliases } from '../../../../../src/server/store/repositories/players/player-profiles.ts';
import { reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import {
  contents,
  header,
  idA,
  sampleLogs,
  statsOf,
  steamA,
  steamB,
  temporaryFolder,
  temporaryStore,
} from '../../../ingest/fixture.ts';
import { createSourceWatch, importLogs } from '../../../../harness/logs.ts';

/** Gives the server this time zone, as a start with a changed config does. */
async function configure(db: Database, serverId: string, timezone: string): Promise<void> {
  const server = `{ id: ${serverId}, name: S, host: h, port: 1, timezone: ${timezone} }`;
  await reconcile(db, parseConfig(`projects: [{ slug: p, name: P, servers: [${server}] }]`, 'x.yaml'));
}

test.each(['server-b', 'server-d'])(
  '%s: moments are those of the corrected zone once its logs are read again',
  async (id) => {
    const files = sampleLogs(id);
    const db = await temporaryStore([id], 'America/New_York');
    await importLogs(db, { serverId: id, files });
    const right = await temporaryStore([id], 'Europe/Berlin');
    await importLogs(right, { serverId: id, files });
    expect(await contents(db)).not.toEqual(await contents(right));
    await configure(db, id, 'Europe/Berlin');
    await importLogs(db, { serverId: id, files });
    expect(await contents(db)).toEqual(await contents(right));
  },
);

test('what other servers and sources say of a player stays as it is, and what its logs said is unknown until they are read again', async () => {
  const db = await temporaryStore(['s', 't'], 'UTC');
  const folder = temporaryFolder();
  const at = Date.parse('2024-01-05T00:00:00Z');
  const log = (time: string): string => {
    const file = join(folder, `${time.slice(0, 10)}.ADM`);
    writeFileSync(file, `${header(time)}${time.slice(11)} | Player "A" (id=${idA} pos=<1, 2, 3>)\n`);
    return file;
  };
  const own = [log('2024-01-02 12:00:00')];
  await importLogs(db, { serverId: 's', files: own });
  await importLogs(db, { serverId: 't', files: [log('2024-01-01 12:00:00')] });
  const imported = { identity: { dayzId: idA }, names: [], firstSeenAt: null, lastSeenAt: at };
  await db.transaction().execute(async (tx) => await savePeople(tx, 'p', [imported]));
  await configure(db, 's', 'America/New_York');
  const { id, first_seen_at, last_seen_at } = await db
    .selectFrom('player')
    .selectAll()
    .executeTakeFirstOrThrow();
  expect([first_seen_at, last_seen_at]).toEqual([Date.parse('2024-01-01T12:00:00Z'), at]);
  const aliases = async () => (await readAliases(db, [id])).get(id);
  const first = '2024-01-01T12:00:00.000Z';
  expect(await aliases()).toEqual([{ name: 'A', firstSeenAt: first, lastSeenAt: first }]);
  await importLogs(db, { serverId: 's', files: own });
  expect(await aliases()).toEqual([
    { name: 'A', firstSeenAt: first, lastSeenAt: '2024-01-02T17:00:00.000Z' },
  ]);
});

test('a followed server continues in the corrected zone, and its nights with a change are counted again', async () => {
  const db = await temporaryStore(['s'], 'Europe/Berlin');
  const folder = temporaryFolder();
  const sources = { servers: [{ id: 's', logs: folder }], banlists: [] };
  writeFileSync(join(folder, 'serverconsole.log'), ` 2:10:00 Player "B"(steamID=${steamB}) is connected\n`);
  writeFileSync(
    join(folder, 'a.RPT'),
    `Current time:  2025/03/30 00:07:22\n 2:20:16.5 Player "A"(steamID=${steamA}) is connected\n`,
  );
  // In Berlin this is 20 minutes, in UTC an hour and 20 minutes; nothing proves that it is not Berlin.
  const night = `${header('2025-03-30 00:07:22')}01:50:00 | Player "A"(id=${idA}) is connected\n03:10:00 | Player "A"(id=${idA}) has been disconnected\n`;
  writeFileSync(join(folder, 'a.ADM'), night);
  writeFileSync(
    join(folder, 'b.ADM'),
    `${header('2025-04-01 12:00:00')}12:01:00 | Player "A"(id=${idA}) is connected\n`,
  );
  const watch = createSourceWatch(db);
  for (let i = 0; i < 8; i++) await watch.importChanged(sources);
  expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 20 * 60 });
  await configure(db, 's', 'UTC');
  for (let i = 0; i < 8; i++) await watch.importChanged(sources);
  expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 80 * 60 });
  const right = await temporaryStore(['s'], 'UTC');
  const other = createSourceWatch(right);
  for (let i = 0; i < 8; i++) await other.importChanged(sources);
  const withoutSeen = async (store: Database) => {
    const { stats, runs, effects } = (await contents(store)) as Record<string, unknown>;
    return { stats, runs, effects };
  };
  expect(await withoutSeen(db)).toEqual(await withoutSeen(right));
  rmSync(folder, { recursive: true });
});

test('what was read in the old zone is not stored once the zone has changed', async () => {
  const db = await temporaryStore(['s'], 'UTC');
  const folder = temporaryFolder();
  const file = join(folder, 'a.ADM');
  writeFileSync(file, `${header('2024-01-02 12:00:00')}12:00:00 | Player "A" (id=${idA} pos=<1, 2, 3>)\n`);
  let changing: Promise<unknown> | undefined;
  /** Begins no transaction before the change: PostgreSQL could take the two in any order. */
  const patient = (of: Database): Database =>
    new Proxy(of, {
      get(target, name) {
        const member = Reflect.get(target, name) as (rules: never) => Database;
        if (name === 'withRules') return (rules: never) => patient(member(rules));
        if (name !== 'transaction') return typeof member === 'function' ? member.bind(target) : member;
        const execute = async (work: never): Promise<unknown> => {
          await changing;
          return await target.transaction().execute(work);
        };
        return () => ({ execute });
      },
    });
  const importing = importLogs(patient(db), {
    serverId: 's',
    files: [file],
    onProgress: () => {
      changing ??= db.updateTable('server').set({ timezone: 'America/New_York' }).execute();
    },
  });
  await expect(importing).rejects.toThrow('the time zone of "s" was changed to America/New_York');
  expect(await db.selectFrom('player').selectAll().execute()).toEqual([]);
});
