import type { Logger } from 'pino';
import type { Leases } from '../process/leases.ts';
import type { LastUse } from '../server/store/repositories/applications/applications.ts';
import { deleteOldDeaths } from '../server/store/repositories/kills/retention.ts';
import { deleteOldStays } from '../server/store/repositories/logs/presence.ts';
import { deleteOldSamples } from '../server/store/repositories/projects/history.ts';
import { deleteOldNamingMessages } from '../server/store/repositories/rights/naming-messages.ts';
import { deleteEndedEntries } from '../server/store/repositories/watch/watch-list.ts';
import { createLiveLists } from '../server/store/cluster/live-lists.ts';
import type { WriteDatabase } from '../server/store/engine/database.ts';
import { sweepSmallValues } from '../server/store/engine/small-values.ts';
import { logFailure } from '../server/store/engine/store-health.ts';
import type { Closers } from './closers.ts';

/** What is deleted after a while, as the log names it, and the function that deletes it. */
export const deletions = [
  ['expired tokens and values', sweepSmallValues],
  ['old deaths', deleteOldDeaths],
  ['when players came on long ago', deleteOldStays],
  ['entries of watch lists that ended', deleteEndedEntries],
  ['old samples of player counts', deleteOldSamples],
  ['which players old messages name', deleteOldNamingMessages],
] as const;

const deleteEveryMs = 600_000;
const storeEveryMs = 60_000;

interface UpkeepOptions {
  writer: Pick<WriteDatabase, 'db' | 'shared'>;
  leases: Leases;
  now: () => number;
  log: Logger;
  closers: Closers;
}

/** Deletes what is old, in one process of those that share a store. */
export function startDeletions({ writer: { db, shared }, leases, now, log, closers }: UpkeepOptions): void {
  const claim = leases.claim({ onChange: () => undefined });
  closers.push(claim.close);
  claim.want(['upkeep']);
  const attempt = async (what: string, work: Promise<void>): Promise<void> =>
    await work.catch((error: unknown) =>
      logFailure(log, error, `could not delete ${what}; the next try is in ten minutes`),
    );
  repeat(closers, deleteEveryMs, async () => {
    if (claim.held().size === 0) return;
    for (const [what, remove] of deletions) await attempt(what, remove(db, now()));
    if (shared !== undefined) await attempt('old player lists', createLiveLists(shared.unlocked).sweep());
  });
}

/** Stores when applications were last used, the last time after the service has stopped. */
export function keepLastUse(lastUse: LastUse, { writer, log, closers }: UpkeepOptions): void {
  const store = async (): Promise<void> =>
    await lastUse
      .write(writer.db)
      .catch((error: unknown) => logFailure(log, error, 'could not store when applications were last used'));
  closers.push(store);
  repeat(closers, storeEveryMs, store);
}

function repeat(closers: Closers, everyMs: number, run: () => Promise<void>): void {
  const timer = setInterval(() => void run(), everyMs);
  closers.push(async () => clearInterval(timer));
}
