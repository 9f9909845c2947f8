import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { type LocalDiscord, startLocalDiscord } from 'local-discord';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { metricCodes, metrics } from '../../src/api/metrics.ts';
import { knownGames } from '../../src/cli/read-config.ts';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { readConfig } from '../../src/config/load.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { liftBan } from '../../src/server/ingest/bans/by-hand.ts';
import { openWriter } from '../../src/server/store/engine/database.ts';
import { directUrl, newDatabase, onPostgres } from '../harness/new-store.ts';
import { onServer, type TestDatabase } from '../harness/postgres-databases.ts';

const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const sample = join(samples, 'outpost-0.1.0');
const read = (name: string): string => readFileSync(join(sample, name), 'utf8');

const { application, answers } = JSON.parse(read('answers.json')) as {
  application: { id: string; secret: string };
  answers: Record<string, unknown>;
};
const steamIdOfBen = '76561198207985320';
const log = 'DayZServer_x64_2025_06_01_120000000.ADM';

let folder: string;
let database: TestDatabase | undefined;
let discord: LocalDiscord;
let outpost: Outpost;
let token: string;
/** What the service said of trouble. */
const warnings: string[] = [];

/** Puts a database where a test can write, and the folder of its files into its paths. */
function placeDatabase(name: string): void {
  const file = join(folder, 'data', name);
  writeFileSync(file, gunzipSync(readFileSync(join(sample, `${name}.gz`))));
  const sqlite = new SQLite(file);
  sqlite.pragma('foreign_keys = OFF');
  const columns = sqlite
    .prepare(
      "SELECT tables.name AS name, columns.name AS field FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'",
    )
    .all() as { name: string; field: string }[];
  for (const { name: table, field } of columns) {
    const where = `typeof("${field}") = 'text' AND instr("${field}", '/srv/dayz') > 0`;
    sqlite
      .prepare(`UPDATE "${table}" SET "${field}" = replace("${field}", '/srv/dayz', ?) WHERE ${where}`)
      .run(folder);
  }
  sqlite.close();
}

/** The same store as 0.1.0 copied it to PostgreSQL, with what the bot keeps. */
async function fillDatabase(url: string): Promise<void> {
  const dump = gunzipSync(readFileSync(join(sample, 'outpost.sql.gz'))).toString('utf8');
  await onServer(url, dump.replaceAll('/srv/dayz', folder));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-earlier-'));
  for (const name of ['data', 'mist']) mkdirSync(join(folder, name));
  cpSync(join(samples, 'dayz/server-d'), join(folder, 'mist'), { recursive: true });
  cpSync(join(samples, 'dayz/server-e/players.db'), join(folder, 'mist/players.db'));
  const rpt = 'DayZServer_x64_2021-04-30_17-00-26.RPT';
  cpSync(join(samples, 'dayz/server-b', rpt), join(folder, 'mist', rpt));
  cpSync(join(sample, 'files', log), join(folder, 'mist', log));
  for (const name of ['bans.txt', 'ban.txt', 'messages.xml'])
    cpSync(join(sample, 'files', name), join(folder, name));
  cpSync(join(sample, 'outpost.yaml'), join(folder, 'outpost.yaml'));
  if (onPostgres) {
    database = await newDatabase();
    await fillDatabase(directUrl(database.url));
  } else {
    placeDatabase('outpost.sqlite');
    placeDatabase('keyv.sqlite');
  }

  discord = await startLocalDiscord({
    token: 'local-bot-token',
    guilds: [
      {
        id: '1100000000000000100',
        name: 'Northwood',
        channels: [{ id: '1100000000000000200', name: 'general' }],
      },
    ],
  });
  const configFile = join(folder, 'outpost.yaml');
  outpost = await compose({
    config: readConfig(configFile, knownGames),
    environment: {
      configFile,
      dataFolder: join(folder, 'data'),
      storeUrl: database?.url,
      discordToken: 'local-bot-token',
      discordApiUrl: discord.apiUrl,
    },
    log: pino({ level: 'error' }, { write: (line: string) => void warnings.push(line) }),
  });
  const registered = await fetch(`${outpost.url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'User-Agent': application.id, 'Content-Type': 'application/json' },
    body: JSON.stringify({ application_id: application.id, secret: application.secret }),
  });
  ({ token } = (await registered.json()) as { token: string });
});

afterAll(async () => {
  await outpost?.close();
  await discord?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function get(path: string): Promise<unknown> {
  const response = await fetch(outpost.url + path, {
    headers: { 'User-Agent': application.id, Authorization: `Bearer ${token}` },
  });
  return await response.json();
}

const boards = (answers['/v1/leaderboards?limit=50'] as { leaderboards: { metric: string }[] }).leaderboards;
const codes = new Set(boards.map(({ metric }) => metric));
const laterStats = new Set(
  metricCodes.flatMap((code): string[] => (codes.has(code) ? [] : [metrics[code].stat])),
);

/** An answer without metrics that 0.1.0 did not have. */
function withoutLaterMetrics(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
    if (key === 'leaderboards') return (value as typeof boards).filter(({ metric }) => codes.has(metric));
    return laterStats.has(key) ? undefined : value;
  });
}

it('opens a store of 0.1.0 for its applications, with every figure, ban and schedule', async () => {
  expect(Object.keys(answers).length).toBeGreaterThan(10);
  for (const [path, answer] of Object.entries(answers))
    expect(withoutLaterMetrics(await get(path)), path).toEqual(answer);
});

it('edits the posts of 0.1.0 instead of posting again', async () => {
  for (const messageId of ['1573971174436634624', '1573971175275495424']) {
    await expect
      .poll(() => discord.requests.map(({ method, path }) => `${method} ${path}`))
      .toContainEqual(expect.stringMatching(new RegExp(`^PATCH .*/messages/${messageId}$`)));
  }
});

it('reads a log on from where 0.1.0 stopped, and counts nothing twice', async () => {
  const kills = async (): Promise<unknown> =>
    ((await get(`/v1/player/${steamIdOfBen}`)) as { player: { stats: { playerKills: number } } }).player.stats
      .playerKills;
  expect(await kills()).toBe(1);
  const ada = 'aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=';
  const ben = 'jB_bOEJyq9mvxR8JFgT_HcJvTp5Ia8yUrdy9ee9TBak=';
  appendFileSync(
    join(folder, 'mist', log),
    `12:06:00 | Player "Ada" (DEAD) (id=${ada} pos=<1, 2, 3>) killed by Player "Ben" (id=${ben} pos=<4, 5, 6>) with SVD from 20 meters \n`,
  );
  // Seldom enough for the limit of the application, however long it takes.
  await expect.poll(kills, { interval: 1_000 }).toBe(2);
  const deaths = (await get('/v1/leaderboards?metric=DEATHS&limit=50')) as {
    leaderboards: { rows: { value: number; player: { name: string } }[] }[];
  };
  const before = (
    answers['/v1/leaderboards?limit=50'] as {
      leaderboards: { metric: string; rows: { value: number; player: { name: string } }[] }[];
    }
  ).leaderboards.find(({ metric }) => metric === 'DEATHS');
  const byName = (rows: readonly { value: number; player: { name: string } }[] = []) =>
    rows.map(({ value, player }) => `${player.name} ${value}`).toSorted();
  const expected = before?.rows.map((row) =>
    row.player.name === 'Ada' ? { ...row, value: row.value + 1 } : row,
  );
  expect(byName(deaths.leaderboards[0]?.rows)).toEqual(byName(expected));
});

it('takes out of a ban file the line that 0.1.0 wrote, and no other', async () => {
  const banFile = (): string => readFileSync(join(folder, 'ban.txt'), 'utf8');
  expect(banFile()).toContain('// Base raid');
  const { db, close } = await openWriter(database?.url ?? join(folder, 'data/outpost.sqlite'), {
    busyTimeoutMs: 10_000,
  });
  try {
    const player = { kind: 'steamId64', value: steamIdOfBen } as const;
    expect(await liftBan(db, { listId: 'northwood-bans', player })).toMatchObject({ lifted: 1 });
  } finally {
    await close();
  }
  await expect.poll(banFile).toBe('76561198017124053 // cheating\n');
});

it('logs no error over a store of 0.1.0', () => {
  expect(warnings).toEqual([]);
});

it.each(['outpost.yaml', 'outpost.example.yaml', 'demo.yaml'])('reads the %s of 0.1.0', (name) => {
  expect(parseConfig(read(name), name, knownGames).projects.length).toBeGreaterThan(0);
});
