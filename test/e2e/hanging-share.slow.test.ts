import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/demo/free-port.ts';
import { childrenOf } from '../harness/child-processes.ts';
import { callersPace, createWorkplace, type Workplace } from '../harness/outpost-process.ts';
import { configureFive, fill, healthy, keepPace, playtimes, warningsOf } from './five-servers.ts';

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

test.skipIf(whyNoShare !== null)(
  `a share that hangs is reported and holds up nothing, not even the end${whyNoShare === null ? '' : ` (${whyNoShare})`}`,
  async () => {
    const remote = await mkdtemp(join(tmpdir(), 'outpost-share-'));
    onTestFinished(() => rm(remote, { recursive: true, force: true }));
    for (const name of healthy) await fill(folderOf(name), name);
    await fill(remote, 'hung');
    const share = await mountShare(remote, folderOf('hung'));
    await configureFive(place);
    const outpost = await place.start();
    const headers = await place.newCaller(outpost.url, 'p');
    const read = playtimes(outpost, headers);
    await keepPace(place, read, 1);

    process.kill(share, 'SIGSTOP');
    for (let minute = 2; minute < 6; minute += 1) await keepPace(place, read, minute);
    await expect.poll(() => warningsOf(outpost, 'has not answered since').length).toBeGreaterThanOrEqual(3);
    const hungLogs = () =>
      warningsOf(outpost, '"kind":"logs"').filter((line) => line.includes('not answered'));
    await expect.poll(() => hungLogs().length).toBe(1);
    expect(hungLogs()[0]).toContain('"id":"hung"');
    expect(childrenOf(outpost.pid)).toHaveLength(1);
    expect(outpost.output()).not.toContain('so it is killed');

    process.kill(share, 'SIGCONT');
    await outpost.logged('source readable again');
    await appendFile(join(remote, 'x.ADM'), '12:07:00 | #####\n');
    await expect.poll(async () => (await read()).get('hung'), callersPace).toBe(420);

    process.kill(share, 'SIGSTOP');
    await keepPace(place, read, 6);
    await expect.poll(() => hungLogs().length).toBe(2);
    const { code } = await outpost.stop();
    expect(code).toBe(0);
  },
);
