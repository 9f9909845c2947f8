import { createHash } from 'node:crypto';

/** The leases of a kind, as one process sees them. */
export interface Situation {
  /** This process. */
  owner: string;
  /** How many leases each process of the kind holds, those with none and this one included. */
  counts: ReadonlyMap<string, number>;
  /** The leases that this process holds and may give to another. */
  movable: readonly string[];
  /** What nobody holds and this process may take, with how often in a row it was seen free. */
  free: ReadonlyMap<string, number>;
}

/** After this many views nobody else wants a lease, or it is too little for a share. */
const viewsUntilAnyoneTakes = 2;
/** A new process gets its share in several steps, so that not everything moves at once. */
const givenAtOnce = 1 / 3;

/** What to take and what to give away, so that each process holds about as much as the others. */
export function fairShare({ owner, counts, movable, free }: Situation): { take: string[]; give: string[] } {
  const others = [...counts].filter(([other]) => other !== owner).map(([, count]) => count);
  const own = counts.get(owner) ?? 0;
  const total = others.reduce((sum, count) => sum + count, own + free.size);
  const share = Math.ceil(total / (others.length + 1));
  const inOrder = orderFor(owner, [...free.keys()]);
  const take = inOrder.slice(0, Math.max(0, share - own));
  const left = inOrder.slice(take.length).filter((name) => (free.get(name) ?? 0) >= viewsUntilAnyoneTakes);
  if (free.size > 0) return { take: [...take, ...left], give: [] };
  const least = Math.min(...others, own);
  const excess = own > share ? own - share : own >= least + 2 ? 1 : 0;
  const give = orderFor(owner, movable).slice(0, Math.ceil(excess * givenAtOnce));
  return { take, give };
}

/** Another order for each process, so that several do not take the same. */
function orderFor(owner: string, names: readonly string[]): string[] {
  const rank = (name: string): string => createHash('sha1').update(`${owner} ${name}`).digest('hex');
  return names
    .map((name) => [rank(name), name] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, name]) => name);
}
