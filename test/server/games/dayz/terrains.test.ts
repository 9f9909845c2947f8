import { describe, expect, it } from 'vitest';
import type { Terrain } from '../../../../src/server/games/facts.ts';
import { maps } from '../../../../src/server/games/dayz/facts/maps.ts';

/** Where an admin tool's list of places to teleport to has these towns, which is no copy of the game's own labels. */
const places = {
  chernarusplus: {
    Mogilevka: [7552, 5158],
    Staroye: [10093, 5488],
    Vybor: [3850, 8856],
    Tisy: [3426, 14775],
  },
  enoch: { Topolin: [1806, 7334], Gliniska: [5035, 9959], Tarnow: [9277, 10841], Dolnik: [11387, 612] },
  sakhal: {
    Vostok: [13924, 8388],
    Matrosovo: [14188, 11630],
    Orlovo: [10353, 13379],
    Dolinovka: [9817, 9843],
  },
} as const;

type Spots = Record<'boats' | 'stops', [east: number, north: number][]>;

/**
 * Where boats lie at the water and where bus stops stand at main roads, by the game's files of a server (`VehicleBoat` of
 * `cfgeventspawns.xml`, `mapgrouppos.xml`), from which neither water nor roads were made.
 */
const spots: Record<string, Spots> = {
  chernarusplus: {
    boats: [
      [1716, 2001],
      [4314, 2253],
      [6313, 2196],
      [8199, 2756],
      [10229, 1562],
      [12379, 3437],
      [13605, 4432],
      [13332, 7083],
      [13054, 9485],
      [13359, 10_710],
      [14_434, 13_260],
      [15_228, 13_816],
    ],
    stops: [
      [3873, 8830],
      [5387, 12_627],
      [9667, 13_778],
      [9985, 2050],
      [10_898, 2815],
    ],
  },
  enoch: {
    boats: [
      [737, 7630],
      [1211, 7597],
      [2559, 8139],
      [3637, 9096],
      [4126, 8968],
      [5285, 9487],
      [5758, 10_179],
      [6422, 10_888],
      [7926, 11_879],
      [8426, 11_874],
      [9517, 11_720],
      [11_239, 11_246],
    ],
    stops: [
      [2499, 5631],
      [3743, 8722],
      [8844, 6667],
      [11_520, 4615],
    ],
  },
  sakhal: {
    boats: [
      [4282, 8735],
      [4603, 10_536],
      [5417, 11_972],
      [5863, 12_812],
      [8402, 13_795],
      [11_765, 13_138],
      [13_396, 12_333],
      [14_514, 9073],
      [13_770, 7775],
      [12_220, 6564],
      [10_436, 6085],
      [5376, 7580],
    ],
    stops: [
      [6723, 7456],
      [10_316, 13_399],
      [11_717, 12_997],
      [13_951, 11_837],
    ],
  },
};

/** From a spot to the nearest point of lines, in metres. */
function awayFrom(lines: readonly (readonly number[])[], [east, north]: readonly [number, number]): number {
  const distances = lines.flatMap((line) =>
    Array.from({ length: line.length / 2 - 1 }, (_, index) => {
      const [x, y, nextX, nextY] = line.slice(index * 2, index * 2 + 4) as [number, number, number, number];
      const [right, up] = [nextX - x, nextY - y];
      const along = ((east - x) * right + (north - y) * up) / (right ** 2 + up ** 2);
      const part = Math.min(Math.max(along, 0), 1);
      return Math.hypot(x + part * right - east, y + part * up - north);
    }),
  );
  return Math.min(...distances);
}

const closed = (ring: readonly number[]): number[] => [...ring, ...ring.slice(0, 2)];

describe.each(Object.entries(spots))('the shape of %s', (map, { boats, stops }) => {
  const { meters, shape } = maps.terrainOf(map) as Required<Terrain>;

  it.each(boats)('has water within 100 m of the boat at %i, %i', (...boat) => {
    // The edge of the map is no coast.
    const land = map === 'enoch' ? [] : shape.land;
    expect(awayFrom([...[...land, ...shape.lakes].map(closed), ...shape.rivers], boat)).toBeLessThan(100);
  });

  it.each(stops)('has a road within 100 m of the bus stop at %i, %i', (...stop) => {
    expect(awayFrom(shape.roads, stop)).toBeLessThan(100);
  });

  it('consists of rings and lines on the map, of at most 200 points', () => {
    const lines = Object.values({ ...shape, source: [] }).flat();
    expect(lines.flat().length / 2).toBeLessThanOrEqual(200);
    for (const line of lines) {
      expect(line.length % 2).toBe(0);
      expect(line.length).toBeGreaterThanOrEqual(4);
      expect(Math.min(...line)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...line)).toBeLessThanOrEqual(meters);
    }
  });
});

describe.each(Object.entries(places))('the towns of %s', (map, known) => {
  const terrain = maps.terrainOf(map)!;

  it.each(Object.entries(known))('have %s within 100 m', (name, [east, north]) => {
    const town = terrain.towns.find((each) => each.name === name)!;
    expect(Math.hypot(town.east - east, town.north - north)).toBeLessThan(100);
  });

  it('lie on the map, each once and apart from the others', () => {
    expect(terrain.towns.length).toBeGreaterThanOrEqual(25);
    expect(new Set(terrain.towns.map(({ name }) => name)).size).toBe(terrain.towns.length);
    for (const { east, north } of terrain.towns) {
      expect(Math.min(east, north)).toBeGreaterThan(0);
      expect(Math.max(east, north)).toBeLessThan(terrain.meters);
      const near = terrain.towns.filter((other) => Math.hypot(other.east - east, other.north - north) < 400);
      expect(near).toHaveLength(1);
    }
  });
});

it('knows the size of a map by the name of its mission', () => {
  expect(maps.terrainOf('dayzOffline.enoch')?.meters).toBe(12_800);
  expect(maps.terrainOf('ChernarusPlus')?.meters).toBe(15_360);
  expect(maps.terrainOf('deerisle')).toEqual({ meters: 16_384, towns: [] });
  expect(maps.terrainOf('somewhere')).toBeNull();
});
