import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { ConnectionOptions } from '../../src/remote/connection.ts';
import { openFtpPlace } from '../../src/ftp/ftp-files.ts';
import { type KnownHosts, knownHostsInMemory } from '../../src/remote/known-hosts.ts';
import { openFtp } from '../../src/ftp/ftp-client.ts';
import type { FtpPlace } from '../../src/ftp/ftp-client.ts';
import { FtpSession } from '../../src/ftp/ftp-session.ts';
import type { RemoteFiles } from '../../src/file-access.ts';
import { selfSigned } from '../servers/certificate.ts';
import { freePort } from '../servers/free-port.ts';
import { type FtpOptions, type FtpStandIn, startFtp } from '../servers/ftp.ts';
import { startSftp } from '../servers/sftp.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { describeFiles } from '../files-contract.ts';

const certificate = selfSigned();

async function server(options: Partial<FtpOptions> = {}): Promise<{ ftp: FtpStandIn; root: string }> {
  const root = options.root ?? temporaryFolder();
  const ftp = await startFtp({ root, ...options });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  return { ftp, root };
}

const placeOf = ({ port, username, password }: FtpStandIn, type: FtpPlace['type'] = 'ftp'): FtpPlace => ({
  type,
  host: '127.0.0.1',
  port,
  username,
  password,
});

function files(
  ftp: FtpStandIn,
  place: Partial<FtpPlace> = {},
  options: Partial<ConnectionOptions> & { knownHosts?: KnownHosts } = {},
) {
  const opened = openFtpPlace(
    { ...placeOf(ftp), ...place },
    { clock: systemClock, knownHosts: knownHostsInMemory(), ...options },
  );
  onTestFinished(async () => await opened.close());
  return opened;
}

describe.each([
  ['FTP', 'ftp', {}],
  ['FTP without MLSD', 'ftp', { hasMlsd: false }],
  ['FTP without times', 'ftp', { hasTimes: false }],
  ['FTPS', 'ftps', {}],
] as const)('by %s', (_, type, traits) => {
  let root: string;
  let ftp: FtpStandIn;
  let opened: RemoteFiles;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'game-files-ftp-'));
    ftp = await startFtp({ root, ...(type === 'ftps' ? { certificate } : {}) });
    Object.assign(ftp, traits);
    opened = openFtpPlace(placeOf(ftp, type), { clock: systemClock, knownHosts: knownHostsInMemory() });
  });

  afterAll(async () => {
    await opened.close();
    await ftp[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  describeFiles('of a host', async () => {
    const folder = mkdtempSync(join(root, 'a'));
    return { source: opened.of('a'), root: folder, folder: `/${basename(folder)}` };
  });
});

test('one connection serves all sources in turn, and is made again after a cut', async () => {
  const { ftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const opened = files(ftp);
  const [a, b] = [opened.of(), opened.of()];
  await Promise.all([a.stat('/a.ADM'), b.stat('a.ADM'), a.list('/', { matching: /^/, stat: 'all' })]);
  expect(ftp.logins).toBe(1);
  ftp.cut();
  const answers = await Promise.all([a.stat('/a.ADM'), b.read('/a.ADM', [{ offset: 0, length: 9 }])]);
  expect(String(answers[1].parts[0])).toBe('one\n');
  expect(ftp.logins).toBe(2);
});

test.each(
  (['cut', 'short', 'reset', 'dropped'] as const).flatMap((fault) =>
    (['ftp', 'ftps'] as const).map((type) => [fault, type] as const),
  ),
)('an answer that is %s by %s is asked for again, never taken for the end', async (fault, type) => {
  const { ftp, root } = await server(type === 'ftps' ? { certificate } : {});
  const text = 'line\n'.repeat(50_000);
  writeFileSync(join(root, 'a.ADM'), text);
  const source = files(ftp, { type }).of();
  await source.stat('/a.ADM');
  ftp.faults = [fault];
  const { parts } = await source.read('/a.ADM', [{ offset: 0, length: 1_000_000 }]);
  expect(String(parts[0])).toBe(text);
  ftp.faults = [fault, fault];
  await expect(source.read('/a.ADM', [{ offset: 0, length: 1_000_000 }])).rejects.toMatchObject({
    code: 'EREMOTE',
  });
});

test('of a long file only what is asked for comes, and the connection serves on', async () => {
  const { ftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), Buffer.alloc(40_000_000, 'x'));
  const source = files(ftp).of();
  const { parts } = await source.read('/a.ADM', [
    { offset: 0, length: 1_024 },
    { offset: 39_999_990, length: 100 },
  ]);
  expect(parts.map(({ length }) => length)).toEqual([1_024, 10]);
  await source.stat('/a.ADM');
  expect(ftp.logins).toBe(1);
});

test.each([
  ['refuses REST with 502', { rest: 502 }],
  ['refuses REST as if there were no such file', { rest: 550 }],
  ['accepts REST and refuses RETR then', { rest: 451 }],
  ['does not know SIZE', { hasSize: false }],
] as const)('a server that %s is said to be one whose files cannot be followed', async (_, traits) => {
  const { ftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\ntwo\n');
  expect(await files(ftp).resumeProblem()).toBeNull();
  Object.assign(ftp, traits);
  const opened = files(ftp);
  const problem = {
    code: 'EREMOTE',
    message: expect.stringContaining('the host cannot resume a download, so its files cannot be followed: "'),
    remedy: expect.stringContaining('ask the host for SFTP'),
  };
  await expect(opened.of().read('/a.ADM', [{ offset: 4, length: 4 }])).rejects.toMatchObject(problem);
  // Which is no reason to log in again.
  expect(ftp.logins).toBe(2);
  // That one accepts the command, so only a transfer shows it.
  if (!('rest' in traits && traits.rest === 451)) expect(await opened.resumeProblem()).toMatchObject(problem);
});

test('a file that is cut while it is read is no end either', async () => {
  const { ftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'x'.repeat(1_000));
  const source = files(ftp).of();
  const stat = await source.stat('/a.ADM');
  expect(stat.size).toBe(1_000);
  truncateSync(join(root, 'a.ADM'), 10);
  expect((await source.read('/a.ADM', [{ offset: 0, length: 100 }])).stat.size).toBe(10);
});

test('times come from servers that say their zone, and are unknown from others', async () => {
  const { ftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const list = async () => (await files(ftp).of().list('/', { matching: /ADM$/, stat: 'all' }))[0]?.stat;
  const { changedAt } = await files(ftp).of().stat('/a.ADM');
  expect(await list()).toEqual({ size: 4, changedAt, identity: null });
  expect(changedAt).toBeGreaterThan(0);
  ftp.hasMlsd = false;
  expect(await list()).toEqual({ size: 4, changedAt: null, identity: null });
});

test('the data connection goes to the host that was logged in at, whatever address the server names', async () => {
  const { ftp, root } = await server();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  ftp.passiveAddress = '192.0.2.7';
  expect((await files(ftp).of().list('/', { matching: /^/, stat: 'all' })).length).toBe(1);
});

test.each(['ftp', 'ftps'] as const)(
  'a connection by %s knows how much has arrived, by which a slow one is told from a lost one',
  async (type) => {
    const { ftp, root } = await server(type === 'ftps' ? { certificate } : {});
    writeFileSync(join(root, 'a.ADM'), 'line\n'.repeat(100_000));
    const link = await openFtp(placeOf(ftp, type), knownHostsInMemory(), new AbortController().signal);
    const session = new FtpSession(link);
    onTestFinished(() => session.close());
    await session.read('/a.ADM', [{ offset: 0, length: 250_000 }]);
    expect(session.receivedBytes).toBeGreaterThanOrEqual(250_000);
    await session.read('/a.ADM', [{ offset: 250_000, length: 250_000 }]);
    const first = session.receivedBytes;
    await session.read('/a.ADM', [{ offset: 0, length: 250_000 }]);
    expect(session.receivedBytes - first).toBeGreaterThanOrEqual(250_000);
  },
);

test('a wrong password is told with the key to check and what the server said, and not sent again at once', async () => {
  const { ftp } = await server();
  const source = files(ftp, { password: 'wrong-9a' }).of();
  const error = await source.stat('/a').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'EREMOTE',
    message: expect.stringContaining('does not let the user "northwood" in: "530 Login incorrect."'),
    remedy: 'check username and password',
  });
  expect(inspect(error)).not.toContain('wrong-9a');
  await expect(source.stat('/a')).rejects.toMatchObject({ code: 'EREMOTE' });
  expect(ftp.passwords).toHaveLength(1);
});

test.each([
  '550 SSL/TLS required on the control channel',
  '530 Non-anonymous sessions must use encryption.',
  '421 Sorry, cleartext sessions and weak ciphers are not accepted on this server.',
  '503 Use AUTH first.',
  '534 Policy requires SSL.',
])(
  'a server that lets nobody in without TLS ("%s") is said to need ftps, and is no refused login',
  async (answer) => {
    const { ftp } = await server();
    ftp.userAnswer = answer;
    const source = files(ftp, {}, { firstPauseMs: 0 }).of();
    await expect(source.stat('/a')).rejects.toMatchObject({
      message: `ftp://127.0.0.1:${ftp.port} lets nobody in without TLS: "${answer}"`,
      remedy: 'use type: ftps',
    });
    ftp.userAnswer = null;
    await expect(source.stat('/a')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test.each([
  '421 Too many connections (1) from this IP',
  '530 Sorry, the maximum number of clients (2) are connected.',
])(
  'a server that has no connection left ("%s") is said to have none, and refuses no login',
  async (answer) => {
    const { ftp } = await server();
    ftp.userAnswer = answer;
    const source = files(ftp, {}, { firstPauseMs: 0 }).of();
    await expect(source.stat('/a')).rejects.toMatchObject({
      message: expect.stringContaining(`the server says: ${answer}`),
      remedy: expect.stringContaining('close other programs that use this login'),
    });
    ftp.userAnswer = null;
    await expect(source.stat('/a')).rejects.toMatchObject({ code: 'ENOENT' });
    ftp.mostConnections = 0;
    ftp.cut();
    await expect(source.stat('/a')).rejects.toMatchObject({
      message: expect.stringContaining('the server says: 421 Too many connections'),
      remedy: expect.stringContaining('close other programs that use this login'),
    });
  },
);

test('a server of SFTP is said to be one', async () => {
  const sftp = await startSftp({ root: temporaryFolder() });
  onTestFinished(async () => await sftp[Symbol.asyncDispose]());
  for (const type of ['ftp', 'ftps'] as const) {
    const place = { ...sftp, type, host: '127.0.0.1' };
    const opened = openFtpPlace(place, { clock: systemClock, knownHosts: knownHostsInMemory() });
    onTestFinished(async () => await opened.close());
    await expect(opened.of().stat('/a')).rejects.toMatchObject({
      message: expect.stringContaining('is no FTP server: it greets as one of SSH'),
      remedy: expect.stringContaining('use type: sftp'),
    });
  }
});

test('a file that another program has open is there, and read as soon as it is free', async () => {
  const { ftp, root } = await server();
  writeFileSync(join(root, 'bans.txt'), 'one\n');
  const source = files(ftp).of();
  const read = async () => await source.read('/bans.txt', [{ offset: 0, length: 9 }]);
  ftp.isBusy = true;
  await expect(read()).rejects.toMatchObject({
    code: 'EBUSY',
    message: expect.stringContaining('being used by another process'),
  });
  ftp.isBusy = false;
  expect(String((await read()).parts[0])).toBe('one\n');
});

test('passive ports that a firewall closes are named, and tried once', async () => {
  const { ftp } = await server();
  ftp.passivePort = await freePort();
  const listed = files(ftp).of().list('/', { matching: /^/, stat: 'all' });
  await expect(listed).rejects.toMatchObject({
    message: expect.stringContaining(
      `the login works, but the passive port ${ftp.passivePort} that the server opens for data cannot be reached`,
    ),
    remedy: expect.stringContaining('passive ports of its FTP server'),
  });
  expect(ftp.logins).toBe(1);
});

test('a path in other letters that is not there is said to be in another encoding, perhaps', async () => {
  const { ftp, root } = await server();
  // As Windows writes it where it speaks Russian.
  mkdirSync(Buffer.from(`${root}/\xcb\xee\xe3\xe8`, 'latin1'));
  const source = files(ftp).of();
  await expect(source.list('/Логи', { matching: /^/, stat: 'all' })).rejects.toMatchObject({
    code: 'ENOENT',
    remedy: expect.stringContaining('another encoding than UTF-8'),
  });
  await expect(source.stat('/logs')).rejects.toMatchObject({
    code: 'ENOENT',
    remedy: expect.not.stringContaining('encoding'),
  });
});

test('with ftps no password is sent to a server that offers no TLS, or shows another certificate than before', async () => {
  const { ftp, root } = await server();
  await expect(files(ftp, { type: 'ftps' }).of().stat('/a')).rejects.toMatchObject({
    message: expect.stringContaining('offers no TLS'),
  });
  expect(ftp.passwords).toEqual([]);
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const { ftp: first } = await server({ root, certificate });
  const knownHosts = knownHostsInMemory();
  await files(first, { type: 'ftps' }, { knownHosts }).of().stat('/a.ADM');
  const { port } = first;
  expect(await knownHosts.find(`ftps://127.0.0.1:${port}`)).toMatch(/^SHA256:[0-9A-F:]{95} \(certificate\)$/);
  await first[Symbol.asyncDispose]();
  const { ftp: impostor } = await server({ root, port, certificate: selfSigned() });
  await expect(files(impostor, { type: 'ftps' }, { knownHosts }).of().stat('/a.ADM')).rejects.toMatchObject({
    message: expect.stringContaining('shows another key than before'),
    remedy: expect.stringContaining('start this program again'),
  });
  expect(impostor.passwords).toEqual([]);
});

test('paths as Windows writes them are found where the server names its drive', async () => {
  const { ftp, root } = await server();
  mkdirSync(join(root, 'profiles'));
  writeFileSync(join(root, 'profiles', 'a.ADM'), 'one\n');
  ftp.drive = 'C:';
  const source = files(ftp).of();
  for (const path of [
    'profiles/a.ADM',
    './profiles/../profiles/a.ADM',
    'C:\\profiles\\a.ADM',
    'c:/profiles/a.ADM',
  ])
    expect((await source.stat(path)).size).toBe(4);
  expect(ftp.commands.find((command) => command.startsWith('SIZE'))).toBe('SIZE C:/profiles/a.ADM');
  await expect(source.stat('/profiles/a.ADM')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a folder and a file of one name in different folders are told apart', async () => {
  const { ftp, root } = await server();
  mkdirSync(join(root, 'x'));
  writeFileSync(join(root, 'x', 'a.ADM'), 'inner\n');
  writeFileSync(join(root, 'a.ADM'), 'outer\n!');
  const source = files(ftp).of();
  await source.list('/x', { matching: /^/, stat: 'all' });
  expect((await source.stat('a.ADM')).size).toBe(7);
  expect((await source.stat('/x/a.ADM')).size).toBe(6);
});

test('with ftps nothing is taken from a data connection that shows another certificate', async () => {
  const { ftp, root } = await server({ certificate, dataCertificate: selfSigned() });
  writeFileSync(join(root, 'a.ADM'), 'forged\n');
  const source = files(ftp, { type: 'ftps' }).of();
  expect((await source.stat('/a.ADM')).size).toBe(7);
  await expect(source.read('/a.ADM', [{ offset: 0, length: 9 }])).rejects.toMatchObject({
    code: 'EREMOTE',
    message: expect.stringContaining('another certificate'),
  });
});
