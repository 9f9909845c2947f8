import { StoreError, StoreUnavailable } from '../error.ts';
import { shownUrl } from './url.ts';

/**
 * Codes of PostgreSQL, PgBouncer and the network for a store that is away, restarting, out of resources, or ended a
 * connection. Source: PostgreSQL's "Appendix A. Error Codes"; 25P03 ends a transaction in which nothing was sent for too
 * long.
 */
const away =
  /^(?:08|57(?:014|P0[1-5])|53(?!100)|58|25P03|E(?:CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|NOTFOUND|ADDRNOTAVAIL)|ENOTFOUND)/;
/** `pg` has no code for these. */
const awayMessage =
  /Connection terminated|connection error and is not queryable|Client was closed|socket hang up|server conn crashed|server_login|query_wait_timeout|pgbouncer/i;

/** The login is refused, or the database is gone. That worked when the process started, so it may work again. */
const refused = /^(?:28|3D000)/;
/** A right that somebody has to grant; all else may go on. */
const forbidden = '42501';
const diskFull = '53100';
/** In a standby, or where somebody has set the database to it. */
const readOnly = '25006';

const lockTimeout = '55P03';
/** A statement was cancelled that took too long. */
const late = '57014';
/** `pg` has no code for what it does not wait for any longer. */
const lateMessage = /timeout exceeded|connection timeout|read timeout/i;

/** The code of an error, also of one that consists of others: a host with several addresses has one for each. */
export function codeOf(error: unknown): string {
  const { code, errors, message = '' } = error as { code?: unknown; errors?: unknown[]; message?: string };
  if (typeof code === 'string') return code;
  if (errors?.[0] !== undefined) return codeOf(errors[0]);
  return lateMessage.test(message) ? late : '';
}

/** PostgreSQL counts parameters that do not fit their statement among the faults of connections (08P01). */
const ownMistake = /^bind message /;

export function isAway(error: unknown): boolean {
  if (ownMistake.test((error as Error).message)) return false;
  return away.test(codeOf(error)) || awayMessage.test((error as Error).message);
}

export function isRefused(error: unknown): boolean {
  return refused.test(codeOf(error));
}

/** Whether the store answers, but cannot be written. */
export function isUnwritable(error: unknown): boolean {
  return [diskFull, readOnly].includes(codeOf(error));
}

/** Whether another connection may succeed: this one may lead to a server that is the primary no more. */
export function isConnectionUseless(error: unknown): boolean {
  return isAway(error) || codeOf(error) === readOnly;
}

/** Where an owner reads what to do about the driver's message. */
const readOn = 'docs/processes.md says what to do, under "When PostgreSQL cannot be used".';

/** The error for callers: one that says that the store cannot be used now, or is in use, or the error as it is. */
export function explained(error: unknown): unknown {
  if (error instanceof StoreError) return error;
  if (codeOf(error) === lockTimeout) {
    return new StoreError(
      'the store is in use: another process has been writing it for too long. Try again once that has ended.',
      { cause: error },
    );
  }
  if (isAway(error))
    return new StoreUnavailable(`the store does not answer: ${reasonOf(error)}`, { cause: error });
  if (isRefused(error) || isUnwritable(error) || codeOf(error) === forbidden) {
    return new StoreUnavailable(`the store cannot be used now: ${reasonOf(error)}. ${readOn}`, {
      cause: error,
    });
  }
  return error;
}

/** In one line. An error of several addresses of a host has no message of its own. */
const reasonOf = (error: unknown): string =>
  ((error as Error).message || codeOf(error) || 'no connection').replaceAll(/\s+/g, ' ').replace(/\.$/, '');

/** Says to the owner, in one line, why a database cannot be used, and where to read what to do. */
export function openingProblem(url: string, error: unknown): StoreError {
  if (error instanceof StoreError && !(error instanceof StoreUnavailable)) return error;
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  const kind = isAway(cause) ? StoreUnavailable : StoreError;
  return new kind(`cannot use the store at ${shownUrl(url)}: ${reasonOf(cause)}. ${readOn}`, { cause });
}
