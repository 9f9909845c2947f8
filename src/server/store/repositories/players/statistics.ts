import { sql } from 'kysely';
import { isFrom, type MetricCode, metricCodes, metrics, runMetrics } from '../../../../api/metrics.ts';
import { characterMetrics, type CharacterStats } from './characters.ts';
import type { Database } from '../../engine/database.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import type { RunPlayerChange } from '../logs/run-players.ts';
import { joinInOrder, rowsOf, valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import { namesOf, replacedBy, tableRows, updateRows } from '../../engine/table-rows.ts';
import type { RunPlayerColumns } from '../../engine/schema/run-figures.ts';
import { figureColumns, metricColumns } from '../../engine/schema/metric-columns.ts';

type Figures = Partial<Record<MetricCode, number>>;

/**
 * Computes the figures of these players from all sources, and stores them. To be called in the transaction that
 * changed a source.
 */
export async function refreshStatistics(tx: Database, playerIds: Iterable<number>): Promise<void> {
  await eachChunk([...new Set(playerIds)], async (ids) => {
    const figures = new Map(ids.map((id): [number, Figures] => [id, {}]));
    const lives = addRuns(await readRuns(tx, ids), figures);
    await updateRows(tx, { table: 'log_run_player', key: ['run_id', 'player_id'] }, lives);
    await addCharacters(tx, figures);
    const imported = tx
      .selectFrom('imported_stats')
      .selectAll()
      .where('player_id', 'in', valuesOf('integer', ids));
    for (const row of await imported.execute()) {
      for (const code of metricCodes) add(figures.get(row.player_id), code, row[metricColumns[code]]);
    }
    await saveFigures(tx, figures);
  });
}

/**
 * Brings figures up to date after runs were stored. Where the latest run of a server grew, as one that is followed does with
 * each poll, they change by the difference: a player may have been in thousands of runs. The others are computed anew.
 * @param alsoAnew further players whose figures are to be computed anew
 */
export async function updateStatistics(
  tx: Database,
  changes: readonly RunPlayerChange[],
  alsoAnew: readonly number[],
): Promise<void> {
  const anew = new Set(alsoAnew);
  const growths = new Map<number, Figures>();
  const latest = await readLatestRuns(tx, changes);
  for (const change of changes) {
    const { playerId } = change;
    const growth = latest.has(change.runId) ? growthOf(change) : null;
    if (growth === null || growths.has(playerId)) anew.add(playerId);
    else growths.set(playerId, growth);
  }
  const rows = [...growths].flatMap(([id, growth]) =>
    anew.has(id) ? [] : [{ player_id: id, ...figureColumns(growth) }],
  );
  await eachChunk(rows, async (chunk) => {
    await sql`
      UPDATE player_stats SET ${sql.join(metricCodes.map(grown))}
      FROM ${tableRows('growth', chunk)} WHERE player_stats.player_id = growth.player_id
    `.execute(tx);
  });
  await refreshStatistics(tx, anew);
}

/** A figure with what it grew by, or the larger one; NULL: it did not grow. */
function grown(code: MetricCode) {
  const column = metricColumns[code];
  const [own, growth] = [sql.ref(`player_stats.${column}`), sql.ref(`growth.${column}`)];
  const [hasGrown, sum] =
    metrics[code].join === 'sum'
      ? [sql`${growth} IS NOT NULL`, sql`coalesce(${own}, 0) + ${growth}`]
      : [sql`${growth} > coalesce(${own}, 0)`, growth];
  return sql`${sql.ref(column)} = CASE WHEN ${hasGrown} THEN ${sum} ELSE ${own} END`;
}

/** Those of the changed runs that are the latest of their servers. */
async function readLatestRuns(tx: Database, changes: readonly RunPlayerChange[]): Promise<Set<number>> {
  const runIds = [...new Set(changes.flatMap(({ runId, had }) => (had === null ? [] : [runId])))];
  const { rows } = await sql<{ id: number }>`
    SELECT log_run.id FROM ${wanted(runIds)} ${joinInOrder} log_run ON log_run.id = wanted.id
    WHERE NOT EXISTS (
      SELECT 1 FROM log_run AS later WHERE later.server_id = log_run.server_id
        AND later.started_at >= log_run.started_at AND later.id <> log_run.id
    )
  `.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** What a player's figures grew by, and the largest ones; null: that is not known. */
function growthOf({ had, now }: RunPlayerChange): Figures | null {
  if (had === null || now === null || had.life_before_seconds === null) return null;
  const growth: Figures = {};
  for (const code of runMetrics) {
    const column = metricColumns[code];
    const [before, after] = [figureOf(code, had[column]) ?? 0, figureOf(code, now[column]) ?? 0];
    if (after === before) continue;
    if (metrics[code].join === 'sum') growth[code] = after - before;
    else if (after < before) return null;
    else growth[code] = after;
  }
  const life = longestLife(had.life_before_seconds, now);
  if (life < longestLife(had.life_before_seconds, had)) return null;
  return { ...growth, LONGEST_LIFE: life };
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

interface RunFigures extends Stored<'log_run_player'> {
  server_id: string;
}

async function readRuns(tx: Database, ids: readonly number[]): Promise<RunFigures[]> {
  const { rows } = await sql<RunFigures>`
    SELECT log_run_player.*, log_run.server_id
    FROM ${wanted(ids)}
    ${joinInOrder} log_run_player ON log_run_player.player_id = wanted.id
    JOIN log_run ON log_run.id = log_run_player.run_id
    ORDER BY player_id, server_id, started_at, run_id
  `.execute(tx);
  return rows;
}

/** @returns the rows in which `life_before_seconds` is to be corrected: the latest run of each player on each server has it */
function addRuns(rows: readonly RunFigures[], figures: ReadonlyMap<number, Figures>): LifeBefore[] {
  const corrected: LifeBefore[] = [];
  let life = 0;
  for (const [i, row] of rows.entries()) {
    const one = figures.get(row.player_id);
    for (const code of runMetrics) add(one, code, figureOf(code, row[metricColumns[code]]));
    add(one, 'LONGEST_LIFE', longestLife(life, row));
    const { run_id, player_id } = row;
    // A character survives a server's restarts; each server has its own.
    const next = rows[i + 1];
    const goesOn = next?.player_id === player_id && next.server_id === row.server_id;
    const life_before_seconds = goesOn ? null : life;
    if (row.life_before_seconds !== life_before_seconds)
      corrected.push({ run_id, player_id, life_before_seconds });
    life = goesOn ? lifeAfter(life, row) : 0;
  }
  return corrected;
}

type LifeBefore = Pick<Stored<'log_run_player'>, 'run_id' | 'player_id' | 'life_before_seconds'>;
/** For how long a character has lived after a run. @param before the same before it; seconds */
const lifeAfter = (before: number, run: RunPlayerColumns): number =>
  run.deaths === 0 ? before + run.life_head_seconds : run.life_tail_seconds;

/** The longest life that ends in a run, or goes on after it. */
const longestLife = (before: number, run: RunPlayerColumns): number =>
  Math.max(before + run.life_head_seconds, run.life_best_seconds, lifeAfter(before, run));

/** Of a server with logs, these alone count what they report, so that nothing counts twice. */
async function addCharacters(tx: Database, figures: ReadonlyMap<number, Figures>): Promise<void> {
  const isLogged = sql<number>`EXISTS (SELECT 1 FROM log_run WHERE log_run.server_id = character.server_id)`;
  const rows = await tx
    .selectFrom('character')
    .select(['player_id', 'total', isLogged.as('is_logged')])
    .where('player_id', 'in', valuesOf('integer', [...figures.keys()]))
    .execute();
  for (const { player_id, total, is_logged } of rows) {
    const stats = JSON.parse(total) as CharacterStats;
    for (const [code, stat] of characterMetrics) {
      const value = stats[stat];
      if (value === undefined || (is_logged === 1 && isFrom(code, 'logs'))) continue;
      add(figures.get(player_id), code, figureOf(code, value));
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
