import type { Logger } from 'pino';
import { deleteOldDeaths } from '../server/store/repositories/kills/retention.ts';
import { deleteOldStays } from '../server/store/repositories/players/stays.ts';
import { deleteEndedEntries } from '../server/store/repositories/watch/watch-list.ts';
import { deleteOldNamingMessages } from '../server/store/repositories/rights/naming-messages.ts';
import { deleteOldSamples } from '../server/store/repositories/projects/history.ts';
import type { LastUse } from '../server/store/repositories/applications/applications.ts';
import type { Leases } from '../process/leases.ts';
import type { Database, WriteDatabase } from '../server/store/engine/database.ts';
import { createLiveLists } from '../server/store/cluster/live-lists.ts';
import { logFailure } from '../server/store/engine/store-health.ts';
import { sweepSmallValues } from '../server/store/engine/small-values.ts';
import type { Closers } from './closers.ts';

/** Work on the store that is repeated by the monotonic clock. */
interface UpkeepTask {
  everyMs: number;
  run(): Promise<void>;
  /** The log message when it fails; the next run tries again. */
  failure: string;
  /** `at start`: also before the service starts, or once this process has the lease. `at end`: also after the service has stopped. */
  also?: 'at start' | 'at end';
  /** Each process does it for itself. Left out: only the process that holds the lease does it. */
  inEachProcess?: true;
}

/** Deletes expired tokens and other expired small values once a day. */
export function sweepTask(db: Database, now: () => number): UpkeepTask {
  return {
    everyMs: 86_400_000,
    run: () => sweepSmallValues(db, now()),
    failure: 'could not delete expired tokens and values; the next try is in a day',
    also: 'at start',
  };
}

/** What is deleted after a while, and how. */
const retired = [
  ['old deaths', deleteOldDeaths],
  ['when players came on long ago', deleteOldStays],
  ['entries of watch lists that ended', deleteEndedEntries],
  ['old samples of player counts', deleteOldSamples],
  ['which players old messages name', deleteOldNamingMessages],
] as const;

export function upkeepTasks(
  { db, shared }: Pick<WriteDatabase, 'db' | 'shared'>,
  lastUse: LastUse,
  now: () => number,
): UpkeepTask[] {
  return [
    ...(shared === undefined
      ? []
      : [
          {
            everyMs: 60_000,
            run: () => createLiveLists(shared.unlocked).sweep(),
            failure: 'could not delete old player lists; the next try is in a minute',
          },
        ]),
    sweepTask(db, now),
    {
      everyMs: 60_000,
      run: () => lastUse.write(db),
      failure: 'could not store when applications were last used',
      also: 'at end',
      inEachProcess: true,
    },
    ...retired.map(([what, remove]) => ({
      everyMs: 600_000,
      run: () => remove(db, now()),
      failure: `could not delete ${what}; the next try is in ten minutes`,
    })),
  ];
}

const upkeepLease = 'upkeep';

/** Starts the tasks; closing stops them. */
export async function startUpkeep(
  tasks: readonly UpkeepTask[],
  leases: Leases,
  log: Logger,
  closers: Closers,
): Promise<void> {
  let atStart: Promise<unknown> = Promise.resolve();
  const attempt = async ({ run, failure, inEachProcess }: UpkeepTask): Promise<void> => {
    if (inEachProcess !== true && claim.held().size === 0) return;
    await run().catch((error: unknown) => logFailure(log, error, failure));
  };
  const claim = leases.claim({
    onChange(held) {
      if (held.size > 0) atStart = Promise.all(tasks.filter(({ also }) => also === 'at start').map(attempt));
    },
  });
  closers.push(claim.close);
  for (const task of tasks) {
    if (task.also === 'at end') closers.push(() => attempt(task));
    const timer = setInterval(() => void attempt(task), task.everyMs);
    closers.push(async () => clearInterval(timer));
  }
  claim.want([upkeepLease]);
  await atStart;
}
