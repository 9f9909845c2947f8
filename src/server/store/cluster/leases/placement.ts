import { createHash } from 'node:crypto';
import { kindOfLease } from '../../../../process/leases.ts';

/** A lease, and the weight of each process that may hold it. */
interface Lease {
  name: string;
  weights: ReadonlyMap<string, number>;
}

/**
 * Which process is to hold each lease. Every process computes the same from the same table, so none has to ask another.
 *
 * Each lease goes to the process that weighs most for it (rendezvous hashing), so little moves when a process comes or goes.
 * By chance some would then hold more than others. So leases move on, until no process holds two more than another that may
 * hold one of its leases. This is done kind by kind, and those with few leases come first: so those are spread as well. Then it
 * is done with all, for processes that may hold some kinds only.
 * @param processes the names of the leases that each process may hold
 * @returns the process of each lease
 */
export function placeLeases(processes: ReadonlyMap<string, Iterable<string>>): Map<string, string> {
  const loads = new Map(Array.from(processes.keys(), (process) => [process, 0]));
  const placed = new Map<string, string>();
  const add = (process: string, count: number): unknown =>
    loads.set(process, (loads.get(process) ?? 0) + count);
  const kinds = leasesByKind(processes);
  for (const leases of [...kinds, kinds.flat()]) {
    for (const { name, weights } of leases) {
      if (placed.has(name)) continue;
      const [heaviest = ''] = weights.keys();
      placed.set(name, heaviest);
      add(heaviest, 1);
    }
    for (let move = bestMove(leases, placed, loads); move !== null; move = bestMove(leases, placed, loads)) {
      add(placed.get(move.name) ?? '', -1);
      placed.set(move.name, move.to);
      add(move.to, 1);
    }
  }
  return placed;
}

/** The next lease to move: between the two processes that differ most, the one for which the receiver weighs most. Null: none. */
function bestMove(
  leases: readonly Lease[],
  placed: ReadonlyMap<string, string>,
  loads: ReadonlyMap<string, number>,
): { name: string; to: string } | null {
  let best: { name: string; to: string } | null = null;
  let most = 2;
  let heaviest = -1;
  for (const { name, weights } of leases) {
    const own = loads.get(placed.get(name) ?? '') ?? 0;
    for (const [to, weight] of weights) {
      const difference = own - (loads.get(to) ?? 0);
      if (difference < most || (difference === most && weight <= heaviest)) continue;
      best = { name, to };
      most = difference;
      heaviest = weight;
    }
  }
  return best;
}

/** Those with few leases first. The order of processes, leases and kinds is the same everywhere. */
function leasesByKind(processes: ReadonlyMap<string, Iterable<string>>): Lease[][] {
  const able = new Map<string, string[]>();
  for (const [process, names] of processes) {
    for (const name of names) able.set(name, [...(able.get(name) ?? []), process]);
  }
  const kinds = new Map<string, Lease[]>();
  for (const name of [...able.keys()].toSorted()) {
    const kind = kindOfLease(name);
    const weights = new Map(
      (able.get(name) ?? [])
        .toSorted()
        .map((process) => [process, weightOf(process, name)] as const)
        .toSorted(([, one], [, other]) => other - one),
    );
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [{ name, weights }]);
    else known.push({ name, weights });
  }
  return [...kinds.values()].toSorted((one, other) => one.length - other.length);
}

/** A number between 0 and 2^48 that is as good as random, and the same everywhere. */
function weightOf(process: string, lease: string): number {
  return createHash('sha1').update(`${process} ${lease}`).digest().readUIntBE(0, 6);
}
