export type CountedMetric =
  'PLAYER_KILLS' | 'DEATHS' | 'SUICIDES' | 'LONGEST_HIT' | 'LONGEST_KILL' | 'PLAYTIME' | 'LONGEST_LIFE';
export type DrawnMetric = 'ZOMBIE_KILLS' | 'ANIMAL_KILLS';
export type Counts = Map<string, Record<CountedMetric, number>>;
export type Drawn = Map<string, Record<DrawnMetric, number | null>>;
export type Nine = Map<string, Record<CountedMetric, number> & Record<DrawnMetric, number | null>>;
export function count(files: readonly { name: string; text: string }[]): Counts;
export function characters(path: string): Drawn;
export function nine(counted: Counts, drawn: Drawn): Nine;
export function join(counts: readonly Nine[]): Nine;
export interface ToldDeath {
  /** Header of the run. */
  run: string;
  victim: string;
  number: number;
  /** Of the host's clock. */
  time: string;
  cause: string;
  killer: string | null;
  weapon: string | null;
  bodyPart: string | null;
  ammo: string | null;
  meters: number | null;
  place: [x: number, z: number] | null;
  killerPlace: [x: number, z: number] | null;
}
export function deaths(files: readonly { name: string; text: string }[]): ToldDeath[];
