import { foreign } from './text.ts';

/** DayZ's technical map names (the world name of the mission) and what players call them. */
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

/** Readable name of a map, safe in markdown; a map that is not known is shown as the server names it. Null when unknown. */
export function mapName(map: string | null): string | null {
  if (map === null) return null;
  const key = map
    .toLowerCase()
    .replace(/[\s_.-]/g, '')
    .replace(/^dayzoffline/, '');
  const shown = mapNames.get(key) ?? foreign(map, 60);
  return shown === '' ? null : shown;
}
