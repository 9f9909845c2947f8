import { GameDig } from 'gamedig';
import { afterEach, describe, expect, test } from 'vitest';
import { startSimulatedGameServer } from '../../src/demo/game-server.ts';
import type { GameServerOptions, SimulatedGameServer } from '../../src/demo/game-server.ts';
import { driftPlayers } from '../../src/demo/past.ts';

const open: SimulatedGameServer[] = [];

async function start(options: Partial<GameServerOptions> = {}): Promise<SimulatedGameServer> {
  const server = await startSimulatedGameServer({
    name: 'Northwood | Chernarus',
    map: 'chernarusplus',
    maxPlayers: 60,
    players: 12,
    ...options,
  });
  open.push(server);
  return server;
}

const query = (server: SimulatedGameServer) =>
  GameDig.query({
    type: 'dayz',
    host: '127.0.0.1',
    port: server.port,
    givenPortOnly: true,
    socketTimeout: 200,
    attemptTimeout: 800,
    maxRetries: 1,
  });

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

describe('a simulated DayZ server, asked by GameDig', () => {
  test("returns name, map, count, version and DayZ's keywords", async () => {
    const server = await start();
    server.queue = 3;
    const state = await query(server);
    expect(state).toMatchObject({
      name: 'Northwood | Chernarus',
      map: 'chernarusplus',
      numplayers: 12,
      maxplayers: 60,
      version: '1.28.160345',
      password: false,
    });
    expect(state.raw).toMatchObject({
      appId: 221100,
      queue: 3,
      time: '10:00',
      firstPerson: false,
      official: false,
      dayAcceleration: 5,
    });
    expect(state.raw).toHaveProperty('tags', expect.arrayContaining(['battleye']));
  });

  test('lists connected players without names, with the seconds they have been there', async () => {
    let time = 1_700_000_000_000;
    const server = await start({ players: 0, now: () => time });
    server.join();
    time += 90_000;
    server.join();
    const { players } = await query(server);
    expect(players).toHaveLength(2);
    expect(players.map((player) => [player.name, player.raw])).toEqual(
      expect.arrayContaining([
        ['', { score: 0, time: 90 }],
        ['', { score: 0, time: 0 }],
      ]),
    );
  });

  test('can list fewer players than it counts', async () => {
    const server = await start();
    server.listed = 4;
    const state = await query(server);
    expect([state.numplayers, state.players.length]).toEqual([12, 4]);
  });

  test('is away when it is offline, and unreadable when it answers garbage', async () => {
    const server = await start();
    server.isOnline = false;
    await expect(query(server)).rejects.toThrow('Failed all');
    server.isOnline = true;
    server.sendsGarbage = true;
    await expect(query(server)).rejects.toThrow('Failed all');
    server.sendsGarbage = false;
    await expect(query(server)).resolves.toMatchObject({ numplayers: 12 });
  });
});

test('the count drifts in the same way for the same seed and stays within the slots', async () => {
  const evening = async (seed: number): Promise<number[]> => {
    const server = await start({ maxPlayers: 20, players: 10 });
    const drift = driftPlayers(server, { seed, intervalMs: 1_000_000, share: () => 0.6 });
    const counts = Array.from({ length: 400 }, () => {
      drift.step();
      return server.players;
    });
    drift.stop();
    return counts;
  };
  const first = await evening(7);
  expect(await evening(7)).toEqual(first);
  expect(await evening(8)).not.toEqual(first);
  expect(Math.min(...first)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...first)).toBeLessThanOrEqual(20);
  expect(new Set(first).size).toBeGreaterThan(5);
});
