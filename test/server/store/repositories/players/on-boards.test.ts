import { writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { metricCodes } from '../../../../../src/api/metrics.ts';
import { logMetrics } from '../../../../../src/api/log-metrics.ts';
import { addBan, liftBan } from '../../../../../src/server/ingest/bans/by-hand.ts';
import { importBanFile } from '../../../../../src/server/ingest/bans/import.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { readKillBoard } from '../../../../../src/server/store/repositories/kills/boards.ts';
import { findRecordShot } from '../../../../../src/server/store/repositories/kills/boards.ts';
import { readLeaderboard } from '../../../../../src/server/store/repositories/players/leaderboards.ts';
import {
  readFiguresBefore,
  readPeriodFigures,
  readRatioFigures,
  withPlayers,
} from '../../../../../src/server/store/repositories/players/period-boards.ts';
import { findPlayersByName } from '../../../../../src/server/store/repositories/players/player-profiles.ts';
import {
  readDeadliestWeapon,
  readLongestKills,
} from '../../../../../src/server/store/repositories/players/recap.ts';
import { readRanks } from '../../../../../src/server/store/repositories/players/standing.ts';
import { importLogs } from '../../../../harness/logs.ts';
import { idA, idB, idC, run, steamA, temporaryFiles, temporaryStore } from '../../../ingest/fixture.ts';

const readPeriodBoard = async (...args: Parameters<typeof readPeriodFigures>) =>
  await withPlayers(args[0], await readPeriodFigures(...args));
const readRatioBoard = async (...args: Parameters<typeof readRatioFigures>) =>
  await withPlayers(args[0], await readRatioFigures(...args));

const ids = { Ann: idA, Bob: idB, Cid: idC } as const;
type Name = keyof typeof ids;
let minute = 0;
const kills = (killer: Name, times: number, meters: number, weapon: string): string[] => {
  const victim: Name = killer === 'Cid' ? 'Bob' : 'Cid';
  return Array.from({ length: times }, () => {
    minute += 1;
    const time = `12:${String(minute).padStart(2, '0')}:00`;
    return `${time} | Player "${victim}" (DEAD) (id=${ids[victim]} pos=<1, 2, 3>) killed by Player "${killer}" (id=${ids[killer]} pos=<4, 5, 6>) with ${weapon} from ${meters} meters`;
  });
};

let db: Database;
/** Ann is first everywhere, with weapons and shots that beat all others; Bob is second. */
beforeEach(async () => {
  db = await temporaryStore();
  minute = 0;
  const lines = [
    ...kills('Ann', 12, 800, 'SVD'),
    ...kills('Bob', 11, 500, 'SVD'),
    ...kills('Cid', 10, 400, 'M4-A1'),
  ];
  const { failures } = await importLogs(db, {
    serverId: 's',
    files: temporaryFiles({ 'x.ADM': run(...lines) }),
  });
  expect(failures).toEqual([]);
});

const all = { from: 0, until: null };
const nameOf = async (playerId: number | undefined): Promise<string | null> =>
  (await withPlayers(db, playerId === undefined ? [] : [{ playerId, value: 0 }]))[0]?.player.name ?? null;
const idOf = async (name: string): Promise<number> =>
  (await db.selectFrom('player').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;

/** Who is first, wherever somebody is. */
async function firsts(): Promise<Record<string, string | null>> {
  const scope = { projectId: 'p', serverIds: ['s'], from: 0, until: Number.MAX_SAFE_INTEGER };
  const first = (rows: readonly { player: { name: string | null } }[]) => rows[0]?.player.name ?? null;
  const record = await findRecordShot(db, 's', 0);
  const [ofRecord] = await db.selectFrom('death').select('killer_id').where('id', '=', record).execute();
  return {
    leaderboard: first((await readLeaderboard(db, 'p', 'PLAYER_KILLS', 10)).rows),
    longest: first((await readLeaderboard(db, 'p', 'LONGEST_KILL', 10)).rows),
    ratio: first(await readRatioBoard(db, 'p', 10)),
    period: first(await readPeriodBoard(db, 'p', { metric: 'PLAYER_KILLS', ...all }, 10)),
    weapon: first(await readKillBoard(db, 'p', 'SVD', 10)),
    before: first((await readFiguresBefore(db, 'p', 'PLAYER_KILLS', 0, 10)) ?? []),
    recap: await nameOf((await readLongestKills(db, scope, 10))[0]?.playerId),
    record: await nameOf(ofRecord?.killer_id ?? undefined),
  };
}

async function everywhere(): Promise<Set<string | null>> {
  const rows = [
    ...(await Promise.all(metricCodes.map(async (code) => (await readLeaderboard(db, 'p', code, 25)).rows))),
    ...(await Promise.all(logMetrics.map((metric) => readPeriodBoard(db, 'p', { metric, ...all }, 25)))),
    await readRatioBoard(db, 'p', 25),
  ].flat();
  return new Set(rows.map(({ player }) => player.name));
}

const ann = { kind: 'steamId64', value: steamA } as const;
const ban = { listId: 'bans', player: ann, category: 'CHEATING', reason: 'aimbot' } as const;
const each = async (name: string | null) =>
  Object.fromEntries(Object.keys(await firsts()).map((key) => [key, name]));

/** Bans Ann and lifts the ban again. */
const ways: [string, () => Promise<{ lift: () => Promise<unknown> }>][] = [
  [
    'by hand',
    async () => {
      await addBan(db, { ...ban, expiresAt: null });
      return { lift: () => liftBan(db, { listId: 'bans', player: ann }) };
    },
  ],
  [
    'by a line of a ban file',
    async () => {
      const [file] = temporaryFiles({ 'ban.txt': `${steamA} // aimbot\n` }) as [string];
      const read = () => importBanFile(db, { listId: 'bans', file, format: 'dayz', origin: 'config' });
      await read();
      return {
        async lift() {
          writeFileSync(file, '');
          await read();
        },
      };
    },
  ],
  [
    'by name, as consoles ban',
    async () => {
      const [file] = temporaryFiles({ 'names.txt': 'aNN\n' }) as [string];
      const read = () => importBanFile(db, { listId: 'bans', file, format: 'nitrado', origin: 'config' });
      await read();
      return {
        async lift() {
          writeFileSync(file, '');
          await read();
        },
      };
    },
  ],
];
test.each(ways)(
  'who is banned for good %s is on no board and has no record, and is back when the ban is lifted',
  async (_, apply) => {
    expect(await firsts()).toEqual(await each('Ann'));
    const id = await idOf('Ann');
    expect(await readRanks(db, 'p', id, 100)).toMatchObject({ PLAYER_KILLS: 1, LONGEST_KILL: 1 });
    expect(await readRanks(db, 'p', await idOf('Bob'), 100)).toMatchObject({ PLAYER_KILLS: 2 });

    const { lift } = await apply();
    expect(await firsts()).toEqual(await each('Bob'));
    expect(await everywhere()).toEqual(new Set(['Bob', 'Cid']));
    expect(await readRanks(db, 'p', id, 100)).toEqual({});
    expect(await readRanks(db, 'p', await idOf('Bob'), 100)).toMatchObject({ PLAYER_KILLS: 1 });
    expect((await readLeaderboard(db, 'p', 'PLAYER_KILLS', 10)).rows).toMatchObject([
      { rank: 1 },
      { rank: 2 },
    ]);
    // Of SVD and M4-A1, 11 and 10 kills are left.
    const week = { projectId: 'p', serverIds: ['s'], from: 0, until: Number.MAX_SAFE_INTEGER };
    expect(await readDeadliestWeapon(db, week)).toEqual({ name: 'SVD', kills: 11 });
    // Who looks for the player still finds the player.
    expect((await findPlayersByName(db, 'p', 'Ann', 1))[0]?.player.stats.playerKills).toBe(12);

    await lift();
    expect(await firsts()).toEqual(await each('Ann'));
  },
);

const stays: [string, () => Promise<unknown>][] = [
  ['a ban with an end', () => addBan(db, { ...ban, expiresAt: Date.now() + 1e9 })],
  [
    'a ban of a list that is not in use',
    async () => {
      await addBan(db, { ...ban, expiresAt: null });
      await db.updateTable('ban_list').set({ active: 0 }).execute();
    },
  ],
  [
    'a ban where the config shows who is banned',
    async () => {
      await addBan(db, { ...ban, expiresAt: null });
      await db.updateTable('project').set({ hide_banned: 0 }).execute();
    },
  ],
  [
    'a ban of a list of another project',
    async () => {
      const other = { id: 'q', slug: 'q', name: 'Q', plan: 'PRO', suspended: 0, support: '{}', active: 1 };
      await db.insertInto('project').values(other).execute();
      await db.updateTable('ban_list').set({ project_id: 'q' }).execute();
      const [names] = temporaryFiles({ 'names.txt': 'Ann\n' }) as [string];
      await addBan(db, { ...ban, expiresAt: null });
      await importBanFile(db, { listId: 'bans', file: names, format: 'nitrado' });
    },
  ],
];
test.each(stays)('%s takes nobody off boards', async (_, apply) => {
  await apply();
  expect(await firsts()).toEqual(await each('Ann'));
});
