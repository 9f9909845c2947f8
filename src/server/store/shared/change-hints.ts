import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { coalesce } from '../../../process/coalesce.ts';
import type { Database, Revisions } from '../engine/opened.ts';
import { type HintConnection, hintChannel, openHintConnection } from '../engine/postgres/hint-connection.ts';

/** Says to all processes at once that the store has changed, which each would find out within a second by itself. */
export interface ChangeHints {
  /** This process has committed something. */
  send(): void;
  stop(): Promise<void>;
}

interface HintOptions {
  /** Of the store's database, without a connection pooler between. */
  url: string;
  /** Sends through the store's own URL. */
  db: Database;
  revisions: Pick<Revisions, 'refreshSoon'>;
  log: Logger;
}

/** All commits of a process within this time share a hint, for PostgreSQL sends them one after the other. */
const hintEveryMs = 200;
/** A network that loses a connection does not say so. */
const checkEveryMs = 30_000;
const retryMs = [1_000, 2_000, 5_000, 15_000, 30_000];

/**
 * Keeps a connection that sends and hears hints, and opens it again whenever it is lost. Nothing depends on a hint: without
 * the connection, revisions are read once a second as ever. It never rejects, and logs each problem once.
 */
export function keepChangeHints({ url, db, revisions, log }: HintOptions): ChangeHints {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  let connection: HintConnection | null = null;
  let problem: string | null = null;

  const sendThere = async (payload: string): Promise<void> => {
    await sql`SELECT pg_notify(${hintChannel}, ${payload})`.execute(db);
  };
  const hints = coalesce(async () => {
    // Who is not connected now reads everything within a second.
    await connection?.send().catch(() => undefined);
  }, hintEveryMs);

  /** Until the connection is lost. */
  const listen = async (): Promise<void> => {
    const opened = await openHintConnection(url, sendThere, revisions.refreshSoon);
    if (problem !== null) log.info('store.listenUrl works again');
    problem = null;
    connection = opened;
    revisions.refreshSoon();
    const timer = setInterval(() => void opened.check().catch(opened.close), checkEveryMs);
    try {
      await Promise.race([opened.lost, stopped]);
    } finally {
      clearInterval(timer);
      connection = null;
      await opened.close();
    }
  };
  const keep = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await listen();
        failures = 0;
      } catch (error) {
        const { message } = error as Error;
        if (!signal.aborted && message !== problem) {
          log.warn(`store.listenUrl does not work, so changes count within a second: ${message}`);
        }
        problem = message;
      }
      await sleep(retryMs[Math.min(failures, retryMs.length - 1)], null, { signal }).catch(() => undefined);
    }
  };
  const kept = keep();
  return {
    send: hints.request,
    async stop() {
      stopping.abort();
      await hints.stop();
      // One that is being opened closes itself: a server that does not answer would be waited for.
      if (connection !== null) await kept;
    },
  };
}
