import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { directPort, FileError, type Files, LocalFiles } from 'game-files';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import {
  contents,
  header,
  idA,
  idB,
  run,
  statsOf,
  steamA,
  steamB,
  temporaryFolder,
  temporaryStore,
} from '../fixture.ts';
import { createSourceWatch, importLogs, overviewOfSources } from '../../../harness/logs.ts';

let db: Database;
let folder: string;
beforeEach(async () => {
  db = await temporaryStore();
  folder = temporaryFolder();
});

const sources = () => ({ servers: [{ id: 's', logs: folder }], banlists: [] });
const at = (name: string): string => join(folder, name);
const night = (hour: number, name: string, steamId64: string): string =>
  ` ${hour}:10:00.824 Player "${name}" is connected (steamID=${steamId64})\n`;
const rpt = (...lines: string[]): string => `Current time:  2024/05/01 00:00:00\n${lines.join('')}`;
const died = run(
  `12:00:00 | Player "A"(id=${idA}) is connected`,
  `12:10:00 | Player "A" (DEAD) (id=${idA} pos=<1, 2, 3>) died. Stats> Water: 1 Energy: 2`,
);

/** As if each look were the first of a process: what was in memory is lost, as after a kill. */
async function lookAsNewProcess(): Promise<void> {
  await createSourceWatch(db).importChanged(sources());
}

/** As often as it takes for files to count as finished, in one process. */
async function lookOften(): Promise<void> {
  const watch = createSourceWatch(db);
  for (let i = 0; i < 8; i++) await watch.importChanged(sources());
}

/** Leaves a store as the version before would have: nobody has a SteamID64. */
async function loseIdentities(): Promise<void> {
  await db.updateTable('player').set({ steam_id64: null, battleye_guid: null }).execute();
  await db.updateTable('log_file').set({ identities_version: 1 }).execute();
}

/** Leaves a store as the version before would have: deaths were not understood. */
async function loseDeaths(): Promise<void> {
  await db.updateTable('log_run_player').set({ deaths: 0 }).execute();
  await db.updateTable('player_stats').set({ deaths: 0 }).execute();
  await db.updateTable('log_run').set({ counts_version: 1 }).execute();
  await db.updateTable('log_file').set({ counts_version: 1 }).execute();
}

const steamIds = async (): Promise<(string | null)[]> =>
  (await db.selectFrom('player').select('steam_id64').orderBy('steam_id64').execute()).map(
    ({ steam_id64 }) => steam_id64,
  );

const stale = async (): Promise<(number | undefined)[]> =>
  (await overviewOfSources(db, sources(), new LocalFiles())).map(({ logs }) => logs?.staleFiles);

describe('who is who, as far as an earlier version missed it', () => {
  test('is found in the files that are still there at the first start after the update', async () => {
    writeFileSync(at('a.ADM'), died);
    writeFileSync(at('old.RPT'), rpt(night(1, 'A', steamA)));
    writeFileSync(at('serverconsole.log'), night(2, 'B', steamB));
    await lookOften();
    const expected = await contents(db);
    await loseIdentities();
    expect(await stale()).toEqual([1, 2]);
    await lookAsNewProcess();
    expect(await steamIds()).toEqual([steamA, steamB]);
    expect(await contents(db)).toEqual(expected);
    expect(await stale()).toEqual([0, 0]);
  });

  test('is found in a log that is followed, and what comes meanwhile is read once', async () => {
    writeFileSync(at('a.ADM'), died);
    writeFileSync(at('open.RPT'), rpt(night(1, 'A', steamA)));
    await lookAsNewProcess();
    await loseIdentities();
    appendFileSync(at('open.RPT'), night(3, 'B', steamB));
    const watch = createSourceWatch(db);
    await watch.followOn(sources());
    appendFileSync(at('open.RPT'), night(5, 'A', steamA));
    await watch.followOn(sources());
    await watch.followOn(sources());
    expect(await steamIds()).toEqual([steamA, steamB]);
    const { lines } = await db
      .selectFrom('log_file')
      .select('lines')
      .where('path', '=', at('open.RPT'))
      .executeTakeFirstOrThrow();
    expect(lines).toBe(4);
    expect(await stale()).toEqual([0, 0]);
  });

  test('changes no figure, also where the log was cut or replaced since it was counted', async () => {
    const cot = `12:30:00 | [COT] ${steamA}: healed himself\n`;
    writeFileSync(at('a.ADM'), `${died}${cot}`);
    writeFileSync(at('b.ADM'), `${header('2024-05-02 12:00:00')}${cot}`);
    await lookOften();
    await loseIdentities();
    const figures = async () => {
      const { stats, runs, effects } = (await contents(db)) as Record<string, unknown>;
      return { stats, runs, effects };
    };
    const before = await figures();
    const file = await db.selectFrom('log_file').select(['stamp', 'path']).execute();
    // The finished one is cut after it was read, and nothing shows it: its size and time are those that were noted.
    writeFileSync(at('a.ADM'), `${header('2024-05-01 12:00:00')}${cot}`);
    for (const { path } of file.filter(({ path }) => path.endsWith('a.ADM'))) {
      const { size, mtimeMs } = (await import('node:fs')).statSync(path);
      await db
        .updateTable('log_file')
        .set({ stamp: `${size} ${mtimeMs}` })
        .where('path', '=', path)
        .execute();
    }
    await lookAsNewProcess();
    expect(await steamIds()).toContain(steamA);
    expect(await figures()).toEqual(before);
  });

  test('continues after a kill at any point, over more files than one poll reads', async () => {
    const people = Array.from({ length: 450 }, (_, i) => `7656119800000${String(i).padStart(4, '0')}`);
    for (const [i, steamId64] of people.entries()) {
      writeFileSync(
        at(`DayZServer_${String(i).padStart(3, '0')}.RPT`),
        rpt(night(i % 10, `P${i}`, steamId64)),
      );
    }
    await lookAsNewProcess();
    await loseIdentities();
    const left: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      await lookAsNewProcess();
      left.push(...(await stale()).slice(-1));
    }
    expect(left).toEqual([250, 50, 0, 0]);
    expect(await steamIds()).toEqual(people);
  });

  test('keeps what files gave that are gone', async () => {
    writeFileSync(at('a.ADM'), died);
    writeFileSync(at('old.RPT'), rpt(night(1, 'A', steamA)));
    writeFileSync(at('open.RPT'), rpt(night(2, 'B', steamB)));
    await lookOften();
    const before = await contents(db);
    await db.updateTable('log_file').set({ identities_version: 1 }).execute();
    rmSync(at('old.RPT'));
    await lookAsNewProcess();
    expect(await contents(db)).toEqual(before);
    expect(await stale()).toEqual([0, 0]);
  });
});

describe('figures that an earlier version missed', () => {
  test('are counted in logs that are finished and in the one that is followed', async () => {
    writeFileSync(at('old.ADM'), died);
    await lookOften();
    writeFileSync(at('open.ADM'), died.replaceAll('2024-05-01', '2024-05-02'));
    await lookOften();
    const expected = await contents(db);
    expect(await statsOf(db, idA)).toMatchObject({ deaths: 2, total_play_seconds: 1200 });
    await loseDeaths();
    await lookAsNewProcess();
    expect(await contents(db)).toEqual(expected);
    expect(await stale()).toEqual([0]);
    appendFileSync(at('open.ADM'), `12:20:00 | Player "B"(id=${idB}) is connected\n`);
    await lookOften();
    expect(await statsOf(db, idA)).toMatchObject({ deaths: 2, total_play_seconds: 1800 });
  });

  test('are counted once a host that went away meanwhile answers again', async () => {
    const days = ['01', '02', '03', '04', '05'];
    for (const day of days) writeFileSync(at(`${day}.ADM`), died.replaceAll('2024-05-01', `2024-05-${day}`));
    await lookOften();
    await loseDeaths();
    let isAway = true;
    const files: Files = {
      of: () => {
        const read: typeof directPort.read = async (path, ranges) => {
          if (isAway && !path.endsWith('05.ADM'))
            throw new FileError({ code: 'EREMOTE', message: 'no answer' });
          return await directPort.read(path, ranges);
        };
        return { ...directPort, read };
      },
    };
    const watch = createSourceWatch(db, { files });
    await watch.importChanged(sources());
    // That in the log which is followed.
    expect((await statsOf(db, idA))?.deaths).toBe(1);
    isAway = false;
    for (let i = 0; i < 3; i += 1) await watch.importChanged(sources());
    expect((await statsOf(db, idA))?.deaths).toBe(days.length);
    expect(await stale()).toEqual([0]);
  });

  test('stay as they are where only a shorter copy is left', async () => {
    writeFileSync(at('old.ADM'), died);
    writeFileSync(at('open.ADM'), died.replaceAll('2024-05-01', '2024-05-02'));
    await lookOften();
    await loseDeaths();
    const before = await contents(db);
    writeFileSync(at('old.ADM'), died.slice(0, -30));
    await lookOften();
    const { effects } = (await contents(db)) as { effects: string[] };
    expect(effects.filter((row) => row.includes('2024-05-01'))).toEqual(
      (before as { effects: string[] }).effects.filter((row) => row.includes('2024-05-01')),
    );
    expect(effects.filter((row) => row.includes('"deaths":1'))).toHaveLength(1);
  });

  test('are counted when the log is imported again by hand', async () => {
    writeFileSync(at('old.ADM'), died);
    await importLogs(db, { serverId: 's', files: [at('old.ADM')] });
    const expected = await contents(db);
    await loseDeaths();
    await importLogs(db, { serverId: 's', files: [at('old.ADM')] });
    expect(await contents(db)).toEqual(expected);
  });

  test('go on being counted in a log that was emptied under the running game and has no header', async () => {
    const lines = [
      `12:00:00 | Player "A"(id=${idA}) is connected\n`,
      `12:20:00 | Player "A"(id=${idA}) has been disconnected\n`,
    ] as const;
    writeFileSync(at('open.ADM'), run(lines[0].trim()));
    await lookAsNewProcess();
    writeFileSync(at('open.ADM'), `12:10:00 | ##### PlayerList log: 0 players\n`);
    await lookAsNewProcess();
    await db.updateTable('log_file').set({ counts_version: 1 }).execute();
    appendFileSync(at('open.ADM'), lines[1]);
    await lookAsNewProcess();
    expect(await statsOf(db, idA)).toMatchObject({ total_play_seconds: 1200 });
  });

  test('are counted once in a log that was renamed since', async () => {
    writeFileSync(at('old.ADM'), died);
    writeFileSync(at('open.ADM'), died.replaceAll('2024-05-01', '2024-05-02'));
    await lookOften();
    const expected = await contents(db);
    await loseDeaths();
    renameSync(at('old.ADM'), at('renamed.ADM'));
    await lookOften();
    expect(await contents(db)).toEqual(expected);
    expect(readFileSync(at('renamed.ADM'), 'utf8')).toBe(died);
  });
});
