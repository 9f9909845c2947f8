import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Stored } from '../../../src/server/store/engine/schema/schema.ts';
import type { Database } from '../../../src/server/store/engine/database.ts';
import { openNewStore, type NewStore } from '../../harness/new-store.ts';

export {
  header,
  idA,
  idB,
  idC,
  run,
  sampleLogs,
  samples,
  sampleServers,
  steamA,
  steamB,
  steamC,
} from '../../../packages/dayz-files/test/fixture.ts';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-ingest-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A fresh store with project `p`, its ban list `bans` and these servers. */
export async function temporaryStore(
  servers?: readonly string[],
  timezone?: string,
  folder?: string,
): Promise<Database> {
  return (await temporaryWriter(servers, timezone, folder)).db;
}

/** The same, to be opened again at its location. */
export async function temporaryWriter(
  servers: readonly string[] = ['s'],
  timezone = 'UTC',
  folder = temporaryFolder(),
): Promise<NewStore> {
  // Its sources are stored at once, and wait for one another for as long as a slow machine takes.
  const store = await openNewStore(join(folder, 'store.sqlite'), { busyTimeoutMs: 60_000 });
  onTestFinished(store.close);
  await addProject(store.db, servers, timezone);
  return store;
}

/** Stores project `p`, its ban list `bans` and these servers. */
export async function addProject(db: Database, servers: readonly string[], timezone = 'UTC'): Promise<void> {
  await db
    .insertInto('project')
    .values({
      id: 'p',
      slug: 'p',
      name: 'P',
      plan: 'PRO',
      suspended: 0,
      support: '{}',
      active: 1,
      kills_kept_ms: Number.MAX_SAFE_INTEGER,
    })
    .execute();
  for (const [position, id] of servers.entries()) {
    await db
      .insertInto('server')
      .values({
        id,
        project_id: 'p',
        position,
        name: id,
        game: 'dayz',
        host: 'localhost',
        port: 2302,
        query_port: null,
        timezone,
        active: 1,
      })
      .execute();
  }
  await db
    .insertInto('ban_list')
    .values({
      id: 'bans',
      project_id: 'p',
      position: 0,
      name: 'Bans',
      description: null,
      public: 1,
      verification_status: 'UNVERIFIED',
      server_ids: '[]',
      active: 1,
    })
    .execute();
}

/** Writes files into a temporary folder; returns their paths in the same order. */
export function temporaryFiles(files: Record<string, string | Uint8Array>): string[] {
  const folder = temporaryFolder();
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
}

export type Stats = Omit<Stored<'player_stats'>, 'player_id' | 'project_id'>;

/** The figures of the player with this DayZ id; undefined when there are none. */
export async function statsOf(db: Database, dayzId: string): Promise<Stats | undefined> {
  const row = await db
    .selectFrom('player')
    .innerJoin('player_stats', 'player_stats.player_id', 'player.id')
    .selectAll('player_stats')
    .where('dayz_id', '=', dayzId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return without(row, 'player_id', 'project_id');
}

/** Everything the store holds of players and runs but ids and the moment of the import, in a fixed order. */
export async function contents(db: Database): Promise<unknown> {
  const players = await db.selectFrom('player').selectAll().execute();
  const name = new Map(
    players.map((row) => [row.id, row.dayz_id ?? row.battleye_guid ?? row.cftools_id ?? 'nobody']),
  );
  const byText = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  const runs = await db.selectFrom('log_run').selectAll().execute();
  const runName = new Map(runs.map((row) => [row.id, `${row.server_id} ${row.header}`]));
  return {
    players: byText(players.map((row) => without(row, 'id'))),
    aliases: byText(
      (await db.selectFrom('player_alias').selectAll().execute()).map(({ player_id, ...row }) => ({
        player: name.get(player_id),
        ...row,
      })),
    ),
    stats: byText(
      (await db.selectFrom('player_stats').selectAll().execute()).map(({ player_id, ...row }) => ({
        player: name.get(player_id),
        ...row,
      })),
    ),
    runs: byText(runs.map((row) => without(row, 'id', 'imported_at'))),
    effects: byText(
      (await db.selectFrom('log_run_player').selectAll().execute()).map(({ player_id, run_id, ...row }) => ({
        player: name.get(player_id),
        run: runName.get(run_id),
        ...row,
      })),
    ),
    deaths: byText(
      (await db.selectFrom('death').selectAll().execute()).map(
        ({ run_id, victim_id, killer_id, ...row }) => ({
          run: runName.get(run_id),
          victim: name.get(victim_id),
          killer: killer_id === null ? null : name.get(killer_id),
          ...without(row, 'id', 'stored_at', 'live'),
        }),
      ),
    ),
  };
}

function without<T extends object, K extends keyof T & string>(row: T, ...keys: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;
}

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}
