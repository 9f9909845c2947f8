import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../src/demo/free-port.ts';
import { northwood } from '../harness/northwood.ts';
import { canMountDisks, smallDisk } from '../harness/small-disk.ts';
import { createWorkplace, main, type Workplace } from '../harness/outpost-process.ts';

/** Linux: every write to it fails as if the disk were full. */
const fullDisk = '/dev/full';

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(() => place.remove());

it.skipIf(!existsSync(fullDisk))('says in one line that its output cannot be written (Linux)', () => {
  const { status, stderr } = spawnSync(process.execPath, [main, '--version'], {
    stdio: ['ignore', openSync(fullDisk, 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^cannot write the output: ENOSPC: .* Write it elsewhere, .*\n$/),
  });
});

it.skipIf(!existsSync(fullDisk))('serves on while the disk with its log is full (Linux)', async () => {
  await place.configure(northwood());
  const port = await freePort();
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: place.folder,
    env: { ...place.environment, OUTPOST_HTTP_PORT: String(port) },
    stdio: ['ignore', openSync(fullDisk, 'w'), 'ignore'],
  });
  try {
    // It logs its address before it answers.
    const isReady = async (): Promise<boolean> =>
      await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await expect
      .poll(async () => child.exitCode !== null || (await isReady()), { timeout: 60_000 })
      .toBe(true);
    expect(child.exitCode).toBe(null);
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

it.skipIf(!canMountDisks)('logs on once the full disk with its log has space again', async ({ skip }) => {
  const disk = smallDisk(1);
  if (disk === null) return skip();
  const log = join(disk.folder, 'outpost.log');
  await place.configure(northwood());
  const port = await freePort();
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: place.folder,
    env: { ...place.environment, OUTPOST_HTTP_PORT: String(port) },
    stdio: ['ignore', output, output],
  });
  const lines = (): string[] => readFileSync(log, 'utf8').split('\n');
  const reload = async (isLogged: () => boolean): Promise<void> => {
    const again = async (): Promise<boolean> => {
      child.kill('SIGHUP');
      return isLogged();
    };
    await expect.poll(again, { timeout: 60_000, interval: 200 }).toBe(true);
  };
  try {
    await expect.poll(() => readFileSync(log, 'utf8'), { timeout: 60_000 }).toContain('service listens');
    disk.fill(0);
    // Until a part of a line is all that fits.
    const isFull = (): boolean => statSync(log).size % 4_096 === 0;
    await reload(isFull);
    await reload(isFull);
    disk.clear();
    const before = lines().length;
    await reload(
      () =>
        lines()
          .slice(before)
          .filter((line) => line.includes('config reloaded')).length > 2,
    );
    // What follows begins a line of its own.
    const broken = lines().filter((line) => line !== '' && !isJson(line));
    expect(broken.filter((line) => line.endsWith('}'))).toEqual([]);
    expect(broken.length).toBeLessThanOrEqual(1);
    expect(child.exitCode).toBe(null);
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
