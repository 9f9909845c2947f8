import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Place, RemotePlaces, knownHostsInMemory } from 'game-files';
import { seededRandom } from '../../../../src/demo/random.ts';
import { createGrowingLog } from '../../../following/growing-log.ts';
import { createTestClock, type TestClock } from '../../../harness/clock.ts';
import { startCuttingLink } from '../../../harness/cutting-link.ts';
import { startFtp } from '../../../../packages/game-files/test/servers/ftp.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { createSourceWatch, type SourceWatch } from '../../../harness/logs.ts';
import { startSftp } from '../../../../packages/game-files/test/servers/sftp.ts';
import { databaseContents } from '../../../harness/store-digest.ts';
import { header, idA, idB, temporaryFolder, temporaryStore } from '../fixture.ts';

const id = 'server-b';

interface Reader {
  db: Database;
  /** Reads what is new. */
  poll(full: boolean): Promise<void>;
}

async function reader(logs: string, clock: TestClock, place?: Place): Promise<Reader> {
  const folder = temporaryFolder();
  const db = await temporaryStore([id], 'Europe/Berlin', folder);
  const remote = new RemotePlaces({ clock, knownHosts: knownHostsInMemory() });
  onTestFinished(async () => await remote.close());
  const watch: SourceWatch = createSourceWatch(db, { clock, remote });
  const places = new Map(place === undefined ? [] : [[id, place] as const]);
  const sources = { servers: [{ id, logs }], banlists: [], places };
  return {
    db,
    async poll(full) {
      await (full ? watch.importChanged(sources) : watch.followOn(sources));
    },
  };
}

/** What a store holds of logs, wherever they lie. */
async function figuresIn({ db }: Reader, folder: string): Promise<Record<string, string[]>> {
  // What went wrong meanwhile, and how often a run was stored again.
  const { source_state: _, ...tables } = await databaseContents(db);
  const isAtRoot = folder === '/';
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [
      table,
      rows
        .map((row) => row.replaceAll(isAtRoot ? '"path":"/' : `"path":"${folder}/`, '"path":"'))
        .map((row) => row.replace(/"poll_every_ms":[0-9]+/, ''))
        .toSorted(),
    ]),
  );
}

async function growTogether(
  readers: readonly Reader[],
  { logs, pieces, clock, random, onEnd }: Growth,
): Promise<void> {
  const log = await createGrowingLog(logs, pieces, random);
  const pollAll = async (full: boolean): Promise<void> => {
    clock.advance(full ? 60_000 : 5_000);
    for (const one of readers) await one.poll(full);
  };
  for (let done = 0; done < log.steps;) {
    const steps = 1 + Math.floor(random() * 3);
    await log.grow(steps);
    done += steps;
    await pollAll(random() < 0.2);
  }
  onEnd();
  for (let polls = 0; polls < 10; polls += 1) await pollAll(true);
}

interface Growth {
  logs: string;
  pieces: number;
  clock: TestClock;
  random: () => number;
  onEnd: () => void;
}

test.each([
  ['SFTP', 'sftp', 3],
  ['FTP', 'ftp', 5],
] as const)(
  'logs that grow and rotate behind a link by %s that is cut at random count as if they lay here',
  async (_, type, seed) => {
    const logs = temporaryFolder();
    const random = seededRandom(seed);
    const clock = createTestClock(Date.now());
    const server = type === 'sftp' ? await startSftp({ root: logs }) : await startFtp({ root: logs });
    onTestFinished(async () => await server[Symbol.asyncDispose]());
    // Some connections do not live through their login.
    const link = await startCuttingLink(
      server.port,
      () => 400 + random() * (type === 'sftp' ? 200_000 : 800),
    );
    onTestFinished(async () => await link[Symbol.asyncDispose]());
    const { username, password } = server;
    const place: Place = { type, host: '127.0.0.1', port: link.port, username, password };
    const here = await reader(logs, clock);
    const there = await reader('/', clock, place);
    const onEnd = (): void => void (link.nextCut = () => Number.POSITIVE_INFINITY);
    await growTogether([here, there], { logs, pieces: 24, clock, random, onEnd });
    expect(link.cuts).toBeGreaterThan(0);
    const expected = await figuresIn(here, logs);
    expect(expected['log_run']).toHaveLength(3);
    expect(await figuresIn(there, '/')).toEqual(expected);
  },
);

const connected = (time: string): string => `${time} | Player "A"(id=${idA}) is connected\n`;
const killed = (time: string): string =>
  `${time} | Player "A" (DEAD) (id=${idA} pos=<1, 2, 3>) killed by Player "B" (id=${idB} pos=<1, 2, 3>) with SVD from 100.5 meters \n`;

test.each(['sftp', 'ftp'] as const)(
  'a log by %s that is cut, emptied under the game, replaced, renamed or gone counts as if it lay here',
  async (type) => {
    const logs = temporaryFolder();
    const clock = createTestClock(Date.now());
    const server = type === 'sftp' ? await startSftp({ root: logs }) : await startFtp({ root: logs });
    onTestFinished(async () => await server[Symbol.asyncDispose]());
    const { port, username, password } = server;
    const here = await reader(logs, clock);
    const there = await reader('/', clock, { type, host: '127.0.0.1', port, username, password });
    const log = join(logs, 'DayZServer_x64.ADM');
    const first = header('2024-05-01 12:00:00') + connected('12:00:10');
    const second = header('2024-05-02 12:00:00') + connected('12:00:10');
    const changes: (() => void)[] = [
      () => writeFileSync(log, first),
      () => appendFileSync(log, killed('12:10:00')),
      // Emptied while the game writes on; a copy has what it held.
      () => copyFileSync(log, join(logs, 'DayZServer_x64_2024_05_01_120000.ADM')),
      () => truncateSync(log, 0),
      () => appendFileSync(log, killed('12:20:00')),
      // Cut in the middle, then another run in its place.
      () => truncateSync(log, 20),
      () => writeFileSync(log, second),
      () => appendFileSync(log, killed('12:30:00').slice(0, 30)),
      () => appendFileSync(log, killed('12:30:00').slice(30)),
      () => renameSync(log, join(logs, 'DayZServer_x64_2024_05_02_120000.ADM')),
      () => writeFileSync(log, header('2024-05-03 12:00:00') + killed('12:40:00')),
      () => rmSync(log),
    ];
    for (const change of changes) {
      change();
      // What happens within a second here is minutes apart by the test's clock.
      utimesSync(logs, clock.now() / 1000, clock.now() / 1000);
      for (const full of [false, true]) {
        clock.advance(60_000);
        for (const one of [here, there]) await one.poll(full);
      }
    }
    const expected = await figuresIn(here, logs);
    expect(expected['log_run']).toHaveLength(4);
    expect(await figuresIn(there, '/')).toEqual(expected);
  },
);

test('of each log at most two wholes come over the line, as it grows and under its new name, whatever its listing says of times', async () => {
  const root = temporaryFolder();
  const logs = join(root, 'profiles');
  mkdirSync(logs);
  const random = seededRandom(9);
  const clock = createTestClock(Date.now());
  const sftp = await startSftp({ root });
  onTestFinished(async () => await sftp[Symbol.asyncDispose]());
  const { port, username, password } = sftp;
  const there = await reader('/profiles', clock, {
    type: 'sftp',
    host: '127.0.0.1',
    port,
    username,
    password,
  });
  await growTogether([there], { logs, pieces: 20, clock, random, onEnd: () => undefined });
  const held = readdirSync(logs).reduce((sum, name) => sum + statSync(join(logs, name)).size, 0);
  // What a file is known by comes again with each poll that finds it changed.
  expect(sftp.bytesSent).toBeLessThan(2.1 * held);
  const before = sftp.bytesSent;
  for (const shift of [7_200, -3_600, null, 0]) {
    sftp.clockShift = shift;
    for (const name of readdirSync(logs)) utimesSync(join(logs, name), 1_700_000_000, 1_700_000_000);
    clock.advance(60_000);
    await there.poll(true);
  }
  expect(sftp.bytesSent - before).toBeLessThan(40_000);
});
