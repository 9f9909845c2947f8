import { sql } from 'kysely';
import type { Database } from './database.ts';
import { derivations } from './derivations.ts';

/** A copy of a run that the store has taken in. */
export interface KnownRun {
  bytes: number;
  /** Hex; empty: unknown. */
  digest: string;
  /** Whether it was counted as logs are counted now. */
  isCurrent: boolean;
}

/** A copy of a run as a file holds it. */
export interface RunCopy {
  bytes: number;
  /** Hex; empty: unknown. */
  digest: string;
  /** Digest of its first bytes, to be compared with a known copy of that length; null: not taken. */
  prefix: { bytes: number; digest: string } | null;
}

/**
 * What became of a copy of a run: `new`; `longer`, replacing a shorter copy; `known`, the same or a shorter copy of what
 * the store has; `diverged`, another log under the same header, of which the longer one is kept.
 */
export type RunOutcome = 'new' | 'longer' | 'known' | 'diverged';

export const noRuns = (): Record<RunOutcome, number> => ({ new: 0, longer: 0, known: 0, diverged: 0 });

/**
 * The one rule of which of two copies of a run counts: the longer one. The same copy may be stored again, since it may
 * have been counted by an earlier version, or its open sessions up to an earlier moment.
 */
export function compareCopies(
  copy: RunCopy,
  known: KnownRun | undefined,
): { outcome: RunOutcome; wins: boolean } {
  if (known === undefined) return { outcome: 'new', wins: true };
  // Of a shorter copy only the longer one's digest is at hand: it is taken at its header's word.
  if (copy.bytes < known.bytes) return { outcome: 'known', wins: false };
  if (copy.bytes === known.bytes) {
    return isSameCopy(copy, known) ? { outcome: 'known', wins: true } : { outcome: 'diverged', wins: false };
  }
  const { prefix } = copy;
  const isComparable = known.digest !== '' && prefix?.bytes === known.bytes;
  const hasDiverged = isComparable && prefix.digest !== known.digest;
  return { outcome: hasDiverged ? 'diverged' : 'longer', wins: true };
}

export function isSameCopy(copy: Pick<RunCopy, 'bytes' | 'digest'>, known: KnownRun): boolean {
  return copy.bytes === known.bytes && (known.digest === '' || copy.digest === known.digest);
}

/** The runs of a server that are in the store, by header; with `headers` only these. */
export async function knownRuns(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
  headers?: readonly string[],
): Promise<Map<string, KnownRun>> {
  let query = db
    .selectFrom('log_run')
    .select(['header', 'bytes', 'digest', 'counts_version'])
    .where('server_id', '=', serverId);
  if (headers !== undefined) {
    query = query.where(
      'header',
      'in',
      sql<string>`(SELECT value FROM json_each(${JSON.stringify(headers)}))`,
    );
  }
  const rows = await query.execute();
  return new Map(
    rows.map(({ header, bytes, digest, counts_version }) => [
      header,
      { bytes, digest, isCurrent: counts_version === derivations.counts },
    ]),
  );
}

/** The latest header of a server's runs; null when it has none. */
export async function latestHeader(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
): Promise<string | null> {
  const { header } = await db
    .selectFrom('log_run')
    .select(({ fn }) => fn.max<string | null>('header').as('header'))
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow();
  return header;
}

/** The runs of a server whose lines show that the machine's clock is not in the server's zone. */
export async function runsOffZone(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
): Promise<{ runs: number; latestHeader: string | null }> {
  return await db
    .selectFrom('log_run')
    .select(({ fn }) => [
      fn.countAll<number>().as('runs'),
      fn.max<string | null>('header').as('latestHeader'),
    ])
    .where('server_id', '=', serverId)
    .where('off_zone', '=', sql.lit(1))
    .executeTakeFirstOrThrow();
}
