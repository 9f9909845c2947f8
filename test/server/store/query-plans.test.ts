import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  SQLite,
  type SQLiteDatabase,
  type SQLiteStatement,
} from '../../../src/server/store/engine/driver.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { battleyeGuidOf, dayzIdOf } from '../../../src/api/identifiers.ts';
import { logMetrics } from '../../../src/api/log-metrics.ts';
import { metricCodes } from '../../../src/api/metrics.ts';
import { dataOperationIds } from '../../../src/api/operations.ts';
import { addBan, liftBan } from '../../../src/server/ingest/bans/by-hand.ts';
import { writeProject } from '../../../src/server/store/engine/transactions.ts';
import { readHeat } from '../../../src/server/store/repositories/kills/heat-cells.ts';
import {
  confirmChallenge,
  countGestures,
  startChallenge,
} from '../../../src/server/store/repositories/links/challenges.ts';
import {
  findLinkOfPlayer,
  findLinkOfMember,
  removeLink,
} from '../../../src/server/store/repositories/links/player-links.ts';
import { readLinkedPlayers } from '../../../src/server/store/repositories/member-roles/linked-players.ts';
import {
  deleteStoredRoles,
  readStoredRoles,
  saveStoredRoles,
} from '../../../src/server/store/repositories/member-roles/records.ts';
import { readLeaders } from '../../../src/server/store/repositories/players/leaderboards.ts';
import { deleteOldStays } from '../../../src/server/store/repositories/logs/presence.ts';
import { findArrival, readArrivals } from '../../../src/server/store/repositories/watch/arrivals.ts';
import {
  addEntry,
  deleteEndedEntries,
  removeEntry,
} from '../../../src/server/store/repositories/watch/watch-list.ts';
import { readDeathsAfter } from '../../../src/server/store/repositories/kills/deaths.ts';
import { readRosters } from '../../../src/server/store/repositories/logs/rosters.ts';
import { deleteOldSamples } from '../../../src/server/store/repositories/projects/history.ts';
import { saveServerState } from '../../harness/server-states.ts';
import { findRecordShot } from '../../../src/server/store/repositories/kills/boards.ts';
import {
  readFiguresBefore,
  readPeriodFigures,
} from '../../../src/server/store/repositories/players/period-boards.ts';
import { earliestOf } from '../../../src/server/store/repositories/projects/projects.ts';
import { readPlayerKills } from '../../../src/server/store/repositories/kills/player-kills.ts';
import { deleteOldDeaths } from '../../../src/server/store/repositories/kills/retention.ts';
import {
  findPlayerById,
  findPlayersByName,
  findProfile,
} from '../../../src/server/store/repositories/players/player-profiles.ts';
import { readPlayedDays, readRanks } from '../../../src/server/store/repositories/players/standing.ts';
import { readOutdatedMessages } from '../../../src/server/store/repositories/rights/naming-messages.ts';
import { findPlayersNamed } from '../../../src/server/store/repositories/rights/find-named.ts';
import { findProjectId } from '../../../src/server/store/repositories/projects/projects.ts';
import { pathOf } from '../../openapi/walk.ts';
import { northwood, steamIds, storeAnn, storeBan, storePlayers } from '../../harness/northwood.ts';
import { startTestService, type Caller, type TestService } from '../../harness/service.ts';
import { temporaryFiles } from '../ingest/fixture.ts';
import { createSourceWatch, importLogs } from '../../harness/logs.ts';
import { onPostgres } from '../../harness/new-store.ts';
import { readWeek } from '../../harness/recap-week.ts';

/** Tables of which a large community has a row for each player, name, ban, run, evening or minute. */
const large =
  /^(player|player_alias|player_stats|ban|log_run|log_run_player|character|imported_stats|server_sample|death|naming_message|stay|player_link|member_role)$/;

/**
 * Names a handful of rows at most: a key, a player, or a stretch of an index that is short or read up to a limit. Counting
 * 100,000 bans of a list in `ban_count` takes 6 ms.
 */
const narrow =
  /\((rowid|.*(player_id|killer_id|victim_id|steam_id64|battleye_guid|cftools_id|dayz_id|source_key|run_id|entry|header|name|message_id|death_id|member_id|game_id))=\?|USING COVERING INDEX ban_count |USING INDEX (player_unlisted|stay_open|naming_message_outdated)|(expires_at|sampled_at|started_at)[<>]\?|at>\? AND at<\?/;

/** The runs of a period. */
const byStart =
  'SEARCH log_run USING COVERING INDEX log_run_by_start (server_id=? AND started_at>? AND started_at<?)';

/** Statements as SQLite got them since `seen` was emptied. */
const seen = new Set<string>();

/** The steps of a statement's plan that read more of a large table the larger it is. */
function wideSteps(sqlite: SQLiteDatabase, statement: string): string[] {
  const nulls = Array.from(statement.matchAll(/\?/g), () => null);
  const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...nulls) as { detail: string }[];
  const stopsEarly =
    /limit \?|exists \(/i.test(statement) && !plan.some(({ detail }) => /ORDER BY/.test(detail));
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, how, table] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? [];
      if (table === undefined || !large.test(table)) return false;
      // `max(id)` is one step to the end of the table, and `min(at)` one to the start of an index.
      if (
        how === 'SEARCH' &&
        (narrow.test(detail) || /max\("?id"?\)|min\("?(at|started_at)"?\)/.test(statement))
      )
        return false;
      return !(how === 'SEARCH' && stopsEarly);
    });
}

const note = onPostgres ? ' (skipped: only on SQLite)' : '';
describe.skipIf(onPostgres)(
  `nothing reads more of the store the more players and bans there are${note}`,
  () => {
    let service: TestService;
    let caller: Caller;
    let sqlite: SQLiteDatabase;

    beforeAll(async () => {
      service = await startTestService(northwood());
      await storeAnn(service.db, 'northwood');
      const [playerId] = (await storePlayers(service.db, 'northwood', [3, 2, 1])) as [number];
      await storeBan(service.db, 'northwood-bans', { playerId, expiresAt: service.clock.now + 1_000 });
      caller = await service.caller('northwood');
      const { rows } = await sql<{ file: string }>`SELECT file FROM pragma_database_list`.execute(service.db);
      sqlite = new SQLite(rows[0]?.file);
      const statements = Object.getPrototypeOf(sqlite.prepare('SELECT 1')) as SQLiteStatement;
      for (const way of ['all', 'get', 'run'] as const) {
        const original = statements[way];
        vi.spyOn(statements, way).mockImplementation(function (this: SQLiteStatement, ...values) {
          if (!this.source.startsWith('EXPLAIN')) seen.add(this.source);
          return original.apply(this, values);
        });
      }
    });
    afterAll(async () => {
      vi.restoreAllMocks();
      sqlite.close();
      await service.close();
    });
    afterEach(() => seen.clear());

    function plan(statement: string): string[] {
      const nulls = Array.from(statement.matchAll(/\?/g), () => null);
      const steps = sqlite.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...nulls) as { detail: string }[];
      return steps.map(({ detail }) => detail);
    }

    function wideStatements(): { statement: string; steps: string[] }[] {
      expect(seen.size).toBeGreaterThan(0);
      return Array.from(seen, (statement) => ({ statement, steps: wideSteps(sqlite, statement) })).filter(
        ({ steps }) => steps.length > 0,
      );
    }

    test.each([
      // The live list reads the store as the state of a server does, and then a game server.
      ...dataOperationIds
        .filter((id) => id !== 'listOnlinePlayers')
        .map((id) =>
          pathOf(id, { serverId: 'northwood-1', identifier: steamIds.ann, banListId: 'northwood-bans' }),
        ),
      ...metricCodes.map((code) => `/v1/leaderboards?metric=${code}`),
      `/v1/player/${battleyeGuidOf(steamIds.bob)}`,
      '/v1/player/5f1d7a4e3c2b1a0098765432',
    ])('to answer %s', async (path) => {
      await caller.get(path);
      expect(wideStatements()).toEqual([]);
    });

    const [ann, bob] = [steamIds.ann, steamIds.bob].map((id) => `(id=${dayzIdOf(id)})`);
    const killLine = `12:00:01 | Player "Bob" (DEAD) ${bob} killed by Player "Ann" ${ann} with SVD from 300 meters\n`;

    async function importKill(header: string): Promise<void> {
      const files = temporaryFiles({ 'kill.ADM': `AdminLog started on ${header}\n${killLine}` });
      const report = await importLogs(service.db, { serverId: 'northwood-1', files, beside: false });
      expect(report.runs.new).toBe(1);
    }

    test('to find messages that name players who were hidden or forgotten since', async () => {
      await readOutdatedMessages(service.db, '1', 20);
      expect(wideStatements()).toEqual([]);
    });

    test('to find the players who go or went by a name', async () => {
      await findPlayersNamed(service.db, 'Ann');
      expect(wideStatements()).toEqual([]);
    });

    test('to import one kill', async () => {
      // A server's first log ever may change which source counts, for all its players.
      await importKill('2026-03-01 at 12:00:00');
      seen.clear();
      await importKill('2026-03-02 at 12:00:00');
      // Once, for any number of files: which runs of the server are known, and which other servers have.
      expect(wideStatements().map(({ steps }) => steps)).toEqual([
        [expect.stringContaining('SEARCH log_run')],
        [expect.stringContaining('SEARCH log_run')],
      ]);
    });

    test('to follow a log by one kill', async () => {
      const [log] = temporaryFiles({
        'DayZServer_x64.ADM': 'AdminLog started on 2026-03-03 at 12:00:00\n',
      }) as [string];
      const watch = createSourceWatch(service.db);
      const sources = { servers: [{ id: 'northwood-1', logs: dirname(log) }], banlists: [] };
      await watch.importChanged(sources);
      appendFileSync(log, killLine);
      seen.clear();
      expect(await watch.followOn(sources)).toMatchObject([{ report: { lines: 1, unreadLines: 0 } }]);
      expect(wideStatements()).toEqual([]);
      seen.clear();
      appendFileSync(log, killLine.replace('12:00:01', '12:00:09'));
      await watch.followOn(sources);
      // Nobody came or left.
      expect(Array.from(seen).filter((statement) => /\bstay\b/.test(statement))).toEqual([]);
    });

    test('to prove who a member is', async () => {
      const { db } = service;
      const projectId = await findProjectId(db, 'northwood');
      const profile = await findProfile(db, projectId, { kind: 'steamId64', value: steamIds.ann });
      const playerId = profile?.id ?? 0;
      seen.clear();
      await startChallenge(
        db,
        projectId,
        { userId: '1', guildId: '9' },
        { now: 1, draw: () => ['EmoteNod'] },
      );
      await writeProject(db, projectId, (tx) =>
        countGestures(tx, projectId, [{ playerId, gesture: 'EmoteNod', at: 2, cameAt: 2 }]),
      );
      expect(await confirmChallenge(db, projectId, '1', { playerId, now: 3 })).toBe('linked');
      expect(await findLinkOfMember(db, projectId, '1')).toMatchObject({ playerId });
      expect(await findLinkOfPlayer(db, playerId)).toMatchObject({ memberId: '1' });
      expect(await removeLink(db, projectId, '2')).toBe(false);
      expect(wideStatements()).toEqual([]);
    });

    test('to give a role, to take one, and to find the first of a leaderboard for one', async () => {
      const { db } = service;
      const projectId = await findProjectId(db, 'northwood');
      const role = { roleId: '2', memberId: '3', state: 'given' as const, at: 4 };
      seen.clear();
      await saveStoredRoles(db, '1', [role]);
      await deleteStoredRoles(db, '1', [role]);
      await readLeaders(db, projectId, 'PLAYER_KILLS', 10);
      expect(wideStatements()).toEqual([]);
      seen.clear();
      // All members of the project, and all roles of the guild.
      await readLinkedPlayers(db, projectId);
      await readStoredRoles(db, '1');
      const [linked = [], roles] = Array.from(seen, plan);
      expect([linked.slice(0, 3), roles]).toEqual([
        [
          'SEARCH player_link USING PRIMARY KEY (project_id=?)',
          'SEARCH player USING INTEGER PRIMARY KEY (rowid=?)',
          'SEARCH player_stats USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
        ],
        ['SEARCH member_role USING PRIMARY KEY (guild_id=?)'],
      ]);
      expect(
        linked.slice(3).filter((step) => !/^(CORRELATED|SEARCH (ban|ban_list|project) .*=\?\)$)/.test(step)),
      ).toEqual([]);
    });

    test('to draw where players died in a week', async () => {
      const projectId = await findProjectId(service.db, 'northwood');
      const week = { from: 1, until: 2, hiddenFrom: 3, weapon: null } as const;
      await readHeat(service.db, { projectId, serverId: 'northwood-1', kind: 'deaths', ...week });
      expect(wideStatements()).toEqual([]);
    });

    test('to follow who is on, and to read it', async () => {
      const [log] = temporaryFiles({
        'DayZServer_x64.ADM': 'AdminLog started on 2026-03-04 at 12:00:00\n',
      }) as [string];
      const watch = createSourceWatch(service.db);
      const sources = { servers: [{ id: 'northwood-1', logs: dirname(log) }], banlists: [] };
      await watch.importChanged(sources);
      seen.clear();
      for (const event of [`Player "Ann"${ann} is connected`, `Player "Ann"${ann} has been disconnected`]) {
        appendFileSync(log, `12:00:01 | ${event}\n`);
        await watch.followOn(sources);
      }
      await readRosters(service.db, ['northwood-1']);
      expect(Array.from(seen).filter((statement) => statement.includes('roster')).length).toBe(3);
      expect(wideStatements()).toEqual([]);
    });

    test('to say who comes on, with bans and the watch list', async () => {
      const projectId = await findProjectId(service.db, 'northwood');
      const arrivals = await readArrivals(service.db, projectId, { after: 0, limit: 10, now: 1 });
      expect(arrivals.length).toBeGreaterThan(0);
      await findArrival(service.db, projectId, arrivals[0]!.id, 1);
      expect(wideStatements()).toEqual([]);
    });

    test('to change the watch list, and to forget old stays', async () => {
      const { db } = service;
      const projectId = await findProjectId(db, 'northwood');
      seen.clear();
      const details = { reason: null, expiresAt: 1, addedBy: '1' };
      const id = await addEntry(db, projectId, { name: 'Ann' }, details, 0);
      await removeEntry(db, projectId, id ?? 0);
      await deleteEndedEntries(db, 2);
      expect(wideStatements()).toEqual([]);
      seen.clear();
      await deleteOldStays(db, 1);
      // Those that are deleted, and the first that stays, without sorting any.
      expect(Array.from(seen, plan)).toEqual([
        ['SEARCH stay USING INTEGER PRIMARY KEY (rowid<?)', 'SCALAR SUBQUERY 1', 'SCAN stay'],
      ]);
    });

    test('to find players by name', async () => {
      const projectId = await findProjectId(service.db, 'northwood');
      const found = await findPlayersByName(service.db, projectId, 'P0', 25);
      expect(found.map(({ player }) => player.name)).toEqual(['p0']);
      expect(await findPlayerById(service.db, projectId, found[0]?.id ?? 0)).toEqual(found[0]?.player);
      expect(wideStatements()).toEqual([]);
    });

    test('to read the deaths for a kill feed', async () => {
      await readDeathsAfter(service.db, ['northwood-1'], 1, 10, { onlyLive: true });
      const steps = Array.from(seen, plan).flat();
      expect(steps).toContain('SEARCH death USING INDEX death_in_order (server_id=? AND id>?)');
      expect(steps.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([]);
      // Streaks: not every death of the server in that time.
      expect(steps.filter((step) => /(kill|own) .*\(server_id/.test(step))).toEqual([]);
    });

    test('to find the longest shot of a season, and who had what a week ago', async () => {
      const projectId = await findProjectId(service.db, 'northwood');
      seen.clear();
      await findRecordShot(service.db, 'northwood-1', 1);
      const plans = Array.from(seen, plan).flat();
      expect(plans[0]).toMatch(/^SEARCH death USING INDEX death_long_shot \(server_id=\?/);
      seen.clear();
      await readFiguresBefore(service.db, projectId, 'LONGEST_KILL', 1, 10);
      await readFiguresBefore(service.db, projectId, 'PLAYER_KILLS', 1, 10);
      await earliestOf(service.db, projectId, 'log_run.started_at');
      const steps = Array.from(seen, plan).flat();
      // The first few, which a limit ends.
      expect(steps.filter((step) => /^SCAN (?!best$|json_each)/.test(step))).toEqual([]);
      expect(steps).toContain(byStart);
    });

    test('to count a board of a period, but what began in it', async () => {
      const projectId = await findProjectId(service.db, 'northwood');
      seen.clear();
      for (const metric of logMetrics)
        await readPeriodFigures(service.db, projectId, { metric, from: 1, until: 2 }, 10);
      expect(seen.size).toBe(logMetrics.length);
      for (const statement of seen) {
        const steps = plan(statement);
        expect(steps).toContain(byStart);
        expect(steps.filter((step) => /^SCAN (?!best$)/.test(step))).toEqual([]);
        expect(steps).toContain('SEARCH log_run_player USING INDEX log_run_player_by_run (run_id=?)');
      }
    });

    test('to read a recap of a week', async () => {
      await importKill('2026-03-09 at 12:00:00');
      seen.clear();
      const projectId = await findProjectId(service.db, 'northwood');
      await readWeek(service.db, projectId, { from: 1, until: 2 });
      expect(wideStatements()).toEqual([]);
    });

    test('to read a player’s kills and deaths, and to delete old ones', async () => {
      await importKill('2026-03-05 at 12:00:00');
      seen.clear();
      const projectId = await findProjectId(service.db, 'northwood');
      const profile = await findProfile(service.db, projectId, { kind: 'steamId64', value: steamIds.ann });
      const told = await readPlayerKills(service.db, projectId, profile?.id ?? 0, 5);
      expect(told?.kills.length).toBeGreaterThan(0);
      expect(wideStatements()).toEqual([]);
      seen.clear();
      await deleteOldDeaths(service.db, 1);
      // Those that are deleted, or lose their positions.
      expect(wideStatements().flatMap(({ steps }) => steps)).toEqual([
        'SEARCH death USING COVERING INDEX death_by_server (server_id=? AND at<?)',
        'SEARCH death USING INDEX death_with_position (server_id=?)',
      ]);
    });

    test('to say how a player stands', async () => {
      const projectId = await findProjectId(service.db, 'northwood');
      const profile = await findProfile(service.db, projectId, { kind: 'steamId64', value: steamIds.ann });
      expect(await readRanks(service.db, projectId, profile?.id ?? 0, 100)).not.toEqual({});
      const month = { days: 30, zone: 'UTC', now: Date.UTC(2026, 2, 5, 12) };
      expect(await readPlayedDays(service.db, projectId, profile?.id ?? 0, month)).toHaveLength(30);
      expect(wideStatements()).toEqual([]);
    });

    test('to store what a server says, and to forget it after a month', async () => {
      const state = { status: 'ONLINE', map: null, players: 1, maxPlayers: 60, checkedAt: 0 } as const;
      await saveServerState(service.db, 'northwood-1', state);
      await deleteOldSamples(service.db, 31 * 86_400_000);
      expect(wideStatements()).toEqual([]);
      expect(await service.db.selectFrom('server_sample').selectAll().execute()).toEqual([]);
    });

    test('to ban a player, and to lift the ban', async () => {
      const player = { kind: 'steamId64', value: steamIds.cid } as const;
      await addBan(service.db, {
        listId: 'northwood-bans',
        player,
        category: 'OTHER',
        reason: null,
        expiresAt: 1,
      });
      await liftBan(service.db, { listId: 'northwood-bans', player });
      expect(wideStatements()).toEqual([]);
    });
  },
);
