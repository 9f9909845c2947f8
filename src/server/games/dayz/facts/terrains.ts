import type { Terrain } from '../../facts.ts';
import { chernarusTowns, livoniaTowns, sakhalTowns } from './towns.ts';

/** The side of each terrain in metres, as the game has it, by the world name of the mission. */
const sizes = {
  chernarusplus: 15_360,
  chernarusplusgloom: 15_360,
  enoch: 12_800,
  enochgloom: 12_800,
  sakhal: 15_360,
  alteria: 8_192,
  anastara: 10_240,
  arsteinen: 15_360,
  banov: 15_360,
  bitterroot: 12_288,
  chiemsee: 10_240,
  deadfall: 10_240,
  deerisle: 16_384,
  esseker: 12_800,
  hashima: 5_120,
  hashimaislands: 5_120,
  iztek: 8_192,
  melkart: 20_480,
  namalsk: 12_800,
  namalskisland: 12_800,
  nhchernobyl: 20_480,
  nukezzone: 15_360,
  nyheim: 15_360,
  onforin: 24_576,
  pripyat: 20_480,
  ros: 20_480,
  rostow: 14_336,
  stuartisland: 5_120,
  swansisland: 2_048,
  takistan: 12_800,
  takistanplus: 12_800,
  valning: 10_240,
  vela: 10_240,
  visisland: 20_480,
  yiprit: 20_480,
} as const;

const towns: Readonly<Record<string, Terrain['towns']>> = {
  chernarusplus: chernarusTowns,
  chernarusplusgloom: chernarusTowns,
  enoch: livoniaTowns,
  enochgloom: livoniaTowns,
  sakhal: sakhalTowns,
};

/** By the world name of the mission. */
export const terrains: ReadonlyMap<string, Terrain> = new Map(
  Object.entries(sizes).map(([world, meters]) => [world, { meters, towns: towns[world] ?? [] }]),
);
