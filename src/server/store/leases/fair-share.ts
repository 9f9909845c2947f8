import { createHash } from 'node:crypto';

/** The leases of a kind, as one process sees them. */
export interface Situation {
  /** This process. */
  owner: string;
  /** How many leases each process of the kind holds, those with none and this one included. */
  counts: ReadonlyMap<string, number>;
  /** What each process does of other kinds. All leases of a kind together are 1. */
  elsewhere: (process: string) => number;
  /** The leases that this process holds and may give to another. */
  movable: readonly string[];
  /** What nobody holds and this process may take, with how often in a row it was seen free. */
  free: ReadonlyMap<string, number>;
  /** Whether something is on its way to another process already. */
  isMoving: boolean;
}

export interface FairShare {
  take: string[];
  give: string[];
  /** How many leases each process will hold once all have taken their share. */
  expected: Map<string, number>;
}

/** After this many views nobody else wants a lease, or it is too little for a share. */
const viewsUntilAnyoneTakes = 2;
/** A new process gets its share in several steps, so that not everything moves at once. */
const givenAtOnce = 1 / 3;
/** Sums of fractions differ by less. */
const rounding = 1e-9;

/**
 * What to take and what to give away, so that each process holds about as much as the others. Where the leases of a kind
 * cannot be divided evenly, those processes get one more that do the least of other kinds.
 */
export function fairShare({ owner, counts, elsewhere, movable, free, isMoving }: Situation): FairShare {
  const own = counts.get(owner) ?? 0;
  const total = [...counts.values()].reduce((sum, count) => sum + count, free.size);
  const least = Math.floor(total / counts.size);
  const workOf = (process: string, count: number): number => elsewhere(process) + count / Math.max(1, total);
  const below = orderFor(
    '',
    [...counts.keys()].filter((process) => (counts.get(process) ?? 0) <= least),
  ).toSorted((one, other) => workOf(one, 0) - workOf(other, 0));
  const above = [...counts.values()].reduce((sum, count) => sum + Math.max(0, count - least), 0);
  const withOneMore = new Set(below.slice(0, Math.max(0, total - least * counts.size - above)));
  const expected = new Map(
    Array.from(counts, ([process, count]) => [
      process,
      Math.max(count, withOneMore.has(process) ? least + 1 : least),
    ]),
  );
  if (free.size > 0) {
    const inOrder = orderFor(owner, [...free.keys()]);
    const take = inOrder.slice(0, (expected.get(owner) ?? 0) - own);
    const left = inOrder.slice(take.length).filter((name) => (free.get(name) ?? 0) >= viewsUntilAnyoneTakes);
    return { take: [...take, ...left], give: [], expected };
  }
  const share = Math.ceil(total / counts.size);
  const [idlest] = below;
  let excess = 0;
  if (own > share) excess = own - share;
  else if (own >= Math.min(...counts.values()) + 2) excess = 1;
  else if (own > least && idlest !== undefined && !isMoving) {
    // Only if this process then still does as much as that one, so that nothing goes back and forth.
    excess = Number(workOf(owner, own - 1) > workOf(idlest, counts.get(idlest) ?? 0) + rounding);
  }
  const give = orderFor(owner, movable).slice(0, Math.ceil(excess * givenAtOnce));
  return { take: [], give, expected };
}

/** Another order for each process, so that several do not take the same. */
function orderFor(owner: string, names: readonly string[]): string[] {
  const rank = (name: string): string => createHash('sha1').update(`${owner} ${name}`).digest('hex');
  return names
    .map((name) => [rank(name), name] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, name]) => name);
}
