import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { configSchema, type Config } from '../../../../../src/config/schema.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import {
  addServer,
  removeAddedServer,
} from '../../../../../src/server/store/repositories/projects/added-servers.ts';
import { reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import { findOtherwiseStored } from '../../../../../src/server/store/repositories/projects/unchanged-projects.ts';
import { createApplication } from '../../../../../src/server/store/repositories/applications/applications.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../../../../src/server/store/repositories/applications/credentials.ts';
import { northwood } from '../../../../harness/northwood.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

const applicationId = newApplicationId();
const [usual] = northwood().projects;
const changed = (changes: object): Config =>
  configSchema.parse({
    projects: [
      {
        ...usual,
        servers: [
          {
            ...usual!.servers![0],
            files: { type: 'sftp', host: 'example.org', username: 'u', password: { env: 'P' } },
            schedules: [...usual!.servers![0]!.schedules!, { source: 'messages.xml', file: 'messages.xml' }],
          },
          ...usual!.servers!.slice(1),
        ],
        banlists: [
          ...usual!.banlists!,
          {
            id: 'filed',
            name: 'Filed',
            sources: [{ file: 'ban.txt', format: 'dayz', servers: ['northwood-1'] }],
          },
        ],
        applications: [{ id: applicationId, requestsPerMinute: 300 }],
        ...changes,
      },
      northwood().projects[1],
    ],
  });
const config = changed({});

let db: Database;
const unchanged = async ({ projects } = config): Promise<string[]> => {
  const others = await findOtherwiseStored(db, projects);
  return projects.map(({ slug }) => slug).filter((slug) => !others.includes(slug));
};
const both = ['northwood', 'southshore'];
beforeEach(async () => {
  db = await temporaryStore();
  await reconcile(db, config);
  const application = { id: applicationId, projectSlug: 'northwood', name: 'A', scopes: [] };
  await createApplication(db, { ...application, secretHash: hashSecret(newSecret()) }, 1);
  await reconcile(db, config);
});

it('stores nothing again that is stored', async () => {
  const written = async () =>
    (await db.selectFrom('schedule').select('id').orderBy('id').execute()).map(({ id }) => id);
  const before = await written();
  await reconcile(db, config);
  expect(await written()).toEqual(before);
  expect(before).toHaveLength(4);
  expect(await unchanged()).toEqual(both);
});

describe('what differs from the config in the store is stored again:', () => {
  /** What the store keeps by itself. */
  const keys = new Set([
    'id',
    'slug',
    'project_id',
    'server_id',
    'served_bans',
    'revision',
    'leaderboard_revision',
    'boards_revision',
  ]);
  it.each([
    ['project', sql`slug = 'northwood'`],
    ['server', sql`id = 'northwood-1'`],
    ['schedule', sql`server_id = 'northwood-1' AND position = 0`],
    ['ban_list', sql`id = 'filed'`],
  ] as const)('each column of %s', async (table, isIt) => {
    const found = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)} WHERE ${isIt}`.execute(
      db,
    );
    const columns = Object.entries(found.rows[0] ?? {}).filter(([column]) => !keys.has(column));
    expect(columns.length).toBeGreaterThan(6);
    for (const [column, value] of columns) {
      const other = column === 'active' ? 0 : typeof value === 'number' ? value + 7 : '["x"]';
      const write = sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${other} WHERE ${isIt}`;
      await write.execute(db);
      expect([column, await unchanged()]).toEqual([column, ['southshore']]);
      await reconcile(db, config);
      expect([column, await unchanged()]).toEqual([column, both]);
    }
  });

  it.each([
    ['a schedule that is gone', () => sql`DELETE FROM schedule WHERE title = 'Restart'`],
    [
      'a server of no config',
      () => sql`INSERT INTO server (id, project_id, position, name, game, host, port, timezone, metric_sources, active)
        SELECT 'more', id, 9, 'More', 'dayz', 'h', 1, 'UTC', '{}', 1 FROM project WHERE slug = 'northwood'`,
    ],
    ['a limit', () => sql`UPDATE application SET requests_per_minute = NULL`],
    ['a ban list that is gone', () => sql`DELETE FROM ban_list WHERE id = 'filed'`],
  ])('%s', async (_, statement) => {
    await statement().execute(db);
    expect(await unchanged()).toEqual(['southshore']);
    await reconcile(db, config);
    expect(await unchanged()).toEqual(both);
  });
});

it.each([
  ['a name', { name: 'Other' }],
  ['no limit', { applications: [] }],
  ['no ban lists', { banlists: [] }],
  ['no servers', { servers: [], banlists: [] }],
])('a config with %s is stored', async (_, changes) => {
  const next = changed(changes);
  expect(await unchanged(next)).toEqual(['southshore']);
  await reconcile(db, next);
  expect(await unchanged(next)).toEqual(both);
});

it('servers that members added are none of the config', async () => {
  const asked = {
    name: 'More',
    game: 'dayz',
    host: 'h',
    port: 1,
    queryPort: null,
    guildId: '1',
    addedBy: '2',
  };
  const outcome = await addServer(db, 'northwood', asked, { most: 5, now: 1 });
  expect(await unchanged()).toEqual(both);
  if (!('added' in outcome)) throw new Error('it was not added');
  await removeAddedServer(db, 'northwood', outcome.added.id, { by: '2', now: 2 });
  expect(await unchanged()).toEqual(both);
});
