// Fills a store with players, their figures and bans, through the functions with which Outpost itself writes. The same numbers
// give the same store.
import { sql, SqliteAdapter } from 'kysely';
import { seededRandom } from '../src/demo/random.ts';
import { saveBans, liftBans, type SourceBan } from '../src/server/store/repositories/bans/bans.ts';
import { saveCharacters } from '../src/server/store/repositories/players/characters.ts';
import type { Database } from '../src/server/store/engine/database.ts';
import { runRow } from '../test/harness/run-rows.ts';
import { saveRuns } from '../test/harness/save-runs.ts';
import type { RunToSave } from '../src/server/store/repositories/logs/log-runs.ts';
import type { RunPlayerRow } from '../src/server/store/engine/schema/run-figures.ts';
import { savePeople } from '../src/server/store/repositories/players/players.ts';
import { findProjectId } from '../src/server/store/repositories/projects/projects.ts';
import { refreshStatistics } from '../src/server/store/repositories/players/statistics.ts';
import { personAt } from './people.ts';

export interface SeedPlan {
  project: string;
  /** The server whose logs name the players. */
  serverId: string;
  banListId: string;
  players: number;
  bans: number;
  onProgress?: (done: number, of: number, what: 'players' | 'bans') => void;
}

/** Players of one transaction; 30 runs of a server see them. */
const batchSize = 3_000;
const runsOfBatch = 30;
const day = 86_400_000;

/** Writes what the plan says into a store that knows the project, the server and the list. */
export async function seed(db: Database, plan: SeedPlan): Promise<void> {
  // Large indexes are written at random places: they had better lie in memory, and be written out rarely.
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const setting of ['cache_size = -500000', 'wal_autocheckpoint = 50000', 'synchronous = OFF']) {
    if (isSqlite) await sql.raw(`PRAGMA ${setting}`).execute(db);
  }
  const projectId = await findProjectId(db, plan.project);
  const playerIds: number[] = [];
  for (let first = 0; first < plan.players; first += batchSize) {
    const last = Math.min(plan.players, first + batchSize);
    playerIds.push(...(await seedPlayers(db, projectId, plan.serverId, first, last)));
    plan.onProgress?.(last, plan.players, 'players');
  }
  for (let first = 0; first < plan.bans; first += batchSize) {
    const last = Math.min(plan.bans, first + batchSize);
    await seedBans(db, plan.banListId, playerIds, first, last);
    plan.onProgress?.(last, plan.bans, 'bans');
  }
}

async function seedPlayers(
  db: Database,
  projectId: string,
  serverId: string,
  first: number,
  last: number,
): Promise<number[]> {
  const people = Array.from({ length: last - first }, (_, at) => personAt(first + at));
  const random = seededRandom(first + 1);
  return await db.transaction().execute(async (tx) => {
    const saved = await savePeople(tx, projectId, people);
    const ids = saved.ids.filter((id) => id !== null);
    await saveRuns(tx, runsWith(serverId, ids, first, random), { now: Date.now(), keepsPositions: true });
    const hunters = ids.filter(() => random() < 0.4);
    await saveCharacters(
      tx,
      serverId,
      hunters.map((id) => [
        id,
        { infected_killed: heavy(random, 400), ...(random() < 0.3 && { animals_killed: heavy(random, 20) }) },
      ]),
      { now: Date.now(), origin: 'config' },
    );
    await refreshStatistics(tx, ids);
    return ids;
  });
}

/** Runs of a server in which each of the players was, most of them once, some often. */
function runsWith(
  serverId: string,
  ids: readonly number[],
  first: number,
  random: () => number,
): RunToSave[] {
  const players = Array.from({ length: runsOfBatch }, () => new Map<number, RunPlayerRow>());
  for (const id of ids) {
    const times = 1 + heavy(random, 0.8);
    for (let time = 0; time < times; time += 1) {
      players[Math.floor(random() * runsOfBatch)]?.set(id, figures(random));
    }
  }
  return players.map((seen, at) => {
    const startedAt = Date.UTC(2023, 0, 1) + ((first / batchSize) * runsOfBatch + at) * 3_600_000;
    const header = new Date(startedAt).toISOString().slice(0, 19).replace('T', ' ');
    return {
      serverId,
      header,
      startedAt,
      bytes: 500_000,
      digest: String(startedAt).padStart(64, '0'),
      prefix: null,
      rest: null,
      rows: new Map(Array.from(seen, ([id, row]) => [String(id), row])),
      deaths: [],
      hasAllDeaths: true,
      age: 'history',
    };
  });
}

function figures(random: () => number): RunPlayerRow {
  const deaths = heavy(random, 1);
  const playerKills = heavy(random, 0.7);
  const totalPlaySeconds = 60 + Math.floor(random() * 14_000);
  const hit = playerKills > 0 || random() < 0.3 ? Math.round(5 + random() ** 4 * 800_000) / 1_000 : 0;
  return runRow({
    playerKills,
    deaths,
    suicides: deaths > 0 && random() < 0.1 ? 1 : 0,
    totalPlaySeconds,
    longestHitMeters: hit,
    longestKillMeters: playerKills > 0 ? hit : 0,
    lifeHeadSeconds: deaths === 0 ? totalPlaySeconds : Math.floor(totalPlaySeconds / 2),
    lifeTailSeconds: deaths === 0 ? 0 : Math.floor(totalPlaySeconds / 3),
  });
}

/** Mostly small, now and then far greater: a whole number around `scale`, at most 200 times it. */
function heavy(random: () => number, scale: number): number {
  return Math.floor(Math.min(200, 0.6 / Math.sqrt(1 - random()) - 0.5) * scale);
}

/** Of twenty bans thirteen are for good, three are in force for weeks, three have ended and one was lifted. */
async function seedBans(
  db: Database,
  listId: string,
  playerIds: readonly number[],
  first: number,
  last: number,
): Promise<void> {
  const random = seededRandom(first + 2);
  const now = Date.now();
  const bans = Array.from({ length: last - first }, (_, at): SourceBan => {
    const index = first + at;
    const kind = index % 20;
    const starts_at = random() < 0.2 ? null : now - Math.floor(random() * 900 * day);
    return {
      source_key: `ban-${index}`,
      // A player in fifty has two.
      player_id: playerIds[(index - (index % 50 === 49 ? 1 : 0)) % playerIds.length] as number,
      player_name: null,
      category: index % 3 === 0 ? 'GRIEFING' : 'CHEATING',
      reason: index % 10 === 0 ? null : `Report ${index}: aimbot, seen by two admins`,
      starts_at,
      expires_at: expiryOf(kind, now, random),
      state: 'ENFORCED',
    };
  });
  await db.transaction().execute(async (tx) => {
    await saveBans(tx, listId, 'import:battleye:bans.txt', bans, now);
    const keys = bans.flatMap(({ source_key: key }, at) => ((first + at) % 20 === 19 ? [key] : []));
    const rows = await tx
      .selectFrom('ban')
      .select('id')
      .where('list_id', '=', listId)
      .where('source', '=', 'import:battleye:bans.txt')
      .where('source_key', 'in', keys)
      .execute();
    await liftBans(
      tx,
      rows.map(({ id }) => id),
      now,
    );
  });
}

function expiryOf(kind: number, now: number, random: () => number): number | null {
  if (kind < 13 || kind === 19) return null;
  return kind < 16 ? now + Math.floor((1 + random() * 60) * day) : now - Math.floor(random() * 800 * day);
}

/** Progress on one line of a terminal, else a line every tenth. */
export function showProgress(done: number, of: number, what: string): void {
  const percent = Math.floor((done / of) * 100);
  if (process.stdout.isTTY) process.stdout.write(`\r${what}: ${percent} %${done === of ? '\n' : ''}`);
  else if (done === of || Math.floor((done / of) * 10) > Math.floor(((done - batchSize) / of) * 10)) {
    console.log(`${what}: ${percent} %`);
  }
}
