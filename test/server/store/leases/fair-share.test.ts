import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fairShare } from '../../../../src/server/store/leases/fair-share.ts';

/** Processes that share leases, each in turn by what it sees, as the store would give them out. */
class World {
  readonly #names: string[];
  readonly #held = new Map<string, string[]>();
  readonly #seen = new Map<string, Map<string, number>>();
  /** Leases that went from one process to another, each time. */
  moves = 0;
  #resting = new Map<string, Map<string, number>>();
  #round = 0;

  constructor(leases: number) {
    this.#names = Array.from({ length: leases }, (_, index) => `poll:${index}`);
  }

  join(owner: string): void {
    this.#held.set(owner, []);
  }

  leave(owner: string): void {
    this.#held.delete(owner);
  }

  counts(): Map<string, number> {
    return new Map(Array.from(this.#held, ([owner, held]) => [owner, held.length]));
  }

  spread(): number {
    const counts = [...this.counts().values()];
    return Math.max(...counts) - Math.min(...counts);
  }

  free(): string[] {
    const taken = new Set([...this.#held.values()].flat());
    return this.#names.filter((name) => !taken.has(name));
  }

  round(): void {
    this.#round += 1;
    for (const owner of this.#held.keys()) this.#turn(owner);
  }

  #turn(owner: string): void {
    const own = this.#held.get(owner) ?? [];
    const resting = this.#resting.get(owner) ?? new Map<string, number>();
    const before = this.#seen.get(owner) ?? new Map<string, number>();
    const mayTake = this.free().filter((name) => (resting.get(name) ?? 0) <= this.#round);
    const free = new Map(mayTake.map((name) => [name, (before.get(name) ?? 0) + 1]));
    this.#seen.set(owner, free);
    const { take, give } = fairShare({
      owner,
      counts: this.counts(),
      elsewhere: () => 0,
      movable: own,
      free,
      isMoving: false,
    });
    this.moves += take.length;
    for (const name of give) resting.set(name, this.#round + 5);
    this.#resting.set(owner, resting);
    this.#held.set(owner, [...own.filter((name) => !give.includes(name)), ...take]);
  }
}

const rounds = (world: World, count: number): void => {
  for (let i = 0; i < count; i += 1) world.round();
};

it('spreads leases over processes that come and go, and then moves none', () => {
  const change = fc.record({ joins: fc.boolean(), which: fc.nat(5) });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.array(change, { maxLength: 8 }), (leases, changes) => {
      const world = new World(leases);
      world.join('p0');
      for (const { joins, which } of changes) {
        if (joins) world.join(`p${which}`);
        else if (which > 0) world.leave(`p${which}`);
        rounds(world, 3);
      }
      rounds(world, 120);
      expect(world.free()).toEqual([]);
      expect(world.spread()).toBeLessThanOrEqual(1);
      const before = world.moves;
      rounds(world, 20);
      expect(world.moves).toBe(before);
    }),
    { numRuns: 100 },
  );
});

it('gives a new process its share in steps, and moves little more than that', () => {
  const world = new World(64);
  for (const owner of ['a', 'b', 'c']) world.join(owner);
  rounds(world, 60);
  const before = world.moves;
  world.join('d');
  world.round();
  expect(world.counts().get('d')).toBeLessThan(12);
  rounds(world, 60);
  expect(world.counts().get('d')).toBe(16);
  expect(world.moves - before).toBeLessThanOrEqual(24);
});

it('takes more than its share of what nobody else takes, after a while', () => {
  const seen = (times: number) =>
    fairShare({
      owner: 'a',
      counts: new Map([
        ['a', 2],
        ['b', 0],
      ]),
      elsewhere: () => 0,
      movable: [],
      free: new Map([['follow:here', times]]),
      isMoving: false,
    });
  expect(seen(1)).toMatchObject({ take: [], give: [] });
  expect(seen(2)).toMatchObject({ take: ['follow:here'], give: [] });
});

/** One lease of a kind, as a process sees it. @param elsewhere what each does of other kinds */
function single(owner: string, elsewhere: Record<string, number>, holder: string | null) {
  return fairShare({
    owner,
    counts: new Map(Object.keys(elsewhere).map((process) => [process, Number(process === holder)])),
    elsewhere: (process) => elsewhere[process] ?? 0,
    movable: owner === holder ? ['shard:0'] : [],
    free: new Map(holder === null ? [['shard:0', 1]] : []),
    isMoving: false,
  });
}

it('leaves a free lease to the process that does least of other kinds, and all expect that', () => {
  const elsewhere = { a: 2.4, b: 1.3, c: 1.3 + 1 };
  expect(single('a', elsewhere, null).take).toEqual([]);
  expect(single('c', elsewhere, null).take).toEqual([]);
  const { take, expected } = single('b', elsewhere, null);
  expect(take).toEqual(['shard:0']);
  expect(Object.fromEntries(expected)).toEqual({ a: 0, b: 1, c: 0 });
});

it('gives a lease to a process that does less, unless that one would then do more', () => {
  expect(single('a', { a: 2, b: 1, c: 3 }, 'a').give).toEqual(['shard:0']);
  expect(single('a', { a: 1, b: 1, c: 3 }, 'a').give).toEqual([]);
  expect(single('a', { a: 0.9, b: 1, c: 3 }, 'a').give).toEqual([]);
});
