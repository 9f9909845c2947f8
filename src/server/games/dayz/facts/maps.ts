import type { GameMaps, TerrainShape, Town } from '../../facts.ts';
import chernarusShape from './terrains/chernarusplus.json' with { type: 'json' };
import livoniaShape from './terrains/enoch.json' with { type: 'json' };
import sakhalShape from './terrains/sakhal.json' with { type: 'json' };
import { chernarusTowns, livoniaTowns, sakhalTowns } from './towns.ts';

interface World {
  /** As players call it. */
  name: string;
  /** The side of its terrain, as the game has it; left out: not known. */
  meters?: number;
  towns?: readonly Town[];
  shape?: TerrainShape;
  /** Its name in the addresses of iZurvive; left out: it has no page there. */
  page?: string;
}

const chernarus: World = {
  name: 'Chernarus',
  meters: 15_360,
  towns: chernarusTowns,
  shape: chernarusShape,
  page: 'chernarusplussatmap',
};
const livonia: World = {
  name: 'Livonia',
  meters: 12_800,
  towns: livoniaTowns,
  shape: livoniaShape,
  page: 'livonia',
};
const sakhal: World = {
  name: 'Sakhal',
  meters: 15_360,
  towns: sakhalTowns,
  shape: sakhalShape,
  page: 'sakhal',
};
const namalsk: World = { name: 'Namalsk', meters: 12_800, page: 'namalsk' };
const takistan: World = { name: 'Takistan', meters: 12_800, page: 'takistan' };

/** By the world name of the mission. */
const worlds = new Map<string, World>(
  Object.entries({
    chernarusplus: chernarus,
    chernarusplusgloom: chernarus,
    enoch: livonia,
    enochgloom: livonia,
    sakhal,
    alteria: { name: 'Alteria', meters: 8_192 },
    anastara: { name: 'Anastara', meters: 10_240 },
    arsteinen: { name: 'Arsteinen', meters: 15_360 },
    ballonscorridor: { name: "Ballon's Corridor" },
    banov: { name: 'Banov', meters: 15_360 },
    banovplus: { name: 'Banov' },
    bitterroot: { name: 'Bitterroot', meters: 12_288 },
    chiemsee: { name: 'Chiemsee', meters: 10_240 },
    chernarus2035: { name: 'Chernarus 2035' },
    deadfall: { name: 'Deadfall', meters: 10_240 },
    deerisle: { name: 'Deer Isle', meters: 16_384, page: 'deerisle' },
    eden: { name: 'Eden' },
    esseker: { name: 'Esseker', meters: 12_800, page: 'esseker' },
    exclusionzone: { name: 'Exclusion Zone' },
    exclusionzoneplus: { name: 'Exclusion Zone' },
    hashima: { name: 'Hashima Islands', meters: 5_120 },
    hashimaislands: { name: 'Hashima Islands', meters: 5_120 },
    iztek: { name: 'Iztek', meters: 8_192 },
    lux: { name: 'Lux' },
    melkart: { name: 'Melkart', meters: 20_480 },
    namalsk,
    namalskisland: namalsk,
    nhchernobyl: { name: 'Chernobyl Zone', meters: 20_480 },
    nukezzone: { name: 'Nukez Zone', meters: 15_360 },
    nyheim: { name: 'Nyheim', meters: 15_360 },
    onforin: { name: 'Onforin', meters: 24_576 },
    pripyat: { name: 'Pripyat', meters: 20_480 },
    ros: { name: 'Ros', meters: 20_480 },
    rostow: { name: 'Rostow', meters: 14_336 },
    stuartisland: { name: 'Stuart Island', meters: 5_120 },
    swansisland: { name: "Swan's Island", meters: 2_048 },
    takistan,
    takistanplus: takistan,
    valning: { name: 'Valning', meters: 10_240 },
    vela: { name: 'Vela', meters: 10_240 },
    visisland: { name: 'Vis Island', meters: 20_480 },
    yiprit: { name: 'Yiprit', meters: 20_480 },
    zagoria: { name: 'Zagoria' },
  }),
);

const terrainZoom = 6;

const worldOf = (map: string): World | undefined =>
  worlds.get(
    map
      .toLowerCase()
      .replace(/[\s_.-]/g, '')
      .replace(/^dayzoffline/, ''),
  );

export const maps: GameMaps = {
  nameOf: (map) => worldOf(map)?.name ?? null,
  terrainOf(map) {
    const { meters, towns = [], shape } = worldOf(map) ?? {};
    return meters === undefined ? null : { meters, towns, ...(shape !== undefined && { shape }) };
  },
  pageOf(map, { east, north }) {
    const page = worldOf(map)?.page;
    if (page === undefined) return null;
    const place = `${Math.round(east)};${Math.round(north)};${terrainZoom}`;
    return `https://www.izurvive.com/${page}/#location=${place}`;
  },
};
