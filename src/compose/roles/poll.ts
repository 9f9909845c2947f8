import { pollPeriodMs } from '../../server/live/poll-period.ts';
import { startPoller, type Poller } from '../../server/live/poller.ts';
import type { Core } from '../core.ts';
import { addCheckAges } from '../metrics-server.ts';
import type { Queries } from '../queries.ts';

/** The role `poll`: queries every game server and stores its state. */
export function startPoll(
  { data, log, written, clock, metrics, readiness, closers }: Core,
  { results }: Queries,
): Poller {
  const periodMs = pollPeriodMs(written().live);
  const poller = startPoller({ db: data.writer.db, query: results.query, log, periodMs, ...clock });
  closers.push(poller.stop);
  readiness['poller'] = poller.isWorking;
  if (metrics !== undefined) addCheckAges(metrics, poller);
  return poller;
}
