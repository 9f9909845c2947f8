import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Server } from '../../src/api/resources.ts';
import { PageEvents } from '../../src/page/events.ts';
import type { PageProject } from '../../src/page/project.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const now = Date.parse('2026-11-27T12:00:00Z');

test('a change reaches a thousand visitors in turns with other work, and nobody who left meanwhile', async () => {
  let players = 10;
  const listServers = async () => ({
    data: { servers: [{ id: 'a', status: 'ONLINE', players, maxPlayers: 60 } as Server] },
  });
  const project = { slug: 'northwood', client: { listServers } } as unknown as PageProject;
  const events = new PageEvents({
    players: false,
    projects: () => [project],
    revision: () => 0,
    onError: (error) => expect.fail(String(error)),
    monotonic: () => 0,
    now: () => now,
  });
  const request = { method: 'GET', params: {}, query: 'project=northwood', headers: {} };
  const told = Array.from({ length: 1_000 }, () => 0);
  const stops: ((() => void) | null | undefined)[] = [];
  let [inTurn, mostInTurn] = [0, 0];
  const open = async (index: number): Promise<void> => {
    stops[index] = await events.streams[0]?.open(request, () => {
      told[index] = (told[index] as number) + 1;
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      mostInTurn = Math.max(mostInTurn, (inTurn += 1));
      // One leaves before it is told of the change.
      if (told[0] === 2) stops[999]?.();
    });
  };
  for (const index of told.keys()) await open(index);
  await turn();
  mostInTurn = 0;

  players = 11;
  await vi.advanceTimersByTimeAsync(1_000);
  while (told[998] === 1) await turn();
  await turn();
  expect(told).toEqual([...told.slice(1).fill(2), 1]);
  expect(mostInTurn).toBeLessThan(100);
  events.stop();
});

test('a page is fetched anew when servers come, go, change their map or are no longer checked, and when its project does', async () => {
  let servers = ['a'];
  let map = 'enoch';
  let checkedAt = new Date(now).toISOString();
  let shown = true;
  const listServers = async () => ({
    data: {
      servers: servers.map(
        (id) => ({ id, status: 'ONLINE', map, players: 1, maxPlayers: 60, checkedAt }) as Server,
      ),
    },
  });
  const project = { slug: 'northwood', client: { listServers } } as unknown as PageProject;
  const events = new PageEvents({
    players: false,
    projects: () => (shown ? [project] : []),
    revision: () => 0,
    onError: (error) => expect.fail(String(error)),
    monotonic: () => 0,
    now: () => now,
  });
  onTestFinished(() => events.stop());
  let told: string[] = [];
  const request = { method: 'GET', params: {}, query: 'project=northwood', headers: {} };
  await events.streams[0]?.open(request, (text) => void told.push(/event: (\w+)/.exec(text)?.[1] ?? ''));
  const after = async (change: () => void): Promise<string[]> => {
    told = [];
    change();
    await vi.advanceTimersByTimeAsync(2_000);
    return told;
  };
  const anew = ['servers', 'boards'];
  expect(await after(() => (servers = ['a', 'b']))).toEqual(anew);
  expect(await after(() => undefined)).toEqual([]);
  expect(await after(() => (servers = ['b']))).toEqual(anew);
  expect(await after(() => (map = 'sakhal'))).toEqual(['boards']);
  expect(await after(() => (checkedAt = '2026-11-27T11:59:00.000Z'))).toEqual([]);
  expect(await after(() => (checkedAt = '2026-11-27T11:50:00.000Z'))).toEqual(['boards']);
  expect(await after(() => (shown = false))).toEqual(anew);
  expect(await after(() => (shown = true))).toEqual(anew);
});
