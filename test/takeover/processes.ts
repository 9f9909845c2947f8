import { join } from 'node:path';
import type { Running, Workplace } from '../harness/outpost-process.ts';
import type { LeaseWatch } from './lease-watch.ts';

/** One of several processes that share a store. */
export interface Member {
  /** What its connections to the database are named. */
  name: string;
  running: Running;
  /** Whether it runs: neither killed nor stopped. */
  isUp: boolean;
  /** How often it was killed or stopped. */
  disturbed: number;
}

export interface Processes {
  up(): Member[];
  start(): Promise<Member>;
  /** The process that holds a lease. */
  holderOf(lease: string): Member | undefined;
  ownerOf(member: Member): string | undefined;
  /** Starts that had to be repeated. */
  readonly failedStarts: readonly string[];
  /** Ends all, also those that are stopped or still start. */
  end(): Promise<void>;
}

const mostFailedStarts = 3;

/** Starts processes with all roles that share a store, each with a data folder of its own. */
export function createProcesses(
  place: Workplace,
  storeUrl: string,
  leases: Pick<LeaseWatch, 'ownerOf'>,
  environment: Record<string, string>,
  /** A process ended by itself. */
  onFault: (fault: string) => void,
): Processes {
  const members: Member[] = [];
  const failedStarts: string[] = [];
  let started = 0;
  let ending = false;
  const starting = new Set<Promise<Member>>();
  const knownOwners = new Map<Member, string>();
  // Each process logs its name as an owner with the first leases that it takes.
  const ownerOf = (member: Member): string | undefined => {
    const owner = knownOwners.get(member) ?? /"owner":"([^"]+)"/.exec(member.running.output())?.[1];
    if (owner !== undefined) knownOwners.set(member, owner);
    return owner;
  };
  /** As a supervisor does: a start fails where the database does not answer in time. */
  async function startAgainAndAgain(extra: Record<string, string>): Promise<Running> {
    for (let failed = 0; ; failed += 1) {
      try {
        return await place.start(extra);
      } catch (error) {
        if (ending || failed === mostFailedStarts) throw error;
        failedStarts.push(String(error).slice(0, 300));
      }
    }
  }
  async function startAnother(): Promise<Member> {
    started += 1;
    const name = `process-${started}`;
    const url = new URL(storeUrl);
    url.searchParams.set('application_name', name);
    const running = await startAgainAndAgain({
      ...environment,
      OUTPOST_STORE_URL: url.href,
      OUTPOST_DATA: join(place.folder, name),
    });
    const member = { name, running, isUp: true, disturbed: 0 };
    members.push(member);
    void running.ended.then(({ code }) => {
      if (!member.isUp || ending) return;
      member.isUp = false;
      onFault(`${name} ended with ${code}: ${running.output().slice(-1_500)}`);
    });
    return member;
  }
  return {
    up: () => members.filter(({ isUp }) => isUp),
    async start() {
      const start = startAnother().finally(() => starting.delete(start));
      starting.add(start);
      return await start;
    },
    holderOf: (lease) => members.find((member) => ownerOf(member) === leases.ownerOf(lease)),
    ownerOf,
    failedStarts,
    async end() {
      ending = true;
      await Promise.allSettled(starting);
      for (const { isUp, running } of members) if (!isUp) running.signalAll('SIGKILL');
      await Promise.all(members.map(({ running }) => running.stop()));
    },
  };
}
