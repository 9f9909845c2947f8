import type { Claim, HeldLease, Leases } from './leases.ts';

/** Leases that parts of a process take one at a time: `shard:<n>` to be connected as this shard, `identify:…` to log in. */
export interface LeasesByName {
  /**
   * True: the caller holds the name from now on. False: another process or another part of this one does, or it is not known
   * yet; to be tried again.
   */
  take(name: string): Promise<boolean>;
  /** Gives a name back, so that another process can take it at once. */
  release(name: string): Promise<void>;
  /** Whether the name is held, as far as this process knows. */
  held(name: string): boolean;
  /** Asks the store whether the name is held. @throws when it does not answer */
  confirm(name: string): Promise<boolean>;
  /** For writes of what has taken these names: they fail once another process has one. */
  fences(names: readonly string[]): HeldLease[];
  /**
   * Calls back when a name is no longer held, or has to be given up: the work must stop, and `release` follows. The result
   * removes the listener.
   */
  onLost(listener: (name: string) => Promise<void> | void): () => void;
}

/** Longer than any pause between two attempts to take a name. */
const askedMs = 5_000;
/** The epoch of no lease. */
const never = -1;

/** Of these, shards are shared among the processes, and any other name stays with who takes it until it is released. */
export function leasesByName(leases: Pick<Leases, 'claim'>): LeasesByName {
  /** What is asked for or held. Whoever asks tries again and again: what is not asked for any more is given back. */
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
  const claimOf = (name: string): Claim => (name.startsWith('shard:') ? shards : identifies);
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
