import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  forged,
  hostileNames,
  linesAbout,
  madeUpName,
} from '../../../../packages/dayz-files/test/hostile-names.ts';
import { idA, idB, run, statsOf, temporaryFiles, temporaryFolder, temporaryStore } from '../fixture.ts';
import { createSourceWatch, importLogs } from '../../../harness/logs.ts';

describe('a name that imitates the log', () => {
  test('a log full of such names counts for those who bear them, through bytes and store', async () => {
    const names = fc
      .sample(madeUpName, { numRuns: 400, seed: 7 })
      .filter((text) => text.length <= 128 && !text.includes('\0'));
    const text = run(
      ...names.flatMap((a, i) => linesAbout(a, names.at(-i) ?? '').map(([line]) => `12:00:00 | ${line}`)),
    );
    const db = await temporaryStore();
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
    const players = await db.selectFrom('player').select('dayz_id').orderBy('dayz_id').execute();
    expect(players).toEqual([{ dayz_id: idA }, { dayz_id: idB }]);
    const aliases = (await db.selectFrom('player_alias').select('name').execute()).map((row) => row.name);
    const wellFormed = new Set(names.map((one) => Buffer.from(one).toString()));
    expect(aliases.filter((alias) => !wellFormed.has(alias))).toEqual([]);
  });

  test.each(hostileNames)('%s: kills, deaths and play time count', async (name) => {
    const mine = `(id=${idA} pos=<1, 2, 3>)`;
    const other = `Player "B" (id=${idB} pos=<4, 5, 6>)`;
    const tail = 'with SVD from 9 meters ';
    const text = run(
      `12:00:00 | Player "${name}"(id=${idA}) is connected`,
      `12:00:00 | Player "B"(id=${idB}) is connected`,
      `12:01:00 | Player "${name}" ${mine} performed EmoteDance`,
      `12:02:00 | ${other} killed by Player "${name}" ${mine} ${tail}`,
      `12:03:00 | Player "${name}" (DEAD) ${mine} killed by ${other} ${tail}`,
      `12:04:00 | Player "${name}"(id=${idA}) has been disconnected`,
    );
    const db = await temporaryStore();
    const files = temporaryFiles({ 'x.ADM': text });
    const { unreadLines } = await importLogs(db, { serverId: 's', files });
    expect(unreadLines).toBe(0);
    expect(await statsOf(db, idA)).toMatchObject({ player_kills: 1, deaths: 1, total_play_seconds: 240 });
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1, deaths: 1, total_play_seconds: 240 });
    expect(await statsOf(db, forged)).toBeUndefined();
    const players = await db.selectFrom('player').select('name').where('dayz_id', '=', idA).execute();
    expect(players).toEqual([{ name: name.trim() === '' ? null : name }]);
  });

  test('count on when Outpost restarts after each line', async () => {
    const name = 'X" (id=ERROR) killed by Player "';
    const mine = `Player "${name}" (id=${idA} pos=<1, 2, 3>)`;
    const other = `Player "B" (id=${idB} pos=<4, 5, 6>)`;
    const db = await temporaryStore();
    const folder = temporaryFolder();
    for (const lines of [
      run(`12:00:00 | Player "${name}"(id=${idA}) is connected`),
      `12:01:00 | ${mine} killed by ${other} with SVD from 9 meters \n`,
      `12:02:00 | ${other} killed by ${mine} with SVD from 9 meters \n`,
    ]) {
      appendFileSync(join(folder, 'DayZServer_x64.ADM'), lines);
      await createSourceWatch(db).followOn({ servers: [{ id: 's', logs: folder }], banlists: [] });
    }
    expect(await statsOf(db, idA)).toMatchObject({ player_kills: 1, deaths: 1 });
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1, deaths: 1 });
  });

  test('names reach the store as they are, cut to a bearable length', async () => {
    const db = await temporaryStore();
    const long = 'ß'.repeat(5000);
    const text = run(
      ...[...hostileNames, long].flatMap((name) => [
        `12:00:00 | Player "${name}" (id=${idA}) is connecting`,
        `12:00:00 | Player "${name}"(id=${idA}) is connected`,
      ]),
    );
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
    const names = (await db.selectFrom('player_alias').select('name').execute()).map((row) => row.name);
    expect(names).toEqual(expect.arrayContaining(hostileNames));
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(128);
    const players = await db.selectFrom('player').select('dayz_id').execute();
    expect(players).toEqual([{ dayz_id: idA }]);
  });
});
