import { sql } from 'kysely';
import {
  type MetricCode,
  metricCodes,
  type MetricSource,
  metrics,
  runMetrics,
} from '../../../../api/metrics.ts';
import { characterMetrics, type CharacterStats } from './characters.ts';
import type { Database } from '../../engine/database.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { type MetricChoice, metricChoices } from './metric-sources.ts';
import { joinInOrder, rowsOf, valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import { namesOf, replacedBy, tableRows } from '../../engine/table-rows.ts';
import { figureColumns, metricColumns } from '../../engine/schema/metric-columns.ts';

type Figures = Partial<Record<MetricCode, number>>;

/**
 * Computes the figures of these players from all sources, and stores them. To be called in the transaction that
 * changed a source.
 */
export async function refreshStatistics(tx: Database, playerIds: Iterable<number>): Promise<void> {
  await eachChunk([...new Set(playerIds)], async (ids) => {
    const figures = new Map(ids.map((id): [number, Figures] => [id, {}]));
    addRuns(await readRuns(tx, ids), figures);
    addCharacters(await readCharacters(tx, ids), figures);
    for (const row of await readImported(tx, ids)) {
      for (const code of metricCodes) add(figures.get(row.player_id), code, row[metricColumns[code]]);
    }
    await saveFigures(tx, figures);
  });
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

interface RunFigures extends Stored<'log_run_player'> {
  server_id: string;
  metric_sources: string;
}

async function readRuns(tx: Database, ids: readonly number[]): Promise<RunFigures[]> {
  const { rows } = await sql<RunFigures>`
    SELECT log_run_player.*, log_run.server_id, server.metric_sources
    FROM ${wanted(ids)}
    ${joinInOrder} log_run_player ON log_run_player.player_id = wanted.id
    JOIN log_run ON log_run.id = log_run_player.run_id
    JOIN server ON server.id = log_run.server_id
    ORDER BY player_id, server_id, started_at, run_id
  `.execute(tx);
  return rows;
}

function addRuns(rows: readonly RunFigures[], figures: ReadonlyMap<number, Figures>): void {
  const choiceOf = metricChoices();
  let life = new Life();
  let before: (typeof rows)[number] | undefined;
  for (const row of rows) {
    const one = figures.get(row.player_id);
    const choice = choiceOf(row.metric_sources, true);
    for (const code of runMetrics)
      if (counts('logs', code, choice)) add(one, code, figureOf(code, row[metricColumns[code]]));
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
    run: Pick<
      Stored<'log_run_player'>,
      'deaths' | 'life_head_seconds' | 'life_best_seconds' | 'life_tail_seconds'
    >,
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

async function readCharacters(tx: Database, ids: readonly number[]): Promise<CharacterFigures[]> {
  const { rows } = await sql<CharacterFigures>`
    SELECT player_id, total, metric_sources,
      EXISTS (SELECT 1 FROM log_run WHERE log_run.server_id = server.id) AS is_logged
    FROM character JOIN server ON server.id = character.server_id WHERE player_id IN ${valuesOf('integer', ids)}
  `.execute(tx);
  return rows;
}

function addCharacters(rows: readonly CharacterFigures[], figures: ReadonlyMap<number, Figures>): void {
  const choiceOf = metricChoices();
  for (const row of rows) {
    const total = JSON.parse(row.total) as CharacterStats;
    const choice = choiceOf(row.metric_sources, row.is_logged === 1);
    for (const [code, stat] of characterMetrics) {
      const value = total[stat];
      if (value === undefined || !counts('players.db', code, choice)) continue;
      add(figures.get(row.player_id), code, figureOf(code, value));
    }
  }
}

/** A greater distance is corrupt data, as in the admin log. */
const farthestHitMeters = 10_000;

/** A source's figure of a metric. Sources have 0 for no hit, which has no distance. */
function figureOf(code: MetricCode, value: number): number | null {
  if (metrics[code].unit !== 'meters') return Math.floor(value);
  return value > 0 && value <= farthestHitMeters ? value : null;
}

async function readImported(tx: Database, ids: readonly number[]): Promise<Stored<'imported_stats'>[]> {
  const { rows } = await sql<Stored<'imported_stats'>>`
    SELECT * FROM imported_stats WHERE player_id IN ${valuesOf('integer', ids)}
  `.execute(tx);
  return rows;
}

/** @param figures of a chunk of players; those without any are deleted */
async function saveFigures(tx: Database, figures: ReadonlyMap<number, Figures>): Promise<void> {
  const isEmpty = (one: Figures): boolean => Object.keys(one).length === 0;
  const without = [...figures].flatMap(([id, one]) => (isEmpty(one) ? [id] : []));
  const rows = [...figures].flatMap(([id, one]) =>
    isEmpty(one) ? [] : [{ player_id: id, ...figureColumns(one) }],
  );
  const columns = Object.values(metricColumns);
  if (without.length > 0)
    await sql`DELETE FROM player_stats WHERE player_id IN ${valuesOf('integer', without)}`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    INSERT INTO player_stats (player_id, project_id, ${namesOf(columns)})
    SELECT player.id, player.project_id, ${namesOf(columns.map((name) => `v.${name}`))}
    FROM ${tableRows('v', rows)} JOIN player ON player.id = v.player_id WHERE true
    ON CONFLICT (player_id) DO UPDATE SET ${replacedBy(columns)}
  `.execute(tx);
}
