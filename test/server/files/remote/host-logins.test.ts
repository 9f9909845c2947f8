import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFtpPlace } from '../../../../src/server/files/remote/ftp/ftp-files.ts';
import { trustInMemory } from '../../../../src/server/files/remote/host-trust.ts';
import type { SftpPlace } from '../../../../src/server/files/remote/sftp/sftp-client.ts';
import { RemotePlaces } from '../../../../src/server/files/remote/remote-places.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { startFtp } from '../../../harness/ftp.ts';
import { newKeys, startSftp } from '../../../harness/sftp.ts';
import { temporaryFolder } from '../../ingest/fixture.ts';

const minuteMs = 60_000;

async function host() {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ADM'), 'one\n');
  const sftp = await startSftp({ root });
  onTestFinished(async () => await sftp[Symbol.asyncDispose]());
  return sftp;
}

function placesAt({ port }: { port: number }) {
  const clock = createTestClock();
  const places = new RemotePlaces({ clock });
  onTestFinished(async () => await places.close());
  const log = (place: Partial<SftpPlace>) =>
    places.at({ type: 'sftp', host: '127.0.0.1', port, username: 'northwood', ...place }).of('a');
  return { clock, places, log };
}

const refusal = { code: 'EREMOTE', message: expect.stringMatching(/does not let the user|has refused/) };

test('a wrong password is one failure at the host, and the next comes ten minutes later', async () => {
  const sftp = await host();
  const { clock, log } = placesAt(sftp);
  const failures: number[] = [];
  for (let minute = 0; minute <= 30; minute += 1) {
    await expect(log({ password: 'wrong-1' }).stat('/a.ADM')).rejects.toMatchObject(refusal);
    failures.push(sftp.refused.length);
    clock.advance(minuteMs);
  }
  expect(sftp.refused).toEqual(['password', 'password', 'password']);
  expect([9, 10, 29, 30].map((minute) => failures[minute])).toEqual([1, 2, 2, 3]);
});

test('a key that the host refuses is one failure too, though a password is there', async () => {
  const root = temporaryFolder();
  const sftp = await startSftp({ root, publicKey: newKeys().public });
  onTestFinished(async () => await sftp[Symbol.asyncDispose]());
  const { log } = placesAt(sftp);
  const place = { privateKey: newKeys().private, password: 'wrong-1' };
  await expect(log(place).stat('/a')).rejects.toMatchObject({
    remedy: 'check files.username and files.privateKey and files.password',
  });
  expect(sftp.refused).toEqual(['publickey']);
});

test('of four users with wrong passwords at one host two are refused in ten minutes', async () => {
  const sftp = await host();
  const { clock, log } = placesAt(sftp);
  const users = ['a', 'b', 'c', 'd'].map((username) => log({ username, password: 'wrong-1' }));
  const poll = async () =>
    await Promise.allSettled(users.map(async (user) => await user.stat('/a.ADM'))).then((all) =>
      all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : [])),
    );
  const messages = await poll();
  expect(sftp.refused).toHaveLength(2);
  expect(messages.slice(2)).toEqual(
    Array(2).fill('127.0.0.1 has refused 2 logins from here; no other is tried before 12:10 UTC'),
  );
  for (let minute = 0; minute < 9; minute += 1) {
    clock.advance(minuteMs);
    await poll();
  }
  expect(sftp.refused).toHaveLength(2);
  clock.advance(minuteMs);
  await poll();
  expect(sftp.refused).toHaveLength(4);
});

test('one wrong password keeps out none of the other users of the host', async () => {
  const sftp = await host();
  const ftp = await startFtp({ root: temporaryFolder() });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  const { places, log } = placesAt(sftp);
  await expect(log({ username: 'a', password: 'wrong-1' }).stat('/a.ADM')).rejects.toMatchObject(refusal);
  expect((await log({ password: sftp.password }).stat('/a.ADM')).size).toBe(4);
  // The ports of a host share its count.
  const second = {
    type: 'ftp',
    host: '127.0.0.1',
    port: ftp.port,
    username: 'a',
    password: 'wrong-2',
  } as const;
  await expect(places.at(second).of('a').stat('/')).rejects.toMatchObject(refusal);
  await expect(log({ username: 'c', password: 'wrong-1' }).stat('/')).rejects.toMatchObject({
    message: expect.stringContaining('127.0.0.1 has refused 2 logins'),
  });
  expect(sftp.refused).toHaveLength(1);
});

test('what waits for its turn to log in ends when the places are closed', async () => {
  const sftp = await host();
  const { places, log } = placesAt(sftp);
  const polls = ['a', 'b', 'c'].map((username) =>
    expect(log({ username, password: sftp.password }).stat('/a.ADM')).rejects.toMatchObject({
      code: 'ECLOSED',
    }),
  );
  await places.close();
  await Promise.all(polls);
});

test('a host that never ends the handshakes of its logins is asked again and again', async () => {
  const server = createServer((socket) => {
    socket.write('220 ready\r\n');
    socket.once('data', () => socket.write('234 begin\r\n'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  let connections = 0;
  server.on('connection', () => (connections += 1));
  onTestFinished(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const files = openFtpPlace(
    { type: 'ftps', host: '127.0.0.1', port, username: 'a', password: 'b' },
    { clock: createTestClock(), trust: trustInMemory(), openDeadlineMs: 200, firstPauseMs: 0 },
  );
  onTestFinished(async () => await files.close());
  for (let i = 0; i < 4; i += 1)
    await expect(files.login()).rejects.toMatchObject({ message: expect.stringMatching(/no answer within/) });
  expect(connections).toBe(4);
});
