import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startProcess } from '../../../../src/process/child-process.ts';
import { Follower } from '../../../../src/server/ingest/follower/follower.ts';
import type { FollowStart } from '../../../../src/server/ingest/follower/follower-process.ts';
import { activeSources } from '../../../../src/server/ingest/follower/sources.ts';
import { parseConfig } from '../../../harness/parse-config.ts';
import { configSchema, type Config } from '../../../../src/config/schema.ts';
import { entryModule } from '../../../../src/process/own-files.ts';
import { openWriter, type WriteDatabase } from '../../../../src/server/store/engine/database.ts';
import { reconcile } from '../../../../src/server/store/repositories/projects/reconcile.ts';
import { childrenOf } from '../../../harness/child-processes.ts';

const idA = 'aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=';
const connected = `AdminLog started on 2024-05-01 at 12:00:00\n12:00:00 | Player "A"(id=${idA}) is connected\n`;
const patient = { timeout: 60_000 };

let folder: string;
let store: string;
let logged: string[];
let follower: Follower | undefined;
let writer: WriteDatabase | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-follower-'));
  store = join(folder, 'outpost.sqlite');
  await mkdir(join(folder, 'a'));
  await mkdir(join(folder, 'b'));
  logged = [];
});
afterEach(async () => {
  await follower?.stop();
  await writer?.close();
  follower = writer = undefined;
  await rm(folder, { recursive: true, force: true });
});

const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
const module = entryModule('compose/follow-process');
const environment = process.env;
const follow = (
  config: () => Config,
  options: { silentMs?: number; environment?: NodeJS.ProcessEnv } = {},
): Follower =>
  new Follower({ module, environment, store, sources: () => activeSources(config()), log, ...options });
const configOf = (...logs: string[]): Config => configWith({ logs });
const configWith = ({ logs = [], banFile }: { logs?: string[]; banFile?: string }): Config =>
  configSchema.parse({
    projects: [
      {
        slug: 'p',
        name: 'P',
        servers: logs.map((name) => ({
          id: name,
          name,
          host: '127.0.0.1',
          port: 2302,
          logs: join(folder, name),
        })),
        banlists:
          banFile === undefined
            ? []
            : [{ id: 'bans', name: 'Bans', sources: [{ file: banFile, format: 'dayz' }] }],
      },
    ],
  });

async function open(config: Config): Promise<WriteDatabase> {
  const opened = await openWriter(store);
  await reconcile(opened.db, config);
  return opened;
}

const playSeconds = async (): Promise<unknown> =>
  (await writer?.db.selectFrom('player_stats').select('total_play_seconds').executeTakeFirst())
    ?.total_play_seconds;

it('follows logs in its process, takes a changed config over, and stores nothing after its end', async () => {
  writer = await open(configOf('a', 'b'));
  let config = configOf('a');
  follower = follow(() => config);
  await writeFile(join(folder, 'a', 'x.ADM'), connected);
  await writeFile(join(folder, 'b', 'x.ADM'), connected);
  await expect.poll(playSeconds, patient).toBe(0);
  await appendFile(join(folder, 'a', 'x.ADM'), '12:01:00 | #####\n');
  await expect.poll(playSeconds, patient).toBe(60);
  await appendFile(join(folder, 'b', 'x.ADM'), '12:01:00 | #####\n');
  config = configOf('a', 'b');
  follower.reload();
  await expect.poll(playSeconds, patient).toBe(120);
  await follower.stop();
  await appendFile(join(folder, 'a', 'x.ADM'), '12:02:00 | #####\n');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await playSeconds()).toBe(120);
  expect(logged.filter((line) => line.includes('"level":50'))).toEqual([]);
});

it('opens nothing when it is stopped while its process is still loading', async () => {
  follower = follow(() => configOf('a'));
  await follower.stop();
  expect(existsSync(store)).toBe(false);
  expect(logged).toEqual([]);
});

it('logs how far it is with a long log', async () => {
  writer = await open(configOf('a'));
  const filler = `12:00:30 | ${'#'.repeat(1_000)}\n`.repeat(40_000);
  await writeFile(join(folder, 'a', 'x.ADM'), `${connected}${filler}12:01:00 | #####\n`);
  follower = follow(() => configOf('a'));
  await expect.poll(playSeconds, patient).toBe(60);
  expect(logged.join('')).toMatch(/"msg":"reading x\.ADM: \d %"/);
});

it('warns that bans are kept when a ban file loses most of them', async () => {
  const file = join(folder, 'ban.txt');
  const ids = Array.from({ length: 9 }, (_, index) => `${index}${idA.slice(1)}\n`);
  await writeFile(file, ids.join(''));
  const config = configWith({ banFile: file });
  writer = await open(config);
  follower = follow(() => config);
  await expect.poll(() => logged.join(''), patient).toContain('source read');
  await writeFile(file, '');
  await expect.poll(() => logged.join(''), patient).toContain('missing from the file');
  const warning = logged.find((line) => line.includes('missing from the file'));
  expect(JSON.parse(warning ?? '')).toMatchObject({
    level: 40,
    msg: 'bans kept in force: they are missing from the file',
    kind: 'bans',
    path: file,
    error: expect.stringContaining('9 of 9 bans'),
  });
});

it('reports why its process failed, and continues once it can', async () => {
  const config = configOf('a');
  await writeFile(store, Buffer.alloc(8_192, 'nonsense'));
  await writeFile(join(folder, 'a', 'x.ADM'), `${connected}12:01:00 | #####\n`);
  follower = follow(() => config);
  await expect
    .poll(() => logged.join(''), patient)
    .toMatch(/the process that follows files has ended[^]*following files again in/);
  expect(logged.join('')).toMatch(/the database \S+ is damaged/);
  await rm(store);
  writer = await open(config);
  await expect.poll(playSeconds, patient).toBe(60);
});

const isLinux = process.platform === 'linux';

it.skipIf(!isLinux)(
  'kills its process when that does not answer, and follows on in another one',
  async () => {
    writer = await open(configOf('a'));
    const before = new Set(childrenOf(process.pid));
    await writeFile(join(folder, 'a', 'x.ADM'), connected);
    follower = follow(() => configOf('a'), { silentMs: 15_000 });
    await expect.poll(playSeconds, patient).toBe(0);
    const hung = childrenOf(process.pid).find((id) => !before.has(id)) ?? 0;
    process.kill(hung, 'SIGSTOP');
    await appendFile(join(folder, 'a', 'x.ADM'), '12:01:00 | #####\n');
    await expect.poll(playSeconds, patient).toBe(60);
    expect(logged.join('')).toContain('has not answered for 15 s, so it is killed');
    expect(childrenOf(process.pid)).not.toContain(hung);
  },
);

it.skipIf(!isLinux)('leaves it to the main process to end its process', async () => {
  writer = await open(configOf('a'));
  const before = new Set(childrenOf(process.pid));
  await writeFile(join(folder, 'a', 'x.ADM'), connected);
  follower = follow(() => configOf('a'));
  await expect.poll(playSeconds, patient).toBe(0);
  const child = childrenOf(process.pid).find((id) => !before.has(id)) ?? 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(child, signal);
  await new Promise((resolve) => setTimeout(resolve, 500));
  // A terminal and a service manager signal every process; the main one decides.
  expect(childrenOf(process.pid)).toContain(child);
  await follower.stop();
  expect(childrenOf(process.pid)).not.toContain(child);
});

it('leaves the main process alive when no other can be started, and tries again', async () => {
  writer = await open(configOf('a'));
  await writeFile(join(folder, 'a', 'x.ADM'), connected);
  // Node.js throws, as for want of memory.
  const broken: NodeJS.ProcessEnv = { ...environment, BROKEN: '\0' };
  follower = follow(() => configOf('a'), { environment: broken });
  expect(logged.join('')).toContain('could not start the process that follows files');
  delete broken['BROKEN'];
  await expect.poll(playSeconds, patient).toBe(0);
});

it('ends its process with the main one, however that ends', async () => {
  writer = await open(configOf('a'));
  await writeFile(join(folder, 'a', 'x.ADM'), connected);
  const start = () => {
    const child = startProcess(module, { env: environment });
    return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  };
  const loading = start();
  loading.child.disconnect();
  await loading.ended;
  const { child, ended } = start();
  child.send({ store, work: { sources: activeSources(configOf('a')), leases: null } } satisfies FollowStart);
  await expect.poll(playSeconds, patient).toBe(0);
  child.disconnect();
  await ended;
});

it('warns of a password that travels openly, and of a host that cannot be reached, without the password', async () => {
  const text = `projects:
  - slug: p
    name: P
    servers:
      - id: rented
        name: R
        host: 127.0.0.1
        port: 2302
        files: { type: ftp, host: 127.0.0.1, port: 1, username: u, password: { env: PASSWORD } }
        logs: /profiles
`;
  const secrets = () => 'pw-8f2';
  const config = parseConfig(text, 'outpost.yaml', null, secrets);
  writer = await open(config);
  follower = follow(() => config);
  await expect.poll(() => logged.join(''), patient).toContain('source not readable');
  expect(logged.join('')).toContain('the password and all data travel openly');
  expect(logged.join('')).toContain(
    'ftp://u@127.0.0.1:1: nothing accepts connections at 127.0.0.1, port 1 (ECONNREFUSED)',
  );
  expect(logged.join('')).not.toContain('pw-8f2');
});
