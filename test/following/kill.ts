import { readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import { seededRandom } from '../../src/demo/random.ts';
import { createWorkplace } from '../harness/outpost-process.ts';
import { storeContents } from '../harness/store-digest.ts';
import { createGrowingLog } from './growing-log.ts';

const serverId = 'server-b';
const piecesPerKill = 12;
/** Long enough for some looks; the first after a start has the most to do. */
const longestLifeMs = 3_000;
const settleMs = 180_000;

export interface KillTestResult {
  kills: number;
  /** Kills after which the process had stored more than before it was started. */
  working: number;
  killed: Record<string, string[]>;
  undisturbed: Record<string, string[]>;
}

/**
 * Lets two real processes follow one growing log: one in peace, the other killed with SIGKILL at random moments and
 * started again each time. Both read to its end.
 */
export async function killWhileFollowing(options: {
  kills: number;
  seed: number;
  onKill?: (done: number) => void;
}): Promise<KillTestResult> {
  const { kills, seed, onKill } = options;
  const random = seededRandom(seed);
  const place = await createWorkplace();
  try {
    const logs = join(place.folder, 'logs');
    await mkdir(logs);
    await place.configure({
      projects: [
        {
          slug: 'p',
          name: 'P',
          servers: [
            { id: serverId, name: 'B', host: '127.0.0.1', port: 2302, logs, timezone: 'Europe/Berlin' },
          ],
        },
      ],
    });
    const log = await createGrowingLog(logs, kills * piecesPerKill, random);
    const inPeace = { OUTPOST_DATA: join(place.folder, 'undisturbed') };
    const undisturbed = await place.start(inPeace);
    await log.grow(4);
    let working = 0;
    const store = join(place.folder, 'data', 'outpost.sqlite');
    for (let done = 0; done < kills; done++) {
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
    await log.grow(log.steps);
    const last = await place.start();
    const contents = [];
    for (const data of ['data', 'undisturbed']) {
      const file = join(place.folder, data, 'outpost.sqlite');
      await settled(file, logs);
      contents.push(storeContents(file));
    }
    await Promise.all([last.stop(), undisturbed.stop()]);
    const [killed = {}, peaceful = {}] = contents;
    return { kills, working, killed, undisturbed: peaceful };
  } finally {
    await place.remove();
  }
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

function inStore<T>(file: string, read: (sqlite: SQLite.Database) => T): T {
  const sqlite = new SQLite(file, { readonly: true });
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Waits until every file was read to its end, finished ones are closed, and open sessions are counted to the end. */
async function settled(store: string, logs: string): Promise<void> {
  const isSettled = (): boolean => {
    const rows = inStore(store, (sqlite) =>
      sqlite.prepare('SELECT path, position, checkpoint FROM log_file').all(),
    );
    const files = rows as { path: string; position: number; checkpoint: string | null }[];
    const admin = files.filter(({ path }) => path.endsWith('.ADM'));
    return (
      files.length === readdirSync(logs).length &&
      files.every(({ path, position }) => position === statSync(path).size) &&
      admin.filter(({ checkpoint }) => checkpoint !== null).length === 1 &&
      admin.every(({ checkpoint }) => {
        const { lastSeenAt, countedUntil } = JSON.parse(checkpoint ?? '{}') as Record<string, number>;
        return lastSeenAt === countedUntil;
      })
    );
  };
  for (let waited = 0; !isSettled(); waited += 100) {
    if (waited > settleMs) throw new Error(`not settled: ${progressOf(store)}`);
    await sleep(100);
  }
}
