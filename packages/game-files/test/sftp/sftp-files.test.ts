import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { ConnectionOptions } from '../../src/remote/connection.ts';
import { type KnownHosts, knownHostsInMemory } from '../../src/remote/known-hosts.ts';
import { openSftp } from '../../src/sftp/sftp-client.ts';
import type { SftpPlace } from '../../src/sftp/sftp-place.ts';
import { SftpSession } from '../../src/sftp/sftp-session.ts';
import { RemotePlaces } from '../../src/remote/remote-places.ts';
import { openSftpPlace } from '../../src/sftp/sftp-files.ts';
import { createTestClock } from '../clock.ts';
import type { RemoteFiles } from '../../src/file-access.ts';
import { startFtp } from '../servers/ftp.ts';
import { newKeys, startSftp, type SftpStandIn } from '../servers/sftp.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { describeFiles } from '../files-contract.ts';

async function server(): Promise<{ sftp: SftpStandIn; root: string }> {
  const root = temporaryFolder();
  const sftp = await startSftp({ root });
  onTestFinished(async () => await sftp[Symbol.asyncDispose]());
  return { sftp, root };
}

const placeOf = ({ port, username, password }: SftpStandIn): SftpPlace => ({
  type: 'sftp',
  host: '127.0.0.1',
  port,
  username,
  password,
});

function files(
  sftp: SftpStandIn,
  place: Partial<SftpPlace> = {},
  options: Partial<ConnectionOptions> & { knownHosts?: KnownHosts } = {},
) {
  const opened = openSftpPlace(
    { ...placeOf(sftp), ...place },
    { clock: systemClock, knownHosts: knownHostsInMemory(), ...options },
  );
  onTestFinished(async () => await opened.close());
  return opened;
}

describe('by SFTP', () => {
  let root: string;
  let sftp: SftpStandIn;
  let opened: RemoteFiles;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'game-files-sftp-'));
    sftp = await startSftp({ root });
    opened = openSftpPlace(placeOf(sftp), { clock: systemClock, knownHosts: knownHostsInMemory() });
  });

  afterAll(async () => {
    await opened.close();
    await sftp[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  describeFiles('of a host', async () => {
    const folder = mkdtempSync(join(root, 'a'));
    return { source: opened.of('a'), root: folder, folder: `/${basename(folder)}` };
  });
});

test('one connection serves all sources, is made again after a cut, and each request is answered', async () => {
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const opened = files(sftp);
  const [a, b] = [opened.of(), opened.of()];
  await Promise.all([a.stat('/a.ADM'), b.stat('/a.ADM'), a.list('/', { matching: /^/, stat: 'all' })]);
  expect(sftp.logins).toBe(1);
  sftp.cut();
  const answers = await Promise.all([a.stat('/a.ADM'), b.read('/a.ADM', [{ offset: 0, length: 9 }])]);
  expect(String(answers[1].parts[0])).toBe('one\n');
  expect(sftp.logins).toBe(2);
});

test.each(['cut', 'short'] as const)(
  'an answer that is %s is asked for again, never taken for the end',
  async (fault) => {
    const { sftp, root } = await server();
    const text = 'line\n'.repeat(50_000);
    writeFileSync(join(root, 'a.ADM'), text);
    const source = files(sftp).of();
    await source.stat('/a.ADM');
    sftp.faults = [fault];
    const { parts } = await source.read('/a.ADM', [{ offset: 0, length: 1_000_000 }]);
    expect(String(parts[0])).toBe(text);
    sftp.faults = Array.from({ length: 40 }, () => fault);
    await expect(source.read('/a.ADM', [{ offset: 0, length: 1_000_000 }])).rejects.toMatchObject({
      code: 'EREMOTE',
    });
  },
);

test('a connection knows how much has arrived, by which a slow one is told from a lost one', async () => {
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'line\n'.repeat(50_000));
  const signal = new AbortController().signal;
  const session = new SftpSession(await openSftp(placeOf(sftp), knownHostsInMemory(), signal));
  onTestFinished(() => session.close());
  const before = session.receivedBytes;
  await session.read('/a.ADM', [{ offset: 0, length: 250_000 }]);
  expect(session.receivedBytes - before).toBeGreaterThan(250_000);
});

test('a server that does not answer is given up after a while, then left alone for a pause', async () => {
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const clock = createTestClock();
  const source = files(sftp, {}, { deadlineMs: 1_500, clock, firstPauseMs: 60_000 }).of();
  sftp.faults = Array.from({ length: 9 }, () => 'silent');
  const read = async () => await source.read('/a.ADM', [{ offset: 0, length: 9 }]);
  await expect(read()).rejects.toThrow(/no answer within 1\.5 seconds/);
  const { logins } = sftp;
  sftp.faults = [];
  await expect(read()).rejects.toMatchObject({ code: 'EREMOTE' });
  expect(sftp.logins).toBe(logins);
  clock.advance(61_000);
  expect(String((await read()).parts[0])).toBe('one\n');
});

test('times of a server whose clock says nothing are unknown', async () => {
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  sftp.clockShift = null;
  expect(await files(sftp).of().stat('/a.ADM')).toEqual({ size: 4, changedAt: null, identity: null });
});

test.each([
  ['rights without a type', (mode: number) => mode & 0o777],
  ['neither type nor rights', () => undefined],
])('a file of which the server says %s is read', async (_, modeOf) => {
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  sftp.modeOf = modeOf;
  const source = files(sftp).of();
  expect(await source.list('/', { matching: /ADM$/, stat: 'all' })).toMatchObject([{ stat: { size: 4 } }]);
  const { parts } = await source.read('/a.ADM', [{ offset: 0, length: 9 }]);
  expect(String(parts[0])).toBe('one\n');
});

test('the state of files is asked for where a listing has only their names', async () => {
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  sftp.listsAttributes = false;
  const source = files(sftp).of();
  const stat = await source.stat('/a.ADM');
  expect(await source.list('/', { matching: /ADM$/, stat: 'all' })).toEqual([{ name: 'a.ADM', stat }]);
});

test('a listing of long names that never ends is given up before it fills the memory', async () => {
  const { sftp } = await server();
  sftp.endlessName = 'x'.repeat(200_000);
  const listing = files(sftp).of().list('/', { matching: /ADM$/, stat: 'all' });
  await expect(listing).rejects.toThrow('the folder has more than 32 MB of names');
});

test('a wrong password is told with the key to check and what the server said, and not sent again at once', async () => {
  const { sftp } = await server();
  const source = files(sftp, { password: 'wrong-9a' }).of();
  const error = await source.stat('/a').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'EREMOTE',
    message: expect.stringContaining('does not let the user "northwood" in: "All configured authentication'),
    remedy: 'check username and password',
  });
  expect(inspect(error)).not.toContain('wrong-9a');
  const sent = sftp.passwords.length;
  await expect(source.stat('/a')).rejects.toMatchObject({ code: 'EREMOTE' });
  expect(sftp.passwords.length).toBe(sent);
});

test('a private key with a passphrase lets in; without its passphrase it says so', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const pair = newKeys('pp-5d');
  const sftp = await startSftp({ root, publicKey: pair.public });
  onTestFinished(async () => await sftp[Symbol.asyncDispose]());
  const key = { password: undefined, privateKey: pair.private };
  expect(
    await files(sftp, { ...key, passphrase: 'pp-5d' })
      .of()
      .stat('/a.ADM'),
  ).toMatchObject({ size: 4 });
  await expect(files(sftp, key).of().stat('/a.ADM')).rejects.toMatchObject({
    message: expect.stringContaining('the private key cannot be used'),
    remedy: 'check privateKey and passphrase',
  });
});

test.each([
  ["PuTTY's newer format", () => 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: kim\n'],
  [
    'PKCS #8',
    () => String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })),
  ],
  [
    'one line, as .env without double quotes has it',
    () => newKeys().private.replaceAll('\n', String.raw`\n`),
  ],
])('a private key in %s is refused with the way to convert it', async (_, privateKey) => {
  const { sftp } = await server();
  const source = files(sftp, { password: undefined, privateKey: privateKey() }).of();
  await expect(source.stat('/a')).rejects.toMatchObject({
    message: expect.stringContaining('the private key cannot be used'),
    remedy: expect.stringMatching(/Export OpenSSH key.*ssh-keygen -p.*double quotes/),
  });
});

test('a host is known by the key that it showed first; another one is refused before the password is sent', async () => {
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const knownHosts = knownHostsInMemory();
  await files(sftp, {}, { knownHosts }).of().stat('/a.ADM');
  const { port, hostKey } = sftp;
  const known = await knownHosts.find(`sftp://127.0.0.1:${port}`);
  expect(known).toMatch(/^SHA256:[A-Za-z0-9+/]{43} \(ssh-ed25519\)$/);
  await sftp[Symbol.asyncDispose]();
  const impostor = await startSftp({ root, port });
  const refused = await files(impostor, {}, { knownHosts })
    .of()
    .stat('/a.ADM')
    .catch((reason: unknown) => reason);
  expect(refused).toMatchObject({
    code: 'EREMOTE',
    remedy: expect.stringContaining('start this program again'),
  });
  expect((refused as Error).message).toContain(`not ${known}`);
  expect(impostor.passwords).toEqual([]);
  await impostor[Symbol.asyncDispose]();
  const again = await startSftp({ root, port, hostKey });
  onTestFinished(async () => await again[Symbol.asyncDispose]());
  expect(await files(again, {}, { knownHosts }).of().stat('/a.ADM')).toMatchObject({ size: 4 });
});

test('nobody behind the address is told with the address', async () => {
  const { sftp } = await server();
  await sftp[Symbol.asyncDispose]();
  await expect(files(sftp).of().stat('/a')).rejects.toMatchObject({
    code: 'EREMOTE',
    message: expect.stringMatching(/^sftp:\/\/northwood@127\.0\.0\.1:[0-9]+: .*ECONNREFUSED/),
  });
});

test('a server of FTP is said to be one', async () => {
  const ftp = await startFtp({ root: temporaryFolder() });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  const place = { type: 'sftp', host: '127.0.0.1', port: ftp.port, username: 'a', password: 'b' } as const;
  const opened = openSftpPlace(place, { clock: systemClock, knownHosts: knownHostsInMemory() });
  onTestFinished(async () => await opened.close());
  await expect(opened.of().stat('/a')).rejects.toMatchObject({
    message: `sftp://127.0.0.1:${ftp.port} is no SFTP server: it greets as one of FTP`,
    remedy: expect.stringContaining('use type: ftps'),
  });
});

test('closing ends whatever goes on', async () => {
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const opened = files(sftp);
  await opened.of().stat('/a.ADM');
  sftp.faults = ['silent'];
  const read = opened.of().read('/a.ADM', [{ offset: 0, length: 9 }]);
  const refused = expect(read).rejects.toMatchObject({ code: 'ECLOSED' });
  await opened.close();
  await refused;
});

test('what was read is not kept in memory for as long as the connection lasts', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { sftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'line\n'.repeat(50_000));
  const source = files(sftp).of();
  const read = async () => {
    const answer = await source.read('/a.ADM', [{ offset: 0, length: 250_000 }]);
    return new WeakRef(answer);
  };
  const answers = [await read(), await read(), await read()];
  // The library may hold the latest answer.
  await source.stat('/a.ADM');
  await expect
    .poll(() => {
      collect();
      return answers.filter((answer) => answer.deref() !== undefined).length;
    })
    .toBe(0);
  expect(sftp.logins).toBe(1);
});

test('a place that is asked for after all were closed is not connected to', async () => {
  const { sftp } = await server();
  const places = new RemotePlaces();
  await places.close();
  await expect(places.at(placeOf(sftp)).of('a').stat('/a')).rejects.toMatchObject({ code: 'ECLOSED' });
  expect(sftp.logins).toBe(0);
});
