import * as fc from 'fast-check';
import { startProcessWorld } from '../conformance/world/process.ts';
import { nonsense, type Nonsense } from './nonsense.ts';
import { createSender } from './send.ts';

export interface FuzzReport {
  /** How often each status was answered; `none`: the connection was closed without an answer. */
  statuses: Record<string, number>;
  slowestMs: number;
}

/**
 * Sends generated nonsense to the real process. Fails, with the smallest request that does it, on an answer of 500 or above that
 * is the service's fault; on an error in the log; and when the service does not answer as usual afterwards.
 */
export async function fuzz(count: number, seed: number): Promise<FuzzReport> {
  const world = await startProcessWorld();
  const { service } = world;
  const sender = createSender(service.url);
  const report: FuzzReport = { statuses: {}, slowestMs: 0 };
  const judge = async (sent: Nonsense): Promise<void> => {
    const { statuses, text, ms } = await sender.send(sent);
    report.slowestMs = Math.max(report.slowestMs, ms);
    for (const status of statuses.length === 0 ? ['none'] : statuses)
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    if (statuses.some((status) => status >= 500))
      throw new Error(`${text.slice(0, 500)}\nwas the answer to ${JSON.stringify(sent)}`);
  };
  try {
    // Its own limit must not be all that the nonsense finds.
    const caller = await service.callerOf('northwood', { requestsPerMinute: 1_000_000 });
    await fc.assert(fc.asyncProperty(nonsense(caller), judge), { numRuns: count, seed });
    const fault = /^.*"level":(?:50|60|"error"|"fatal").*$/m.exec(service.logged());
    if (fault !== null) throw new Error(`the log has an error: ${fault[0]}`);
    const { status } = await (await service.callerOf('northwood')).get('/v1/leaderboards');
    if (status !== 200) throw new Error(`afterwards the service answers ${status}`);
    return report;
  } finally {
    sender.close();
    await world.close();
  }
}
