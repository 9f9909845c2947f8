import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { SimulatedAdminLog } from '../../src/demo/admin-log.ts';
import { startSimulatedGameServer } from '../../src/demo/game-server.ts';
import { community } from '../../src/demo/players.ts';
import { driftPlayers } from '../../src/demo/past.ts';
import { readLeaderboard } from '../../src/server/store/repositories/players/leaderboards.ts';
import { count } from '../independent-count.mjs';
import { temporaryFolder, temporaryStore } from '../server/ingest/fixture.ts';
import { importLogs } from '../harness/logs.ts';

const never = 2 ** 30;

/** An evening on a simulated server from 20:00 until after midnight in Berlin, with its log. */
async function evening() {
  const clock = { now: Date.parse('2026-03-01T19:00:00Z') };
  const now = () => clock.now;
  const server = await startSimulatedGameServer({
    name: 'S',
    map: 'chernarusplus',
    maxPlayers: 20,
    players: 0,
    now,
  });
  onTestFinished(() => server.close());
  const where = { map: 'chernarusplus', towns: ['Vybor', 'Gorka'], players: community().slice(0, 40) };
  const when = { timezone: 'Europe/Berlin', seed: 7, intervalMs: never, now };
  const options = { folder: temporaryFolder(), ...where, ...when };
  const log = new SimulatedAdminLog(server, options);
  const drift = driftPlayers(server, { seed: 7, intervalMs: never, share: () => 0.6 });
  onTestFinished(() => (log.stop(), drift.stop()));
  const began = clock.now;
  server.setPlayers(8);
  for (let step = 0; step < 2_000; step += 1) {
    clock.now += 8_000;
    if (step % 5 === 0) drift.step();
    log.step();
  }
  return { clock, began, server, log };
}

/** A store into which the log was imported, and what its boards say by name. */
async function boardsOf(file: string) {
  const db = await temporaryStore(['s'], 'Europe/Berlin');
  const report = await importLogs(db, { serverId: 's', files: [file] });
  const board = async (code: Parameters<typeof readLeaderboard>[2]) => {
    const { rows } = await readLeaderboard(db, 'p', code, 100);
    return new Map(rows.map(({ player, value }) => [player.name, value]));
  };
  return { report, board };
}

test('a simulated server writes a log of which every line is understood, through midnight', async () => {
  const { log, server, clock } = await evening();
  const { report } = await boardsOf(log.file);
  expect(report.failures).toEqual([]);
  expect(report).toMatchObject({ runs: { new: 1 }, unreadLines: 0 });
  expect(report.lines).toBeGreaterThan(2_000);
  const text = readFileSync(log.file, 'utf8');
  for (const event of [
    'is connected',
    'has been disconnected',
    'killed by Player',
    'hit by Infected',
    'PlayerList',
  ]) {
    expect(text).toContain(event);
  }
  // A last list names those whom the query counts.
  clock.now += 300_000;
  log.step();
  const lists = readFileSync(log.file, 'utf8').match(/PlayerList log: (\d+) players/g);
  expect(lists?.at(-1)).toBe(`PlayerList log: ${server.players} players`);
});

test('its kills and play times are counted, and agree with a count in another style', async () => {
  const { log, clock, began } = await evening();
  const kill = log.kill(777.25);
  const { board } = await boardsOf(log.file);
  expect((await board('LONGEST_KILL')).get(kill?.killer ?? '')).toBe(777.25);
  const text = readFileSync(log.file, 'utf8');
  const expected = [...count([{ name: 'DayZServer_x64.ADM', text }]).values()];
  for (const code of ['PLAYER_KILLS', 'DEATHS', 'PLAYTIME'] as const) {
    const values = expected.map((one) => one[code]).filter((value) => value > 0);
    expect([...(await board(code)).values()].toSorted(byValue)).toEqual(values.toSorted(byValue));
  }
  const longest = Math.max(...(await board('PLAYTIME')).values());
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThanOrEqual((clock.now - began) / 1_000);
});

const byValue = (a: number, b: number) => a - b;

test('whoever is connected has played as long as the query says', async () => {
  const { log, server, clock } = await evening();
  server.setPlayers(0);
  clock.now += 60_000;
  server.join();
  clock.now += 90_000;
  log.kill();
  server.leave();
  const { board } = await boardsOf(log.file);
  const text = readFileSync(log.file, 'utf8').trimEnd().split('\n').at(-1);
  expect(text).toContain('has been disconnected');
  const name = /"(.+?)"/.exec(text ?? '')?.[1] ?? '';
  expect((await board('PLAYTIME')).get(name)).toBeGreaterThanOrEqual(90);
});
