import { afterEach, beforeEach, expect, it } from 'vitest';
import { northwood } from '../../../harness/northwood.ts';
import { baseTime, startTestService, type Caller, type TestService } from '../../../harness/service.ts';

let service: TestService;
let caller: Caller;
beforeEach(async () => {
  service = await startTestService(northwood());
  caller = await service.caller('northwood');
});
afterEach(() => service.close());

async function statuses(times: number, path: string): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < times; index += 1) all.push((await caller.get(path)).status);
  return all;
}

it('admits 120 requests in any 60 seconds with one token, and not one more around the turn of a minute', async () => {
  expect(await statuses(60, '/v1/servers')).toEqual(Array(60).fill(200));
  service.clock.now = baseTime + 40_000;
  expect(await statuses(60, '/v1/servers')).toEqual(Array(60).fill(200));
  expect(await statuses(1, '/v1/servers')).toEqual([429]);
  service.clock.now = baseTime + 59_999;
  expect(await statuses(1, '/v1/servers')).toEqual([429]);
  service.clock.now = baseTime + 60_000;
  expect(await statuses(61, '/v1/servers')).toEqual([...Array(60).fill(200), 429]);
});

it('admits exactly 120 of 300 requests that arrive together', async () => {
  const answers = await Promise.all(Array.from({ length: 300 }, () => caller.get('/v1/servers')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(120);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(180);
});

it('says in whole seconds when to come back, in header and body', async () => {
  await statuses(120, '/v1/project');
  service.clock.now = baseTime + 10_500;
  const { status, headers, body } = await caller.get('/v1/project');
  expect([status, body.error, body.retryAfter, headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    50,
    '50',
  ]);
  expect(headers.get('ratelimit-policy')).toBe('"token";q=120;w=60');
  expect(headers.get('ratelimit')).toBe('"token";r=0;t=50');
});

it('says what is left with every answer', async () => {
  const first = await caller.get('/v1/project');
  expect(first.headers.get('ratelimit-policy')).toBe('"token";q=120;w=60');
  expect(first.headers.get('ratelimit')).toBe('"token";r=119;t=60');
  expect(first.headers.get('x-ratelimit-limit')).toBe('120');
  expect(first.headers.get('x-ratelimit-remaining')).toBe('119');
  expect(first.headers.get('x-ratelimit-reset')).toBe('60');
  const missing = await caller.get('/v1/server/nowhere');
  expect([missing.status, missing.headers.get('x-ratelimit-remaining')]).toEqual([404, '118']);
});

it('spends nothing on what is refused with 401 or 403', async () => {
  const scoped = await service.caller('northwood', { scopes: ['project:read'] });
  await scoped.get('/v1/servers');
  await scoped.get('/v1/project', { 'User-Agent': 'other' });
  await scoped.get('/v1/project', { Authorization: 'Bearer wrong' });
  expect((await scoped.get('/v1/project')).headers.get('x-ratelimit-remaining')).toBe('119');
});

it('counts each token by itself', async () => {
  await statuses(120, '/v1/project');
  const token = await service.register(caller);
  const { status } = await caller.get('/v1/project', { Authorization: `Bearer ${token}` });
  expect(status).toBe(200);
});

it('admits two live lists in any 30 seconds, whatever the server answers, and names that limit as the tightest', async () => {
  const live = '/v1/server/northwood-2/players/online';
  expect(await statuses(2, live)).toEqual([409, 409]);
  const third = await caller.get(live);
  expect([third.status, third.body.error, third.body.retryAfter]).toEqual([429, 'rate_limited', 30]);
  expect(third.headers.get('ratelimit-policy')).toBe('"token";q=120;w=60, "players";q=2;w=30');
  expect(third.headers.get('ratelimit')).toBe('"token";r=118;t=60, "players";r=0;t=30');
  expect(third.headers.get('x-ratelimit-limit')).toBe('2');
  expect((await caller.get('/v1/servers')).status).toBe(200);
  service.clock.now = baseTime + 30_000;
  expect((await caller.get(live)).status).toBe(409);
});

it('does not limit the bot of the same process', async () => {
  await service.db.updateTable('application').set({ embedded: 1 }).where('id', '=', caller.id).execute();
  expect(new Set(await statuses(300, '/v1/servers'))).toEqual(new Set([200]));
  await service.reconcile(northwood());
  expect(new Set(await statuses(10, '/v1/server/northwood-2/players/online'))).toEqual(new Set([409]));
});
