import { memberKind } from './lease-table.ts';

type Counts = ReadonlyMap<string, number>;

/** How much each process does of each kind. All leases of a kind together are 1. */
export class WorkByKind {
  readonly #parts: Map<string, Counts>;

  /** @param counts kind → owner → how many leases */
  constructor(counts: ReadonlyMap<string, Counts>) {
    const shared = [...counts].filter(([kind]) => kind !== 'identify' && !kind.startsWith(memberKind('')));
    this.#parts = new Map(shared.map(([kind, own]) => [kind, partsOf(own)]));
  }

  /** What a process does of all kinds but this one. */
  elsewhere(kind: string, owner: string): number {
    let sum = 0;
    for (const [other, parts] of this.#parts) if (other !== kind) sum += parts.get(owner) ?? 0;
    return sum;
  }

  /** Counts with what the processes are about to hold of a kind. */
  expect(kind: string, counts: Counts): void {
    this.#parts.set(kind, partsOf(counts));
  }
}

function partsOf(counts: Counts): Counts {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return new Map(Array.from(counts, ([owner, count]) => [owner, count / Math.max(1, total)]));
}
