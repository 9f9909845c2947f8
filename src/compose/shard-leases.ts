import { shardLease, type ShardLeases } from '../bot/shards/shard-leases.ts';
import type { Claim, HeldLease, Leases } from '../process/leases.ts';

export interface FencedShardLeases extends ShardLeases {
  /** For writes of what has taken these names: they fail once another process has one. */
  fences(names: readonly string[]): HeldLease[];
}

/** The epoch of no lease. */
const never = -1;

/**
 * The bot's leases, of which `shard:<n>` are shared fairly among the processes, and `identify:…` stay with the process that
 * takes them until it releases them.
 */
export function createShardLeases(leases: Pick<Leases, 'claim'>): FencedShardLeases {
  /** What is asked for or held. Whoever asks tries again and again: what nobody asks for any more is given back. */
  const wanted = new Map<string, NodeJS.Timeout | null>();
  /** What was taken here, with its epoch, so that a second part of this process does not get it, too. */
  const taken = new Map<string, number>();
  const listeners = new Set<(name: string) => Promise<void> | void>();

  async function lose(): Promise<void> {
    const gone = [...taken.keys()].filter((name) => !claimOf(name).held().has(name));
    // What this process still has to end it would otherwise take anew, and then release.
    for (const name of gone) giveBack(name);
    await Promise.all(gone.flatMap((name) => [...listeners].map(async (listener) => await listener(name))));
  }
  // While the store is away, members get answers with their age, and no other process can take a shard.
  const shards = leases.claim('shard', { outlivesStore: true, onChange: lose });
  const identifies = leases.claim('identify', { onChange: lose });
  const claimOf = (name: string): Claim => (name.startsWith(shardPrefix) ? shards : identifies);
  const want = (name: string): void =>
    claimOf(name).want([...wanted.keys()].filter((each) => claimOf(each) === claimOf(name)));
  function giveBack(name: string): void {
    taken.delete(name);
    clearTimeout(wanted.get(name) ?? undefined);
    if (wanted.delete(name)) want(name);
  }

  return {
    async take(name) {
      if (taken.has(name)) return false;
      const isNew = !wanted.has(name);
      clearTimeout(wanted.get(name) ?? undefined);
      wanted.set(name, setTimeout(() => giveBack(name), askedMs).unref());
      if (isNew) want(name);
      const epoch = claimOf(name).held().get(name);
      if (epoch === undefined) return false;
      clearTimeout(wanted.get(name) ?? undefined);
      wanted.set(name, null);
      taken.set(name, epoch);
      return true;
    },
    release: async (name) => giveBack(name),
    held: (name) => taken.has(name) && claimOf(name).held().has(name),
    confirm: async (name) => taken.has(name) && (await claimOf(name).confirm(name)),
    // Not what `held` says at this moment: a lease that is renewed late has the same epoch as before.
    fences: (names) => names.map((name) => ({ name, epoch: taken.get(name) ?? never })),
    onLost(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Longer than any pause between two attempts to take a name. */
const askedMs = 5_000;
const shardPrefix = shardLease(0).slice(0, -1);
