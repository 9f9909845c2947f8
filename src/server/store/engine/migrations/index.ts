import type { Migration } from 'kysely';
import { firstRelease } from './0012-first-release.ts';
import { remoteFiles } from './0013-remote-files.ts';
import { deaths } from './0014-deaths.ts';
import { rosters } from './0015-rosters.ts';
import { playerNames } from './0016-player-names.ts';
import { restores } from './0017-restores.ts';
import { playerRights } from './0018-player-rights.ts';
import { addedServers } from './0019-added-servers.ts';
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
import { migrationOf, type MigrationSides, type TwoSided } from './statements.ts';

/** SQLite's stores of the first release name these, whose tables `firstRelease` makes at once. */
const beforeFirstRelease = [
  '0001-initial',
  '0002-application-last-used',
  '0003-followed-logs',
  '0004-followed-files',
  '0005-ban-counts',
  '0006-stale-statistics',
  '0007-run-checksums',
  '0008-leaderboard-revisions',
  '0009-derivations',
  '0010-change-counters',
  '0011-clocks-off-zone',
];

/** PostgreSQL's stores begin with all of these, as one migration. */
const beforePostgres: Readonly<Record<string, TwoSided>> = {
  '0012-sightings-by-server': firstRelease,
  '0013-remote-files': remoteFiles,
  '0014-deaths': deaths,
  '0015-rosters': rosters,
  '0016-player-names': playerNames,
  '0017-restores': restores,
  '0018-player-rights': playerRights,
  '0019-added-servers': addedServers,
  '0020-player-alias-names': playerAliasNames,
};

/**
 * A migration is a file with both sides (`bothSides`, or what differs by hand), in the order of names. A released
 * migration is never edited; add a new one instead.
 */
const later: Readonly<Record<string, MigrationSides>> = {
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
  ...Object.fromEntries(beforeFirstRelease.map((name) => [name, migrationOf([])])),
  ...sides(
    { ...beforePostgres, ...later },
    ({ sqlite }) => sqlite && ('up' in sqlite ? sqlite : migrationOf(sqlite)),
  ),
};

/** Of PostgreSQL's stores. */
export const postgresMigrations: Record<string, readonly string[]> = {
  '0020-postgres-baseline': Object.values(beforePostgres).flatMap(({ postgres }) => postgres),
  ...sides(later, ({ postgres }) => postgres),
};

function sides<Side>(
  migrations: Readonly<Record<string, MigrationSides>>,
  sideOf: (migration: MigrationSides) => Side | undefined,
): Record<string, Side> {
  const found = Object.entries(migrations).flatMap(([name, migration]) => {
    const side = sideOf(migration);
    return side === undefined ? [] : [[name, side] as const];
  });
  return Object.fromEntries(found);
}
