import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { kindOfLease } from '../../src/process/leases.ts';

/** Leases whose work has to go on elsewhere. */
const kinds = ['poll', 'follow', 'bans', 'bot', 'upkeep'] as const;
export type WatchedKind = (typeof kinds)[number];

interface LeaseRow {
  name: string;
  owner: string;
  epoch: number;
}

/** How long each kind of lease took to be held by another process, in milliseconds. */
export type Takeover = Partial<Record<WatchedKind, number>>;

export interface LeaseWatch {
  /** Who holds a lease, as of a few milliseconds ago. */
  ownerOf(name: string): string | undefined;
  /** What a process holds, as of a few milliseconds ago. */
  heldBy(owner: string): LeaseRow[];
  /** Resolves when each of these leases was taken again. @param since by the monotonic clock */
  takenFrom(held: readonly LeaseRow[], since: number): Promise<Takeover>;
  /** The longest time between two polls: how exact the times are, and how busy the machine was. */
  longestGapMs(): number;
  stop(): Promise<void>;
}

const everyMs = 40;
const kindOf = (name: string): WatchedKind | undefined => kinds.find((kind) => kind === kindOfLease(name));

/** Follows the table `lease`. A lease that was taken has a higher epoch. */
export function watchLeases(client: Client): LeaseWatch {
  let rows = new Map<string, LeaseRow>();
  const stopping = new AbortController();
  let longestGapMs = 0;
  const seen = new Set<() => void>();
  const read = async (): Promise<void> => {
    for (let last = performance.now(); !stopping.signal.aborted; last = performance.now()) {
      const { rows: found } = await client.query<LeaseRow>(
        'SELECT name, owner, epoch::int FROM lease WHERE expires_at > clock_timestamp()',
      );
      rows = new Map(found.filter(({ name }) => kindOf(name) !== undefined).map((row) => [row.name, row]));
      for (const notify of seen) notify();
      await sleep(everyMs);
      longestGapMs = Math.max(longestGapMs, performance.now() - last);
    }
  };
  const reading = read();
  return {
    ownerOf: (name) => rows.get(name)?.owner,
    heldBy: (owner) => [...rows.values()].filter((row) => row.owner === owner),
    async takenFrom(held, since) {
      const takeover: Takeover = {};
      const waiting = new Map(held.map((row) => [row.name, row.epoch]));
      await new Promise<void>((resolve) => {
        const check = (): void => {
          for (const [name, epoch] of waiting) {
            if ((rows.get(name)?.epoch ?? epoch) <= epoch) continue;
            waiting.delete(name);
            // The last one of a kind counts.
            const kind = kindOf(name);
            if (kind !== undefined) takeover[kind] = performance.now() - since;
          }
          if (waiting.size > 0) return;
          seen.delete(check);
          resolve();
        };
        seen.add(check);
        check();
      });
      return takeover;
    },
    longestGapMs: () => longestGapMs,
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}
