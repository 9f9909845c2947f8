import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeAdminLogs } from '../../bench/admin-logs.ts';
import { seededRandom } from '../../src/demo/random.ts';
import { createGrowingLog } from '../following/growing-log.ts';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';
import { storeContents } from '../harness/store-digest.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

/** What a store holds of players, logs and bans. */
function held(dataFolder: string): Record<string, string[]> {
  const contents = storeContents(join(dataFolder, 'outpost.sqlite'));
  const { log_file: _, source_state: __, ...tables } = contents;
  return tables;
}

/** One number out of a store, at little cost, because others write meanwhile. */
function countIn(dataFolder: string, query: string): number {
  const sqlite = new SQLite(join(dataFolder, 'outpost.sqlite'), { readonly: true });
  try {
    return sqlite.prepare(query).pluck().get() as number;
  } finally {
    sqlite.close();
  }
}

/** How many runs of the game server are imported. */
function importedRuns(dataFolder: string): number {
  return countIn(dataFolder, "SELECT count(*) FROM log_run WHERE server_id = 'imported'");
}

/** Whether all in the admin logs of a folder is counted, as far as the store knows. */
function isSettled(dataFolder: string, logs: string): boolean {
  const files = "FROM log_file WHERE server_id = 'followed' AND path LIKE '%.ADM'";
  const names = readdirSync(logs).filter((name) => name.endsWith('.ADM'));
  const bytes = names.reduce((sum, name) => sum + statSync(join(logs, name)).size, 0);
  return (
    countIn(dataFolder, `SELECT sum(position) ${files}`) === bytes &&
    countIn(dataFolder, `SELECT count(*) ${files} AND stamp = ''`) === 0
  );
}

function isSound(dataFolder: string): boolean {
  const sqlite = new SQLite(join(dataFolder, 'outpost.sqlite'));
  try {
    return sqlite.pragma('quick_check', { simple: true }) === 'ok';
  } finally {
    sqlite.close();
  }
}

/** Runs a command in another data folder. */
async function outpostIn<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  const { OUTPOST_DATA: own = '' } = place.environment;
  place.environment['OUTPOST_DATA'] = dataFolder;
  try {
    return await work();
  } finally {
    place.environment['OUTPOST_DATA'] = own;
  }
}

it('a backup from the middle of an import and a storm of requests leads to the same figures as none', async () => {
  const followed = join(place.folder, 'logs');
  const older = join(place.folder, 'older');
  await mkdir(followed);
  // So much that the import takes many times as long as the start of the command that makes the backup.
  writeAdminLogs(older, 1_200_000);
  const server = { name: 'S', host: '127.0.0.1', port: 2302 };
  const servers = [
    { id: 'followed', ...server, logs: followed },
    { id: 'imported', ...server },
  ];
  await place.configure({ projects: [{ slug: 'p', name: 'P', servers, killsKept: '99y' }] });
  const log = await createGrowingLog(followed, 40, seededRandom(7));
  const data = join(place.folder, 'data');

  const { url, stop } = await place.start();
  const headers = await place.newCaller(url, 'p');
  const over = new AbortController();
  const storm = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await fetch(`${url}/v1/leaderboards?limit=25`, { headers });
      expect([200, 429]).toContain(answer.status);
      await answer.text();
    }
  };
  const growing = async (): Promise<void> => {
    while (!over.signal.aborted) await Promise.all([log.grow(1), sleep(100)]);
  };
  const around = [storm(), storm(), growing()];
  const importOlder = () => place.outpostJson('import', 'adm', '--server', 'imported', older);
  const importing = importOlder();
  await expect.poll(() => importedRuns(data)).toBeGreaterThan(0);
  const backup = await place.outpostJson('backup');
  await importing;
  over.abort();
  await Promise.all(around);
  await log.grow(log.steps);
  // Finished runs are closed once their logs have been quiet for a while; from then on nothing changes any more.
  await expect.poll(() => isSettled(data, followed), { interval: 500, timeout: 120_000 }).toBe(true);
  await stop();
  const undisturbed = held(data);

  const restored = join(place.folder, 'restored');
  await outpostIn(restored, async () => {
    const { before } = await place.outpostJson('restore', backup.file);
    expect(before).toBeNull();
    // A backup from before or after the import would prove nothing.
    expect(importedRuns(restored)).toBeGreaterThan(0);
    expect(importedRuns(restored)).toBeLessThan(importedRuns(data));
    const other = await place.start();
    await importOlder();
    await expect.poll(() => held(restored), { interval: 1_000, timeout: 240_000 }).toEqual(undisturbed);
    await other.stop();
  });
  expect(held(restored)).toEqual(undisturbed);
}, 400_000);

it('a backup and a restore that are killed at any moment leave the old data or the new ones, complete', async () => {
  const random = seededRandom(11);
  const logs = join(place.folder, 'logs');
  writeAdminLogs(logs, 60_000);
  const server = { id: 's', name: 'S', host: '127.0.0.1', port: 2302 };
  await place.configure({ projects: [{ slug: 'p', name: 'P', servers: [server] }] });
  const data = join(place.folder, 'data');
  await place.outpostJson('app', 'create', '--project', 'p', '--name', 'x', '--scopes', 'all');
  const few = (await place.outpostJson('backup')).file as string;
  const fewHeld = held(data);
  await place.outpostJson('import', 'adm', '--server', 's', logs);
  const manyHeld = held(data);

  /** Kills a command after a while, at the latest when it is over. */
  async function killed(longestMs: number, ...args: string[]): Promise<void> {
    const env = place.environment;
    const child = spawn(process.execPath, [main, ...args], { cwd: place.folder, env, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await Promise.race([ended, sleep(random() * longestMs)]);
    child.kill('SIGKILL');
    await ended;
  }
  const timed = async (...args: string[]): Promise<number> => {
    const start = performance.now();
    await place.outpostJson(...args);
    return performance.now() - start;
  };

  const backupMs = await timed('backup');
  for (let kills = 0; kills < 4; kills += 1) {
    await killed(backupMs, 'backup');
    expect(held(data)).toEqual(manyHeld);
  }
  const many = (await place.outpostJson('backup')).file as string;
  // What those left that were killed has another name, until it is deleted an hour later.
  const isUnfinished = /\.outpost-partial(?:-journal)?$/;
  const backups = readdirSync(join(data, 'backups')).filter((name) => !isUnfinished.test(name));

  const restored = join(place.folder, 'restored');
  const outcomes = new Set<string>();
  await outpostIn(restored, async () => {
    // Each backup that has its name is whole.
    for (const name of backups) {
      await place.outpostJson('restore', join(data, 'backups', name));
      expect([fewHeld, manyHeld]).toContainEqual(held(restored));
    }
    const restoreMs = await timed('restore', many);
    for (let kills = 0; kills < 6; kills += 1) {
      const wasMany = held(restored)['log_run']?.length !== 0;
      await killed(restoreMs, 'restore', wasMany ? few : many);
      expect(isSound(restored)).toBe(true);
      const isMany = held(restored)['log_run']?.length !== 0;
      expect(held(restored)).toEqual(isMany ? manyHeld : fewHeld);
      outcomes.add(isMany === wasMany ? 'old' : 'new');
    }
    const running = await place.start();
    await running.stop();
    expect(readdirSync(restored).filter((name) => name.includes('partial'))).toEqual([]);
    await place.outpostJson('restore', many);
    expect(held(restored)).toEqual(manyHeld);
  });
  expect(outcomes).toContain('old');
}, 400_000);
