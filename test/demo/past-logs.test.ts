import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writePastLogs } from '../../src/demo/past-logs.ts';
import { community } from '../../src/demo/players.ts';
import { readLeaderboard } from '../../src/server/store/repositories/players/leaderboards.ts';
import { importLogs } from '../harness/logs.ts';
import { temporaryFolder, temporaryStore } from '../server/ingest/fixture.ts';

const until = Date.parse('2026-03-22T18:00:00Z');

/** Three weeks of a server, imported: what its boards say. */
async function weeks() {
  const folder = temporaryFolder();
  const where = { map: 'chernarusplus', towns: ['NW Airfield', 'Gorka'], timezone: 'Europe/Berlin' };
  writePastLogs({ folder, ...where, players: community(), maxPlayers: 60, seed: 7, until });
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
