import type { QueryResult } from 'pg';
import { migrations } from '../migrations/index.ts';
import type { HeldLease } from '../../../../process/leases.ts';
import { LeaseLost, StoreError } from '../error.ts';

/**
 * Which other writers a transaction excludes.
 * - `store`: all of them.
 * - a name: those of the same name, and those of the whole store. A project's name is its id.
 * - `rows`: those of the whole store.
 */
export type Scope = 'store' | 'rows' | { name: string };

/** What holds for the transactions of a database. */
export interface TransactionRules {
  scope: Scope;
  /** For how long to wait for each lock; null: not at all, the transaction takes none, whatever its scope. */
  lockMs: number | null;
  /** For how long a statement may run; 0: unlimited. */
  statementMs: number;
  /** After how long without a statement the server ends the transaction, for example because its process was suspended. */
  idleMs: number;
  /** Whether the store must have no migration that this version does not know. */
  checksVersion: boolean;
  /** Leases without which it fails. */
  fences?: readonly HeldLease[] | undefined;
}

/** Every write transaction holds this advisory lock: that of the whole store alone, the others together. */
export const writeLock = 7_813_402_665;
/** The locks of names are pairs of this and a hash: two names with one hash only wait for each other. */
const namedLocks = 781_340_266;

/**
 * The statements that take a scope's locks, always in this order: so no two transactions wait for each other. Reads of the
 * transaction see what those that it excludes have committed.
 */
function locksOf(scope: Scope): string[] {
  if (scope === 'store') return [`SELECT pg_advisory_xact_lock(${writeLock})`];
  const beside = `SELECT pg_advisory_xact_lock_shared(${writeLock})`;
  if (scope === 'rows') return [beside];
  const named = `SELECT pg_advisory_xact_lock(${namedLocks}, hashtext(${literal(scope.name)}))`;
  return [beside, named];
}

/** How many locks a transaction may wait for. */
export const mostLocks = 2;

/** The statements that begin a transaction, to be sent as one message. */
export function beginning({
  scope,
  lockMs,
  statementMs,
  idleMs,
  checksVersion,
  fences = [],
}: TransactionRules): string {
  const statements = [
    'BEGIN',
    `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
    ...(lockMs === null
      ? []
      : [
          'SET LOCAL statement_timeout = 0',
          `SET LOCAL lock_timeout = ${Math.max(lockMs, 1)}`,
          ...locksOf(scope),
          'SET LOCAL lock_timeout = 0',
        ]),
    `SET LOCAL statement_timeout = ${statementMs}`,
    ...(checksVersion ? ['SELECT max(name) AS newest_migration FROM kysely_migration'] : []),
    ...(fences.length > 0 ? [leasesHeld(fences)] : []),
  ];
  return statements.join('; ');
}

/**
 * The row locks keep the leases from changing hands until the transaction has ended. `FOR KEY SHARE` lets them be renewed
 * meanwhile.
 */
function leasesHeld(fences: readonly HeldLease[]): string {
  const wanted = fences.map(({ name, epoch }) => `(${literal(name)}, ${epoch})`).join(', ');
  return `SELECT name AS held_lease FROM lease WHERE (name, epoch) IN (${wanted}) ORDER BY name FOR KEY SHARE`;
}

function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  if (/[\\\0]/.test(text)) throw new Error(`expected a name without backslashes, found ${quoted}`);
  return quoted;
}

/** @throws StoreError where the results of `beginning` forbid to go on */
export function checkBeginning(results: readonly QueryResult[], { fences = [] }: TransactionRules): void {
  for (const { fields, rows } of results) {
    const [column] = fields;
    const [row] = rows as Record<string, unknown>[];
    if (column?.name === 'newest_migration') refuseUnknown(row?.['newest_migration']);
    if (column?.name === 'held_lease') refuseLost(fences, rows as { held_lease: string }[]);
  }
}

function refuseLost(fences: readonly HeldLease[], rows: readonly { held_lease: string }[]): void {
  const held = new Set(rows.map((row) => row.held_lease));
  const lost = fences.flatMap(({ name }) => (held.has(name) ? [] : [name]));
  if (lost.length > 0) throw new LeaseLost(`another process has taken over ${lost.join(' or ')}`);
}

function refuseUnknown(newest: unknown): void {
  if (typeof newest !== 'string' || Object.hasOwn(migrations.postgres, newest)) return;
  throw new StoreError(
    `a newer Outpost has changed the store (migration ${newest}) while this one ran. Nothing more is written. ` +
      'Start the newer version here as well.',
  );
}
