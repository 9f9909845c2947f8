import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RemotePlaces } from 'game-files';
import { seededRandom } from '../../../src/demo/random.ts';
import { logFormatsOf } from '../../../src/server/games/index.ts';
import { adminLog, formatOf } from 'dayz-files';
import type { SourceOutcome } from '../../../src/server/ingest/follower/polled-source.ts';
import { readRosters } from '../../../src/server/store/repositories/logs/rosters.ts';
import { count, nine } from '../../independent-count.mjs';
import { createTestClock } from '../../harness/clock.ts';
import { createSourceWatch, importLogs } from '../../harness/logs.ts';
import { type NitradoFault, startNitrado } from '../../../packages/game-files/test/servers/nitrado.ts';
import { consoleLog, consoleLogName, consolePlayers, type Platform } from './console-logs.ts';
import { contents, run, statsOf, temporaryFiles, temporaryFolder, temporaryStore } from './fixture.ts';

const platforms: readonly Platform[] = ['xbox', 'playstation'];
const starts = ['2026-11-20 18:00:01', '2026-11-20 22:00:03'];

const faults: readonly NitradoFault[] = ['cut', 'short', 'gone', 'wholeFile', 'nonsense', 'elsewhere'];

const logsOf = (platform: Platform) => {
  const random = seededRandom(platform.length);
  return starts.map((startedAt) => ({
    name: consoleLogName(platform, startedAt),
    text: consoleLog(platform, startedAt, random),
  }));
};

describe.each(platforms)('logs of a server on %s', (platform) => {
  const logs = logsOf(platform);

  test('are counted for every player, by the platform’s ids', async () => {
    const db = await temporaryStore();
    const files = temporaryFiles(Object.fromEntries(logs.map(({ name, text }) => [name, text])));
    const { failures, unreadLines } = await importLogs(db, { serverId: 's', files });
    expect(failures).toEqual([]);
    expect(unreadLines).toBe(0);
    const counted = nine(count(logs), new Map());
    expect(new Set(counted.keys())).toEqual(new Set(consolePlayers(platform).map(({ id }) => id)));
    for (const [id, figures] of counted) {
      const stats = await statsOf(db, id);
      expect(stats).toMatchObject({
        player_kills: figures.PLAYER_KILLS,
        deaths: figures.DEATHS,
        suicides: figures.SUICIDES,
        total_play_seconds: figures.PLAYTIME,
        longest_life_seconds: figures.LONGEST_LIFE,
      });
      expect(stats?.longest_hit_meters ?? 0).toBeCloseTo(figures.LONGEST_HIT ?? 0);
      expect(stats?.longest_kill_meters ?? 0).toBeCloseTo(figures.LONGEST_KILL ?? 0);
    }
    const names = await db.selectFrom('player').select(['name', 'steam_id64']).execute();
    expect(new Set(names.map(({ name }) => name))).toEqual(
      new Set(consolePlayers(platform).map(({ name }) => name)),
    );
    expect(names.every(({ steam_id64 }) => steam_id64 === null)).toBe(true);
    const name = logs[0]?.name ?? '';
    expect(formatOf(logFormatsOf('dayz'), name)).toBe(adminLog);
    expect(formatOf(logFormatsOf('dayz'), name.replace('.ADM', '.RPT'))).toBeNull();
  });

  describe('of a player who left with id=ERROR', () => {
    const [a, b] = consolePlayers(platform) as [{ name: string; id: string }, { name: string; id: string }];
    const nowhere = '<340282346638528859811704183484516925440.0, 3.40282e+38, 0.0>';
    const text = (other: string, left: string): string =>
      run(
        `12:00:10 | Player "${a.name}" (id=${a.id}) is connecting`,
        `12:00:20 | Player "${a.name}" (id=${a.id} pos=<1.0, 2.0, 3.0>) is connected`,
        `12:01:00 | Player "${other}"(id=${b.id}) is connected`,
        `12:05:10 | Player "${left}" (id=ERROR pos=${nowhere}) has been disconnected`,
        `12:29:10 | Player "${other}" (id=${b.id} pos=<1.0, 2.0, 3.0>) performed EmoteDance`,
      );

    const playedBy = async (log: string): Promise<unknown[]> => {
      const db = await temporaryStore();
      const { unreadLines } = await importLogs(db, {
        serverId: 's',
        files: temporaryFiles({ 'x.ADM': log }),
      });
      expect(unreadLines).toBe(0);
      return await Promise.all([a, b].map(async ({ id }) => (await statsOf(db, id))?.total_play_seconds));
    };

    test('end there', async () => {
      expect(await playedBy(text(b.name, a.name))).toEqual([290, 1690]);
    });

    test('go on where two have that name, or nobody has', async () => {
      expect(await playedBy(text(a.name, a.name))).toEqual([1730, 1690]);
      expect(await playedBy(text(b.name, 'Else'))).toEqual([1730, 1690]);
    });

    test('end there when they are followed, through restarts of Outpost, and the player is no longer online', async () => {
      const db = await temporaryStore();
      const folder = temporaryFolder();
      for (const line of text(b.name, a.name).split(/(?<=\n)/)) {
        appendFileSync(join(folder, consoleLogName(platform, '2024-05-01 12:00:00')), line);
        await createSourceWatch(db).importChanged({ servers: [{ id: 's', logs: folder }], banlists: [] });
      }
      expect(await statsOf(db, a.id)).toMatchObject({ total_play_seconds: 290 });
      const on = (await readRosters(db, ['s'])).get('s')?.players.map(([id]) => id);
      expect(on).toEqual([b.id]);
    });
  });

  test.each([
    ['with times in its listings', { hasTimes: true, isBroken: false }],
    ['without times in its listings', { hasTimes: false, isBroken: false }],
    ['over links that break, through restarts of Outpost', { hasTimes: false, isBroken: true }],
  ])('that Nitrado hands over in batches are counted once, %s', async (_, { hasTimes, isBroken }) => {
    const clock = createTestClock();
    const root = temporaryFolder();
    mkdirSync(join(root, 'config'));
    const nitrado = await startNitrado({ root, batches: true });
    onTestFinished(() => nitrado[Symbol.asyncDispose]());
    nitrado.hasTimes = hasTimes;
    const db = await temporaryStore();
    const remote = new RemotePlaces({ clock });
    onTestFinished(() => remote.close());
    const { serviceId, token, url } = nitrado;
    const sources = {
      servers: [{ id: 's', logs: 'config' }],
      banlists: [],
      places: new Map([['s', { type: 'nitrado' as const, serviceId, token, baseUrl: url }]]),
    };
    const errors: SourceOutcome[] = [];
    const startWatch = () =>
      createSourceWatch(db, {
        remote,
        clock,
        onOutcome: (outcome) => void (outcome.error !== undefined && errors.push(outcome)),
      });
    let watch = startWatch();
    const random = seededRandom(7);
    for (const { name, text } of logs) {
      const path = join(root, 'config', name);
      writeFileSync(path, '');
      for (let at = 0; at < text.length;) {
        const next = at + 1 + Math.floor(random() * 3_000);
        appendFileSync(path, text.slice(at, next));
        at = next;
        if (random() < 0.6) await nitrado.handOver();
        if (isBroken && random() < 0.5)
          nitrado.faults = [faults[Math.floor(random() * faults.length)] ?? 'cut'];
        if (isBroken && random() < 0.1) watch = startWatch();
        clock.advance(61_000);
        await (random() < 0.5 ? watch.importChanged(sources) : watch.followOn(sources));
      }
    }
    await nitrado.handOver();
    nitrado.faults = [];
    for (let poll = 0; poll < 8; poll += 1) {
      clock.advance(61_000);
      nitrado.beginHour();
      await watch.importChanged(sources);
    }
    expect(errors.length > 0).toBe(isBroken);
    const imported = await temporaryStore();
    const files = temporaryFiles(Object.fromEntries(logs.map((log) => [log.name, log.text])));
    await importLogs(imported, { serverId: 's', files });
    expect(await contents(db)).toEqual(await contents(imported));
  });

  test('that are more than Nitrado lets anyone read in an hour are read in the next', async () => {
    const clock = createTestClock();
    const root = temporaryFolder();
    mkdirSync(join(root, 'config'));
    const random = seededRandom(5);
    const days = Array.from({ length: 12 }, (_, day) => `2026-11-${10 + day} 18:00:01`);
    const files = days.map((startedAt) => {
      const path = join(root, 'config', consoleLogName(platform, startedAt));
      writeFileSync(path, consoleLog(platform, startedAt, random));
      return path;
    });
    const nitrado = await startNitrado({ root });
    onTestFinished(() => nitrado[Symbol.asyncDispose]());
    const db = await temporaryStore();
    const remote = new RemotePlaces({ clock });
    onTestFinished(() => remote.close());
    const { serviceId, token, url } = nitrado;
    const sources = {
      servers: [{ id: 's', logs: 'config' }],
      banlists: [],
      places: new Map([['s', { type: 'nitrado' as const, serviceId, token, baseUrl: url }]]),
    };
    const watch = createSourceWatch(db, { remote, clock });
    nitrado.remaining = 307;
    const [first] = await watch.importChanged(sources);
    expect(first?.error).toContain('limit of requests of 3000 an hour is spent');
    // Three of the finished logs, and the one that is being written.
    expect(first?.error?.match(/is spent/g)).toHaveLength(4);
    clock.advance(31 * 60_000);
    nitrado.beginHour();
    expect((await watch.importChanged(sources)).at(-1)).toMatchObject({ recovered: true });
    const imported = await temporaryStore();
    await importLogs(imported, { serverId: 's', files });
    expect(await contents(db)).toEqual(await contents(imported));
  });
});
