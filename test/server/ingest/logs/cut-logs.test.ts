import {
  appendFileSync,
  copyFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LocalFiles } from 'game-files';
import { seededRandom } from '../../../../src/demo/random.ts';
import type { MissingLines } from '../../../../src/server/store/repositories/logs/log-files.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { makeLog } from '../counting/made-log.ts';
import { contents, header, idA, idB, idC, temporaryFolder, temporaryStore } from '../fixture.ts';
import { createSourceWatch, importLogs, overviewOfSources } from '../../../harness/logs.ts';

// A tool copies the log and empties it (logrotate's copytruncate). The game does not notice: it writes on, and what follows
// has no header. Each situation says what counts as if it had been read whole, or which lines are missing.

const player = { A: idA, B: idB, C: idC };
type Name = keyof typeof player;
const on = (time: string, name: Name): string =>
  `${time} | Player "${name}"(id=${player[name]}) is connected\n`;
const off = (time: string, name: Name): string =>
  `${time} | Player "${name}"(id=${player[name]}) has been disconnected\n`;
const kill = (time: string, victim: Name, killer: Name, meters = 10.5): string =>
  `${time} | Player "${victim}" (DEAD) (id=${player[victim]} pos=<1, 2, 3>) killed by Player "${killer}" (id=${player[killer]} pos=<4, 5, 6>) with SVD from ${meters} meters \n`;

/** A run of A and B, in four parts. */
const run = [
  `${header('2024-05-01 12:00:00')}${on('12:00:10', 'A')}${on('12:01:00', 'B')}`,
  kill('12:05:00', 'A', 'B', 300) + on('12:06:00', 'A'),
  kill('12:10:00', 'B', 'A', 20) + on('12:11:00', 'B'),
  kill('12:15:00', 'A', 'B', 40) + off('12:20:00', 'B') + off('12:20:10', 'A'),
] as const;
const whole = run.join('');
/** A run of two days later, of other players and at the same time of day. */
const later = [
  `${header('2024-05-03 12:19:00')}${on('12:19:10', 'C')}`,
  kill('12:20:00', 'C', 'A', 77),
  on('12:21:00', 'C') + kill('12:22:00', 'C', 'A', 99) + off('12:30:00', 'A'),
] as const;
/** A run of more than a day, in four parts. */
const twoDays = [
  `${header('2024-05-01 22:00:00')}${on('22:10:00', 'A')}${on('22:20:00', 'B')}`,
  kill('22:30:00', 'A', 'B', 60) + off('09:00:00', 'A'),
  on('09:10:00', 'A') + kill('22:20:00', 'B', 'A', 70),
  kill('22:50:00', 'A', 'B', 80) + off('23:00:00', 'B'),
] as const;
const next = `${header('2024-05-04 12:00:00')}${on('12:00:10', 'C')}${off('12:40:00', 'C')}`;

/** A folder with the log of a game, and the service that follows it. */
class Place {
  readonly db: Database;
  readonly folder = temporaryFolder();
  readonly #log = join(this.folder, 'DayZServer_x64.ADM');
  #watch: ReturnType<typeof createSourceWatch> | null;
  remarks: string[] = [];

  constructor(db: Database) {
    this.db = db;
    this.#watch = createSourceWatch(db);
  }

  get sources() {
    return { servers: [{ id: 's', logs: this.folder }], banlists: [] };
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(text: string): void {
    appendFileSync(this.#log, text);
  }

  copy(name: string): void {
    copyFileSync(this.#log, this.path(name));
  }

  empty(): void {
    truncateSync(this.#log);
  }

  /** Copies the log and empties it. */
  cut(name: string): void {
    this.copy(name);
    this.empty();
  }

  /** The game starts again: it renames the log and writes to a new file. */
  rotate(name: string): void {
    renameSync(this.#log, this.path(name));
  }

  remove(name: string): void {
    rmSync(this.path(name));
  }

  stop(): void {
    this.#watch = null;
  }

  async poll(): Promise<void> {
    this.#watch ??= createSourceWatch(this.db);
    for (const { report } of await this.#watch.followOn(this.sources))
      this.remarks.push(...((report as { remarks?: string[] } | undefined)?.remarks ?? []));
  }

  /** Polls until finished files are closed and open sessions are counted. */
  async settle(): Promise<void> {
    for (let i = 0; i < 8; i++) await this.poll();
    this.#watch ??= createSourceWatch(this.db);
    await this.#watch.importChanged(this.sources);
  }

  async import(...names: string[]): Promise<string[]> {
    const { failures } = await importLogs(this.db, {
      serverId: 's',
      files: names.map((name) => this.path(name)),
    });
    return failures.map(({ message }) => message);
  }

  async overview() {
    const [overview] = await overviewOfSources(this.db, this.sources, new LocalFiles());
    return overview;
  }
}

interface Situation {
  play: (place: Place) => Promise<void>;
  /** Logs whose import counts the same. */
  counts: readonly string[];
  /** Lines that are not understood; default: none. */
  unread?: number;
  missing?: (MissingLines & { file: string })[];
  /** Whether the log counts nowhere at the end. */
  failing?: true;
}

const log = 'DayZServer_x64.ADM';
const situations: Record<string, Situation> = {
  'the service is up, and reads the copy and the rest': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.write(run[1]);
      place.cut('copy.ADM');
      place.write(run[2]);
      await place.poll();
      place.write(run[3]);
    },
    counts: [whole],
  },
  'the service is up, and polls the empty file before the game writes on': {
    async play(place) {
      place.write(run[0] + run[1]);
      await place.poll();
      place.cut('copy.ADM');
      await place.poll();
      place.write(run[2] + run[3]);
    },
    counts: [whole],
  },
  'the service is down, and the copy has lines that were never read': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.stop();
      place.write(run[1] + run[2]);
      place.cut('copy.ADM');
      place.write(run[3]);
    },
    counts: [whole],
  },
  'the log is cut inside a line, whose end is first in the emptied file': {
    async play(place) {
      const line = kill('12:14:00', 'B', 'A', 500);
      place.write(run[0]);
      await place.poll();
      place.write(run[1] + run[2] + line.slice(0, 90));
      place.cut('copy.ADM');
      place.write(line.slice(90));
      await place.poll();
      place.write(run[3]);
    },
    counts: [whole],
    unread: 1,
  },
  'the log is cut inside a line, and only the copy and the rest are read': {
    async play(place) {
      const line = kill('12:14:00', 'B', 'A', 500);
      place.write(run[0] + run[1] + run[2] + line.slice(0, 90));
      place.cut('copy.ADM');
      place.write(line.slice(90) + run[3]);
    },
    counts: [whole],
    unread: 1,
  },
  'the log is cut inside a line, of which the copy has enough to be taken for another one': {
    async play(place) {
      const line = kill('12:14:00', 'B', 'A', 500);
      place.write(run[0]);
      await place.poll();
      place.write(run[1] + run[2] + line.slice(0, line.indexOf('500') + 1));
      place.cut('copy.ADM');
      await place.poll();
      place.write(line.slice(line.indexOf('500') + 1) + run[3]);
    },
    counts: [whole],
    unread: 1,
  },
  'the same, and only the copy and the rest are read': {
    async play(place) {
      const line = kill('12:14:00', 'B', 'A', 500);
      place.write(run[0] + run[1] + run[2] + line.slice(0, line.indexOf('500') + 1));
      place.cut('copy.ADM');
      place.write(line.slice(line.indexOf('500') + 1) + run[3]);
    },
    counts: [whole],
    unread: 1,
  },
  'the log is cut inside an entry of a mod, whose lines have no time': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.write(`${run[1]}12:09:00 | [VPPAdminTools] Teleport\nfrom:`);
      place.cut('copy.ADM');
      place.write(` 1 2 3\nto: 4 5 6\nby: C\n${run[2]}`);
      await place.poll();
      place.write(run[3]);
    },
    counts: [whole],
    unread: 1,
  },
  'the log is cut just before the end of a line': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.write((run[1] + run[2]).trimEnd());
      place.cut('copy.ADM');
      place.write(`\n${run[3]}`);
    },
    counts: [whole],
  },
  'the log is cut twice between two polls': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.write(run[1]);
      place.cut('copy-1.ADM');
      place.write(run[2]);
      place.cut('copy-2.ADM');
      place.write(run[3]);
    },
    counts: [whole],
  },
  'the log is cut twice between two polls, after a first cut whose copy is gone': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.cut('copy-0.ADM');
      place.write(run[1].slice(0, run[1].indexOf('\n') + 1));
      await place.poll();
      place.remove('copy-0.ADM');
      place.write(run[1].slice(run[1].indexOf('\n') + 1));
      place.cut('copy-1.ADM');
      place.write(run[2]);
      place.cut('copy-2.ADM');
      place.write(run[3]);
    },
    counts: [whole],
  },
  'the log is cut and rotated while the service is down': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.stop();
      place.write(run[1]);
      place.cut('copy.ADM');
      place.write(run[2] + run[3]);
      place.rotate('DayZServer_x64_2024_05_01_120000000.ADM');
      place.write(next);
    },
    counts: [whole, next],
  },
  'the log is cut and rotated while the service is down, after a first cut whose copy is gone': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.cut('copy-0.ADM');
      place.write(run[1]);
      await place.poll();
      place.stop();
      place.remove('copy-0.ADM');
      place.write(run[2]);
      place.cut('copy-1.ADM');
      place.write(run[3]);
      place.rotate('DayZServer_x64_2024_05_01_120000000.ADM');
      place.write(next);
    },
    counts: [whole, next],
  },
  'another run was begun, copied and cut while the service is down': {
    async play(place) {
      place.write(whole);
      await place.poll();
      place.stop();
      place.rotate('old.ADM');
      place.write(later[0] + later[1]);
      place.cut('copy.ADM');
      place.write(later[2]);
    },
    counts: [whole, later.join('')],
  },
  'another run was begun in the same file, copied and cut while the service is down': {
    async play(place) {
      place.write(whole);
      await place.poll();
      place.stop();
      place.write(later[0] + later[1]);
      place.cut('copy.ADM');
      const { mtimeMs } = statSync(place.path('copy.ADM'));
      utimesSync(place.path('copy.ADM'), new Date(), new Date(mtimeMs - 60_000));
      place.write(later[2]);
    },
    counts: [whole, later.join('')],
  },
  'another run was begun, copied and cut while the service is down, and its copy is gone': {
    async play(place) {
      place.write(whole);
      await place.poll();
      place.stop();
      place.rotate('old.ADM');
      place.write(later[0] + later[1]);
      place.cut('copy.ADM');
      place.remove('copy.ADM');
      place.write(later[2]);
    },
    counts: [whole],
    missing: [{ file: log, bytes: later[2].length, from: '12:21:00', to: '12:30:00' }],
    failing: true,
  },
  'each of two runs is cut before any of them was read': {
    async play(place) {
      place.stop();
      place.write(run[0] + run[1]);
      place.cut('copy-1.ADM');
      place.write(run[2] + run[3] + later[0]);
      place.cut('copy-2.ADM');
      place.write(later[1] + later[2]);
    },
    counts: [whole, later.join('')],
  },
  'the copy is gone, and all before it was read': {
    async play(place) {
      place.write(run[0] + run[1]);
      await place.poll();
      place.empty();
      await place.poll();
      place.write(run[2] + run[3]);
    },
    counts: [whole],
    missing: [{ file: log, bytes: null, from: '12:06:00', to: '12:10:00' }],
  },
  'the copy is gone with lines that were never read': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.stop();
      place.write(run[1]);
      place.empty();
      place.write(run[2] + run[3]);
    },
    counts: [run[0] + run[2] + run[3]],
    missing: [{ file: log, bytes: null, from: '12:01:00', to: '12:10:00' }],
  },
  'the copy is there and was never read: all is read for the first time': {
    async play(place) {
      place.write(run[0] + run[1]);
      place.cut('copy.ADM');
      place.write(run[2] + run[3]);
    },
    counts: [whole],
  },
  'two copies and two rests of two days are read for the first time': {
    async play(place) {
      place.write(run[0] + run[1]);
      place.cut('copy-1.ADM');
      place.write(run[2] + run[3]);
      place.rotate('DayZServer_x64_2024_05_01_120000000.ADM');
      place.write(later[0]);
      place.cut('copy-2.ADM');
      place.write(later[1] + later[2]);
    },
    counts: [whole, later.join('')],
  },
  'a copy and the rest are imported, in any order': {
    async play(place) {
      place.stop();
      place.write(run[0]);
      place.cut('1.ADM');
      place.write(run[1] + run[2]);
      place.cut('2.ADM');
      place.write(run[3]);
      expect(await place.import(log, '2.ADM', '1.ADM')).toEqual([]);
      expect(await place.import('2.ADM', '1.ADM', log)).toEqual([]);
      place.remove(log);
      place.remove('1.ADM');
      place.remove('2.ADM');
    },
    counts: [whole],
  },
  'the rest is imported without its copy': {
    async play(place) {
      place.stop();
      place.write(run[2] + run[3]);
      place.rotate('rest.txt');
      expect(await place.import('rest.txt')).toEqual([
        expect.stringMatching(
          /rest\.txt: [0-9,]+ bytes from 12:10:00 to 12:20:10 are missing.*import it together/,
        ),
      ]);
    },
    counts: [],
  },
  'no run fits: the rest starts hours later, until the game starts again': {
    async play(place) {
      place.write(run[0]);
      await place.poll();
      place.stop();
      place.empty();
      place.write(kill('15:00:00', 'A', 'B') + off('15:10:00', 'B'));
      await place.settle();
      place.rotate('DayZServer_x64_2024_05_01_120000000.ADM');
      place.write(next);
    },
    counts: [run[0], next],
    missing: [
      {
        file: 'DayZServer_x64_2024_05_01_120000000.ADM',
        bytes: (kill('15:00:00', 'A', 'B') + off('15:10:00', 'B')).length,
        from: '15:00:00',
        to: '15:10:00',
      },
    ],
  },
  'no run fits: the rest starts earlier than the run ended': {
    async play(place) {
      place.write(whole);
      await place.poll();
      place.stop();
      place.empty();
      place.write(kill('12:10:00', 'A', 'B'));
    },
    counts: [whole],
    missing: [{ file: log, bytes: kill('12:10:00', 'A', 'B').length, from: '12:10:00', to: '12:10:00' }],
    failing: true,
  },
  'no run fits: the files were changed a day apart': {
    async play(place) {
      place.stop();
      place.write(run[0] + run[1]);
      place.cut('copy.ADM');
      const { mtimeMs } = statSync(place.path('copy.ADM'));
      utimesSync(place.path('copy.ADM'), new Date(), new Date(mtimeMs - 24 * 3_600_000));
      place.write(run[2]);
    },
    counts: [run[0] + run[1]],
    missing: [{ file: log, bytes: run[2].length, from: '12:10:00', to: '12:11:00' }],
    failing: true,
  },
  'the rest passes midnight': {
    async play(place) {
      place.write(`${header('2024-05-01 23:50:00')}${on('23:50:10', 'A')}`);
      await place.poll();
      place.write(on('23:55:00', 'B'));
      place.cut('copy.ADM');
      place.write(kill('00:01:00', 'A', 'B') + off('00:30:00', 'B'));
    },
    counts: [
      `${header('2024-05-01 23:50:00')}${on('23:50:10', 'A')}${on('23:55:00', 'B')}${kill('00:01:00', 'A', 'B')}${off('00:30:00', 'B')}`,
    ],
  },
  'the log is cut twice a day, and an earlier part of the run starts at nearly the same time of day as the rest':
    {
      async play(place) {
        for (const [i, part] of twoDays.slice(0, -1).entries()) {
          place.write(part);
          await place.poll();
          place.cut(`copy-${i}.ADM`);
          const at = new Date(Date.now() - (twoDays.length - 2 - i) * 11 * 3_600_000);
          utimesSync(place.path(`copy-${i}.ADM`), at, at);
          await place.poll();
        }
        place.remove('copy-0.ADM');
        place.write(twoDays.at(-1) ?? '');
      },
      counts: [twoDays.join('')],
    },
  'the rest begins after midnight, and the log is cut in the middle of an idle night': {
    async play(place) {
      place.write(`${header('2024-05-01 22:00:00')}${on('22:10:00', 'A')}${off('22:20:00', 'A')}`);
      await place.poll();
      place.cut('copy.ADM');
      await place.poll();
      place.write(on('06:00:00', 'A') + off('07:00:00', 'A'));
    },
    counts: [
      `${header('2024-05-01 22:00:00')}${on('22:10:00', 'A')}${off('22:20:00', 'A')}${on('06:00:00', 'A')}${off('07:00:00', 'A')}`,
    ],
  },
};

test.each(Object.entries(situations))(
  '%s',
  async (_, { play, counts, unread = 0, missing = [], failing }) => {
    const place = new Place(await temporaryStore());
    await play(place);
    await place.settle();
    expect(await figures(place.db)).toEqual(await figuresOf(counts));
    const overview = await place.overview();
    const found = overview?.logs?.missing.map(({ path, ...lines }) => ({
      file: path.split('/').at(-1),
      ...lines,
    }));
    expect(found).toEqual(missing);
    const headless = missing.filter(({ bytes }) => bytes !== null).length;
    if (headless === 0 && counts.length > 0) expect(await unreadIn(place.db)).toBe(unread);
    if (failing === undefined) expect(overview?.error ?? null).toSatisfy(isNoFault);
    else expect(overview?.error).toContain('starts without a header');
    // As after the next start of the service.
    place.stop();
    await place.settle();
    expect(await figures(place.db)).toEqual(await figuresOf(counts));
  },
);

test('a log that the game begins after one that counts nowhere counts at the next poll', async () => {
  const place = new Place(await temporaryStore());
  place.write(whole);
  await place.settle();
  place.rotate('old.ADM');
  place.write(kill('15:00:00', 'A', 'B') + off('15:10:00', 'B'));
  await place.poll();
  expect((await place.overview())?.error).toContain('starts without a header');
  place.rotate('headless.ADM');
  place.write(next);
  await place.poll();
  expect(await figures(place.db)).toEqual(await figuresOf([whole, next]));
});

test('an import of two runs, each of which was cut, misses nothing and counts each line once', async () => {
  const place = new Place(await temporaryStore());
  place.write(run[0] + '12:01:30 | of a mod\n' + run[1]);
  place.cut('copy-1.ADM');
  place.write(run[2] + run[3] + later[0]);
  place.cut('copy-2.ADM');
  place.write(later[1] + later[2]);
  const files = ['copy-1.ADM', 'copy-2.ADM', log].map((name) => place.path(name));
  const { failures, unreadLines, unreadKinds } = await importLogs(place.db, { serverId: 's', files });
  expect(failures).toEqual([]);
  expect([unreadLines, ...unreadKinds.map(({ lines }) => lines)]).toEqual([1, 1]);
  expect(await figures(place.db)).toEqual(await figuresOf([whole, later.join('')]));
});

const isNoFault = (error: string | null): boolean => error === null || /no longer contains/.test(error);

async function unreadIn(db: Database): Promise<number> {
  const rows = await db.selectFrom('log_run').select('unread_lines').execute();
  return rows.reduce((sum, { unread_lines }) => sum + unread_lines, 0);
}

/** Lines of a run of an hour: each ten seconds somebody comes, is killed or leaves. */
const longRun = [
  header('2024-05-01 12:00:00'),
  ...Array.from({ length: 360 }, (_, i) => {
    const time = `12:${String(Math.floor(i / 6)).padStart(2, '0')}:${i % 6}5`;
    const [one, two] = i % 2 === 0 ? (['A', 'B'] as const) : (['B', 'C'] as const);
    return [on(time, one), kill(time, one, two, 10 + i), off(time, two)][i % 3] ?? '';
  }),
];

test.each<[files: number, when: string, timesOf: (file: number, files: number) => number]>([
  [30, 'one after the other', (file) => file],
  [30, 'in the same second', () => 0],
  // Each has two lines that nearly fit before those of the file before it, since times may jitter.
  [60, 'in the same second', () => 0],
])('a run in %d files that nobody has read, changed %s', async (files, _, secondsOf) => {
  const place = new Place(await temporaryStore());
  place.stop();
  const each = Math.ceil(longRun.length / files);
  const names: string[] = [];
  for (let i = 0; i < files; i++) {
    place.write(longRun.slice(i * each, (i + 1) * each).join(''));
    names.push(i === files - 1 ? log : `copy-${i}.ADM`);
    if (i < files - 1) place.cut(`copy-${i}.ADM`);
  }
  const at = Date.now() / 1_000 - 600;
  names.forEach((name, i) =>
    utimesSync(place.path(name), at + secondsOf(i, files), at + secondsOf(i, files)),
  );
  await place.settle();
  expect(await figures(place.db)).toEqual(await figuresOf([longRun.join('')]));
});

test.each([1, 2, 3, 4, 5, 6])(
  'a log of many runs that is cut at random between polls at random (%i)',
  async (seed) => {
    const { text } = makeLog(seed, { age: 1.28, hours: 3 });
    const random = seededRandom(seed);
    const place = new Place(await temporaryStore());
    let copies = 0;
    for (const part of text.match(/(?:.*\n){1,40}/g) ?? []) {
      place.write(part);
      if (random() < 0.6) await place.poll();
      if (random() < 0.1) place.stop();
      // Later files have later times, however fast this is.
      if (random() < 0.3) {
        const name = `copy-${copies++}.ADM`;
        place.cut(name);
        const at = Date.now() / 1_000 - 600 + copies;
        utimesSync(place.path(name), at, at);
      }
    }
    await place.settle();
    expect(copies).toBeGreaterThan(5);
    expect(await figures(place.db)).toEqual(await figuresOf([text]));
  },
);

/** What logs count that were never cut. */
async function figuresOf(texts: readonly string[]): Promise<unknown> {
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

async function figures(db: Database): Promise<unknown> {
  const { stats, effects, deaths } = (await contents(db)) as Record<string, unknown>;
  return { stats, effects, deaths };
}
