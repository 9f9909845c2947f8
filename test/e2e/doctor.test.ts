import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../src/demo/game-server.ts';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';

let place: Workplace;
let game: SimulatedGameServer;
beforeEach(async () => {
  place = await createWorkplace();
  game = await startSimulatedGameServer({ name: 'N', map: 'chernarusplus', players: 0, maxPlayers: 60 });
});
afterEach(async () => {
  await place.remove();
  await game.close();
});

const configure = async (server: object = {}) => {
  const own = { id: 's', name: 'S', host: '127.0.0.1', port: 2302, queryPort: game.port };
  await place.configure({ projects: [{ slug: 'p', name: 'P', servers: [{ ...own, ...server }] }] });
};

interface Result {
  ok: boolean;
  wrong: number;
  findings: { group: string; key: string; status: string; found: string; next?: string }[];
}
const doctor = async (...args: string[]) => await place.outpost('doctor', ...args);
const faults = ({ findings }: Result) => findings.filter(({ status }) => status !== 'good');

it('is well before the first start, while the service runs, and after it; and leaves nothing behind', async () => {
  await configure();
  const before = readdirSync(place.folder);
  const first = await doctor('--json');
  expect(faults(JSON.parse(first.stdout) as Result)).toEqual([]);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(place.folder)).toEqual(before);

  const service = await place.start();
  const running = JSON.parse((await doctor('--json')).stdout) as Result;
  expect(faults(running)).toEqual([]);
  expect(running.findings.map(({ found }) => found)).toContainEqual(
    expect.stringMatching(new RegExp(`^process ${service.pid} on .*, version `)),
  );
  await service.stop();
  const files = readdirSync(join(place.folder, 'data')).toSorted();
  expect(faults(JSON.parse((await doctor('--json')).stdout) as Result)).toEqual([]);
  expect(readdirSync(join(place.folder, 'data')).toSorted()).toEqual(files);
});

it('reports an .env that cannot be read, and checks the rest all the same', async () => {
  await configure();
  mkdirSync(join(place.folder, '.env'), { mode: 0o700 });
  const { code, stdout, stderr } = await doctor('--json');
  expect([code, stderr]).toEqual([1, '']);
  const result = JSON.parse(stdout) as Result;
  expect(faults(result).map(({ found }) => found)).toEqual([expect.stringMatching(/^cannot read \.env: /)]);
  expect(result.findings.length).toBeGreaterThan(5);
});

it('a piped report has no colours and no progress, names each problem with its fix, and ends with 1', async () => {
  await configure({ logs: 'nowhere', queryPort: 1 });
  await place.write('.env.txt', 'DISCORD_TOKEN=x\n');
  const { code, stdout, stderr } = await doctor();
  expect(code).toBe(1);
  expect(stderr).toBe('');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(stdout).toMatch(/^Program\n/);
  expect(stdout).toMatch(/! \.env {2}variables: .*rename it to \.env\n {4}→ correct it/);
  expect(stdout).toMatch(/✗ s\.logs {2}.*nowhere: no such file\n {4}→ check the path/);
  expect(stdout).toMatch(/\n1 problem, \d+ warnings, \d+ fine\.\n$/);
});

it.skipIf(process.platform === 'win32')('does not hang on a pipe in place of a log', async () => {
  await configure({ logs: 'logs' });
  await place.write('bans.txt', '');
  execFileSync('mkdir', [join(place.folder, 'logs')]);
  execFileSync('mkfifo', [join(place.folder, 'logs', 'DayZServer_x64.ADM')]);
  const result = JSON.parse((await doctor('--json')).stdout) as Result;
  expect(faults(result).map(({ key }) => key)).toContain('s.logs');
});

it('takes the service of another config on the same data folder for what it is', async () => {
  await place.configure(northwood());
  await place.start();
  place.environment['OUTPOST_CONFIG'] = await place.write('mine.yaml', 'projects: [{ slug: p, name: P }]\n');
  const { code, stdout } = await doctor('--json');
  expect(code).toBe(1);
  expect(faults(JSON.parse(stdout) as Result)).toEqual([
    expect.objectContaining({
      found: expect.stringMatching(/^the data folder belongs to another Outpost: process/),
    }),
  ]);
});
