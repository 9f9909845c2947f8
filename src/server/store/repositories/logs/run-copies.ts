import { sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import { rowsOf } from '../../engine/dialect.ts';
import { latestOf } from '../../engine/each-chunk.ts';

/** What says of a run that it has no header, as `RestRun` of `dayz-files`. */
export interface RunRest {
  header: string;
  /** By which copies of it are recognised. */
  digest: string;
  /** The local time after which its lines count, as in `header`; null: all do. */
  countsAfter: string | null;
}

export interface KnownRun {
  bytes: number;
  /** Hex. */
  digest: string;
  /** Null: it has a header. */
  rest: RunRest | null;
}

/** A copy of a run in a file. */
export interface RunCopy {
  bytes: number;
  /** Hex. */
  digest: string;
  /** Digest of its first bytes, to be compared with a stored copy of that length; null: not computed. */
  prefix: { bytes: number; digest: string } | null;
}

/**
 * The outcome of comparing a copy of a run with the stored one: `new`; `longer`, replaces a shorter copy; `known`,
 * the same as the stored copy or shorter; `diverged`, another log with the same header, of which the longer one is
 * kept.
 */
export type RunOutcome = 'new' | 'longer' | 'known' | 'diverged';

export const noRuns = (): Record<RunOutcome, number> => ({ new: 0, longer: 0, known: 0, diverged: 0 });

/**
 * The one rule for which of two copies of a run counts: the longer one. The same copy is stored again: an earlier version may
 * have counted it, or its open sessions were counted up to an earlier time.
 */
export function compareCopies(
  copy: RunCopy,
  known: Pick<KnownRun, 'bytes' | 'digest'> | undefined,
): { outcome: RunOutcome; wins: boolean } {
  if (known === undefined) return { outcome: 'new', wins: true };
  // Only the longer copy's digest is available here, so a shorter copy is identified by its header alone.
  if (copy.bytes < known.bytes) return { outcome: 'known', wins: false };
  if (copy.bytes === known.bytes) {
    return copy.digest === known.digest
      ? { outcome: 'known', wins: true }
      : { outcome: 'diverged', wins: false };
  }
  const { prefix } = copy;
  const hasDiverged = prefix?.bytes === known.bytes && prefix.digest !== known.digest;
  return { outcome: hasDiverged ? 'diverged' : 'longer', wins: true };
}

/** What identifies a run. */
export interface RunKey {
  serverId: string;
  /** The header's local time. */
  header: string;
}

/** The keys of runs as a table in FROM. */
export const runsAs = (alias: string, runs: readonly RunKey[]) =>
  rowsOf(
    alias,
    { server_id: 'text', header: 'text' },
    latestOf(runs, keyOfRun).map(({ serverId, header }) => [serverId, header]),
  );

/** The key of a run as text, for runs of several servers. */
export const keyOfRun = ({ serverId, header }: RunKey): string => `${serverId} ${header}`;

/** The stored runs of a server, by header. */
export async function knownRuns(db: Reader, serverId: string): Promise<Map<string, KnownRun>> {
  const rows = await db
    .selectFrom('log_run')
    .select(['header', 'bytes', 'digest', 'rest', 'counts_from'])
    .where('server_id', '=', serverId)
    .execute();
  return new Map(
    rows.map(({ header, bytes, digest, rest, counts_from }) => [
      header,
      { bytes, digest, rest: rest === null ? null : { header, digest: rest, countsAfter: counts_from } },
    ]),
  );
}

/** Adds runs that will be stored. */
export function noteRuns(
  known: Map<string, KnownRun>,
  runs: readonly (KnownRun & Pick<RunKey, 'header'>)[],
): void {
  for (const { header, bytes, digest, rest } of runs)
    if (bytes >= (known.get(header)?.bytes ?? 0)) known.set(header, { bytes, digest, rest });
}

/** The run that a rest is stored as; null: it is not. */
export const storedRest = (known: ReadonlyMap<string, KnownRun>, digest: string): RunRest | null =>
  [...known.values()].find(({ rest }) => rest?.digest === digest)?.rest ?? null;

/** The latest header of a server's runs; null when it has none. */
export async function latestHeader(db: Reader, serverId: string): Promise<string | null> {
  const { header } = await db
    .selectFrom('log_run')
    .select(({ fn }) => fn.max<string | null>('header').as('header'))
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow();
  return header;
}

/** The latest run of a server whose lines show that the machine's clock is not in the zone with which it was read. */
export async function findOffZoneRun(
  db: Reader,
  serverId: string,
): Promise<{ header: string; timezone: string } | undefined> {
  return await db
    .selectFrom('log_run')
    .innerJoin('server', 'server.id', 'log_run.server_id')
    .select(['header', 'timezone'])
    .where('server_id', '=', serverId)
    .where('off_zone', '=', sql.lit(1))
    .orderBy('header', 'desc')
    .limit(1)
    .executeTakeFirst();
}
