import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../src/demo/random.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { readRosters, type StoredRoster } from '../../../../src/server/store/repositories/logs/rosters.ts';
import { recountServer } from '../../../../src/server/store/repositories/projects/server-time-zone.ts';
import {
  forgetServer,
  renameServer,
} from '../../../../src/server/store/repositories/projects/server-identity.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { createSourceWatch, importLogs, type SourceWatch } from '../../../harness/logs.ts';
import { header, idA, idB, idC, sampleLogs, temporaryFolder, temporaryStore } from '../fixture.ts';

const noon = Date.UTC(2024, 4, 1, 12);
let db: Database;
let folder: string;
let log: string;
let watch: SourceWatch;
let clock: ReturnType<typeof createTestClock>;
beforeEach(async () => {
  db = await temporaryStore();
  folder = temporaryFolder();
  log = join(folder, 'DayZServer_x64.ADM');
  clock = createTestClock(noon + 60_000);
  restart();
});

/** Another process goes on. */
function restart(): void {
  watch = createSourceWatch(db, { clock });
}

const poll = () => watch.followOn({ servers: [{ id: 's', logs: folder }], banlists: [] });
const fullPoll = () => watch.importChanged({ servers: [{ id: 's', logs: folder }], banlists: [] });
const stored = async (): Promise<StoredRoster | null> => (await readRosters(db, ['s'])).get('s') ?? null;
async function names(): Promise<string[] | null> {
  const roster = await stored();
  return roster && roster.players.map(([, { name }]) => name).toSorted();
}
async function append(...lines: string[]): Promise<void> {
  appendFileSync(log, lines.map((line) => `${line}\n`).join(''));
  await poll();
}

const people = { Ann: idA, Bob: idB, Cid: idC };
type Name = keyof typeof people;
const connected = (time: string, name: Name) => `${time} | Player "${name}"(id=${people[name]}) is connected`;
const left = (time: string, name: Name) =>
  `${time} | Player "${name}"(id=${people[name]}) has been disconnected`;
const list = (time: string, ...on: Name[]) => [
  `${time} | ##### PlayerList log: ${on.length} players`,
  ...on.map((name) => `${time} | Player "${name}" (id=${people[name]} pos=<1.0, 2.0, 3.0>)`),
  `${time} | #####`,
];
const begin = header('2024-05-01 12:00:00');
const beginAgain = header('2024-05-01 16:00:00');

describe('who is on a server', () => {
  test('follows connects, disconnects and lists, also in another process', async () => {
    writeFileSync(log, begin);
    await poll();
    expect(await names()).toEqual([]);
    await append(connected('12:00:10', 'Ann'), connected('12:00:20', 'Bob'));
    expect(await names()).toEqual(['Ann', 'Bob']);
    restart();
    await append(left('12:01:00', 'Ann'));
    expect(await names()).toEqual(['Bob']);
    restart();
    const [first = '', ...others] = list('12:05:00', 'Bob', 'Cid');
    await append(first);
    restart();
    await append(...others);
    expect(await names()).toEqual(['Bob', 'Cid']);
    expect(await stored()).toMatchObject({
      header: '2024-05-01 12:00:00',
      isComplete: true,
      listedAt: noon + 300_000,
      loggedAt: noon + 300_000,
      players: expect.arrayContaining([
        [idB, { name: 'Bob', connectedAt: noon + 20_000, absentAt: null }],
      ]) as unknown,
    });
  });

  test('is nobody after a restart, in the same file or in another one', async () => {
    writeFileSync(log, begin);
    await append(connected('12:00:10', 'Ann'), beginAgain.trim());
    expect(await names()).toEqual([]);
    await append(connected('16:00:10', 'Bob'));
    expect(await names()).toEqual(['Bob']);
    renameSync(log, join(folder, 'DayZServer_x64_2024_05_01_120000.ADM'));
    writeFileSync(log, header('2024-05-01 20:00:00'));
    await poll();
    await fullPoll();
    expect(await names()).toEqual([]);
    expect(await stored()).toMatchObject({ header: '2024-05-01 20:00:00' });
  });

  test('is nobody after a restart on a machine whose clock was set back', async () => {
    writeFileSync(log, beginAgain);
    await append(connected('16:00:10', 'Ann'));
    expect(await names()).toEqual(['Ann']);
    await append(begin.trim(), connected('12:00:10', 'Bob'));
    expect(await names()).toEqual(['Bob']);
  });

  test('comes from the latest run, whatever else lies there, grows or is imported', async () => {
    const older = join(folder, 'older.ADM');
    writeFileSync(older, begin + connected('12:00:10', 'Ann'));
    await poll();
    writeFileSync(log, `${beginAgain}${connected('16:00:10', 'Bob')}\n`);
    await poll();
    appendFileSync(older, `\n${connected('12:00:20', 'Cid')}\n`);
    await poll();
    expect(await names()).toEqual(['Bob']);
    writeFileSync(older, `${header('2024-05-01 11:00:00')}${connected('11:00:20', 'Cid')}\n`);
    await poll();
    expect(await names()).toEqual(['Bob']);
    const elsewhere = join(temporaryFolder(), 'x.ADM');
    writeFileSync(elsewhere, `${header('2024-05-02 16:00:00')}${connected('16:00:10', 'Cid')}\n`);
    await importLogs(db, { serverId: 's', files: [elsewhere] });
    expect(await names()).toEqual(['Bob']);
  });

  test('does not come from a copy that is behind, however it changes', async () => {
    const copy = join(folder, 'copy.ADM');
    writeFileSync(log, begin);
    await append(connected('12:00:10', 'Ann'), connected('12:00:20', 'Bob'));
    writeFileSync(copy, begin);
    await poll();
    await append(left('12:01:00', 'Ann'));
    appendFileSync(copy, `${connected('12:00:10', 'Ann')}\n${connected('12:00:20', 'Bob')}\n`);
    await fullPoll();
    await fullPoll();
    expect(await names()).toEqual(['Bob']);
    writeFileSync(copy, `${header('2024-05-01 11:00:00')}${connected('11:00:20', 'Cid')}\n`);
    await fullPoll();
    await append(connected('12:02:00', 'Cid'));
    expect(await names()).toEqual(['Bob', 'Cid']);
  });

  test('is read again after the time zone was corrected', async () => {
    writeFileSync(log, begin);
    await append(connected('12:00:10', 'Ann'));
    // Earlier by an hour.
    await db.updateTable('server').set({ timezone: 'Europe/London' }).execute();
    await recountServer(db, 's', 'Europe/London');
    expect(await stored()).toBeNull();
    await append(connected('12:01:00', 'Bob'));
    expect(await names()).toEqual(['Ann', 'Bob']);
    expect(await stored()).toMatchObject({ loggedAt: noon - 3_540_000, isComplete: true });
  });

  test('is not told of finished logs', async () => {
    writeFileSync(join(folder, 'a.ADM'), `${begin}${connected('12:00:10', 'Ann')}\n`);
    await importLogs(db, { serverId: 's', files: [join(folder, 'a.ADM')] });
    expect(await stored()).toBeNull();
  });

  test('is not complete after a gap that no list has interrupted, also in another process', async () => {
    writeFileSync(log, begin);
    await append(
      connected('12:00:10', 'Ann'),
      connected('12:00:20', 'Bob'),
      ...list('12:05:00', 'Ann', 'Bob'),
    );
    expect(await stored()).toMatchObject({ isComplete: true });
    restart();
    await append(connected('12:30:00', 'Cid'));
    expect(await names()).toEqual(['Cid']);
    expect(await stored()).toMatchObject({ isComplete: false });
    await append(...list('12:33:00', 'Ann', 'Cid'));
    expect(await names()).toEqual(['Ann', 'Cid']);
    expect(await stored()).toMatchObject({ isComplete: true });
  });

  test('keeps who was on once the log was emptied under the running game, and is not complete', async () => {
    writeFileSync(log, begin);
    await append(connected('12:00:10', 'Ann'), connected('12:00:20', 'Bob'));
    truncateSync(log);
    await poll();
    await append(left('12:02:00', 'Bob'), connected('12:02:10', 'Cid'));
    expect(await names()).toEqual(['Ann', 'Cid']);
    expect(await stored()).toMatchObject({ isComplete: false });
  });

  test('is gone with the server', async () => {
    writeFileSync(log, begin);
    await append(connected('12:00:10', 'Ann'));
    await renameServer(db, 's', 't');
    expect((await readRosters(db, ['s', 't'])).get('t')?.players.length).toBe(1);
    await forgetServer(db, 't');
    expect((await readRosters(db, ['s', 't'])).size).toBe(0);
  });

  test.each([1, 2])('is the same wherever the reading was interrupted (%i)', async (seed) => {
    const sample = sampleLogs('server-b').find((path) => path.includes('after_restart')) ?? '';
    const text = readFileSync(sample).subarray(0, 60_000);
    const random = seededRandom(seed);
    for (let at = 0; at < text.length;) {
      const next = at + 1 + Math.floor(random() * 6_000);
      appendFileSync(log, text.subarray(at, next));
      at = next;
      if (random() < 0.5) restart();
      await poll();
    }
    const followed = await stored();
    const other = await temporaryStore();
    await createSourceWatch(other, { clock }).followOn({
      servers: [{ id: 's', logs: folder }],
      banlists: [],
    });
    expect(followed?.players.length).toBeGreaterThan(40);
    const whole = (await readRosters(other, ['s'])).get('s');
    expect(followed).toEqual({ ...whole, asOf: expect.any(Number) as number });
  });
});

describe('the age of names', () => {
  test('is that of the last line where the log was not followed before', async () => {
    writeFileSync(log, `${begin}${connected('12:00:10', 'Ann')}\n`);
    clock.advance(3_600_000);
    await poll();
    expect(await stored()).toMatchObject({ asOf: noon + 10_000, pollEveryMs: 1_000 });
  });

  test('is that of the last line where a host hands the log over minutes late', async () => {
    writeFileSync(log, begin);
    await poll();
    clock.advance(14 * 60_000);
    await poll();
    await append(connected('12:00:10', 'Ann'));
    expect(await stored()).toMatchObject({ asOf: noon + 10_000 });
  });

  test('is that of the reading where lines came since the poll before, whatever zone the log is in', async () => {
    writeFileSync(log, begin);
    await poll();
    clock.advance(2 * 3_600_000);
    await poll();
    await append(connected('12:00:10', 'Ann'));
    expect(await stored()).toMatchObject({ asOf: clock.now(), loggedAt: noon + 10_000 });
  });

  test('is never in the future', async () => {
    writeFileSync(log, `${beginAgain}${connected('16:00:10', 'Ann')}\n`);
    await poll();
    expect(await stored()).toMatchObject({ asOf: clock.now() });
  });
});
