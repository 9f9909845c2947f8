import { describe, expect, it } from 'vitest';
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
