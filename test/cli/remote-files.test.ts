import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startSimulatedGameServer } from '../../src/demo/game-server.ts';
import { startSftp, type SftpStandIn } from '../../packages/game-files/test/servers/sftp.ts';
import { createStore, outpost } from '../harness/command-line.ts';

const samples = fileURLToPath(new URL('../../packages/dayz-files/test/samples/', import.meta.url));

let folder: string;
let root: string;
let game: Awaited<ReturnType<typeof startSimulatedGameServer>>;

beforeAll(async () => {
  game = await startSimulatedGameServer({ name: 'N', map: 'chernarusplus', players: 3, maxPlayers: 60 });
  return async () => await game.close();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-remote-'));
  root = join(folder, 'host');
  mkdirSync(join(root, 'dayz/profiles'), { recursive: true });
  mkdirSync(join(root, 'battleye'));
  copyFileSync(
    join(samples, 'server-b/Logs_after_restart__DayZServer_x64.ADM'),
    join(root, 'dayz/profiles/DayZServer_x64.ADM'),
  );
  copyFileSync(join(samples, 'bans/battleye-dayz.txt'), join(root, 'battleye/bans.txt'));
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  vi.stubEnv('OUTPOST_CONFIG', join(folder, 'outpost.yaml'));
  vi.stubEnv('SFTP_PASSWORD', 'pw-71c');
  return () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  };
});

async function host(options: { port?: number; hostKey?: string } = {}): Promise<SftpStandIn> {
  const sftp = await startSftp({ root, ...options });
  onTestFinished(async () => await sftp[Symbol.asyncDispose]());
  return sftp;
}

function configure(port: number, { logs = '/dayz/profiles', password = 'SFTP_PASSWORD' } = {}): void {
  writeFileSync(
    join(folder, 'outpost.yaml'),
    `projects:
  - slug: p
    name: P
    servers:
      - id: rented
        name: Rented
        host: 127.0.0.1
        port: 2302
        queryPort: ${game.port}
        files: { type: sftp, host: 127.0.0.1, port: ${port}, username: northwood, password: { env: ${password} } }
        logs: ${logs}
    banlists:
      - id: bans
        name: Bans
        sources: [{ file: /battleye/bans.txt, filesOf: rented, format: battleye }]
`,
  );
}

interface Finding {
  key: string;
  tried: string;
  status: string;
  found: string;
  next?: string;
}

async function findings(): Promise<Record<string, Finding>> {
  const { out } = await outpost('doctor', '--json');
  expect(out).not.toMatch(/pw-71c|wrong-3e/);
  const found = (JSON.parse(out) as { findings: Finding[] }).findings;
  return Object.fromEntries(found.map((finding) => [finding.key, finding]));
}

describe('the doctor', () => {
  test('logs in where the files lie, shows the key of the host, and reads them', async () => {
    const { port } = await host();
    configure(port);
    const found = await findings();
    expect(found['rented.files']).toMatchObject({
      tried: `sftp://northwood@127.0.0.1:${port}`,
      status: 'good',
      found: expect.stringMatching(
        /^lets the user in; it shows SHA256:.* \(ssh-ed25519\), which is trusted from/,
      ),
    });
    expect(found['rented.logs']).toMatchObject({ found: expect.stringContaining('1 admin log') });
    expect(found['bans.sources[0]']).toMatchObject({
      status: 'good',
      found: expect.stringMatching(/^[0-9]+ bans?,/),
    });
  });

  test('names the key, what the host said and what to do when it does not let the user in', async () => {
    const { port } = await host();
    vi.stubEnv('WRONG', 'wrong-3e');
    configure(port, { password: 'WRONG' });
    expect((await findings())['rented.files']).toMatchObject({
      status: 'wrong',
      found: expect.stringContaining('does not let the user "northwood" in: "All configured authentication'),
      next: 'check username and password',
    });
  });

  test('says what to do about a path that is not there, or is a file', async () => {
    const { port } = await host();
    configure(port, { logs: '/profiles' });
    expect((await findings())['rented.logs']).toMatchObject({
      status: 'wrong',
      found: 'no such file',
      next: 'check the path, as it is seen after the login',
    });
    configure(port, { logs: '/dayz/profiles/DayZServer_x64.ADM' });
    expect((await findings())['rented.logs']).toMatchObject({
      status: 'wrong',
      found: 'is a file, a folder was expected',
      next: 'name the folder, not a file in it',
    });
  });

  test('asks no host when it is to stay offline', async () => {
    const sftp = await host();
    configure(sftp.port);
    const { out } = await outpost('check-config', '--json');
    expect(out).not.toContain('rented.');
    expect(sftp.logins).toBe(0);
  });
});

test('sources shows where they lie, and asks no host', async () => {
  const sftp = await host();
  configure(sftp.port);
  await createStore();
  const { out, code } = await outpost('sources');
  expect(code).toBe(0);
  expect(out).toContain('rented  admin logs  /dayz/profiles');
  expect(out).toContain('no file read yet');
  expect(out).toContain('bans  ban file  rented:/battleye/bans.txt');
  expect(sftp.logins).toBe(0);
});

test('source trust shows both keys of a host and accepts the new one', async () => {
  const first = await host();
  const { port } = first;
  configure(port);
  await createStore();
  await outpost('source', 'trust', 'rented', '--yes');
  expect((await findings())['rented.files']?.found).toMatch(/^lets the user in; it shows SHA256:[^,]*$/);
  const same = await outpost('source', 'trust', 'rented');
  expect(same).toMatchObject({ code: 0, out: expect.stringContaining('Nothing needs to be accepted.') });
  await first[Symbol.asyncDispose]();
  const moved = await host({ port });
  expect((await findings())['rented.files']).toMatchObject({
    status: 'wrong',
    found: expect.stringContaining('shows another key than before'),
    next: expect.stringContaining('outpost source trust'),
  });
  const asked = await outpost('source', 'trust', 'rented');
  expect(asked.code).toBe(1);
  expect(asked.err).toMatch(/known by {2}SHA256:.*\n {2}shows now SHA256:.*\n.*add --yes/);
  expect(moved.passwords).toEqual([]);
  const accepted = await outpost('source', 'trust', 'rented', '--yes', '--json');
  const { before, now } = JSON.parse(accepted.out) as { before: string; now: string };
  expect(before).not.toBe(now);
  expect((await findings())['rented.files']).toMatchObject({ status: 'good' });
});

test('source trust says where there is nothing to trust', async () => {
  const { port } = await host();
  configure(port);
  expect((await outpost('source', 'trust', 'rentd')).err).toContain('expected one of rented');
});
