import { sql } from 'kysely';
import { type MetricCode, metricCodes, type MetricSource, metrics } from '../../../../api/metrics.ts';
import { characterMetrics, type CharacterStats } from './characters.ts';
import type { Database } from '../../engine/database.ts';
import type { ImportedStatsTable } from '../../engine/schema/player-tables.ts';
import { runMetrics } from '../../engine/schema/run-figures.ts';
import type { LogRunPlayerTable } from '../../engine/schema/schema.ts';
import { type MetricChoice, metricChoices } from './metric-sources.ts';
import { joinInOrder, rowsOf, valuesOf } from '../../engine/dialect.ts';
import { chunksOf, eachChunk } from '../../engine/each-chunk.ts';
import { readTogether, type Write, writeTogether } from '../../engine/send-together.ts';
import { namesOf, replacedBy, tableRows } from '../../engine/table-rows.ts';
import { figureColumns, metricColumns } from '../../engine/schema/metric-columns.ts';

type Figures = Partial<Record<MetricCode, number>>;

/**
 * Computes the figures of these players from all sources, and stores them. To be called in the transaction that
 * changed a source.
 */
export async function refreshStatistics(tx: Database, playerIds: Iterable<number>): Promise<void> {
  await eachChunk([...new Set(playerIds)], async (ids) => {
    await writeTogether(tx, statisticsWrites(ids, await readTogether(tx, statisticsSources(ids))));
  });
}

/** Reads what the figures of these players are computed from, to be passed to `statisticsWrites`. */
export const statisticsSources = (ids: readonly number[]) =>
  [runsOf(ids), charactersOf(ids), importedOf(ids)] as const;

/** Computes the figures of these players, and stores them. @param sources as read in this transaction */
export function statisticsWrites(
  ids: readonly number[],
  [runs, characters, imported]: readonly [RunFigures[], CharacterFigures[], ImportedStatsTable[]],
): Write[] {
  if (ids.length === 0) return [];
  const figures = new Map(ids.map((id): [number, Figures] => [id, {}]));
  addRuns(runs, figures);
  addCharacters(characters, figures);
  for (const row of imported) {
    for (const code of metricCodes) add(figures.get(row.player_id), code, row[metricColumns[code]]);
  }
  return figureWrites(ids, figures);
}

const wanted = (ids: readonly number[]) =>
  rowsOf(
    'wanted',
    { id: 'integer' },
    ids.map((id) => [id]),
  );

function add(figures: Figures | undefined, code: MetricCode, value: number | null | undefined): void {
  if (figures === undefined || value === null || value === undefined) return;
  const had = figures[code];
  if (had === undefined) figures[code] = value;
  else figures[code] = metrics[code].join === 'sum' ? had + value : Math.max(had, value);
}

/** Whether a source counts for a metric that two sources may contain. */
function counts(source: MetricSource, code: MetricCode, choice: MetricChoice): boolean {
  return (choice[code] ?? source) === source;
}

interface RunFigures extends LogRunPlayerTable {
  server_id: string;
  metric_sources: string;
}

const runsOf = (ids: readonly number[]) => sql<RunFigures>`
  SELECT log_run_player.*, log_run.server_id, server.metric_sources
  FROM ${wanted(ids)}
  ${joinInOrder} log_run_player ON log_run_player.player_id = wanted.id
  JOIN log_run ON log_run.id = log_run_player.run_id
  JOIN server ON server.id = log_run.server_id
  ORDER BY player_id, server_id, started_at, run_id
`;

function addRuns(rows: readonly RunFigures[], figures: ReadonlyMap<number, Figures>): void {
  const choiceOf = metricChoices();
  let life = new Life();
  let before: (typeof rows)[number] | undefined;
  for (const row of rows) {
    const one = figures.get(row.player_id);
    const choice = choiceOf(row.metric_sources, true);
    for (const [code, column] of runMetrics) if (counts('logs', code, choice)) add(one, code, row[column]);
    // A character survives a server's restarts; each server has its own.
    if (before?.player_id !== row.player_id || before.server_id !== row.server_id) life = new Life();
    before = row;
    add(one, 'LONGEST_LIFE', life.append(row));
  }
}

/** Joins the lives of one character's runs, in order. */
class Life {
  #running = 0;
  #longest = 0;

  /** @returns the longest life so far in seconds, including the current one */
  append(
    run: Pick<LogRunPlayerTable, 'deaths' | 'life_head_seconds' | 'life_best_seconds' | 'life_tail_seconds'>,
  ) {
    this.#longest = Math.max(this.#longest, this.#running + run.life_head_seconds, run.life_best_seconds);
    this.#running = run.deaths === 0 ? this.#running + run.life_head_seconds : run.life_tail_seconds;
    this.#longest = Math.max(this.#longest, this.#running);
    return this.#longest;
  }
}

interface CharacterFigures {
  player_id: number;
  total: string;
  metric_sources: string;
  is_logged: number;
}

const charactersOf = (ids: readonly number[]) => sql<CharacterFigures>`
  SELECT player_id, total, metric_sources,
    EXISTS (SELECT 1 FROM log_run WHERE log_run.server_id = server.id) AS is_logged
  FROM character JOIN server ON server.id = character.server_id WHERE player_id IN ${valuesOf('integer', ids)}
`;

function addCharacters(rows: readonly CharacterFigures[], figures: ReadonlyMap<number, Figures>): void {
  const choiceOf = metricChoices();
  for (const row of rows) {
    const total = JSON.parse(row.total) as CharacterStats;
    const choice = choiceOf(row.metric_sources, row.is_logged === 1);
    for (const [code, stat] of characterMetrics) {
      const value = total[stat];
      if (value === undefined || !counts('players.db', code, choice)) continue;
      const figure = metrics[code].unit === 'meters' ? hitOrNone(value) : Math.floor(value);
      add(figures.get(row.player_id), code, figure);
    }
  }
}

/** A greater distance is corrupt data, as in the admin log; the game writes 0 for no hit. */
const farthestHitMeters = 10_000;

const hitOrNone = (meters: number) => (meters > 0 && meters <= farthestHitMeters ? meters : null);

const importedOf = (ids: readonly number[]) => sql<ImportedStatsTable>`
  SELECT * FROM imported_stats WHERE player_id IN ${valuesOf('integer', ids)}
`;

function figureWrites(ids: readonly number[], figures: ReadonlyMap<number, Figures>): Write[] {
  const rows = [...figures]
    .filter(([, one]) => Object.keys(one).length > 0)
    .map(([id, one]) => ({ player_id: id, ...figureColumns(one) }));
  const without = ids.filter((id) => Object.keys(figures.get(id) ?? {}).length === 0);
  const columns = Object.values(metricColumns);
  return [
    ...chunksOf(without).map((chunk) => ({
      statement: sql`DELETE FROM player_stats WHERE player_id IN ${valuesOf('integer', chunk)}`,
    })),
    ...chunksOf(rows).map((chunk) => ({
      statement: sql`
        INSERT INTO player_stats (player_id, project_id, ${namesOf(columns)})
        SELECT player.id, player.project_id, ${namesOf(columns.map((name) => `v.${name}`))}
        FROM ${tableRows('v', chunk)} JOIN player ON player.id = v.player_id WHERE true
        ON CONFLICT (player_id) DO UPDATE SET ${replacedBy(columns)}
      `,
    })),
  ];
}
