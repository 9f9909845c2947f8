import { setTimeout as sleep } from 'node:timers/promises';
import type { Member, Processes } from './processes.ts';

export interface Load {
  /** How often each status was answered. */
  statuses: ReadonlyMap<number, number>;
  /** What may not happen: other statuses, and connections cut by a process that was not disturbed. */
  faults: readonly string[];
  stop(): Promise<void>;
}

const everyMs = 50;
const patienceMs = 30_000;
const allowed = new Set([200, 429, 503]);
const paths = ['/v1/servers', '/v1/leaderboards', '/v1/server/b', '/v1/project', '/v1/banlists'];

/** Sends twenty requests a second to the processes that run. @param callers headers of applications */
export function startLoad(
  processes: Pick<Processes, 'up'>,
  callers: readonly Record<string, string>[],
  random: () => number,
): Load {
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  async function ask(member: Member): Promise<void> {
    const path = anyOf(paths);
    const { disturbed } = member;
    try {
      const answer = await fetch(member.running.url + path, {
        headers: anyOf(callers),
        signal: AbortSignal.timeout(patienceMs),
      });
      await answer.arrayBuffer();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (!allowed.has(answer.status)) faults.push(`${path} was answered with ${answer.status}`);
    } catch (error) {
      // One that was stopped meanwhile may be up again.
      if (member.isUp && member.disturbed === disturbed)
        faults.push(`${path} of ${member.name}: ${String((error as Error).cause ?? error)}`);
    }
  }

  const sending = (async () => {
    while (!stopping.signal.aborted) {
      const up = processes.up();
      if (up.length > 0) {
        const request = ask(anyOf(up)).finally(() => inFlight.delete(request));
        inFlight.add(request);
      }
      await sleep(everyMs);
    }
  })();
  return {
    statuses,
    faults,
    async stop() {
      stopping.abort();
      await sending;
      await Promise.all(inFlight);
    },
  };
}
