import type { GameMaps } from '../../facts.ts';
import { terrains } from './terrains.ts';

/** Display names of maps, by the world name of the mission. */
const mapNames = new Map(
  Object.entries({
    chernarusplus: 'Chernarus',
    chernarusplusgloom: 'Chernarus',
    enoch: 'Livonia',
    enochgloom: 'Livonia',
    sakhal: 'Sakhal',
    alteria: 'Alteria',
    anastara: 'Anastara',
    arsteinen: 'Arsteinen',
    ballonscorridor: "Ballon's Corridor",
    banov: 'Banov',
    banovplus: 'Banov',
    bitterroot: 'Bitterroot',
    chiemsee: 'Chiemsee',
    chernarus2035: 'Chernarus 2035',
    deadfall: 'Deadfall',
    deerisle: 'Deer Isle',
    eden: 'Eden',
    esseker: 'Esseker',
    exclusionzone: 'Exclusion Zone',
    exclusionzoneplus: 'Exclusion Zone',
    hashima: 'Hashima Islands',
    hashimaislands: 'Hashima Islands',
    iztek: 'Iztek',
    lux: 'Lux',
    melkart: 'Melkart',
    namalsk: 'Namalsk',
    namalskisland: 'Namalsk',
    nhchernobyl: 'Chernobyl Zone',
    nukezzone: 'Nukez Zone',
    nyheim: 'Nyheim',
    onforin: 'Onforin',
    pripyat: 'Pripyat',
    ros: 'Ros',
    rostow: 'Rostow',
    stuartisland: 'Stuart Island',
    swansisland: "Swan's Island",
    takistan: 'Takistan',
    takistanplus: 'Takistan',
    valning: 'Valning',
    vela: 'Vela',
    visisland: 'Vis Island',
    yiprit: 'Yiprit',
    zagoria: 'Zagoria',
  }),
);

/** The name of a terrain in the addresses of iZurvive, by the world name of the mission. */
const pages = new Map(
  Object.entries({
    chernarusplus: 'chernarusplussatmap',
    chernarusplusgloom: 'chernarusplussatmap',
    enoch: 'livonia',
    enochgloom: 'livonia',
    sakhal: 'sakhal',
    namalsk: 'namalsk',
    namalskisland: 'namalsk',
    deerisle: 'deerisle',
    esseker: 'esseker',
    takistan: 'takistan',
    takistanplus: 'takistan',
  }),
);

const terrainZoom = 6;

/** The world name of a mission. */
const worldOf = (map: string): string =>
  map
    .toLowerCase()
    .replace(/[\s_.-]/g, '')
    .replace(/^dayzoffline/, '');

export const maps: GameMaps = {
  nameOf: (map) => mapNames.get(worldOf(map)) ?? null,
  terrainOf: (map) => terrains.get(worldOf(map)) ?? null,
  pageOf(map, { east, north }) {
    const terrain = pages.get(worldOf(map));
    if (terrain === undefined) return null;
    const place = `${Math.round(east)};${Math.round(north)};${terrainZoom}`;
    return `https://www.izurvive.com/${terrain}/#location=${place}`;
  },
};
