import { escaped } from './text.ts';

/** Display names of DayZ maps, by the world name of the mission. */
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
const terrains = new Map(
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

function keyOf(map: string): string {
  return map
    .toLowerCase()
    .replace(/[\s_.-]/g, '')
    .replace(/^dayzoffline/, '');
}

/** The place on iZurvive's map of the terrain. Null: the map is unknown, or not one of iZurvive's. */
export function terrainUrl(map: string | null, place: { east: number; north: number }): string | null {
  const terrain = map === null ? undefined : terrains.get(keyOf(map));
  if (terrain === undefined) return null;
  const [east, north] = [Math.round(place.east), Math.round(place.north)];
  return `https://www.izurvive.com/${terrain}/#location=${east};${north};${terrainZoom}`;
}

/** Display name of a map, safe in markdown. Unlisted maps keep the server's name. Null: the map is unknown. */
export function mapName(map: string | null): string | null {
  if (map === null) return null;
  const shown = mapNames.get(keyOf(map)) ?? escaped(map, 60);
  return shown === '' ? null : shown;
}
