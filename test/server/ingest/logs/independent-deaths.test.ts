import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../src/demo/random.ts';
import type { Database } from '../../../../src/server/store/engine/database.ts';
import { deaths, type ToldDeath } from '../../../independent-count.mjs';
import { importLogs } from '../../../harness/logs.ts';
import { consoleLogName, type Platform } from '../console-logs.ts';
import { deathLog } from '../death-logs.ts';
import { readText, sampleLogs, sampleServers, temporaryFiles, temporaryStore } from '../fixture.ts';

async function storedDeaths(db: Database): Promise<ToldDeath[]> {
  const rows = await db
    .selectFrom('death')
    .innerJoin('log_run', 'log_run.id', 'death.run_id')
    .leftJoin('player as killer', 'killer.id', 'death.killer_id')
    .selectAll('death')
    .select(['log_run.header', 'killer.dayz_id as killer'])
    .execute();
  return rows.map((row) => ({
    run: row.header,
    victim: row.game_id,
    number: row.number,
    time: new Date(row.at).toISOString().slice(0, 19).replace('T', ' '),
    cause: row.cause,
    killer: row.killer,
    weapon: row.weapon,
    bodyPart: row.body_part,
    ammo: row.ammo,
    meters: row.meters,
    place: placeOf(row.victim_x, row.victim_z),
    killerPlace: placeOf(row.killer_x, row.killer_z),
  }));
}

const placeOf = (x: number | null, z: number | null): [number, number] | null =>
  x === null || z === null ? null : [x, z];

const inOrder = (all: readonly ToldDeath[]): string[] =>
  all.map((death) => `${key(death)} ${JSON.stringify(death, keys)}`).toSorted();
const keys = [
  'run',
  'victim',
  'number',
  'time',
  'cause',
  'killer',
  'weapon',
  'bodyPart',
  'ammo',
  'meters',
  'place',
  'killerPlace',
];
const key = ({ run, victim, number }: ToldDeath): string => `${run} ${victim} ${number}`;

async function expectAgreement(files: readonly string[]): Promise<ToldDeath[]> {
  const db = await temporaryStore();
  await db.updateTable('project').set({ kill_positions: 1 }).execute();
  const { failures } = await importLogs(db, { serverId: 's', files, beside: false });
  expect(failures).toEqual([]);
  const told = deaths(files.map((path) => ({ name: basename(path), text: readText(path) })));
  expect(inOrder(await storedDeaths(db))).toEqual(inOrder(told));
  return told;
}

describe('an independent reading agrees on who died when, where, of what and by whom', () => {
  test('in the samples', async () => {
    const told: ToldDeath[] = [];
    for (const server of sampleServers) told.push(...(await expectAgreement(sampleLogs(server))));
    expect(told.length).toBeGreaterThan(100);
    expect(told.filter(({ killer }) => killer !== null).length).toBeGreaterThan(50);
    expect(new Set(told.map(({ weapon }) => weapon)).size).toBeGreaterThan(20);
  });

  test.each<Platform>(['xbox', 'playstation'])('in logs of every form of death on %s', async (platform) => {
    const random = seededRandom(platform.length);
    const starts = ['2026-11-20 18:00:01', '2026-11-20 22:00:03', '2026-11-21 02:00:02'];
    const files = temporaryFiles(
      Object.fromEntries(
        starts.map((startedAt) => [
          consoleLogName(platform, startedAt),
          deathLog(platform, startedAt, random, 700),
        ]),
      ),
    );
    const told = await expectAgreement(files);
    expect(new Set(told.map(({ cause }) => cause))).toEqual(
      new Set(
        'player self suicide ai infected animal vehicle fall explosion trap drowned bled-out died other'.split(
          ' ',
        ),
      ),
    );
  });
});
