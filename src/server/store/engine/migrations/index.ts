import type { Migration } from 'kysely';
import { initial } from './0001-initial.ts';
import { applicationLastUsed } from './0002-application-last-used.ts';
import { followedLogs } from './0003-followed-logs.ts';
import { followedFiles } from './0004-followed-files.ts';
import { banCounts } from './0005-ban-counts.ts';
import { staleStatistics } from './0006-stale-statistics.ts';
import { runChecksums } from './0007-run-checksums.ts';
import { leaderboardRevisions } from './0008-leaderboard-revisions.ts';
import { derivationVersions } from './0009-derivations.ts';
import { changeCounters } from './0010-change-counters.ts';
import { clocksOffZone } from './0011-clocks-off-zone.ts';
import { sightingsByServer } from './0012-sightings-by-server.ts';
import { remoteFiles } from './0013-remote-files.ts';
import { deaths } from './0014-deaths.ts';
import { rosters } from './0015-rosters.ts';
import { playerNames } from './0016-player-names.ts';
import { restores } from './0017-restores.ts';
import { playerRights } from './0018-player-rights.ts';
import { addedServers } from './0019-added-servers.ts';
import { postgresBaseline } from './postgres-baseline.ts';
import { migrationOf, type MigrationSides } from './statements.ts';
import { playerAliasNames } from './0020-player-alias-names.ts';
import { leases } from './0021-leases.ts';
import { projectRevisions } from './0022-project-revisions.ts';
import { requestLimits } from './0023-request-limits.ts';
import { liveLists } from './0024-live-lists.ts';
import { missingLines } from './0025-missing-lines.ts';
import { processes } from './0026-processes.ts';
import { forgottenNames } from './0027-forgotten-names.ts';
import { forgottenKey } from './0028-forgotten-key.ts';
import { smallValues } from './0029-small-values.ts';
import { playerIds } from './0030-player-ids.ts';
import { runsByStart } from './0031-runs-by-start.ts';
import { longShots } from './0032-long-shots.ts';
import { playerLinks } from './0033-player-links.ts';
import { watchList } from './0034-watch-list.ts';
import { deathCells } from './0035-death-cells.ts';
import { memberRoles } from './0036-member-roles.ts';

/**
 * From here on a migration is a file with both sides (`bothSides`, or what differs by hand), in the order of names. A
 * released migration is never edited; add a new one instead.
 */
const twoSided: Readonly<Record<string, MigrationSides>> = {
  '0021-leases': leases,
  '0022-project-revisions': projectRevisions,
  '0023-request-limits': requestLimits,
  '0024-live-lists': liveLists,
  '0025-missing-lines': missingLines,
  '0026-processes': processes,
  '0027-forgotten-names': forgottenNames,
  '0028-forgotten-key': forgottenKey,
  '0029-small-values': smallValues,
  '0030-player-ids': playerIds,
  '0031-runs-by-start': runsByStart,
  '0032-long-shots': longShots,
  '0033-player-links': playerLinks,
  '0034-watch-list': watchList,
  '0035-death-cells': deathCells,
  '0036-member-roles': memberRoles,
};

/** Of SQLite's stores. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-application-last-used': applicationLastUsed,
  '0003-followed-logs': followedLogs,
  '0004-followed-files': followedFiles,
  '0005-ban-counts': banCounts,
  '0006-stale-statistics': staleStatistics,
  '0007-run-checksums': runChecksums,
  '0008-leaderboard-revisions': leaderboardRevisions,
  '0009-derivations': derivationVersions,
  '0010-change-counters': changeCounters,
  '0011-clocks-off-zone': clocksOffZone,
  '0012-sightings-by-server': sightingsByServer,
  '0013-remote-files': remoteFiles,
  '0014-deaths': deaths,
  '0015-rosters': rosters,
  '0016-player-names': playerNames,
  '0017-restores': restores,
  '0018-player-rights': playerRights,
  '0019-added-servers': addedServers,
  '0020-player-alias-names': playerAliasNames,
  ...sides(({ sqlite }) => sqlite && ('up' in sqlite ? sqlite : migrationOf(sqlite))),
};

/** Of PostgreSQL's stores. */
export const postgresMigrations: Record<string, readonly string[]> = {
  '0020-postgres-baseline': postgresBaseline,
  ...sides(({ postgres }) => postgres),
};

function sides<Side>(sideOf: (migration: MigrationSides) => Side | undefined): Record<string, Side> {
  const found = Object.entries(twoSided).flatMap(([name, migration]) => {
    const side = sideOf(migration);
    return side === undefined ? [] : [[name, side] as const];
  });
  return Object.fromEntries(found);
}
