import { sql } from 'kysely';
import type { Database } from './connections.ts';
import { byDialect } from './dialect.ts';
import type { TableColumns } from './schema/columns.ts';
import { columnOf, type Engine } from './schema/create-tables.ts';
import { figureDefinitions, leaderboardIndex } from './schema/metric-columns.ts';
import { runFigureDefinitions } from './schema/run-figures.ts';

/** The tables of figures of players, and their columns of figures. */
const figureTables: Readonly<Record<string, TableColumns>> = {
  player_stats: figureDefinitions,
  imported_stats: figureDefinitions,
  log_run_player: runFigureDefinitions,
};

/**
 * A store of an earlier version lacks the columns of metrics that are new in this one: adds them, with the indexes of their
 * leaderboards. The figures are unknown, those of runs 0, until logs are counted again.
 */
export async function addFigures(db: Database, engine: Engine): Promise<void> {
  if ((await missing(db, engine)).length === 0) return;
  await db.transaction().execute(async (tx) => {
    // Another process may have added them meanwhile.
    for (const statement of await missing(tx, engine)) await sql.raw(statement).execute(tx);
  });
}

/** The statements that add what a store lacks. */
async function missing(db: Database, engine: Engine): Promise<string[]> {
  const statements: string[] = [];
  for (const [table, columns] of Object.entries(figureTables)) {
    const { rows } = await sql<{ name: string }>`SELECT name FROM ${columnsOf(table)}`.execute(db);
    const stored = new Set(rows.map(({ name }) => name));
    for (const [column, definition] of Object.entries(columns)) {
      if (stored.has(column)) continue;
      statements.push(`ALTER TABLE ${table} ADD COLUMN ${columnOf(engine, column, definition)}`);
      const [index, rule] = leaderboardIndex(column);
      if (table === 'player_stats') statements.push(`CREATE INDEX ${index} ON ${table} ${rule}`);
    }
  }
  return statements;
}

const columnsOf = (table: string) =>
  byDialect(
    sql`pragma_table_info(${table})`,
    () =>
      sql`(SELECT attname AS name FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum > 0) AS attribute`,
  );
