import { randomBytes } from 'node:crypto';
import type { PoolClient, QueryConfig } from 'pg';
import { StoreError } from '../error.ts';
import { openingProblem } from './errors.ts';
import { endPool, openPool } from './pool.ts';
import { shownUrl } from './url.ts';

/** Any client of the database may send on it, so a hint says no more than that something may have changed. */
export const hintChannel = 'outpost_changes';

const answerWithinMs = 5_000;

/** A connection on which hints are heard and sent. */
export interface HintConnection {
  /** @throws when it is lost */
  send(): Promise<void>;
  /** Asks the server for a sign of life. @throws when there is none */
  check(): Promise<void>;
  /** Resolves once the connection is lost. */
  lost: Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a connection of its own and listens. Then sends a hint through the store's URL: it arrives only if both lead to the
 * same database, and no connection pooler stands before this one.
 * @param sendThere sends a hint through the store's own connections
 * @throws StoreError that says why no hint arrives here
 */
export async function openHintConnection(
  url: string,
  sendThere: (payload: string) => Promise<void>,
  onHint: () => void,
): Promise<HintConnection> {
  const pool = openPool(url, 1);
  let held: PoolClient | null = null;
  const close = async (): Promise<void> => {
    held?.release(true);
    held = null;
    await endPool(pool);
  };
  try {
    const client = (held = await pool.connect());
    const lost = new Promise<void>((resolve) => client.once('end', resolve));
    const ask = async (text: string): Promise<void> => {
      // Its types do not know the time limit of a single query.
      await client.query({ text, query_timeout: answerWithinMs } as QueryConfig);
    };
    await ask(`LISTEN ${hintChannel}`);
    const payload = randomBytes(16).toString('hex');
    const arrived = arrival(client, payload);
    await sendThere(payload);
    if (!(await arrived)) throw new StoreError(notArrived(url));
    client.on('notification', onHint);
    return {
      send: () => ask(`NOTIFY ${hintChannel}`),
      check: () => ask('SELECT 1'),
      lost,
      close,
    };
  } catch (error) {
    await close();
    throw openingProblem(url, error);
  }
}

/** Tries both URLs and changes nothing. @throws StoreError that says why no hint arrives at the first one */
export async function checkHints(url: string, storeUrl: string): Promise<void> {
  const pool = openPool(storeUrl, 1);
  const sendThere = async (payload: string): Promise<void> => {
    await pool.query('SELECT pg_notify($1, $2)', [hintChannel, payload]);
  };
  try {
    const connection = await openHintConnection(url, sendThere, () => undefined);
    await connection.close();
  } finally {
    await endPool(pool);
  }
}

/** Whether the hint with this payload arrives in time. */
function arrival(client: PoolClient, payload: string): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), answerWithinMs);
    client.on('notification', (hint) => {
      if (hint.payload !== payload) return;
      clearTimeout(timer);
      resolve(true);
    });
  });
}

const notArrived = (url: string): string =>
  `what is sent through store.url does not arrive at ${shownUrl(url)}: it is another database, or PgBouncer stands ` +
  'before it. Name the same database there, on its own port';
