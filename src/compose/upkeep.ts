import type { Logger } from 'pino';
import { createBanExpiry } from '../server/store/bans/ban-expiry.ts';
import { deleteOldDeaths } from '../server/store/kills/retention.ts';
import type { LastUse } from '../server/store/applications/last-use.ts';
import type { SmallStore } from '../server/store/engine/small-store.ts';
import type { Closers, Data } from './data.ts';

/** Work on the store that is repeated by the monotonic clock. */
export interface UpkeepTask {
  everyMs: number;
  run(): Promise<void>;
  /** The log message when it fails; the next run tries again. */
  failure: string;
  /** When it also runs: before the service starts, or after it has stopped. */
  also?: 'at start' | 'at end';
}

/** Deletes expired tokens and other expired small values once a day. */
export function sweepTask(small: SmallStore, now: () => number): UpkeepTask {
  return {
    everyMs: 86_400_000,
    run: () => small.sweep(now()),
    failure: 'could not delete expired values of the small store',
    also: 'at start',
  };
}

export function upkeepTasks({ writer, small }: Data, lastUse: LastUse, now: () => number): UpkeepTask[] {
  const retireBans = createBanExpiry(writer.db);
  return [
    sweepTask(small, now),
    {
      everyMs: 60_000,
      run: () => lastUse.write(writer.db),
      failure: 'could not store when applications were last used',
      also: 'at end',
    },
    {
      everyMs: 60_000,
      run: () => retireBans(now()),
      failure: 'could not retire bans that ended; the next try is in a minute',
      also: 'at start',
    },
    {
      everyMs: 600_000,
      run: () => deleteOldDeaths(writer.db, now()),
      failure: 'could not delete old deaths; the next try is in ten minutes',
    },
  ];
}

/** Starts the tasks; closing stops them. */
export async function startUpkeep(
  tasks: readonly UpkeepTask[],
  log: Logger,
  closers: Closers,
): Promise<void> {
  for (const { everyMs, run, failure, also } of tasks) {
    const attempt = (): Promise<void> => run().catch((error: unknown) => log.error({ err: error }, failure));
    if (also === 'at start') await attempt();
    if (also === 'at end') closers.push(attempt);
    const timer = setInterval(() => void attempt(), everyMs);
    closers.push(async () => clearInterval(timer));
  }
}
