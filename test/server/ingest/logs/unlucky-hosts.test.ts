import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Place, RemotePlaces, knownHostsInMemory } from 'game-files';
import { createTestClock } from '../../../harness/clock.ts';
import { type FtpStandIn, startFtp } from '../../../../packages/game-files/test/servers/ftp.ts';
import { createSourceWatch } from '../../../harness/logs.ts';
import { header, idA, statsOf, temporaryFolder, temporaryStore } from '../fixture.ts';

const minuteMs = 60_000;
const suicide = (time: string): string =>
  `${time} | Player "A" (id=${idA} pos=<1, 2, 3>) committed suicide\n`;

/** A host with one log that is followed. */
async function followed(traits: Partial<FtpStandIn> = {}) {
  const root = temporaryFolder();
  const log = join(root, 'DayZServer_x64.ADM');
  writeFileSync(log, header('2026-03-01 12:00:00') + suicide('12:00:01'));
  const ftp = await startFtp({ root });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  Object.assign(ftp, traits);
  const { port, username, password } = ftp;
  const place: Place = { type: 'ftp', host: '127.0.0.1', port, username, password };
  const clock = createTestClock();
  const db = await temporaryStore(['s']);
  const remote = new RemotePlaces({ clock, knownHosts: knownHostsInMemory() });
  onTestFinished(async () => await remote.close());
  const watch = createSourceWatch(db, { clock, remote });
  const sources = { servers: [{ id: 's', logs: '/' }], banlists: [], places: new Map([['s', place]]) };
  return {
    ftp,
    log,
    suicides: async () => (await statsOf(db, idA))?.suicides,
    /** Polls as a running Outpost does. @returns what its log says */
    async during(ms: number): Promise<string[]> {
      const said: string[] = [];
      for (let at = 0; at < ms; at += 5_000) {
        clock.advance(5_000);
        const outcomes = await (at % minuteMs === 0 ? watch.importChanged(sources) : watch.followOn(sources));
        for (const { error, recovered } of outcomes) {
          if (error !== undefined) said.push(error);
          if (recovered !== undefined) said.push('recovered');
        }
      }
      return said;
    },
  };
}

test('a log among 50,000 other files is followed', async () => {
  const ghosts = Array.from({ length: 50_000 }, (_, i) => `DayZServer_x64_2026-02-01_${i}.mdmp`);
  const { log, suicides, during } = await followed({ ghosts });
  expect(await during(10_000)).toEqual([]);
  appendFileSync(log, suicide('13:00:01'));
  expect(await during(10_000)).toEqual([]);
  expect(await suicides()).toBe(2);
});

test('a folder that is too long to be listed is not listed again and again', async () => {
  const ghosts = Array.from({ length: 100_000 }, (_, i) => `DayZServer_x64_2026-02-01_12-00-00 (${i}).mdmp`);
  const { ftp, suicides, during } = await followed({ ghosts });
  expect(await during(30 * minuteMs)).toEqual([
    expect.stringMatching(/the folder has more than 8 MB of names; keep the logs in a folder of their own/),
  ]);
  expect(ftp.commands.filter((command) => /^(?:MLSD|LIST)/.test(command)).length).toBeLessThanOrEqual(4);
  ftp.ghosts = [];
  expect(await during(10 * minuteMs)).toEqual(['recovered']);
  expect(await suicides()).toBe(1);
});

test('logs that a listing names and that are gone when they are read keep no other from being read', async () => {
  const ghosts = ['DayZServer_x64_2026-02-27_12-00-00.ADM', 'DayZServer_x64_2026-02-28_12-00-00.ADM'];
  const { ftp, log, suicides, during } = await followed({ ghosts });
  await during(minuteMs);
  appendFileSync(log, suicide('13:00:01'));
  await during(minuteMs);
  expect(await suicides()).toBe(2);
  ftp.ghosts = [];
  await during(20 * minuteMs);
  expect(await during(minuteMs)).toEqual([]);
});

test('an hour in which the host takes no connection is one line in the log, and few attempts', async () => {
  const { ftp, log, suicides, during } = await followed();
  await during(minuteMs);
  ftp.mostConnections = 0;
  ftp.cut();
  appendFileSync(log, suicide('13:00:01'));
  expect(await during(60 * minuteMs)).toEqual([expect.stringContaining('421 Too many connections')]);
  expect(ftp.turnedAway).toBeGreaterThan(5);
  expect(ftp.turnedAway).toBeLessThan(25);
  ftp.mostConnections = Number.POSITIVE_INFINITY;
  expect(await during(6 * minuteMs)).toEqual(['recovered']);
  expect(await suicides()).toBe(2);
  expect(ftp.logins).toBe(2);
});
