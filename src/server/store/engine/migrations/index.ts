import type { Migration } from 'kysely';
import { sincePostgres } from './since-postgres.ts';
import { migrationOf } from './statements.ts';
import { untilPostgres } from './until-postgres.ts';

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

const forSqlite = Object.entries({ ...untilPostgres, ...sincePostgres }).flatMap(([name, { sqlite }]) =>
  sqlite === undefined ? [] : [[name, sqlite] as const],
);

/** Of SQLite's stores. */
export const migrations: Record<string, Migration> = Object.fromEntries([
  ...beforeFirstRelease.map((name) => [name, migrationOf([])] as const),
  ...forSqlite.map(([name, side]) => [name, 'up' in side ? side : migrationOf(side)] as const),
]);

/** Of PostgreSQL's stores. */
export const postgresMigrations: Readonly<Record<string, readonly string[]>> = {
  '0020-postgres-baseline': Object.values(untilPostgres).flatMap(({ postgres }) => postgres),
  ...Object.fromEntries(Object.entries(sincePostgres).map(([name, { postgres }]) => [name, postgres])),
};
