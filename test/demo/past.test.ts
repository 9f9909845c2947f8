import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startServerWithPast } from '../../src/demo/past.ts';
import { community } from '../../src/demo/players.ts';
import { readLeaderboard } from '../../src/server/store/repositories/players/leaderboards.ts';
import { importLogs } from '../harness/logs.ts';
import { temporaryFolder, temporaryStore } from '../server/ingest/fixture.ts';

const end = Date.parse('2026-03-22T18:00:00Z');

/** Three weeks of a server, and the folder of its logs. */
async function play() {
  const folder = temporaryFolder();
  const where = {
    name: 'S',
    map: 'chernarusplus',
    towns: ['NW Airfield', 'Gorka'],
    timezone: 'Europe/Berlin',
  };
  const slots = { maxPlayers: 60, players: 37, restartHours: [2, 6, 10, 14, 18, 22] };
  const server = await startServerWithPast(
    { folder, ...where, ...slots, regulars: community(), seed: 7 },
    end,
  );
  onTestFinished(server.close);
  return { folder, ...server };
}

/** What the boards say when the logs are imported. */
async function weeks() {
  const { folder } = await play();
  const files = readdirSync(folder).map((name) => join(folder, name));
  const db = await temporaryStore(['s'], 'Europe/Berlin');
  const report = await importLogs(db, { serverId: 's', files });
  const board = async (code: Parameters<typeof readLeaderboard>[2]) =>
    (await readLeaderboard(db, 'p', code, 100)).rows;
  return { files, report, kills: await board('PLAYER_KILLS'), longest: await board('LONGEST_KILL') };
}

it('writes three weeks of hundreds of players, the same ones each time, of which every line is understood', async () => {
  const { files, report, kills, longest } = await weeks();
  expect(report).toMatchObject({ failures: [], unreadLines: 0, runs: { new: files.length } });
  expect(files.length).toBeGreaterThan(80);
  expect(kills).toHaveLength(100);
  expect(kills[0]!.value).toBeGreaterThan(kills[50]!.value * 2);
  // Whatever happens by itself while the demo runs is nearer.
  expect(longest[9]!.value).toBeGreaterThan(450);
  expect((await weeks()).kills).toEqual(kills);
});

it('knows how many were on the server, which is full in the evening and was away once', async () => {
  const { samples, gameServer } = await play();
  const counts = samples.flatMap(({ players }) => players ?? []);
  expect(counts.length).toBeLessThan(samples.length);
  expect(Math.max(...counts)).toBeGreaterThan(35);
  expect(gameServer.players).toBeGreaterThan(25);
});
