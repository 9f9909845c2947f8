import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { dayzIdOf } from '../../../src/api/identifiers.ts';
import { metricCodes } from '../../../src/api/metrics.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { addBan, liftBan } from '../../../src/server/ingest/bans/by-hand.ts';
import { metricColumns } from '../../../src/server/store/engine/schema/metric-columns.ts';
import { runColumns } from '../../../src/server/store/engine/schema/run-figures.ts';
import { listBanLists, listBans } from '../../../src/server/store/repositories/bans/ban-lists.ts';
import { readDeathsAfter } from '../../../src/server/store/repositories/kills/deaths.ts';
import { readPlayerKills } from '../../../src/server/store/repositories/kills/player-kills.ts';
import { deleteOldDeaths } from '../../../src/server/store/repositories/kills/retention.ts';
import { readRosters } from '../../../src/server/store/repositories/logs/rosters.ts';
import {
  findLinkOfPlayer,
  findLinkOfMember,
  removeLink,
  setLink,
} from '../../../src/server/store/repositories/links/player-links.ts';
import {
  deleteStoredRoles,
  saveStoredRoles,
} from '../../../src/server/store/repositories/member-roles/records.ts';
import { readLeaderboard } from '../../../src/server/store/repositories/players/leaderboards.ts';
import {
  findPlayersByName,
  findProfile,
} from '../../../src/server/store/repositories/players/player-profiles.ts';
import { findProjectId } from '../../../src/server/store/repositories/projects/projects.ts';
import { reconcile } from '../../../src/server/store/repositories/projects/reconcile.ts';
import { readOutdatedMessages } from '../../../src/server/store/repositories/rights/naming-messages.ts';
import { findPlayersNamed } from '../../../src/server/store/repositories/rights/find-named.ts';
import { findArrival, readArrivals } from '../../../src/server/store/repositories/watch/arrivals.ts';
import { addEntry } from '../../../src/server/store/repositories/watch/watch-list.ts';
import { createSourceWatch, importLogs } from '../../harness/logs.ts';
import { type NewStore, onPostgres, openNewDatabase } from '../../harness/new-store.ts';
import { northwood, steamIds } from '../../harness/northwood.ts';
import { readWeek } from '../../harness/recap-week.ts';
import { temporaryFiles } from '../ingest/fixture.ts';

/** More rows than one answer, one kill or one ban may read. */
const manyRows = 5_000;
const players = 100_000;

interface Step {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Plan Rows': number;
  Plans?: Step[];
}

interface Statement {
  text: string;
  values: unknown[];
}

/** What was sent to PostgreSQL since it was emptied, by text. */
const seen = new Map<string, Statement>();
let store: NewStore;
let explainer: Client | undefined;

/** A community of many years: large tables have at least as many rows as players, in a plausible distribution. */
async function fill(): Promise<void> {
  const ids = `generate_series(1, ${players}) AS id`;
  const project = `(SELECT id FROM project WHERE slug = 'northwood')`;
  const server = `'northwood-1'`;
  const figures = Object.values(metricColumns);
  const statements = [
    // Without checks of foreign keys, which take most of the time.
    'SET LOCAL session_replication_role = replica',
    `INSERT INTO player (id, project_id, steam_id64, dayz_id, battleye_guid, cftools_id, name, first_seen_at, last_seen_at)
      SELECT id, ${project}, (76561198000000000 + id)::text, md5(id::text) || 'dayz', md5('be' || id),
        substr(md5('cf' || id), 1, 24), 'Player ' || id, id, id + 1000 FROM ${ids}`,
    `SELECT setval(pg_get_serial_sequence('player', 'id'), ${players})`,
    `INSERT INTO player_alias (player_id, name, server_id, first_seen_at, last_seen_at)
      SELECT id, 'Player ' || id, ${server}, id, id + 1000 FROM ${ids}`,
    `INSERT INTO player_stats (player_id, project_id, ${figures.join(', ')})
      SELECT id, ${project}, ${figures.map((_, index) => `id % ${31 + 997 * index}`).join(', ')} FROM ${ids}`,
    `INSERT INTO log_run (id, server_id, header, started_at, bytes, digest, imported_at)
      SELECT id, ${server}, 'run ' || id, id * 1000, 1000, '', 1 FROM generate_series(1, 4000) AS id`,
    `INSERT INTO log_run_player (run_id, player_id, ${runColumns.join(', ')})
      SELECT 1 + id % 4000, id, ${runColumns.map(() => 1).join(', ')} FROM ${ids}`,
    `INSERT INTO character (server_id, player_id, last, total, sampled_at)
      SELECT ${server}, id, '{"playtime":5}', '{"playtime":5}', 1 FROM ${ids}`,
    `INSERT INTO imported_stats (project_id, entry, player_id, player_kills)
      SELECT ${project}, 'e' || id, id, 1 FROM ${ids}`,
    `INSERT INTO death (server_id, run_id, game_id, number, at, victim_id, killer_id, cause, weapon, stored_at, live)
      SELECT ${server}, 1 + id % 4000, md5(id::text), 1, id::bigint * 1000, id, 1 + (id * 7) % ${players}, 'player', 'SVD', id, 1
      FROM ${ids}`,
    `INSERT INTO naming_message SELECT 'm' || id, id, 'c', 0, CASE WHEN id % 1000 = 0 THEN 1 ELSE 0 END FROM ${ids}`,
    `INSERT INTO ban (list_id, source, source_key, player_id, category, first_seen_at, state, expires_at)
      SELECT 'northwood-bans', 'cli', 'k' || id, id, 'OTHER', id, 'ENFORCED',
        CASE WHEN id % 3 = 0 THEN 4000000000000 + id END FROM ${ids}`,
    `INSERT INTO stay (project_id, server_id, player_id, game_id, name, at, continued, just_now, stored_at)
      SELECT ${project}, ${server}, id, md5(id::text), 'Player ' || id, id, 0, 0, id FROM ${ids}`,
    `INSERT INTO player_link SELECT ${project}, 'member ' || id, id, 1, id FROM ${ids}`,
    `INSERT INTO member_role SELECT (id % 20)::text, 'role', 'member ' || id, 'given', id FROM ${ids}`,
    `INSERT INTO server_sample SELECT ${server}, id::bigint * 60000, 1, 60 FROM ${ids}`,
    `SELECT setval(pg_get_serial_sequence('log_run', 'id'), 4000)`,
    'ANALYZE',
  ];
  await store.db.transaction().execute(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx);
  });
}

/** The steps of the statements since `seen` was emptied that read more of a large table the larger it is. */
async function wideSteps(): Promise<{ statement: string; steps: string[] }[]> {
  expect(seen.size).toBeGreaterThan(0);
  const wide = [];
  for (const { text, values } of Array.from(seen.values())) {
    if (!/^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)/i.test(text)) continue;
    const result = await explainer?.query<{ 'QUERY PLAN': { Plan: Step }[] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    const steps = (result?.rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => wideIn(Plan, false));
    // All bans of a list are counted: 100,000 in some 20 ms.
    if (steps.length > 0 && !text.includes('as "banCount"')) wide.push({ statement: text, steps });
  }
  return wide;
}

/** @param stopsEarly whether its rows are read up to a limit only */
function wideIn(step: Step, stopsEarly: boolean): string[] {
  const kind = step['Node Type'];
  const table = step['Relation Name'];
  const isWide = table !== undefined && step['Plan Rows'] > manyRows && !stopsEarly;
  const early = kind === 'Limit' || (stopsEarly && !/^(?:Sort|Hash|Aggregate|Materialize)$/.test(kind));
  return [
    ...(isWide || (kind === 'Seq Scan' && large.has(table ?? '') && !stopsEarly) ? [`${kind} ${table}`] : []),
    ...(step.Plans ?? []).flatMap((inner) => wideIn(inner, early)),
  ];
}

const large = new Set([
  'player',
  'player_alias',
  'player_stats',
  'ban',
  'log_run_player',
  'character',
  'imported_stats',
  'server_sample',
  'death',
  'naming_message',
  'stay',
  'player_link',
  'member_role',
]);

const [ann, bob] = [steamIds.ann, steamIds.bob].map((id) => `(id=${dayzIdOf(id)})`);
const killLine = `12:00:01 | Player "Bob" (DEAD) ${bob} killed by Player "Ann" ${ann} with SVD from 300 meters\n`;

async function importKill(header: string): Promise<void> {
  const files = temporaryFiles({ 'kill.ADM': `AdminLog started on ${header}\n${killLine}` });
  await importLogs(store.db, { serverId: 'northwood-1', files, beside: false });
}

const note = onPostgres ? '' : ' (skipped: only on PostgreSQL)';
describe.skipIf(!onPostgres)(`of ${players} players, nothing reads many${note}`, () => {
  beforeAll(async () => {
    store = await openNewDatabase();
    await reconcile(store.db, configSchema.parse(northwood()));
    await fill();
    explainer = new Client({ connectionString: store.location });
    await explainer.connect();
    const send = Client.prototype.query as (...sent: unknown[]) => unknown;
    vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...sent: unknown[]) {
      const [statement] = sent as [Statement | string];
      if (typeof statement !== 'string' && !/^(?:BEGIN|COMMIT)/.test(statement.text)) {
        seen.set(statement.text, statement);
      }
      return send.apply(this, sent);
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await explainer?.end();
    await store.close();
  });
  afterEach(() => seen.clear());

  test('to answer with a leaderboard', async () => {
    const project = await findProjectId(store.db, 'northwood');
    for (const code of metricCodes) await readLeaderboard(store.db, project, code, 25);
    expect(await wideSteps()).toEqual([]);
  });

  test('to find a player, by whatever identifier or name', async () => {
    const project = await findProjectId(store.db, 'northwood');
    const profile = await findProfile(store.db, project, { kind: 'steamId64', value: '76561198000000007' });
    expect(profile?.player.name).toBe('Player 7');
    await findProfile(store.db, project, { kind: 'battleyeGuid', value: 'f'.repeat(32) });
    await findProfile(store.db, project, { kind: 'cftoolsId', value: 'f'.repeat(24) });
    expect(await findPlayersByName(store.db, project, 'pLAYER 7', 25)).toHaveLength(1);
    expect(await findPlayersNamed(store.db, 'player 7')).toHaveLength(1);
    expect(await wideSteps()).toEqual([]);
  });

  test('to list bans, to ban a player, and to lift the ban', async () => {
    const project = await findProjectId(store.db, 'northwood');
    await listBanLists(store.db, project, 1);
    expect(await listBans(store.db, project, 'northwood-bans', 25, 1)).toHaveLength(25);
    const player = { kind: 'steamId64', value: steamIds.cid } as const;
    const ban = { listId: 'northwood-bans', player, category: 'OTHER', reason: null, expiresAt: 1 } as const;
    await addBan(store.db, ban);
    await liftBan(store.db, { listId: 'northwood-bans', player });
    expect(await wideSteps()).toEqual([]);
  });

  test('to import one kill', async () => {
    await importKill('2026-03-02 at 12:00:00');
    expect(await wideSteps()).toEqual([]);
  });

  test('to follow a log by one kill, and to read who is on', async () => {
    const [log] = temporaryFiles({
      'DayZServer_x64.ADM': 'AdminLog started on 2026-03-03 at 12:00:00\n',
    }) as [string];
    const watch = createSourceWatch(store.db);
    const sources = { servers: [{ id: 'northwood-1', logs: dirname(log) }], banlists: [] };
    await watch.importChanged(sources);
    appendFileSync(log, killLine);
    seen.clear();
    expect(await watch.followOn(sources)).toMatchObject([{ report: { lines: 1, unreadLines: 0 } }]);
    await readRosters(store.db, ['northwood-1']);
    expect(await wideSteps()).toEqual([]);
  });

  test('to read a recap of a week', async () => {
    const projectId = await findProjectId(store.db, 'northwood');
    await readWeek(store.db, projectId, { from: 2_000, until: 5_000 });
    expect(await wideSteps()).toEqual([]);
  });

  test('to read deaths for a feed and of a player, and messages that must be deleted', async () => {
    const project = await findProjectId(store.db, 'northwood');
    const { deaths } = await readDeathsAfter(store.db, ['northwood-1'], players - 50, 10, { onlyLive: true });
    expect(deaths).toHaveLength(10);
    expect((await readPlayerKills(store.db, project, 7, 5))?.deaths).toHaveLength(1);
    await readOutdatedMessages(store.db, '1', 20);
    await deleteOldDeaths(store.db, 1);
    expect(await wideSteps()).toEqual([]);
  });

  test('to say who comes on, and to change the watch list', async () => {
    const { db } = store;
    const project = await findProjectId(db, 'northwood');
    const details = { reason: null, expiresAt: null, addedBy: '1' };
    expect(await addEntry(db, project, { playerId: 8 }, details, 0)).not.toBeNull();
    expect(await readArrivals(db, project, { after: players - 5, limit: 10, now: 1 })).toHaveLength(5);
    expect(await findArrival(db, project, 7, 1)).not.toBeNull();
    expect(await wideSteps()).toEqual([]);
  });

  test('to find a link, to change one, and to give and take a role', async () => {
    const { db } = store;
    const project = await findProjectId(db, 'northwood');
    expect(await findLinkOfMember(db, project, 'member 7')).toMatchObject({ playerId: 7 });
    expect(await findLinkOfPlayer(db, 8)).toMatchObject({ memberId: 'member 8' });
    expect(await removeLink(db, project, 'member 9')).toBe(true);
    const link = { memberId: 'member 9', playerId: 9, isProven: true, linkedAt: 1 };
    expect(await setLink(db, project, link)).toBe('linked');
    const role = { roleId: 'role', memberId: 'member 9', state: 'given' as const, at: 1 };
    await saveStoredRoles(db, '9', [role]);
    await deleteStoredRoles(db, '9', [role]);
    expect(await wideSteps()).toEqual([]);
  });

  test('but it is noticed where something does', async () => {
    await store.db.selectFrom('player').select('id').where('first_seen_at', '=', 5).execute();
    expect(await wideSteps()).toMatchObject([{ steps: ['Seq Scan player'] }]);
  });
});
