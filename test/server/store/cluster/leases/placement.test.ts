import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeLeases } from '../../../../../src/server/store/cluster/leases/placement.ts';

const names = (kind: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${kind}:${index}`);
const all = (follow: number): string[] => [
  ...names('poll', 16),
  ...names('follow', follow),
  ...names('bans', 1),
  ...names('backup', 2),
  'upkeep:store',
];
const place = (processes: readonly string[], leases: readonly string[]): Map<string, string> =>
  placeLeases(new Map(processes.map((process) => [process, leases])));
const loadsOf = (placed: ReadonlyMap<string, string>, processes: readonly string[]): number[] =>
  processes.map((process) => [...placed.values()].filter((each) => each === process).length);
const spread = (loads: readonly number[]): number => Math.max(...loads) - Math.min(...loads);
/** As processes are called: no two starts have the same name. */
const processNames = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 });
/** Leases of several kinds, any number of each. */
const leaseNames = fc
  .array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 5 })
  .map((counts) => counts.flatMap((count, kind) => names(`kind${kind}`, count)));

it('gives every process the same answer, whatever the order in which it learns of the others', () => {
  fc.assert(
    fc.property(processNames, leaseNames, fc.infiniteStream(fc.nat()), (processes, leases, random) => {
      const shuffled = <T>(list: readonly T[]): T[] =>
        list
          .map((item) => [random.next().value, item] as const)
          .toSorted(([one], [other]) => one - other)
          .map(([, item]) => item);
      const byName = (placed: Map<string, string>) =>
        [...placed].toSorted(([one], [other]) => (one < other ? -1 : 1));
      const other = new Map(shuffled(processes).map((process) => [process, shuffled(leases)]));
      expect(byName(placeLeases(other))).toEqual(byName(place(processes, leases)));
    }),
  );
});

it('gives processes that may hold the same leases as many, or one more', () => {
  fc.assert(
    fc.property(processNames, leaseNames, (processes, leases) => {
      const placed = place(processes, leases);
      expect([...placed.keys()].toSorted()).toEqual(leases.toSorted());
      expect(spread(loadsOf(placed, processes))).toBeLessThanOrEqual(1);
    }),
  );
});

it('leaves each lease where it may be, and is even among equals beside others', () => {
  const worlds = processNames.chain((processes) =>
    leaseNames.chain((leases) =>
      fc.record({
        leases: fc.constant(leases),
        able: fc.array(fc.subarray(leases), { minLength: processes.length, maxLength: processes.length }),
        processes: fc.constant(processes),
      }),
    ),
  );
  fc.assert(
    fc.property(worlds, ({ processes, able }) => {
      // The first two processes are equal.
      const may = new Map(
        processes.map((process, index) => [process, able[index === 1 ? 0 : index] as string[]]),
      );
      const placed = placeLeases(may);
      expect(new Set(placed.keys())).toEqual(new Set([...may.values()].flat()));
      for (const [lease, process] of placed) expect(may.get(process)).toContain(lease);
      expect(spread(loadsOf(placed, processes.slice(0, 2)))).toBeLessThanOrEqual(1);
    }),
  );
});

it('leaves no process with all kinds of which there are few', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 4, maxLength: 4 }), (processes) => {
      const placed = place(processes, all(2));
      const few = [...placed].filter(([lease]) => !lease.startsWith('poll'));
      expect(loadsOf(new Map(few), processes).toSorted((one, other) => one - other)).toEqual([1, 1, 2, 2]);
    }),
  );
});

it('gives what every process may hold to one that may hold nothing else', () => {
  for (const api of ['a', 'b', 'c', 'd']) {
    const placed = placeLeases(
      new Map([
        ['poll', [...names('poll', 16), 'upkeep:store']],
        [api, ['upkeep:store']],
      ]),
    );
    expect(placed.get('upkeep:store')).toBe(api);
  }
});

it('leaves a lease of this machine here, and gives the others to the rest', () => {
  const placed = placeLeases(
    new Map([
      ['here', [...names('follow', 3), ...names('poll', 6)]],
      ['there', names('poll', 6)],
    ]),
  );
  expect(names('follow', 3).map((lease) => placed.get(lease))).toEqual(['here', 'here', 'here']);
  expect(loadsOf(placed, ['here', 'there'])).toEqual([5, 4]);
});

/** How many leases of those that go on changed hands, on average, as the last process ended or came. */
function movedOnAverage(processCount: number, follow: number): { needed: number; moved: number } {
  const leases = all(follow);
  let needed = 0;
  let moved = 0;
  const times = 20;
  for (let time = 0; time < times; time += 1) {
    const processes = Array.from({ length: processCount }, (_, index) => `host:${index} since ${time}`);
    const last = processes.at(-1);
    const before = place(processes, leases);
    const after = place(processes.slice(0, -1), leases);
    needed += [...before.values()].filter((process) => process === last).length / times;
    moved += leases.filter((lease) => before.get(lease) !== after.get(lease)).length / times;
  }
  return { needed, moved };
}

it.each([
  [2, 300],
  [4, 300],
  [8, 300],
  [4, 1000],
])('moves little more than what it has to when one of %i processes comes or goes', (processes, follow) => {
  const { needed, moved } = movedOnAverage(processes, follow);
  expect(moved).toBeLessThan(needed * 1.1 + 10);
});
