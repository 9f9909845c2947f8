import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { wipeFile } from '../../../../../src/server/store/engine/sqlite/open.ts';
import type { StoredPerson } from '../../../../../src/server/store/repositories/players/person-identity.ts';
import { wipeDeleted } from '../../../../../src/server/store/repositories/rights/wipe.ts';
import { onPostgres } from '../../../../harness/new-store.ts';

/** The files of a folder that contain a text, whole folder trees included. */
export function filesWith(folder: string, text: string): string[] {
  const wanted = Buffer.from(text);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(wanted));
}

/** Removes what was deleted from the store's files. */
export async function wipe(db: Database): Promise<void> {
  const ofEngine = async (): Promise<boolean> => (onPostgres ? true : await wipeFile(db));
  expect(await wipeDeleted({ db, wipe: ofEngine })).toBe(true);
}

/** Where the store has a text: files of its folder, or tables of a database. */
export async function tracesOf(db: Database, folder: string, text: string): Promise<string[]> {
  if (!onPostgres) return filesWith(folder, text);
  const tables = sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
  `;
  const found: string[] = [];
  for (const { name } of (await tables.execute(db)).rows) {
    const row = sql`SELECT 1 FROM ${sql.table(name)} AS t WHERE strpos(t::text, ${text}) > 0 LIMIT 1`;
    if ((await row.execute(db)).rows.length > 0) found.push(name);
  }
  return found;
}

/** A player with an identity log, names, kills and deaths, of whom much is stored. */
export async function busiestPlayer(db: Database): Promise<StoredPerson> {
  return await db
    .selectFrom('player')
    .innerJoin('player_stats', 'player_stats.player_id', 'player.id')
    .select([
      'player.id',
      'player.project_id',
      'name',
      'hidden',
      'steam_id64',
      'dayz_id',
      'battleye_guid',
      'cftools_id',
    ])
    .where('steam_id64', 'is not', null)
    .where('player_kills', '>', 0)
    .where('deaths', '>', 0)
    .orderBy('player_kills', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

export async function namesOfPlayer(db: Database, playerId: number): Promise<string[]> {
  const rows = await db.selectFrom('player_alias').select('name').where('player_id', '=', playerId).execute();
  return [...new Set(rows.map(({ name }) => name))].filter((name) => name !== '');
}

/** Every row about every player but one, by identifiers that do not change, and all kills by others. */
export async function othersFigures(db: Database, dayzId: string): Promise<Record<string, string[]>> {
  const tables = {
    player: sql`SELECT player.*, '' AS id, '' AS project_id FROM player WHERE hidden < 2`,
    player_alias: sql`SELECT dayz_id, player_alias.*, '' AS player_id FROM player_alias JOIN player ON id = player_id`,
    player_stats: sql`SELECT dayz_id, player_stats.*, '' AS player_id FROM player_stats JOIN player ON id = player_id`,
    log_run_player: sql`SELECT dayz_id, header, server_id, v.*, '' AS player_id, '' AS run_id FROM log_run_player AS v
      JOIN player ON player.id = player_id JOIN log_run ON log_run.id = run_id`,
    character: sql`SELECT dayz_id, character.*, '' AS player_id FROM character JOIN player ON id = player_id`,
    kills: sql`SELECT dayz_id, header, at, cause, weapon, meters FROM death JOIN player ON player.id = killer_id
      JOIN log_run ON log_run.id = run_id WHERE hidden < 2`,
    deaths: sql`SELECT dayz_id, header, at, cause, weapon, meters, number FROM death JOIN player ON player.id = victim_id
      JOIN log_run ON log_run.id = run_id WHERE hidden < 2`,
    boards: sql`SELECT project_id, header, count(*) AS deaths FROM death JOIN log_run ON log_run.id = run_id
      JOIN server ON server.id = death.server_id GROUP BY 1, 2`,
  };
  const found: Record<string, string[]> = {};
  for (const [table, query] of Object.entries(tables)) {
    const { rows } = await sql<Record<string, unknown>>`${query}`.execute(db);
    found[table] = rows
      .filter((row) => row['dayz_id'] !== dayzId)
      .map((row) => JSON.stringify(row))
      .toSorted();
  }
  return found;
}
