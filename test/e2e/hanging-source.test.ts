import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';

const names = ['a', 'b', 'c', 'd', 'hung'] as const;
const patient = { timeout: 60_000, interval: 100 };

let place: Workplace;
let unmount = (): void => undefined;
beforeEach(async () => {
  place = await createWorkplace();
});
afterEach(async () => {
  // First: nothing in a share that hangs can be removed.
  unmount();
  unmount = () => undefined;
  await place.remove();
});

const folderOf = (name: string): string => join(place.folder, name);
const idOf = (name: string): string => dayzIdOf(`7656119800000000${names.findIndex((one) => one === name)}`);
const logOf = (name: string): string =>
  `AdminLog started on 2024-05-01 at 12:00:00\n12:00:00 | Player "${name}"(id=${idOf(name)}) is connected\n`;
const messages =
  '<messages><message><deadline>240</deadline><shutdown>1</shutdown><text>x</text></message></messages>';

/** Five servers, each with a folder of its own that holds every kind of source. */
async function configure(): Promise<void> {
  await place.configure({
    projects: [
      {
        slug: 'p',
        name: 'P',
        servers: names.map((id) => ({
          id,
          name: id,
          host: '127.0.0.1',
          port: 2302,
          logs: folderOf(id),
          playersDb: join(folderOf(id), 'players.db'),
          schedules: [{ source: 'messages.xml', file: join(folderOf(id), 'messages.xml') }],
        })),
        banlists: names.map((id) => ({
          id: `bans-${id}`,
          name: id,
          sources: [{ file: join(folderOf(id), 'ban.txt'), format: 'dayz' }],
        })),
      },
    ],
  });
}

async function fill(name: string): Promise<void> {
  await mkdir(folderOf(name), { recursive: true });
  await writeFile(join(folderOf(name), 'x.ADM'), logOf(name));
  await writeFile(join(folderOf(name), 'messages.xml'), messages);
  await writeFile(join(folderOf(name), 'ban.txt'), `${idOf(name)}\n`);
}

/** The play time that the service tells of each server's player. */
function playtimes(outpost: Running, headers: Record<string, string>): () => Promise<Map<string, number>> {
  return async () => {
    const answer = await fetch(`${outpost.url}/v1/leaderboards?metric=PLAYTIME`, { headers });
    const { leaderboards } = (await answer.json()) as {
      leaderboards: { rows: { value: number; player: { name: string } }[] }[];
    };
    return new Map(leaderboards[0]?.rows.map(({ value, player }) => [player.name, value]));
  };
}

/** Writes a minute more into the logs of the servers that answer, and waits until all of it counts. */
async function keepPace(read: () => Promise<Map<string, number>>, minute: number): Promise<void> {
  const healthy = names.slice(0, 4);
  const time = `12:${String(minute).padStart(2, '0')}:00`;
  for (const name of healthy) await appendFile(join(folderOf(name), 'x.ADM'), `${time} | #####\n`);
  await expect
    .poll(async () => {
      const all = await read();
      return healthy.map((name) => all.get(name));
    }, patient)
    .toEqual(healthy.map(() => minute * 60));
}

/** Runs an import of a path that does not answer until it says so, then presses Ctrl+C. */
async function interruptedImport(...args: string[]): Promise<{ said: string; signal: string | null }> {
  const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, 'import', ...args], {
    cwd: place.folder,
    env: place.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  let said = '';
  child.stderr.on('data', (data) => {
    said += String(data);
    if (said.includes('does not answer')) child.kill('SIGINT');
  });
  return { signal: await ended, said };
}

const processesOf = (pid: number): number[] => {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '),
  );
  return children.filter((id) => id !== '').map(Number);
};

const warningsOf = (outpost: Running, text: string): string[] =>
  outpost
    .output()
    .split('\n')
    .filter((line) => line.includes('source not readable') && line.includes(text));

const whyNoShare = (() => {
  if (process.platform !== 'linux') return 'needs Linux';
  if (userInfo().uid !== 0) return 'needs root';
  if (!existsSync('/dev/fuse')) return 'needs /dev/fuse';
  const missing = ['sshfs', 'sshd', 'ssh-keygen'].filter(
    (program) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status !== 0,
  );
  return missing.length > 0 ? `needs ${missing.join(' and ')}` : null;
})();

/** Mounts a folder of this machine over SSH. Returns the id of the process that answers for it. */
async function mountShare(source: string, target: string): Promise<number> {
  const keys = await mkdtemp(join(tmpdir(), 'outpost-ssh-'));
  onTestFinished(() => rm(keys, { recursive: true, force: true }));
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, name)]);
  }
  const port = await freePort();
  await mkdir('/run/sshd', { recursive: true });
  const options = {
    ListenAddress: '127.0.0.1',
    Port: port,
    HostKey: join(keys, 'host'),
    AuthorizedKeysFile: join(keys, 'user.pub'),
    PidFile: 'none',
    StrictModes: 'no',
    PermitRootLogin: 'yes',
    UsePAM: 'no',
    Subsystem: 'sftp internal-sftp',
  };
  const flags = Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  const sshd = spawn('/usr/sbin/sshd', ['-D', '-f', '/dev/null', ...flags], { stdio: 'ignore' });
  onTestFinished(() => void sshd.kill());
  await mkdir(target, { recursive: true });
  const mount = [
    `127.0.0.1:${source}`,
    target,
    '-f',
    '-p',
    String(port),
    '-o',
    `IdentityFile=${join(keys, 'user')},StrictHostKeyChecking=no,UserKnownHostsFile=/dev/null`,
    // So that each look asks the share.
    '-o',
    'dir_cache=no,attr_timeout=0,entry_timeout=0,negative_timeout=0',
  ];
  for (let tries = 0; ; tries += 1) {
    const sshfs = spawn('sshfs', mount, { stdio: 'ignore' });
    const isMounted = (): boolean => readFileSync('/proc/mounts', 'utf8').includes(` ${target} fuse.sshfs `);
    for (let waits = 0; waits < 50 && sshfs.exitCode === null && !isMounted(); waits += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    if (isMounted()) {
      unmount = () => {
        sshfs.kill('SIGCONT');
        spawnSync('fusermount3', ['-uz', target]);
        sshfs.kill();
      };
      return sshfs.pid as number;
    }
    sshfs.kill();
    if (tries === 10) throw new Error('the share cannot be mounted');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.skipIf(whyNoShare !== null)(
  `a share that hangs is reported and holds up nothing, not even the end${whyNoShare === null ? '' : ` (${whyNoShare})`}`,
  { timeout: 240_000 },
  async () => {
    const remote = await mkdtemp(join(tmpdir(), 'outpost-share-'));
    onTestFinished(() => rm(remote, { recursive: true, force: true }));
    for (const name of names.slice(0, 4)) await fill(name);
    await writeFile(join(remote, 'x.ADM'), logOf('hung'));
    await writeFile(join(remote, 'messages.xml'), messages);
    await writeFile(join(remote, 'ban.txt'), `${idOf('hung')}\n`);
    const share = await mountShare(remote, folderOf('hung'));
    await configure();
    const outpost = await place.start();
    const headers = await place.newCaller(outpost.url, 'p');
    const read = playtimes(outpost, headers);
    await keepPace(read, 1);

    process.kill(share, 'SIGSTOP');
    for (let minute = 2; minute < 6; minute += 1) await keepPace(read, minute);
    await expect
      .poll(() => warningsOf(outpost, 'has not answered since').length, patient)
      .toBeGreaterThanOrEqual(3);
    const reported = warningsOf(outpost, '"kind":"logs"').filter((line) => line.includes('not answered'));
    expect(reported).toHaveLength(1);
    expect(reported[0]).toContain('"id":"hung"');
    // Three for those that answer, one for those that do not.
    expect(processesOf(outpost.pid).length).toBeLessThanOrEqual(5);

    const sources = await place.outpost('sources', '--json');
    const listed = (JSON.parse(sources.stdout) as { sources: { id: string; kind: string; error: string }[] })
      .sources;
    expect(listed.find(({ id, kind }) => id === 'hung' && kind === 'logs')?.error).toMatch(
      /has not answered since \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC/,
    );
    expect(listed.find(({ id, kind }) => id === 'a' && kind === 'logs')?.error).toBeNull();
    const checked = await place.outpost('check-config', '--offline');
    expect(checked.stdout).toMatch(/hung\.logs .*has not answered since/);
    expect(checked.stdout).toMatch(/✓|! a\.logs/);
    const hung = folderOf('hung');
    for (const [path, ...command] of [
      [hung, 'adm', '--server', 'hung'],
      [join(hung, '*.ADM'), 'adm', '--server', 'hung'],
      [join(hung, 'players.db'), 'players-db', '--server', 'hung'],
      [join(hung, 'ban.txt'), 'bans', '--banlist', 'bans-hung', '--format', 'dayz'],
      [join(hung, 'players.json'), 'players', '--project', 'p'],
    ] as [string, ...string[]][]) {
      const { said, signal } = await interruptedImport(...command, path);
      expect(said).toContain(`${path.replace('/*.ADM', '')} does not answer: `);
      expect(signal).toBe('SIGINT');
    }

    process.kill(share, 'SIGCONT');
    await outpost.logged('source readable again');
    await appendFile(join(remote, 'x.ADM'), '12:07:00 | #####\n');
    await expect.poll(async () => (await read()).get('hung'), patient).toBe(420);

    process.kill(share, 'SIGSTOP');
    await keepPace(read, 6);
    await expect
      .poll(
        () => warningsOf(outpost, '"kind":"logs"').filter((line) => line.includes('not answered')).length,
        patient,
      )
      .toBe(2);
    const { code } = await outpost.stop();
    expect(code).toBe(0);
  },
);

test.skipIf(process.platform === 'win32')(
  'what is no file under a name of one is named as what it is, and holds up nothing, not even the end',
  { timeout: 240_000 },
  async () => {
    for (const name of names.slice(0, 4)) await fill(name);
    const hung = folderOf('hung');
    await mkdir(hung);
    for (const name of ['a.ADM', 'b.RPT', 'serverconsole.log', 'players.db', 'ban.txt', 'messages.xml']) {
      execFileSync('mkfifo', [join(hung, name)]);
    }
    await mkdir(join(hung, 'c.ADM'));
    await symlink('/dev/zero', join(hung, 'd.ADM'));
    await configure();
    const outpost = await place.start();
    const read = playtimes(outpost, await place.newCaller(outpost.url, 'p'));
    for (let minute = 1; minute < 4; minute += 1) await keepPace(read, minute);
    for (const [kind, problem] of [
      ['logs', /a\.ADM: is a named pipe/],
      ['logs', /b\.RPT: is a named pipe/],
      ['logs', /serverconsole\.log: is a named pipe/],
      ['logs', /c\.ADM: is a folder/],
      ['logs', /d\.ADM: is a device/],
      ['playersDb', /is a named pipe/],
      ['bans', /is a named pipe/],
      ['messages', /is a named pipe/],
    ] as const) {
      await expect.poll(() => warningsOf(outpost, `"kind":"${kind}"`).join('\n'), patient).toMatch(problem);
    }
    const sources = await place.outpost('sources');
    expect(sources.stdout).toMatch(/hung {2}players\.db[^]*is a named pipe/);
    const checked = await place.outpost('check-config', '--offline');
    expect(checked.stdout).toMatch(/bans-hung\.sources\[0\].*is a named pipe/);
    const { code } = await outpost.stop();
    expect(code).toBe(0);
  },
);
