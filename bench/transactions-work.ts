import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { battleyeGuidOf, dayzIdOf } from '../src/api/identifiers.ts';
import { configSchema } from '../src/config/schema.ts';
import { logFormats } from '../src/server/games/index.ts';
import { storeBanFile } from '../src/server/ingest/bans/import.ts';
import { SourceWatch } from '../src/server/ingest/follower/source-watch.ts';
import { importLogs } from '../src/server/ingest/logs/importing/import-logs.ts';
import { importPlayersDb } from '../src/server/ingest/players/import-players-db.ts';
import { importPlayersFile } from '../src/server/ingest/players/import-players-json.ts';
import type { Database } from '../src/server/store/engine/database.ts';
import { SQLite } from '../src/server/store/engine/driver.ts';
import { deleteOldDeaths } from '../src/server/store/repositories/kills/retention.ts';
import { savePeople } from '../src/server/store/repositories/players/players.ts';
import { refreshStale } from '../src/server/store/repositories/players/stale-statistics.ts';
import { deleteOldSamples } from '../src/server/store/repositories/projects/history.ts';
import { findProjectId } from '../src/server/store/repositories/projects/projects.ts';
import { reconcile } from '../src/server/store/repositories/projects/reconcile.ts';
import { forgetServer, renameServer } from '../src/server/store/repositories/projects/server-identity.ts';
import { forgetPlayer } from '../src/server/store/repositories/rights/forget-player.ts';
import { setHidden } from '../src/server/store/repositories/rights/hide-player.ts';
import { northwood } from '../test/harness/northwood.ts';
import { writeAdminLogs } from './admin-logs.ts';
import { steamIdOf } from './people.ts';
import { seed, showProgress } from './seed.ts';

/** How much there is, and where files may be written. */
export interface Size {
  /** Players in the logs of one server. */
  players: number;
  /** Deaths, samples, bans, bearers of a name. */
  rows: number;
  /** Of a server's history. */
  lines: number;
  folder: string;
}

/** Changes of the store that grow with its data. They build on each other. */
export const works: Record<
  string,
  Record<'work', (db: Database, size: Size) => Promise<unknown>> &
    Partial<Record<'before', (db: Database, size: Size) => Promise<unknown>>>
> = {
  'history, import': { work: async (db, size) => await importHistory(db, 'northwood-1', files(size, 0)) },
  'history, import of one file': {
    work: async (db, size) => await importHistory(db, 'northwood-2', oneFile(size, 1)),
  },
  'history, followed': { work: async (db, size) => await followFirst(db, 'followed-1', files(size, 2)) },
  'history, followed as one file': {
    work: async (db, size) => await followFirst(db, 'followed-2', oneFile(size, 3)),
  },
  'players.db, 10,000 new': { work: async (db, { folder }) => await readCharacters(db, folder, 1) },
  'players.db, 10,000 changed': { work: async (db, { folder }) => await readCharacters(db, folder, 2) },
  'players.db, unchanged': { work: async (db, { folder }) => await readCharacters(db, folder, 2) },
  'ban file, new': { work: async (db, { rows }) => await readBans(db, rows, 'first') },
  'ban file, all changed': { work: async (db, { rows }) => await readBans(db, rows, 'second') },
  'ban file, emptied': { work: async (db) => await readBans(db, 0, '') },
  'players.json, merges': {
    before: storeUnmerged,
    work: async (db, { folder }) => {
      const file = join(folder, 'players.json');
      const people = numbers(5_000).map((at) => ({
        steamId64: steamIdOf(unmergedFrom + at),
        name: `m${at}`,
      }));
      writeFileSync(file, JSON.stringify(people));
      await importPlayersFile(db, { project: 'northwood', file });
    },
  },
  'other metric source': {
    work: async (db) => await configure(db, { metricSources: { PLAYER_KILLS: 'players.db' } }),
  },
  'other time zone': { work: async (db) => await configure(db, { timezone: 'America/New_York' }) },
  'hide a name': { work: async (db) => await setHidden(db, { name: 'Bearer' }, true) },
  'show a name': { work: async (db) => await setHidden(db, { name: 'Bearer' }, false) },
  'old deaths': {
    before: async (db) => await sql`UPDATE death SET at = 0 WHERE id % 2 = 0`.execute(db),
    work: async (db) => await deleteOldDeaths(db, Date.UTC(2023, 0, 1)),
  },
  'old samples': {
    before: storeSamples,
    work: async (db) => await deleteOldSamples(db, Date.UTC(2023, 0, 31)),
  },
  'forget a name': { work: async (db) => await forgetPlayer(db, { name: 'Bearer' }) },
  'rename a server': { work: async (db) => await renameServer(db, 'northwood-1', 'renamed') },
  'forget a server': {
    work: async (db) => {
      await forgetServer(db, 'renamed');
      await refreshStale(db);
    },
  },
};

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Fills a store: every player was seen on one server. */
export async function prepare(db: Database, { players, rows }: Size): Promise<void> {
  await configure(db, {});
  const plan = { project: 'northwood', serverId: 'northwood-1', banListId: 'northwood-bans', bans: 0 };
  await seed(db, { ...plan, players, onProgress: showProgress });
  await inParts(players, async (from, to) => {
    await sql`UPDATE player_alias SET server_id = 'northwood-1' WHERE player_id > ${from} AND player_id <= ${to}`.execute(
      db,
    );
  });
  const bearers = Math.min(players, Math.floor(rows / 10));
  await sql`
    INSERT INTO player_alias (player_id, server_id, name, first_seen_at, last_seen_at)
    SELECT id, 'northwood-1', 'Bearer', 0, 0 FROM player WHERE id <= ${bearers}
  `.execute(db);
  await inParts(rows, async (from, to) => {
    await sql`
      WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
      INSERT INTO death (run_id, game_id, number, server_id, at, victim_id, cause, live, stored_at)
      SELECT (SELECT min(id) FROM log_run), 'g' || i, 1, 'northwood-1', 1700000000000 + i * 1000, 1 + i % ${bearers}, 'PLAYER', 0, 0 FROM n
    `.execute(db);
  });
}

/** A folder with a server's history, in the files of its rotation. @param number another one for each */
function files({ folder, lines }: Size, number: number): string {
  const logs = join(folder, `logs-${number}`);
  rmSync(logs, { recursive: true, force: true });
  writeAdminLogs(logs, lines, 1_000 * number);
  return logs;
}

/** The same in one file. */
function oneFile(size: Size, number: number): string {
  const logs = files(size, number);
  const all = pathsIn(logs).map((path) => readFileSync(path));
  rmSync(logs, { recursive: true });
  mkdirSync(logs);
  writeFileSync(join(logs, 'DayZServer_x64.ADM'), Buffer.concat(all));
  return logs;
}

const pathsIn = (folder: string): string[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name));

async function importHistory(db: Database, serverId: string, folder: string): Promise<void> {
  const { failures } = await importLogs(db, { serverId, formats: logFormats, files: pathsIn(folder) });
  if (failures.length > 0) throw new Error(failures[0]?.message);
}

async function followFirst(db: Database, id: string, logs: string): Promise<void> {
  const watch = new SourceWatch({ db }, { formats: logFormats });
  const sources = { servers: [{ id, logs, schedules: [] }], banlists: [] };
  await watch.apply({ sources, leases: null });
  for (const { error } of await watch.poll(true)) {
    if (error !== undefined) throw new Error(error);
  }
}

async function storeSamples(db: Database, { rows }: Size): Promise<void> {
  await inParts(rows, async (from, to) => {
    await sql`
      WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
      INSERT INTO server_sample (server_id, sampled_at, players, max_players)
      SELECT 'northwood-1', i * 60000, 1, 60 FROM n
    `.execute(db);
  });
}

async function inParts(count: number, work: (from: number, to: number) => Promise<void>): Promise<void> {
  const part = 20_000;
  for (let from = 0; from < count; from += part) await work(from, Math.min(count, from + part));
}

async function configure(db: Database, changed: object): Promise<void> {
  const [project, ...others] = northwood().projects;
  const [server, ...rest] = project?.servers ?? [];
  const followed = ['followed-1', 'followed-2'].map((id) => ({ ...server, id, name: id }));
  const servers = [{ ...server, ...changed }, ...rest, ...followed];
  const config = { projects: [{ ...project, servers }, ...others] };
  await reconcile(db, configSchema.parse(config));
}

const charactersFrom = 3_000_000;

async function readCharacters(db: Database, folder: string, infected: number): Promise<void> {
  const file = join(folder, 'players.db');
  rmSync(file, { force: true });
  const game = new SQLite(file);
  game.exec(
    'CREATE TABLE Players (Id INTEGER PRIMARY KEY NOT NULL, Alive INTEGER NOT NULL, UID CHAR(64) UNIQUE NOT NULL, Data BLOB NULL)',
  );
  const insert = game.prepare('INSERT INTO Players (Alive, UID, Data) VALUES (1, ?, ?)');
  game.transaction(() => {
    for (const at of numbers(10_000))
      insert.run(dayzIdOf(steamIdOf(charactersFrom + at)), character(infected));
  })();
  game.close();
  await importPlayersDb(db, { serverId: 'northwood-2', file, origin: 'config' });
}

/** A character as the game stores it. */
function character(infected: number): Buffer {
  const figures = { dist: 10, players_killed: 1, infected_killed: infected, playtime: 100 * infected };
  const stats = Buffer.concat(
    Object.entries(figures).map(([name, value]) => {
      const entry = Buffer.alloc(1 + name.length + 4);
      entry.writeUInt8(name.length);
      entry.write(name, 1, 'latin1');
      entry.writeFloatLE(value, 1 + name.length);
      return entry;
    }),
  );
  const name = 'SurvivorM_Rolf';
  const head = Buffer.alloc(2 + 12 + 2);
  head.writeUInt16LE(2);
  const sizes = Buffer.alloc(4 + 4 + 2 + 2);
  sizes.writeUInt32LE(4 + stats.length, 4);
  sizes.writeUInt16LE(Object.keys(figures).length, 10);
  return Buffer.concat([head, Buffer.from([name.length]), Buffer.from(name), sizes, stats]);
}

const bansFrom = 4_000_000;

async function readBans(db: Database, count: number, reason: string): Promise<void> {
  const entries = numbers(count).map((at) => {
    const battleyeGuid = battleyeGuidOf(steamIdOf(bansFrom + at));
    return { key: battleyeGuid, identity: { battleyeGuid }, playerName: null, reason, expiresAt: null };
  });
  await storeBanFile(db, {
    listId: 'northwood-bans',
    file: '/bans.txt',
    format: 'battleye',
    content: { entries, ipBans: 0, unread: 0 } as never,
  });
}

const unmergedFrom = 5_000_000;

/** People who are known by two ids, and not yet known to be the same. */
async function storeUnmerged(db: Database): Promise<void> {
  const project = await findProjectId(db, 'northwood');
  const seen = { names: [], firstSeenAt: null, lastSeenAt: null };
  for (const idOf of [
    (steamId: string) => ({ dayzId: dayzIdOf(steamId) }),
    (steamId: string) => ({ battleyeGuid: battleyeGuidOf(steamId) }),
  ]) {
    const people = numbers(5_000).map((at) => ({ identity: idOf(steamIdOf(unmergedFrom + at)), ...seen }));
    await db.transaction().execute(async (tx) => await savePeople(tx, project, people));
  }
}
