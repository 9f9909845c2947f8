import { StoreError, StoreInUse, StoreUnavailable } from '../error.ts';
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

/** Whether the store could not be reached, or went away. */
export function isAway(error: unknown): boolean {
  if (ownMistake.test((error as Error).message)) return false;
  return away.test(codeOf(error)) || awayMessage.test((error as Error).message);
}

/** Whether the store refuses this process. */
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

/** The error for callers: one that says that the store cannot be used now, or is in use, or the error as it is. */
export function explained(error: unknown): unknown {
  if (error instanceof StoreError) return error;
  if (codeOf(error) === lockTimeout) {
    return new StoreInUse(
      'the store is in use: another process has been writing it for too long. Try again once that has ended.',
      { cause: error },
    );
  }
  if (isAway(error)) {
    return new StoreUnavailable(`the store does not answer: ${reasonOf(error)}`, { cause: error });
  }
  if (isRefused(error) || isUnwritable(error)) {
    const text = explanationOf(codeOf(error), error as Error);
    return new StoreUnavailable(`the store cannot be used now: ${text}`, { cause: error });
  }
  if (codeOf(error) === forbidden) {
    const next = 'Let the user of the store URL own the database and its tables.';
    return new StoreUnavailable(`the store cannot be used: ${reasonOf(error)}. ${next}`, { cause: error });
  }
  return error;
}

const reasonOf = (error: unknown): string => (error as Error).message || codeOf(error) || 'no connection';

/** Explains to the owner, in one line, why a database cannot be opened, and what to do. */
export function openingProblem(url: string, error: unknown): StoreError {
  if (error instanceof StoreError && !(error instanceof StoreUnavailable)) return error;
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  const refusal = refusalOfPgBouncer(cause);
  const text = explanationOf(refusal ?? codeOf(cause), cause as Error);
  const kind = refusal === null && isAway(cause) ? StoreUnavailable : StoreError;
  return new kind(`cannot use the store at ${shownUrl(url)}: ${text}`, { cause });
}

/** PgBouncer has one code for whatever it refuses. @returns the code of PostgreSQL */
function refusalOfPgBouncer(error: unknown): string | null {
  if (codeOf(error) !== '08P01') return null;
  const { message } = error as Error;
  if (/authentication failed|^no such user/.test(message)) return '28P01';
  return /^no such database|^database ".*" does not exist/.test(message) ? '3D000' : null;
}

const tooLate =
  'it did not answer in time. Check host and port in the store URL, and the firewall between. If it answers others, look in ' +
  'pg_stat_activity for what locks its tables or keeps it busy.';

function explanationOf(code: string, error: Error): string {
  const explanations: Record<string, string> = {
    '28P01':
      'it refuses the password. Correct user and password in the store URL; in them, % is written as %25, # as %23, / as %2F, ' +
      '? as %3F and an at sign as %40.',
    '28000':
      `it refuses the login (${error.message}). Correct the user in the store URL, or let pg_hba.conf admit it.` +
      (/no encryption|SSL off/.test(error.message)
        ? ' Where it admits encrypted connections only, add ?sslmode=verify-full to the store URL.'
        : ''),
    '3D000':
      'there is no such database. Create it first: ' +
      'createdb --owner=USER --encoding=UTF8 --template=template0 NAME.',
    [forbidden]:
      'its user may not create or use tables there. Let the user own the database, or run in it: ' +
      'GRANT CREATE, USAGE ON SCHEMA public TO the user; tables of another owner need its rights as well.',
    '53300': 'it has no connection left. Raise max_connections, or put PgBouncer in front of it.',
    '57P03': 'it is starting or stopping. Try again in a moment.',
    [diskFull]: "its disk is full. Free some space on the database server's disk, then try again.",
    [readOnly]:
      'it can only be read. If it is a standby, name the primary server in the store URL; else set ' +
      'default_transaction_read_only to off, which some hosts set to on when a disk is full.',
    ECONNREFUSED: 'nothing answers there. Start PostgreSQL, or correct host and port in the store URL.',
    ENOTFOUND: 'the host is not known. Correct it in the store URL.',
    EAI_AGAIN: 'the name of the host could not be looked up. Check the name and the network.',
    [lockTimeout]: 'another process is changing its tables. Try again once that has ended.',
    [late]: tooLate,
    ETIMEDOUT: tooLate,
  };
  const known = explanations[code];
  if (known !== undefined) return known;
  // `pg` has no code for it.
  if (/password must be a (?:non-empty )?string/.test(error.message)) {
    return 'it asks for a password. Write it into the store URL: postgres://USER:PASSWORD@HOST:5432/DATABASE.';
  }
  return encryptionProblem(code, error) ?? urlProblem(code, error) ?? `${error.message || code}.`;
}

/** Codes of OpenSSL for a certificate that nobody has signed whom this machine trusts. */
const untrusted = /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|CERT_UNTRUSTED/;
const unchecked = 'sslmode=no-verify encrypts without checking whom it reaches';

function encryptionProblem(code: string, { message }: Error): string | null {
  if (/PEM|ERR_OSSL/.test(code))
    return `the file of sslrootcert, sslcert or sslkey in the store URL is of another kind: PEM was expected (${message}).`;
  if (/does not support SSL/.test(message)) {
    return 'it offers no encrypted connections. Switch "ssl" on in its postgresql.conf, or write sslmode=disable in the store URL.';
  }
  if (untrusted.test(code)) {
    return (
      `this machine does not know who has signed its certificate (${message}). Name the certificate of that authority ` +
      `in the store URL: sslmode=verify-full&sslrootcert=/path/to/ca.pem. ${unchecked}.`
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${message}. Write a host of the certificate into the store URL; ${unchecked}.`;
  }
  if (!/SSL|certificate|^CERT_/i.test(`${message} ${code}`)) return null;
  return `no encrypted connection: ${message || code}. Set sslmode in the store URL as the server needs it.`;
}

/** What is wrong with a URL that the driver reads when it connects. */
function urlProblem(code: string, error: NodeJS.ErrnoException): string | null {
  if (error instanceof URIError)
    return 'a % in the store URL is no code of a letter. In user, password and database, write % as %25.';
  if (error.syscall !== 'open') return null;
  return `cannot read ${error.path} (${code}). Correct sslrootcert, sslcert or sslkey in the store URL, or let this user read the file.`;
}
