import type { QueryResult } from 'pg';
import type { HeldLease } from '../../../../process/leases.ts';
import { LeaseLost } from '../error.ts';
import { storeLock } from '../transactions.ts';

/** What holds for the transactions of a database. */
export interface TransactionRules {
  /**
   * For how long a statement waits for each lock. Null: PostgreSQL sets it no limit, and single statements, which need no
   * transaction then, are sent as they are.
   */
  lockMs: number | null;
  /** For how long a statement may run beside that; 0: unlimited. */
  statementMs: number;
  /** After how long without a statement the server ends the transaction, for example because its process was suspended. */
  idleMs: number;
  /** Leases without which it fails. */
  fences?: readonly HeldLease[];
  /** Whether one process at a time has such a transaction, as for a migration. */
  isAlone?: boolean;
}

/** The longest time for a statement, waiting included; 0: unlimited. */
export const longestMs = ({ lockMs, statementMs }: TransactionRules): number =>
  statementMs === 0 ? 0 : (lockMs ?? 0) + statementMs;

/** The statements that begin a transaction, to be sent as one message. */
export function beginStatements(rules: TransactionRules): string {
  const { lockMs, idleMs, fences = [], isAlone = false } = rules;
  return [
    'BEGIN',
    `SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`,
    ...(lockMs === null ? [] : [`SET LOCAL lock_timeout = ${Math.max(lockMs, 1)}`]),
    `SET LOCAL statement_timeout = ${longestMs(rules)}`,
    ...(isAlone ? [`SELECT pg_advisory_xact_lock(${storeLock})`] : []),
    ...(fences.length > 0 ? [leasesHeld(fences)] : []),
  ].join('; ');
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

/** @param results of `beginStatements` @throws LeaseLost when the transaction may not go on */
export function requireLeases(results: readonly QueryResult[], fences: readonly HeldLease[] = []): void {
  if (fences.length === 0) return;
  const rows = (results.at(-1)?.rows ?? []) as { held_lease: string }[];
  const held = new Set(rows.map((row) => row.held_lease));
  const lost = fences.flatMap(({ name }) => (held.has(name) ? [] : [name]));
  if (lost.length > 0) throw new LeaseLost(`another process has taken over ${lost.join(' or ')}`);
}
