import { metricCodes, metrics, type MetricCode, type PlayerStat } from '../../../../api/metrics.ts';
import { type Column, integer, orNull, real } from './columns.ts';

/** `playerKills` → `player_kills`. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

export function snakeCase<Name extends string>(name: Name): SnakeCase<Name> {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;
}

/** The columns of `player_stats` and `imported_stats`: one per metric, named after its figure in `player.stats`. */
export type MetricColumn = SnakeCase<PlayerStat>;

export const metricColumns = Object.fromEntries(
  metricCodes.map((code) => [code, snakeCase(metrics[code].stat)]),
) as { readonly [Code in MetricCode]: SnakeCase<(typeof metrics)[Code]['stat']> };

export const figureDefinitions = Object.fromEntries(
  metricCodes.map((code) => [
    metricColumns[code],
    orNull(metrics[code].unit === 'meters' ? real() : integer()),
  ]),
) as Readonly<Record<MetricColumn, Column<number | null>>>;

/** The index of the leaderboard by a column of `player_stats`: its name, and what follows the table. */
export const leaderboardIndex = (column: string): readonly [name: string, rule: string] => [
  `leaderboard_${column}`,
  `(project_id, ${column} DESC, player_id) WHERE ${column} > 0`,
];

/** Figures as columns; NULL: there is none. */
export function figureColumns(
  figures: Partial<Record<MetricCode, number | null>>,
): Record<MetricColumn, number | null> {
  return Object.fromEntries(
    metricCodes.map((code) => [metricColumns[code], figures[code] ?? null]),
  ) as Record<MetricColumn, number | null>;
}
