import { foreign } from './text.ts';

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

/** Display name of a map, safe in markdown. Unlisted maps keep the server's name. Null: the map is unknown. */
export function mapName(map: string | null): string | null {
  if (map === null) return null;
  const key = map
    .toLowerCase()
    .replace(/[\s_.-]/g, '')
    .replace(/^dayzoffline/, '');
  const shown = mapNames.get(key) ?? foreign(map, 60);
  return shown === '' ? null : shown;
}
