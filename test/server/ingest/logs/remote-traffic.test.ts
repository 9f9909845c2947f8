import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Place, RemotePlaces, knownHostsInMemory } from 'game-files';
import { createTestClock } from '../../../harness/clock.ts';
import { startCuttingLink } from '../../../harness/cutting-link.ts';
import { startFtp } from '../../../../packages/game-files/test/servers/ftp.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { startSftp } from '../../../../packages/game-files/test/servers/sftp.ts';
import { header, idA, temporaryFolder, temporaryStore } from '../fixture.ts';

const otherFiles = 3_000;
/** Of a file in a listing. */
const entryBytes = 80;
/** A folder is listed once a minute. */
const listingsIn = (seconds: number): number => (seconds / 60) * otherFiles * entryBytes;

async function host(type: 'sftp' | 'ftp', root: string) {
  const server = type === 'sftp' ? await startSftp({ root }) : await startFtp({ root });
  onTestFinished(async () => await server[Symbol.asyncDispose]());
  const { username, password } = server;
  const login = { host: '127.0.0.1', username, password };
  // FTP's connections for data are not among those that the link carries.
  if ('wireBytes' in server) {
    return { place: { type, ...login, port: server.port } as Place, bytes: () => server.wireBytes };
  }
  const link = await startCuttingLink(server.port, () => Number.POSITIVE_INFINITY);
  onTestFinished(async () => await link[Symbol.asyncDispose]());
  return { place: { type, ...login, port: link.port } as Place, bytes: () => link.bytes };
}

test.each(['sftp', 'ftp'] as const)(
  'a log among 3,000 other files costs a listing a minute by %s, and little more while it grows',
  async (type) => {
    const root = temporaryFolder();
    for (let i = 0; i < otherFiles; i += 1) writeFileSync(join(root, `crash_${i}.mdmp`), '');
    const log = join(root, 'DayZServer_x64.ADM');
    const line = `12:00:01 | Player "A"(id=${idA} pos=<1, 2, 3>) placed ${'x'.repeat(100)}\n`;
    writeFileSync(log, header('2026-03-01 12:00:00') + line.repeat(20));
    writeFileSync(join(root, 'DayZServer_x64_2026-03-01_11-59-30.RPT'), 'banner\n');
    const { place, bytes } = await host(type, root);
    const clock = createTestClock();
    const db = await temporaryStore(['s']);
    const remote = new RemotePlaces({ clock, knownHosts: knownHostsInMemory() });
    onTestFinished(async () => await remote.close());
    const watch = createSourceWatch(db, { clock, remote });
    const sources = {
      servers: [{ id: 's', logs: '/' }],
      banlists: [],
      places: new Map([['s', place]]),
    };
    const seconds = async (count: number, eachSecond: (second: number) => void = () => undefined) => {
      const before = bytes();
      for (let second = 0; second < count; second += 1) {
        clock.advance(1_000);
        eachSecond(second);
        await (second % 60 === 0 ? watch.importChanged(sources) : watch.followOn(sources));
      }
      return bytes() - before;
    };
    await seconds(1);
    const rest = await seconds(300);
    let appended = 0;
    const grow = (second: number): void => {
      if (second % 5 !== 0) return;
      appendFileSync(log, line);
      utimesSync(log, clock.now() / 1000, clock.now() / 1000);
      appended += line.length;
    };
    const growing = await seconds(120, grow);
    expect(rest).toBeLessThan(listingsIn(300));
    expect(growing).toBeLessThan(listingsIn(120) + 3 * appended);
  },
  120_000,
);
