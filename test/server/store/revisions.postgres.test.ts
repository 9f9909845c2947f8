import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openReader, type ReadDatabase } from '../../../src/server/store/engine/database.ts';
import { shownTables } from '../../../src/server/store/engine/migrations/project-revisions.ts';
import { startLink } from '../../harness/link.ts';
import { openNewDatabase, type NewStore } from '../../harness/new-store.ts';

let store: NewStore;
let reader: ReadDatabase;
beforeEach(async () => {
  store = await openNewDatabase({ busyTimeoutMs: 10_000 });
  reader = openReader(store.location);
  for (const id of ['one', 'other']) {
    await store.db
      .insertInto('project')
      .values({ id, slug: id, name: id, plan: 'PRO', suspended: 0, support: '{}', active: 1 })
      .execute();
  }
  await reader.revisions?.refresh();
});
afterEach(async () => {
  await reader.close();
  await store.close();
});

const run = (text: string): Promise<unknown> => sql.raw(text).execute(store.db);
const versions = async (): Promise<number[]> => {
  await reader.revisions?.refresh();
  return ['one', 'other'].map((id) => reader.dataVersion(id));
};

/** Tables of which nothing is shown, and tables that are read anew for each answer. */
const notShown = [
  ['character', 'players_db', 'imported_stats', 'log_run_player', 'stale_statistics'], // `player_stats` follows
  ['log_file', 'log_file_player', 'source_state', 'trusted_host'], // the state of readers
  ['restored_server', 'restored_value', 'feed_message', 'forgotten', 'forgotten_key', 'forgotten_name'], // of the bot; `rights` follows
  ['member_role'], // what the bot gave
  ['link_challenge', 'link_progress'], // read for each answer about them
  ['server_sample', 'death_cell'], // read for each chart and heat map
  ['stay', 'watch_entry'], // of moderators; the roster and the sightings change with a stay
  [
    'project_revision',
    'request_limit',
    'live_list',
    'lease',
    'lease_candidate',
    'keyv',
    'kysely_migration',
    'kysely_migration_lock',
  ],
].flat();

it('knows of each table whether something of it is shown', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
  `.execute(store.db);
  const known = new Set([...Object.keys(shownTables), 'player_link', ...notShown]);
  expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});

it('raises the revision of the project that a change concerns, and of no other', async () => {
  const changes = [
    `INSERT INTO server (id, project_id, position, name, game, host, port, timezone, active)
      VALUES ('s1', 'one', 0, 's', 'dayz', 'h', 1, 'UTC', 1)`,
    `INSERT INTO server_state (server_id, status, checked_at) VALUES ('s1', 'ONLINE', 1)`,
    `UPDATE server_state SET players = 3`,
    `INSERT INTO schedule (server_id, position, kind, title, recurrence, weekdays, timezone, public, active, file)
      VALUES ('s1', 0, 'RESTART', 't', 'INTERVAL', '[]', 'UTC', 1, 1, 'messages.xml')`,
    `INSERT INTO restart_file VALUES ('messages.xml', 60)`,
    `UPDATE restart_file SET restart_minutes = 120`,
    `INSERT INTO ban_list (id, project_id, position, name, public, verification_status, server_ids, active)
      VALUES ('l1', 'one', 0, 'l', 1, 'NONE', '[]', 1)`,
    `INSERT INTO ban (list_id, source, source_key, category, first_seen_at, state)
      VALUES ('l1', 'cli', 'k', 'OTHER', 1, 'PENDING')`,
    `DELETE FROM ban`,
    `INSERT INTO player (project_id, name) VALUES ('one', 'Ann')`,
    `INSERT INTO player_alias (player_id, name) SELECT id, 'Bob' FROM player`,
    `INSERT INTO player_stats (player_id, project_id) SELECT id, 'one' FROM player`,
    `INSERT INTO log_run (server_id, header, started_at, file_name, bytes, digest, lines, unread_lines, imported_at)
      VALUES ('s1', 'h', 1, 'f', 1, '', 1, 0, 1)`,
    `INSERT INTO roster VALUES ('s1', 'h', 1, NULL, 1, 1, 1)`,
    `DELETE FROM player`,
  ];
  let [one = 0, other = 0] = await versions();
  for (const change of changes) {
    await run(change);
    const [now = 0, others] = await versions();
    expect(now, change).toBe(one + 1);
    expect(others, change).toBe(other);
    one = now;
  }
  // A server that moves concerns both.
  await run(`UPDATE server SET project_id = 'other'`);
  expect(await versions()).toEqual([one + 1, other + 1]);
  one += 1;
  other += 1;
  // Nothing that is shown, and a transaction that changes nothing.
  await run(`UPDATE log_run SET bytes = 2, lines = 2`);
  await run(`UPDATE server SET name = 'x' WHERE id = 'nowhere'`);
  expect(await versions()).toEqual([one, other]);
});

it('raises it once a transaction, and not for one that is rolled back', async () => {
  const [one = 0, other] = await versions();
  await store.db.transaction().execute(async (tx) => {
    for (let index = 0; index < 5; index += 1) {
      await tx
        .updateTable('project')
        .set({ name: `name ${index}` })
        .where('id', '=', 'one')
        .execute();
    }
  });
  expect(await versions()).toEqual([one + 1, other]);
  const failing = store.db.transaction().execute(async (tx) => {
    await tx.updateTable('project').set({ name: 'never' }).execute();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await versions()).toEqual([one + 1, other]);
});

it('knows within a second or so what another process has committed, for a project and at all', async () => {
  const before = reader.dataVersion();
  const [one] = await versions();
  await run(`UPDATE project SET name = 'new' WHERE id = 'one'`);
  await expect.poll(() => reader.dataVersion('one')).toBe((one ?? 0) + 1);
  expect(reader.dataVersion()).toBeGreaterThan(before);
  const all = reader.dataVersion();
  await run(`UPDATE rights SET revision = revision + 1`);
  await expect.poll(() => reader.dataVersion()).toBeGreaterThan(all);
});

it('takes no project for unchanged while the store is away, and knows it again once it is back', async () => {
  await using link = await startLink(store.location);
  const far = openReader(Object.assign(new URL(store.location), { port: new URL(link.url).port }).href);
  onTestFinished(far.close);
  await far.revisions?.refresh();
  const known = far.dataVersion('one');
  expect(known).toBeGreaterThan(0);
  link.cut();
  await expect.poll(() => far.dataVersion('one')).toBeNaN();
  link.mend();
  await expect.poll(() => far.dataVersion('one')).toBe(known);
});

it('never goes back to an older revision that was read before the newer one', () => {
  const { revisions } = reader;
  const askedAt = performance.now();
  revisions?.learn('one', 50, askedAt);
  revisions?.learn('one', 49, askedAt);
  expect(reader.dataVersion('one')).toBe(50);
});

it('takes everything for changed once the database is an earlier one, and never has a version twice', async () => {
  const seen: (number | undefined)[] = [];
  const note = async (revision: number): Promise<void> => {
    await run(
      `UPDATE project_revision SET revision = ${revision}, transaction = pg_current_xact_id()::text::bigint`,
    );
    await expect.poll(() => reader.dataVersion('one')).not.toBe(seen.at(-1));
    // The poll after it knows of the other project, too.
    await reader.revisions?.refresh();
    seen.push(...(await versions()));
  };
  for (const revision of [100, 90, 100, 101]) await note(revision);
  expect(new Set(seen.map(Number)).size).toBe(4);
});
