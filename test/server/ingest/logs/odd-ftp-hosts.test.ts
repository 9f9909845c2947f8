import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { trustInMemory } from '../../../../src/server/files/remote/host-trust.ts';
import type { Place } from '../../../../src/server/files/remote/place.ts';
import { RemotePlaces } from '../../../../src/server/files/remote/remote-places.ts';
import { readLogFiles } from '../../../../src/server/store/repositories/logs/log-files.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { type FtpStandIn, startFtp } from '../../../harness/ftp.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { header, idA, temporaryFolder, temporaryStore } from '../fixture.ts';

const line = `12:00:01 | Player "A"(id=${idA} pos=<1, 2, 3>) placed ${'x'.repeat(100)}\n`;

/** A log that grows every five seconds at an odd host, by default for an hour. */
async function grown(traits: Partial<FtpStandIn>, logBytes: number, polls = 720) {
  const root = temporaryFolder();
  const log = join(root, 'DayZServer_x64.ADM');
  writeFileSync(log, header('2026-03-01 12:00:00') + line.repeat(Math.ceil(logBytes / line.length)));
  const ftp = await startFtp({ root });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  Object.assign(ftp, traits);
  const { port, username, password } = ftp;
  const place: Place = { type: 'ftp', host: '127.0.0.1', port, username, password };
  const clock = createTestClock();
  const db = await temporaryStore(['s']);
  const remote = new RemotePlaces({ clock, trust: trustInMemory() });
  onTestFinished(async () => await remote.close());
  const watch = createSourceWatch(db, { clock, remote });
  const sources = { servers: [{ id: 's', logs: '/' }], banlists: [], places: new Map([['s', place]]) };
  const errors: string[] = [];
  for (let step = 0; step < polls; step += 1) {
    if (step < polls - 5) appendFileSync(log, line);
    clock.advance(5_000);
    const outcomes = await (step % 12 === 0 ? watch.importChanged(sources) : watch.followOn(sources));
    errors.push(...outcomes.flatMap(({ error }) => error ?? []));
  }
  const position = (await readLogFiles(db, 's')).get('/DayZServer_x64.ADM')?.position ?? 0;
  return { ftp, errors, behind: statSync(log).size - position };
}

test.each([502, 550, 451] as const)(
  'a log at a host that refuses REST with %i is read to its end, within 50 MB an hour',
  async (rest) => {
    const { ftp, errors, behind } = await grown({ rest }, 300_000);
    expect(errors).toEqual([]);
    expect(behind).toBeLessThan(10 * line.length);
    expect(ftp.logins).toBe(1);
    expect(ftp.wireBytes).toBeLessThan(55_000_000);
  },
  60_000,
);

test('of a log too long for that its owner reads that the host cannot be followed by FTP', async () => {
  const { ftp, errors, behind } = await grown({ rest: 502 }, 10_000_000);
  expect(errors).toEqual([
    expect.stringMatching(
      /^the host sends files from their start only \(it refuses REST\): 10 MB before each new line, and Outpost fetches 50 MB an hour at most\. This host cannot be followed by FTP; ask the host for SFTP/,
    ),
  ]);
  // It is read all the same, minutes late.
  expect(behind).toBeLessThan(20 * 12 * line.length);
  expect(ftp.wireBytes).toBeLessThan(65_000_000);
}, 60_000);

test('a log at a host that knows no SIZE is followed by its listings', async () => {
  const traits = { hasSize: false, hasMlsd: false, hasTimes: false };
  const { errors, behind } = await grown(traits, 300_000, 60);
  expect(errors).toEqual([]);
  expect(behind).toBe(0);
});
