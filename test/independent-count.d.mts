export type CountedMetric =
  'PLAYER_KILLS' | 'DEATHS' | 'SUICIDES' | 'LONGEST_HIT' | 'LONGEST_KILL' | 'PLAYTIME' | 'LONGEST_LIFE';
export type Counts = Map<string, Record<CountedMetric, number>>;
export function count(files: readonly { name: string; text: string }[]): Counts;
export function join(counts: readonly Counts[]): Counts;
