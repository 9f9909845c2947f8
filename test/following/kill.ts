import { readdirSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SQLite, type SQLiteDatabase } from '../../src/server/store/engine/driver.ts';
import { seededRandom } from '../../src/demo/random.ts';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';
import { type AwayLogs, startAway } from './away.ts';
import type { ConfigInput } from '../../src/config/schema.ts';
import { stringify } from 'yaml';
import { storeContents } from '../harness/store-digest.ts';
import { createGrowingLog } from './growing-log.ts';

export const serverId = 'server-b';
const piecesPerKill = 12;
/** Long enough for some polls; the first after a start has the most to do. On a slow machine it is longer. */
const usualLifeMs = 3_000;
const settleMs = 180_000;

/** How often a slow test kills a process: `OUTPOST_TEST_KILLS`, or a number that takes less than a minute. */
export const killsOr = (usual: number): number => Number(process.env['OUTPOST_TEST_KILLS'] ?? usual);

export interface KillTestResult {
  kills: number;
  /** Kills after which the process had stored more than before it was started. */
  working: number;
  /** How often the link was cut. */
  cuts: number;
  killed: Record<string, string[]>;
  undisturbed: Record<string, string[]>;
  /** What cuts do not change of the whole logs, read in one go. */
  whole: Record<string, string[]>;
}

/**
 * Lets two real processes follow one growing log: one in peace, the other killed with SIGKILL at random moments and
 * started again each time. Both read to its end.
 */
export async function killWhileFollowing(options: {
  kills: number;
  seed: number;
  onKill?: (done: number) => void;
  /** Whether the killed process reads the logs by SFTP, over a link that is cut at random as well. */
  overSftp?: boolean;
  /** How often a tool copies the log and empties it, in the middle of a run. */
  logCuts?: number;
}): Promise<KillTestResult> {
  const { kills, seed, onKill, overSftp = false, logCuts = 0 } = options;
  const random = seededRandom(seed);
  const place = await createWorkplace();
  const closers: (() => Promise<void>)[] = [];
  try {
    const logs = join(place.folder, 'logs');
    await mkdir(logs);
    await place.configure(configOf(logs));
    const here = await place.write('here.yaml', stringify({ ...configOf(logs), http: { port: 0 } }));
    const away = overSftp ? await startAway(logs, random) : null;
    closers.push(async () => await away?.[Symbol.asyncDispose]());
    if (away !== null) {
      place.environment['SFTP_PASSWORD'] = away.password;
      await place.configure(configOf('/', away.files));
    }
    const log = await createGrowingLog(logs, kills * piecesPerKill, random, logCuts);
    const inPeace = { OUTPOST_DATA: join(place.folder, 'undisturbed'), OUTPOST_CONFIG: here };
    const undisturbed = await place.start(inPeace);
    await log.grow(4);
    const readFrom = performance.now();
    const peacefulStore = join(place.folder, 'undisturbed', 'outpost.sqlite');
    while (!logFilesIn(peacefulStore).some(({ position }) => position > 0)) await sleep(50);
    const longestLifeMs = Math.max(usualLifeMs, 1.5 * (performance.now() - readFrom));
    let working = 0;
    const store = join(place.folder, 'data', 'outpost.sqlite');
    // A link that was never cut would prove nothing.
    const isEnough = (done: number): boolean => done >= kills && (away?.cuts() !== 0 || done >= 5 * kills);
    let done = 0;
    for (; !isEnough(done); done += 1) {
      const before = done === 0 ? '' : progressOf(store);
      const outpost = await place.start();
      const lifeMs = random() * longestLifeMs;
      await Promise.all([sleep(lifeMs), growFor(lifeMs, () => log.grow(1))]);
      outpost.signal('SIGKILL');
      await outpost.ended;
      if (progressOf(store) !== before) working += 1;
      await log.grow(Math.floor(random() * 4));
      onKill?.(done + 1);
    }
    away?.mend();
    await log.grow(log.steps);
    const last = await place.start();
    const stores = [store, peacefulStore];
    for (const file of stores) await settled(async () => logFilesIn(file), logs);
    // Compared is what nobody changes any more.
    await Promise.all([last.stop(), undisturbed.stop()]);
    const [killed = {}, peaceful = {}] = stores.map((file) => {
      const { source_state: _, ...held } = storeContents(file);
      return away === null ? held : withoutPlace(held, logs);
    });
    const whole = await figuresOfWhole(place, log.whole);
    return { kills: done, working, cuts: away?.cuts() ?? 0, killed, undisturbed: peaceful, whole };
  } finally {
    for (const close of closers) await close();
    await place.remove();
  }
}

/** The tables with figures that a tool that copies the log and empties it does not change. */
const figureTables = ['player_stats', 'death'] as const;
/** Time on the server, which run a death is in, and what the hit says that killed, which stands before the death. */
const changedByCuts = new Set([
  'total_play_seconds',
  'longest_life_seconds',
  'run_id',
  'number',
  'cause',
  'weapon',
  'body_part',
  'ammo',
]);

/** The figures that cuts do not change. */
export const withoutCuts = (held: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(
    figureTables.map((table) => {
      const rows = (held[table] ?? []).map((row) => Object.entries(JSON.parse(row) as object));
      const left = rows.map((columns) => columns.filter(([column]) => !changedByCuts.has(column)));
      return [table, left.map((columns) => JSON.stringify(columns)).toSorted()];
    }),
  );

async function figuresOfWhole(place: Workplace, logs: readonly Buffer[]): Promise<Record<string, string[]>> {
  const folder = join(place.folder, 'whole');
  await mkdir(folder);
  for (const [i, text] of logs.entries()) await writeFile(join(folder, `${i}.ADM`), text);
  const data = join(place.folder, 'whole-data');
  place.environment['OUTPOST_DATA'] = data;
  const { code, stderr } = await place.outpost('import', 'adm', '--server', serverId, folder);
  if (code !== 0) throw new Error(stderr);
  return withoutCuts(storeContents(join(data, 'outpost.sqlite')));
}

export function configOf(logs: string, files?: AwayLogs['files']): ConfigInput {
  const server = { id: serverId, name: 'B', host: '127.0.0.1', port: 2302, timezone: 'Europe/Berlin' };
  const servers = [{ ...server, logs, ...(files === undefined ? {} : { files }) }];
  return { projects: [{ slug: 'p', name: 'P', killsKept: '99y', killPositions: true, servers }] };
}

/** What a store holds but where the logs lie, and how often a run was stored again. */
function withoutPlace(held: Record<string, string[]>, logs: string): Record<string, string[]> {
  const { sqlite_sequence: _, trusted_host: __, ...tables } = held;
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [
      table,
      rows
        .map((row) => row.replaceAll(`"path":"${logs}/`, '"path":"').replaceAll('"path":"/', '"path":"'))
        .map((row) => row.replace(/"(?:files_at|poll_every_ms)":(?:null|[0-9]+|"[^"]*")/, ''))
        .toSorted(),
    ]),
  );
}

async function growFor(ms: number, grow: () => Promise<void>): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    await grow();
    await sleep(ms / 8);
  }
}

function progressOf(store: string): string {
  return inStore(store, (sqlite) =>
    JSON.stringify(sqlite.prepare('SELECT path, position FROM log_file ORDER BY path').all()),
  );
}

function inStore<T>(file: string, read: (sqlite: SQLiteDatabase) => T): T {
  const sqlite = new SQLite(file, { readonly: true });
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

/** A row of the table `log_file`. */
interface StoredLogFile {
  path: string;
  position: number;
  stamp: string;
}

const logFilesIn = (store: string): StoredLogFile[] =>
  inStore(
    store,
    (sqlite) => sqlite.prepare('SELECT path, position, stamp FROM log_file').all() as StoredLogFile[],
  );

/** Waits until every file was read to its end, finished ones are closed, and open sessions are counted to the end. */
export async function settled(readFiles: () => Promise<StoredLogFile[]>, logs: string): Promise<void> {
  const isSettled = (files: readonly StoredLogFile[]): boolean => {
    // Without a stamp, not everything was counted.
    return (
      files.length === readdirSync(logs).length &&
      files.every(({ path, position, stamp }) => {
        const { size } = statSync(join(logs, basename(path)));
        return position === size && stamp.startsWith(`${size} `);
      })
    );
  };
  for (let waited = 0; ; waited += 100) {
    const files = await readFiles();
    if (isSettled(files)) return;
    if (waited > settleMs) throw new Error(`not settled: ${JSON.stringify(files)}`);
    await sleep(100);
  }
}
