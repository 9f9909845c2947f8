import type { QueryResult } from 'pg';
import { postgresMigrations } from '../migrations/index.ts';
import { LeaseLost, StoreError } from '../error.ts';

/** A lease that a process holds, and the epoch in which it took it. */
export interface Fence {
  name: string;
  epoch: number;
}

/** What holds for the transactions of a database. */
export interface TransactionRules {
  /** For how long to wait for other writers; null: not at all, the transaction takes no lock. */
  lockMs: number | null;
  /** For how long a statement may run; 0: unlimited. */
  statementMs: number;
  /** After how long without a statement the server ends the transaction, as of a process that was stopped. */
  idleMs: number;
  /** Whether the store must have no migration that this version does not know. */
  checksVersion: boolean;
  /** Leases without which it fails. */
  fences?: readonly Fence[] | undefined;
}

/** Every write transaction of a store holds this advisory lock, so that its reads see what the last one has committed. */
const writeLock = 7_813_402_665;

/** The statements that begin a transaction, to be sent as one message. */
export function beginning({
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
          `SELECT pg_advisory_xact_lock(${writeLock})`,
          'SET LOCAL lock_timeout = 0',
        ]),
    `SET LOCAL statement_timeout = ${statementMs}`,
    ...(checksVersion ? ['SELECT max(name) AS newest_migration FROM kysely_migration'] : []),
    ...fences.map(leaseHeld),
  ];
  return statements.join('; ');
}

/**
 * The row lock keeps the lease from changing hands until the transaction has ended. `FOR KEY SHARE` lets it be renewed
 * meanwhile.
 */
function leaseHeld({ name, epoch }: Fence): string {
  const literal = `'${name.replaceAll("'", "''")}'`;
  if (/[\\\0]/.test(name)) throw new Error(`expected a lease without backslashes, found ${literal}`);
  return `SELECT epoch AS lease_epoch FROM lease WHERE name = ${literal} AND epoch = ${epoch} FOR KEY SHARE`;
}

/** @throws StoreError where the results of `beginning` forbid to go on */
export function checkBeginning(results: readonly QueryResult[], { fences = [] }: TransactionRules): void {
  for (const { fields, rows } of results) {
    const [column] = fields;
    const [row] = rows as Record<string, unknown>[];
    if (column?.name === 'newest_migration') refuseUnknown(row?.['newest_migration']);
    if (column?.name === 'lease_epoch' && row === undefined) {
      throw new LeaseLost(`another process has taken over ${fences.map(({ name }) => name).join(' or ')}`);
    }
  }
}

function refuseUnknown(newest: unknown): void {
  if (typeof newest !== 'string' || Object.hasOwn(postgresMigrations, newest)) return;
  throw new StoreError(
    `a newer Outpost has changed the store (migration ${newest}) while this one ran. Nothing more is written. ` +
      'Start the newer version here as well.',
  );
}
