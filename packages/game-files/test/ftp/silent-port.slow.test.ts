import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openFtpPlace } from '../../src/ftp/ftp-files.ts';
import { knownHostsInMemory } from '../../src/remote/known-hosts.ts';
import { selfSigned } from '../servers/certificate.ts';
import { startFtp } from '../servers/ftp.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const listener =
  'const s = require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, ' +
  '() => console.log(s.address().port))';

/** A port that answers no attempt to connect, as behind a firewall: of a stopped process whose queue is full. */
async function silentPort(): Promise<number> {
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line);
  child.kill('SIGSTOP');
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await Promise.race([once(socket, 'connect'), delay(500)]);
    // Where the timer came late, the answer may be waiting behind it.
    await delay(50);
    if (socket.connecting) return port;
  }
}

test('passive ports behind a firewall that answers nothing are named within seconds, for all sources', async () => {
  const ftp = await startFtp({ root: temporaryFolder() });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  ftp.passivePort = await silentPort();
  const opened = openFtpPlace(
    { ...ftp, type: 'ftp', host: '127.0.0.1' },
    { clock: systemClock, knownHosts: knownHostsInMemory() },
  );
  onTestFinished(async () => await opened.close());
  const all = ['a', 'b', 'c'].map(async () => {
    await expect(opened.of().list('/', { matching: /^/, stat: 'all' })).rejects.toMatchObject({
      message: expect.stringContaining(`the passive port ${ftp.passivePort}`),
    });
  });
  await Promise.all(all);
  expect(ftp.logins).toBe(1);
});

test('a server that takes the connection and says nothing is said to give no answer', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opened = openFtpPlace(
    { type: 'ftp', host: '127.0.0.1', port, username: 'u', password: 'p' },
    { clock: systemClock, knownHosts: knownHostsInMemory() },
  );
  onTestFinished(async () => await opened.close());
  await expect(opened.login()).rejects.toMatchObject({
    message: expect.stringMatching(/: no answer within 20 s$/),
  });
});

test('a transfer that is cut, and of which the server says nothing, is given up within seconds', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ADM'), 'line\n'.repeat(50_000));
  const ftp = await startFtp({ root, certificate: selfSigned() });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  const opened = openFtpPlace(
    { ...ftp, type: 'ftps', host: '127.0.0.1' },
    { clock: systemClock, knownHosts: knownHostsInMemory() },
  );
  onTestFinished(async () => await opened.close());
  const source = opened.of();
  await source.stat('/a.ADM');
  ftp.faults = ['forgotten', 'forgotten'];
  await expect(source.read('/a.ADM', [{ offset: 0, length: 1_000_000 }])).rejects.toMatchObject({
    message: expect.stringContaining('does not say whether the transfer is complete'),
  });
  await expect
    .poll(async () => (await source.read('/a.ADM', [{ offset: 0, length: 1_000_000 }])).parts[0]?.length)
    .toBe(250_000);
});
