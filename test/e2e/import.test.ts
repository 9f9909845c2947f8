import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const samples = fileURLToPath(new URL('../../packages/dayz-files/test/samples', import.meta.url));

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace();
  await place.configure(northwood());
});
afterEach(() => place.remove());

it('imports a folder of logs while the service runs, shows them at once, and changes nothing the second time', async () => {
  const { url } = await place.start();
  const headers = await place.newCaller(url, 'northwood');
  const leaderboards = async (): Promise<unknown> => {
    return await (await fetch(`${url}/v1/leaderboards?limit=25`, { headers })).json();
  };
  const first = await place.outpostJson(
    'import',
    'adm',
    '--server',
    'northwood-1',
    join(samples, 'server-b'),
  );
  expect(first.runs).toEqual({ new: 2, longer: 0, known: 0, diverged: 0 });
  const boards = await leaderboards();
  expect(JSON.stringify(boards)).toContain('"steamId64":"76561202170581330"');
  const second = await place.outpostJson(
    'import',
    'adm',
    '--server',
    'northwood-1',
    join(samples, 'server-b'),
  );
  expect(second.runs).toEqual({ new: 0, longer: 0, known: 2, diverged: 0 });
  expect(await leaderboards()).toEqual(boards);
});

it('ends in silence when nobody reads its answer any more', async () => {
  const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  const command = ['import', 'adm', '--server', 'northwood-1', '--json', join(samples, 'server-a')];
  const child = spawn(process.execPath, [main, ...command], { cwd: place.folder, env: place.environment });
  let said = '';
  child.stderr.on('data', (data) => (said += String(data)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdout.destroy();
  expect([await ended, said]).toEqual([0, '']);
});

it('lets others on the machine go first, stops at Ctrl+C, says how to continue, and continues', async () => {
  const logs = join(place.folder, 'logs');
  await mkdir(logs);
  const day = (index: number) => new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
  const line = `12:00:01 | Player "A"(id=aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=) is connected\n`;
  const files = 150;
  for (let index = 0; index < files; index += 1) {
    const text = `AdminLog started on ${day(index)} at 12:00:00\n${line.repeat(2_000)}`;
    await writeFile(join(logs, `${files - index}.ADM`), text);
  }
  const command = ['import', 'adm', '--server', 'northwood-1', logs];
  const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, ...command], {
    cwd: place.folder,
    env: place.environment,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const store = join(place.folder, 'data', 'outpost.sqlite');
  await expect.poll(() => existsSync(`${store}-wal`), { interval: 5 }).toBe(true);
  expect(getPriority(child.pid)).toBeGreaterThanOrEqual(5);
  child.kill('SIGINT');
  const code = await ended;
  expect(code).toBe(1);
  expect(said).toMatch(/Run the same command to continue/);
  const kept = Number(/Server runs: (\d+) new/.exec(said)?.[1]);
  expect(kept).toBeLessThan(files);
  const rest = await place.outpostJson(...command);
  expect(rest.runs).toMatchObject({ new: files - kept, known: kept });
});
