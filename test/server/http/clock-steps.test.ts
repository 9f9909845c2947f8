import { afterEach, beforeEach, expect, it } from 'vitest';
import { northwood, storeBan } from '../../harness/northwood.ts';
import { startTestService, type Caller, type TestService } from '../../harness/service.ts';

const hour = 3_600_000;
const live = '/v1/server/northwood-1/players/online';
const reading = { map: null, players: 3, maxPlayers: 60, queue: null, listed: [] };

let service: TestService;
let caller: Caller;
/** How often the game server was asked. */
let queries: number;
beforeEach(async () => {
  queries = 0;
  service = await startTestService(northwood(), {
    query: async () => {
      queries += 1;
      return { ...reading, observedAt: service.clock.now };
    },
  });
  caller = await service.caller('northwood');
});
afterEach(() => service.close());

it.each([-24, -1, 1])(
  'gives a spent limit back in 60 s when the wall clock is set by %i h',
  async (hours) => {
    for (let request = 0; request < 120; request += 1) await caller.get('/v1/project');
    service.clock.now += 20_000;
    service.clock.step(hours * hour);
    const refused = await caller.get('/v1/project');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
    service.clock.now += 39_999;
    expect((await caller.get('/v1/project')).status).toBe(429);
    service.clock.now += 1;
    expect((await caller.get('/v1/project')).status).toBe(200);
  },
);

it.each([-24, -1, 1, 24])(
  'keeps the live list for five seconds when the wall clock is set by %i h',
  async (hours) => {
    await caller.get(live);
    service.clock.step(hours * hour);
    // A day ahead a new token is needed, and of lists each admits two.
    const second = await service.caller('northwood');
    expect((await second.get(live)).body.cached).toBe(true);
    service.clock.now += 5_000;
    const { body } = await second.get(live);
    expect(body).toMatchObject({ cached: false, observedAt: new Date(service.clock.now).toISOString() });
    expect(queries).toBe(2);
  },
);

it('ends tokens and bans by the wall clock, and goes back with it', async () => {
  const listed = async (): Promise<number> =>
    (await caller.get('/v1/banlists/northwood-bans/bans')).body.bans.length;
  await storeBan(service.db, 'northwood-bans', { key: 'brief', expiresAt: service.clock.now + 2 * hour });
  expect(await listed()).toBe(1);
  service.clock.step(3 * hour);
  service.expire();
  expect(await listed()).toBe(0);
  service.clock.step(-3 * hour);
  service.expire();
  expect(await listed()).toBe(1);
  service.clock.step(24 * hour);
  expect((await caller.get('/v1/project')).status).toBe(401);
  service.clock.step(-24 * hour);
  expect((await caller.get('/v1/project')).status).toBe(200);
});
