import { dayzIdOf } from '../api/identifiers.ts';
import { factsOf } from '../server/games/table.ts';
import type { Survivor, Weapon } from './admin-log-lines.ts';

export const weapons = [
  { name: 'M4-A1', ammunition: 'Bullet_556x45', damage: 34.5, reach: 320 },
  { name: 'KA-74', ammunition: 'Bullet_545x39', damage: 31.25, reach: 260 },
  { name: 'KA-M', ammunition: 'Bullet_762x39', damage: 45, reach: 240 },
  { name: 'BK-18', ammunition: 'Bullet_762x39', damage: 45, reach: 120 },
  { name: 'Mosin 91/30', ammunition: 'Bullet_762x54', damage: 72.5, reach: 620 },
  { name: 'VSD', ammunition: 'Bullet_762x54', damage: 70, reach: 760 },
  { name: 'IJ-70', ammunition: 'Bullet_380', damage: 22, reach: 30 },
  { name: 'Kitchen Knife', ammunition: 'MeleeKnife', damage: 18, reach: 0 },
] as const satisfies readonly Weapon[];

/** Above every id that Steam has issued. */
const firstSteamId = 76_561_202_200_000_000n;
const callsigns =
  'Alder Birk Corvin Dana Elm Ferro Gale Hollis Ivo Juno Kestrel Linden Moss Nadir Osk Petra Quill Rowan Sorrel Tamsin Ulla Vesna Wren Yarrow Zora Ash Bram Cinder Dusk Echo Fenn Grit Hazel Iris Jory Knox Lark Marlow Nix Otto Pike Reed Sable Thorn Umber Vale Wolfram Yuri Zephyr Badger Comet Drift Ember Flint Gravel Harrow Inky Jinx Kobold Magpie'.split(
    ' ',
  );

/** How people make names of these. */
const styles: readonly ((callsign: string) => string)[] = [
  (callsign) => callsign,
  (callsign) => `${callsign.toLowerCase()}_77`,
  (callsign) => `[NW] ${callsign}`,
  (callsign) => `Old ${callsign}`,
  (callsign) => `${callsign} the Lost`,
  (callsign) => `${callsign.toUpperCase()}TV`,
];

/** All who play on the simulated servers, always the same. */
export function community(): Survivor[] {
  return Array.from({ length: callsigns.length * styles.length }, (_, index) => {
    const round = Math.floor(index / callsigns.length);
    const style = styles[(index + round) % styles.length]!;
    return {
      name: style(callsigns[index % callsigns.length]!),
      id: dayzIdOf(String(firstSteamId + BigInt(index))),
      east: 0,
      north: 0,
      health: 100,
    };
  });
}

/** Places a player near a town of a map: mostly one of these, and most often the first of them. @param towns by name */
export function settle(
  survivor: Survivor,
  map: string,
  towns: readonly string[],
  random: () => number,
): void {
  const all = factsOf('dayz')?.maps?.terrainOf(map)?.towns ?? [];
  const name = towns[Math.floor(random() ** 1.7 * towns.length)];
  const any = all[Math.floor(random() * all.length)];
  const town = random() < 0.25 ? any : all.find((each) => each.name === name);
  const [direction, meters] = [random() * 2 * Math.PI, random() ** 1.5 * 650];
  survivor.east = (town?.east ?? 6000) + Math.cos(direction) * meters;
  survivor.north = (town?.north ?? 6000) + Math.sin(direction) * meters;
}

/** Places the killer at this distance from the victim, so that the positions in the log are right. */
export function placeKiller(killer: Survivor, victim: Survivor, meters: number, random: () => number): void {
  const direction = random() * 2 * Math.PI;
  killer.east = Math.max(1, victim.east + Math.cos(direction) * meters);
  killer.north = Math.max(1, victim.north + Math.sin(direction) * meters);
}
