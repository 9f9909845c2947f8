/** What a heat map shows: where players died, where killers stood, and where those of long shots stood. */
export const heatKinds = ['deaths', 'kills', 'shots'] as const;
export type HeatKind = (typeof heatKinds)[number];

/** The side of a square in which events are counted, the same on every map. */
export const heatCellMeters = 200;

/** A square with fewer events is not shown, nor is one whose events are all of one player. */
export const leastHeat = 3;

/** A square of a map: its column from the west and its row from the south, from 0. */
export interface HeatCell {
  x: number;
  z: number;
  events: number;
}
