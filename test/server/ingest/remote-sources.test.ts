import { copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  directFiles,
  type FileAccess,
  type Files,
  knownHostsInMemory,
  type Place,
  RemotePlaces,
  SettledFile,
} from 'game-files';
import { readPlayersDb } from '../../../src/server/ingest/players/read-players-db.ts';
import type { SourceOutcome } from '../../../src/server/ingest/follower/polled-source.ts';
import { createTestClock } from '../../harness/clock.ts';
import { startFtp } from '../../../packages/game-files/test/servers/ftp.ts';
import { createSourceWatch } from '../../harness/logs.ts';
import { databaseContents } from '../../harness/store-digest.ts';
import { run, samples, temporaryFolder, temporaryStore } from './fixture.ts';

async function rented() {
  const root = temporaryFolder();
  const ftp = await startFtp({ root });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  const { port, username, password } = ftp;
  const place: Place = { type: 'ftp', host: '127.0.0.1', port, username, password };
  const clock = createTestClock();
  const remote = new RemotePlaces({ clock, knownHosts: knownHostsInMemory() });
  onTestFinished(async () => await remote.close());
  return { root, ftp, place, clock, remote };
}

const at = new Date('2026-03-01T12:00:00Z');

/** Writes a file whose time says nothing. */
function write(path: string, content: string | Buffer): void {
  writeFileSync(path, content);
  utimesSync(path, at, at);
}

test('players.db is fetched when it has changed, and every five minutes at most', async () => {
  const { root, ftp, place, clock, remote } = await rented();
  mkdirSync(join(root, 'storage_1'));
  const file = join(root, 'storage_1/players.db');
  copyFileSync(join(samples, 'server-a/players.db'), file);
  utimesSync(file, at, at);
  const db = await temporaryStore();
  const watch = createSourceWatch(db, { clock, remote });
  const sources = {
    servers: [{ id: 's', playersDb: '/storage_1/players.db' }],
    banlists: [],
    places: new Map([['s', place]]),
  };
  const fetched = () => ftp.commands.filter((command) => command === 'RETR /storage_1/players.db').length;
  const poll = async (): Promise<SourceOutcome[]> => {
    clock.advance(60_000);
    return await watch.importChanged(sources);
  };
  expect((await poll())[0]?.report).toMatchObject({ characters: 55 });
  const afterFirst = fetched();
  for (let minute = 0; minute < 6; minute += 1) expect(await poll()).toEqual([]);
  expect(fetched()).toBe(afterFirst);
  utimesSync(file, new Date(), new Date());
  expect((await poll())[0]?.report).toMatchObject({ characters: 55 });
  utimesSync(file, at, at);
  for (let minute = 0; minute < 4; minute += 1) expect(await poll()).toEqual([]);
  expect((await poll())[0]?.report).toMatchObject({ characters: 55 });
});

test('a players.db that cannot be used is not fetched at every poll', async () => {
  const { root, ftp, place, clock, remote } = await rented();
  write(join(root, 'players.db'), 'no database'.repeat(100));
  const watch = createSourceWatch(await temporaryStore(), { clock, remote });
  const sources = {
    servers: [{ id: 's', playersDb: '/players.db' }],
    banlists: [],
    places: new Map([['s', place]]),
  };
  const poll = async (): Promise<number> => {
    clock.advance(60_000);
    await watch.importChanged(sources);
    return ftp.commands.filter((command) => command === 'RETR /players.db').length;
  };
  const first = await poll();
  for (let minute = 0; minute < 4; minute += 1) expect(await poll()).toBe(first);
  expect(await poll()).toBeGreaterThan(first);
});

test('players.db that the game writes while it is fetched is fetched again', async () => {
  const bytes = readFileSync(join(samples, 'server-a/players.db'));
  const { root, place, remote } = await rented();
  write(join(root, 'players.db'), bytes);
  const source = remote.at(place).of('a');
  const counter = bytes.readUInt32BE(24);
  let writes = 0;
  let reads = 0;
  const written: FileAccess = {
    ...source,
    path: source.path,
    async read(path, ranges) {
      const answer = await source.read(path, ranges);
      // The time stays the same: only the counter in the header tells.
      if (path !== '/players.db' || (ranges[0]?.length ?? 0) <= 100) return answer;
      reads += 1;
      if (writes < 2) {
        writes += 1;
        bytes.writeUInt32BE(counter + writes, 24);
        write(join(root, 'players.db'), bytes);
      }
      return answer;
    },
  };
  expect((await readPlayersDb('/players.db', written)).characters).not.toEqual([]);
  expect(reads).toBe(3);
});

test('a small file is read again when its content changed, though its server tells no times', async () => {
  const { root, ftp, place, remote } = await rented();
  ftp.hasTimes = false;
  write(join(root, 'bans.txt'), 'one\n');
  const settled = new SettledFile(remote.at(place).of('a'), '/bans.txt');
  const atOnce = async (): Promise<boolean> => false;
  expect((await settled.poll(atOnce)).state).toBe('moving');
  const first = await settled.poll(atOnce);
  if (first.state !== 'unread') throw new Error(`is ${first.state}`);
  settled.done(first);
  expect((await settled.poll(atOnce)).state).toBe('read');
  write(join(root, 'bans.txt'), 'two\n');
  expect((await settled.poll(atOnce)).state).toBe('moving');
  expect((await settled.poll(atOnce)).state).toBe('unread');
});

test('equal paths at the places of two servers are two ban files, and the store holds no secret', async () => {
  const one = await rented();
  const two = await rented();
  const steam = (id: string): string => `${id} -1 cheating\n`;
  write(join(one.root, 'bans.txt'), steam('0123456789abcdef0123456789abcdef'));
  write(join(two.root, 'bans.txt'), steam('fedcba9876543210fedcba9876543210'));
  const db = await temporaryStore(['s', 't']);
  const watch = createSourceWatch(db, { clock: one.clock, remote: one.remote });
  const sources = {
    servers: [{ id: 's' }, { id: 't' }],
    banlists: [
      {
        id: 'bans',
        sources: ['s', 't'].map((filesOf) => ({ file: '/bans.txt', filesOf, format: 'battleye' as const })),
      },
    ],
    places: new Map([
      ['s', one.place],
      ['t', two.place],
    ]),
  };
  for (let polls = 0; polls < 3; polls += 1) {
    one.clock.advance(10_000);
    await watch.importChanged(sources);
  }
  const found = await db.selectFrom('ban').select('source').orderBy('source').execute();
  expect(found.map(({ source }) => source)).toEqual([
    'config:battleye:s:/bans.txt',
    'config:battleye:t:/bans.txt',
  ]);
  expect(JSON.stringify(await databaseContents(db))).not.toContain(one.ftp.password);
});

test('what the host refuses is told once with what to check, and is over when it works again', async () => {
  const { ftp, place, clock, remote, root } = await rented();
  const db = await temporaryStore();
  const watch = createSourceWatch(db, { clock, remote });
  mkdirSync(join(root, 'profiles'));
  const sources = (password: string) => ({
    servers: [{ id: 's', logs: '/profiles' }],
    banlists: [],
    places: new Map([['s', { ...place, password } as Place]]),
  });
  const wrong = sources('wrong-4d');
  clock.advance(60_000);
  const [first] = await watch.importChanged(wrong);
  expect(first).toMatchObject({
    id: 's',
    error: expect.stringMatching(
      /^ftp:\/\/127\.0\.0\.1:[0-9]+ does not let the user "northwood" in: "530 Login incorrect\."; check username and password$/,
    ),
  });
  clock.advance(60_000);
  expect(await watch.importChanged(wrong)).toEqual([]);
  clock.advance(60_000);
  expect(await watch.importChanged(sources(ftp.password))).toMatchObject([{ id: 's', recovered: true }]);
});

test('a stop in the middle of a log is no problem of the log', async () => {
  const { ftp, place, clock, remote, root } = await rented();
  write(join(root, 'DayZServer_x64.ADM'), run());
  const watch = createSourceWatch(await temporaryStore(), { clock, remote });
  const sources = {
    servers: [{ id: 's', logs: '/' }],
    banlists: [],
    places: new Map([['s', place]]),
  };
  ftp.faults = ['silent'];
  const poll = watch.importChanged(sources);
  await expect
    .poll(() => ftp.commands.some((command) => command.startsWith('RETR')), { timeout: 30_000 })
    .toBe(true);
  await remote.close();
  expect(await poll).toEqual([]);
});

test.each([
  ['/nowhere', 'no such file; check the path, as it is seen after the login'],
  ['/file.ADM', 'is a file, a folder was expected; name the folder, not a file in it'],
])('a folder that is wrong (%s) is told with what to do', async (logs, problem) => {
  const { place, clock, remote, root } = await rented();
  write(join(root, 'file.ADM'), 'x');
  const watch = createSourceWatch(await temporaryStore(), { clock, remote });
  const sources = { servers: [{ id: 's', logs }], banlists: [], places: new Map([['s', place]]) };
  expect(await watch.importChanged(sources)).toMatchObject([
    { kind: 'logs', id: 's', path: logs, error: expect.stringContaining(problem) },
  ]);
});

test.each([
  ['has left the config', []],
  ['has its files on this machine now', [{ id: 's', logs: '/' }]],
])('a poll that is running when its server %s reads no log here', async (_, servers) => {
  const { place, clock, remote, root } = await rented();
  write(join(root, 'DayZServer_x64.ADM'), run());
  const readHere: string[] = [];
  const here = directFiles;
  const read: FileAccess['read'] = async (path) =>
    await Promise.reject(new Error(`reads ${readHere.push(path)} here`));
  const files: Files = { of: () => ({ ...here, list: async () => [], stat: here.stat, read }) };
  const moved = { servers, banlists: [] };
  let lists = 0;
  const { at } = remote;
  remote.at = (from) => {
    const found = at.call(remote, from);
    const of: Files['of'] = (...args) => {
      const source = found.of(...args);
      return {
        ...source,
        pollEveryMs: source.pollEveryMs,
        path: source.path,
        async list(folder, wanted) {
          const entries = await source.list(folder, wanted);
          lists += 1;
          if (lists === 1) void watch.importChanged(moved);
          return entries;
        },
      };
    };
    return {
      of,
      login: () => found.login(),
      close: () => found.close(),
      resumeProblem: async () => null,
    };
  };
  const watch = createSourceWatch(await temporaryStore(), { clock, remote, files });
  clock.advance(60_000);
  const sources = { servers: [{ id: 's', logs: '/' }], banlists: [], places: new Map([['s', place]]) };
  expect(await watch.importChanged(sources)).toEqual([]);
  expect(lists).toBe(1);
  expect(readHere).toEqual([]);
});
