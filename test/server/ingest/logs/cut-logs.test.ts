import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../src/demo/random.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { createSourceWatch, importLogs } from '../../../harness/logs.ts';
import { makeLog } from '../counting/made-log.ts';
import { contents, header, idA, idB, idC, temporaryFolder, temporaryStore } from '../fixture.ts';

// A tool copies the log and empties it (logrotate's copytruncate). The game does not notice: it writes on, and what follows
// has no header. Kills, deaths and distances count as if the log had been read whole; time on the server within the cut is lost.

const player = { A: idA, B: idB, C: idC };
type Name = keyof typeof player;
const on = (time: string, name: Name): string =>
  `${time} | Player "${name}"(id=${player[name]}) is connected\n`;
const off = (time: string, name: Name): string =>
  `${time} | Player "${name}"(id=${player[name]}) has been disconnected\n`;
const kill = (time: string, victim: Name, killer: Name, meters = 10.5): string =>
  `${time} | Player "${victim}" (DEAD) (id=${player[victim]} pos=<1, 2, 3>) killed by Player "${killer}" (id=${player[killer]} pos=<4, 5, 6>) with SVD from ${meters} meters \n`;
const list = (time: string, ...names: Name[]): string =>
  [
    `##### PlayerList log: ${names.length} players`,
    ...names.map((name) => `Player "${name}" (id=${player[name]} pos=<1, 2, 3>)`),
    '#####',
  ]
    .map((line) => `${time} | ${line}\n`)
    .join('');

const day = '2024-05-01';
/** A run of A and B, in four parts. */
const run = [
  `${header(`${day} 12:00:00`)}${on('12:00:10', 'A')}${on('12:01:00', 'B')}`,
  kill('12:05:00', 'A', 'B', 300) + on('12:06:00', 'A'),
  list('12:08:00', 'A', 'B') + kill('12:10:00', 'B', 'A', 20) + on('12:11:00', 'B'),
  kill('12:15:00', 'A', 'B', 40) + off('12:20:00', 'B') + off('12:20:10', 'A'),
] as const;
const whole = run.join('');
const next = `${header('2024-05-02 12:00:00')}${on('12:00:10', 'C')}${off('12:40:00', 'C')}`;

/** A folder with the log of a game, and the service that follows it. */
class Folder {
  readonly db: Database;
  readonly folder = temporaryFolder();
  readonly log = join(this.folder, 'DayZServer_x64.ADM');
  #watch: ReturnType<typeof createSourceWatch> | null;
  #writtenAt = Date.parse(`${day}T12:00:00Z`);

  constructor(db: Database) {
    this.db = db;
    this.#watch = createSourceWatch(db);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** The game writes lines; the file's time is that of the last one. */
  write(text: string): void {
    for (const [, date, time] of text.matchAll(/^(?:AdminLog started on (\S+) at )?(\d\d:\d\d:\d\d)/gm)) {
      const midnight = Math.floor(this.#writtenAt / dayMs) * dayMs;
      const at = (date === undefined ? midnight : Date.parse(date)) + Date.parse(`1970-01-01T${time}Z`);
      this.#writtenAt = date === undefined && at < this.#writtenAt - dayMs / 2 ? at + dayMs : at;
    }
    appendFileSync(this.log, text);
    this.touch(this.log);
  }

  /** @param laterMs how much later than the last line */
  touch(path: string, laterMs = 0): void {
    utimesSync(path, new Date(), new Date(this.#writtenAt + laterMs));
  }

  copy(name: string): void {
    copyFileSync(this.log, this.path(name));
    this.touch(this.path(name));
  }

  empty(): void {
    truncateSync(this.log);
    this.touch(this.log);
  }

  /** Copies the log and empties it. */
  cut(name: string): void {
    this.copy(name);
    this.empty();
  }

  /** The game starts again: it renames the log and writes to a new file. */
  rotate(name: string): void {
    renameSync(this.log, this.path(name));
  }

  remove(name: string): void {
    rmSync(this.path(name));
  }

  stop(): void {
    this.#watch = null;
  }

  /** @param full whether every file is looked at, as once a minute */
  async poll(full = false): Promise<void> {
    this.#watch ??= createSourceWatch(this.db);
    const sources = { servers: [{ id: 's', logs: this.folder }], banlists: [] };
    await (full ? this.#watch.importChanged(sources) : this.#watch.followOn(sources));
  }

  /** Polls until finished files are closed and open sessions are counted. */
  async settle(): Promise<void> {
    for (let i = 0; i < 8; i++) await this.poll();
    await this.poll(true);
  }

  async import(...names: string[]): Promise<string[]> {
    const files = names.map((name) => this.path(name));
    const { failures } = await importLogs(this.db, { serverId: 's', files });
    return failures.map(({ message }) => message);
  }
}

const dayMs = 86_400_000;

interface Situation {
  play: (folder: Folder) => Promise<void>;
  /** Logs whose import counts the same but for time on the server; default: the whole run. */
  counts?: readonly string[];
  /** How much of that time is lost, seconds; default: some of the 20 minutes. */
  lostSeconds?: number;
}

const situations: Record<string, Situation> = {
  'the service is up, and reads the copy and the rest': {
    async play(folder) {
      folder.write(run[0]);
      await folder.poll();
      folder.write(run[1]);
      folder.cut('copy.ADM');
      folder.write(run[2]);
      await folder.poll();
      folder.write(run[3]);
    },
    // Two players for the two minutes between the copy's last line and the first of the rest.
    lostSeconds: 240,
  },
  'the service is up, and polls the empty file before the game writes on': {
    async play(folder) {
      folder.write(run[0] + run[1]);
      await folder.poll();
      folder.cut('copy.ADM');
      await folder.poll();
      folder.write(run[2] + run[3]);
    },
    lostSeconds: 240,
  },
  'the service is down, and the copy has lines that were never read': {
    async play(folder) {
      folder.write(run[0]);
      await folder.poll();
      folder.stop();
      folder.write(run[1] + run[2]);
      folder.cut('copy.ADM');
      folder.write(run[3]);
    },
  },
  'the copy is gone, and all before it was read': {
    async play(folder) {
      folder.write(run[0] + run[1]);
      await folder.poll();
      folder.empty();
      folder.write(run[2] + run[3]);
    },
    lostSeconds: 240,
  },
  'the copy is gone with lines that were never read': {
    async play(folder) {
      folder.write(run[0]);
      await folder.poll();
      folder.stop();
      folder.write(run[1]);
      folder.empty();
      folder.write(run[2] + run[3]);
    },
    counts: [run[0] + run[2] + run[3]],
  },
  'the rest begins with lines that name nobody': {
    async play(folder) {
      folder.write(run[0] + run[1]);
      folder.cut('copy.ADM');
      folder.write('12:07:00 | ##### PlayerList log: 0 players\n12:07:00 | #####\n');
      await folder.poll();
      folder.write(run[2] + run[3]);
    },
  },
  'the log is cut inside a line, whose end is first in the rest': {
    async play(folder) {
      const line = kill('12:14:00', 'B', 'A', 500);
      folder.write(run[0] + run[1] + run[2] + line.slice(0, 90));
      await folder.poll();
      folder.cut('copy.ADM');
      folder.write(line.slice(90));
      await folder.poll();
      folder.write(run[3]);
    },
  },
  'the log is cut twice between two polls': {
    async play(folder) {
      folder.write(run[0]);
      await folder.poll();
      folder.write(run[1]);
      folder.cut('copy-1.ADM');
      folder.write(run[2]);
      folder.cut('copy-2.ADM');
      folder.write(run[3]);
    },
  },
  'the log is cut and rotated while the service is down': {
    async play(folder) {
      folder.write(run[0]);
      await folder.poll();
      folder.stop();
      folder.write(run[1]);
      folder.cut('copy.ADM');
      folder.write(run[2] + run[3]);
      folder.rotate('DayZServer_x64_2024_05_01_120000000.ADM');
      folder.write(next);
    },
    counts: [whole, next],
  },
  'copies and rests are read for the first time': {
    async play(folder) {
      folder.write(run[0] + run[1]);
      folder.cut('copy-1.ADM');
      folder.write(run[2] + run[3] + next);
      folder.cut('copy-2.ADM');
    },
    counts: [whole, next],
  },
  'a copy of a rest has another time, by days': {
    async play(folder) {
      folder.write(run[0] + run[1]);
      folder.cut('copy-1.ADM');
      folder.write(run[2] + run[3]);
      await folder.settle();
      folder.copy('copy-2.ADM');
      folder.touch(folder.path('copy-2.ADM'), 3 * dayMs);
      // PowerShell writes UTF-16.
      writeFileSync(folder.path('copy-3.ADM'), utf16(readFileSync(folder.log, 'utf8')));
      folder.touch(folder.path('copy-3.ADM'), -5 * dayMs);
    },
  },
  'the rest passes midnight': {
    async play(folder) {
      folder.write(`${header(`${day} 22:00:00`)}${on('22:10:00', 'A')}${on('22:20:00', 'B')}`);
      folder.cut('copy.ADM');
      folder.write(kill('22:30:00', 'A', 'B', 60) + off('09:00:00', 'A') + on('09:10:00', 'A'));
      await folder.poll();
      folder.write(kill('22:20:00', 'B', 'A', 70) + kill('00:10:00', 'A', 'B', 80) + off('00:20:00', 'B'));
    },
    counts: [
      `${header(`${day} 22:00:00`)}${on('22:10:00', 'A')}${on('22:20:00', 'B')}` +
        `${kill('22:30:00', 'A', 'B', 60)}${off('09:00:00', 'A')}${on('09:10:00', 'A')}` +
        `${kill('22:20:00', 'B', 'A', 70)}${kill('00:10:00', 'A', 'B', 80)}${off('00:20:00', 'B')}`,
    ],
  },
  'a copy and the rests are imported, in any order': {
    async play(folder) {
      folder.write(run[0]);
      folder.cut('1.ADM');
      folder.write(run[1] + run[2]);
      folder.cut('2.ADM');
      folder.write(run[3]);
      folder.rotate('3.ADM');
      expect(await folder.import('3.ADM', '2.ADM', '1.ADM')).toEqual([]);
      folder.touch(folder.path('2.ADM'), 2 * dayMs);
      expect(await folder.import('2.ADM', '1.ADM', '3.ADM')).toEqual([]);
      for (const name of ['1.ADM', '2.ADM', '3.ADM']) folder.remove(name);
    },
  },
};

test.each(Object.entries(situations))('%s', async (_, { play, counts = [whole], lostSeconds }) => {
  const folder = new Folder(await temporaryStore());
  await play(folder);
  await folder.settle();
  const found = await figures(folder.db);
  const expected = await figuresOf(counts);
  expect(found.exact).toEqual(expected.exact);
  const lost = expected.playSeconds - found.playSeconds;
  if (lostSeconds !== undefined) expect(lost).toBe(lostSeconds);
  expect(lost).toBeGreaterThanOrEqual(0);
  // As after the next start of the service.
  folder.stop();
  await folder.settle();
  expect(await figures(folder.db)).toEqual(found);
});

test('two rests that begin at one local time, in an hour that autumn repeats, both count', async () => {
  const folder = new Folder(await temporaryStore(['s'], 'Europe/Berlin'));
  const { log } = folder;
  const write = async (text: string, at: string): Promise<void> => {
    appendFileSync(log, text);
    utimesSync(log, new Date(), new Date(`2024-10-27T${at}Z`));
    await folder.poll();
  };
  await write(`${header('2024-10-27 02:00:00')}${on('02:00:10', 'A')}${on('02:00:20', 'B')}`, '00:00:20');
  folder.cut('copy-1.ADM');
  // Lists come every five minutes.
  await write(list('02:35:00', 'A', 'B') + kill('02:36:00', 'A', 'B'), '00:36:00');
  folder.cut('copy-2.ADM');
  await write(list('02:35:00', 'B', 'A') + kill('02:37:00', 'B', 'A'), '01:37:00');
  await folder.settle();
  const kills = await folder.db.selectFrom('player_stats').select('player_kills').execute();
  expect(kills.map(({ player_kills }) => player_kills)).toEqual([1, 1]);
});

test.each([1, 2, 3, 4, 5, 6])(
  'a log of many runs that is cut at random, polled at random (%i)',
  async (seed) => {
    const text = makeLog(seed, { age: 1.28, hours: 3 });
    const random = seededRandom(seed);
    const folder = new Folder(await temporaryStore());
    let copies = 0;
    for (const part of text.match(/(?:.*\n){1,40}/g) ?? []) {
      folder.write(part);
      if (random() < 0.6) await folder.poll();
      if (random() < 0.1) folder.stop();
      if (random() < 0.3) folder.cut(`copy-${copies++}.ADM`);
    }
    await folder.settle();
    expect(copies).toBeGreaterThan(5);
    const [found, expected] = [await figures(folder.db), await figuresOf([text])];
    expect(found.exact).toEqual(expected.exact);
    expect(found.playSeconds).toBeLessThanOrEqual(expected.playSeconds);
    // At most five minutes until the next list, for each of those who are on.
    expect(found.playSeconds).toBeGreaterThan(expected.playSeconds * 0.8);
  },
);

/** What logs count that were never cut. */
async function figuresOf(texts: readonly string[]): ReturnType<typeof figures> {
  const db = await temporaryStore();
  const folder = temporaryFolder();
  const files = texts.map((text, i) => {
    const file = join(folder, `${i}.ADM`);
    writeFileSync(file, text);
    return file;
  });
  await importLogs(db, { serverId: 's', files });
  return await figures(db);
}

async function figures(db: Database): Promise<{ exact: unknown; playSeconds: number }> {
  const { deaths } = (await contents(db)) as { deaths: string[] };
  const stats = await db
    .selectFrom('player_stats')
    .innerJoin('player', 'player.id', 'player_stats.player_id')
    .select(['dayz_id', 'player_kills', 'deaths', 'suicides', 'longest_hit_meters', 'longest_kill_meters'])
    .orderBy('dayz_id')
    .execute();
  const exact = {
    players: stats,
    deaths: deaths
      .map((json) => {
        const { run: _, number: _number, ...death } = JSON.parse(json) as Record<string, unknown>;
        return JSON.stringify(death);
      })
      .toSorted(),
  };
  const played = await db.selectFrom('player_stats').select('total_play_seconds').execute();
  const playSeconds = played.reduce((sum, { total_play_seconds }) => sum + (total_play_seconds ?? 0), 0);
  return { exact, playSeconds };
}

const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
