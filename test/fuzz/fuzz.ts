import * as fc from 'fast-check';
import { startProcessWorld } from '../conformance/world/process.ts';
import { nonsense, type Nonsense } from './requests.ts';
import { createSender, type Outcome } from './send.ts';
import { inspect, inspectable, type Inspected } from './memory.ts';

export interface FuzzOptions {
  count: number;
  seed: number;
  /** A request that takes longer is a failure; default no bound. */
  slowestMs?: number;
  /** Bytes that the process may hold more than before; default no bound. */
  growthBytes?: number;
}

export interface FuzzReport {
  requests: number;
  /** How often each status was answered; `none`: the connection was closed without an answer. */
  statuses: Record<string, number>;
  slowestMs: number;
  /** Bytes held after the first tenth, and at the end. */
  heldBefore: number;
  heldAfter: number;
}

/** An unknown method, another version of HTTP. */
const ofRequest: ReadonlySet<number> = new Set([501, 505]);

/**
 * Sends generated nonsense to the real process. Fails, with the smallest request that does it, on an answer of 500 or
 * above that is the service's fault, on an error in the log, and on what the options bound; and when the service does not answer as usual afterwards.
 */
export async function fuzz({ count, seed, slowestMs, growthBytes }: FuzzOptions): Promise<FuzzReport> {
  const world = await startProcessWorld({ environment: inspectable });
  const { service } = world;
  const sender = createSender(service.url);
  const report: FuzzReport = { requests: 0, statuses: {}, slowestMs: 0, heldBefore: 0, heldAfter: 0 };
  let memory: Inspected | undefined;
  try {
    memory = await inspect(service.logged());
    // Its own limit must not be all that the nonsense finds.
    const caller = await service.callerOf('northwood', { requestsPerMinute: 1_000_000 });
    const judge = (sent: Nonsense, { statuses, ms, text }: Outcome): void => {
      report.requests += 1;
      report.slowestMs = Math.max(report.slowestMs, ms);
      for (const status of statuses.length === 0 ? ['none'] : statuses)
        report.statuses[status] = (report.statuses[status] ?? 0) + 1;
      const shown = sent.kind === 'bytes' ? sent.bytes.toString('latin1') : JSON.stringify(sent);
      if (statuses.some((status) => status >= 500 && !ofRequest.has(status)))
        throw new Error(`${text.slice(0, 500)}\nwas the answer to ${shown}`);
      if (slowestMs !== undefined && ms > slowestMs) throw new Error(`${Math.round(ms)} ms for ${shown}`);
    };
    const run = async (numRuns: number, runSeed: number): Promise<void> => {
      const property = fc.asyncProperty(nonsense(caller), async (sent) =>
        judge(sent, await sender.send(sent)),
      );
      await fc.assert(property, { numRuns, seed: runSeed, endOnFailure: slowestMs !== undefined });
    };
    await run(Math.ceil(count / 10), seed);
    report.heldBefore = await memory.held();
    await run(count - Math.ceil(count / 10), seed + 1);
    report.heldAfter = await memory.held();
    const grown = report.heldAfter - report.heldBefore;
    if (growthBytes !== undefined && grown > growthBytes)
      throw new Error(`the process holds ${grown} bytes more`);
    const fault = /^.*"level":(?:50|60|"error"|"fatal").*$/m.exec(service.logged());
    if (fault !== null) throw new Error(`the log has an error: ${fault[0]}`);
    const { status } = await (await service.callerOf('northwood')).get('/v1/leaderboards');
    if (status !== 200) throw new Error(`afterwards the service answers ${status}`);
    return report;
  } finally {
    memory?.close();
    sender.close();
    await world.close();
  }
}
