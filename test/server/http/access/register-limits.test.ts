import { afterEach, beforeEach, expect, it } from 'vitest';
import { addressGroup } from '../../../../src/server/http/connections/client-address.ts';
import { createLimiter } from '../../../../src/server/http/limits/limiter.ts';
import { northwood } from '../../../harness/northwood.ts';
import { startTestService, type Credentials, type TestService } from '../../../harness/service.ts';

let service: TestService;
let app: Credentials;
beforeEach(async () => {
  service = await startTestService(northwood(), { parts: { trustProxy: ['127.0.0.1'] } });
  app = await service.application('northwood');
});
afterEach(() => service.close());

async function attempt(address: string, { id, secret }: Credentials): Promise<number> {
  const { status } = await service.send('/v1/auth/register', {
    method: 'POST',
    headers: { 'User-Agent': id, 'X-Forwarded-For': address },
    body: JSON.stringify({ application_id: id, secret }),
  });
  return status;
}

it('refuses wrong secrets for an application after ten from one address, and lets the right one in everywhere', async () => {
  const wrong = { ...app, secret: 'ops_wrong' };
  for (let index = 0; index < 10; index += 1) expect(await attempt('203.0.113.9', wrong)).toBe(403);
  expect(await attempt('203.0.113.9', wrong)).toBe(429);
  expect(await attempt('203.0.113.10', wrong)).toBe(403);
  expect(await attempt('203.0.113.9', app)).toBe(200);
  expect(await attempt('203.0.113.10', app)).toBe(200);
});

it('counts a whole IPv6 network as one address', async () => {
  const wrong = { ...app, secret: 'ops_wrong' };
  for (let index = 0; index < 10; index += 1) await attempt(`2001:db8:0:1::${index}`, wrong);
  expect(await attempt('2001:db8:0:1:ffff::1', wrong)).toBe(429);
  expect(await attempt('2001:db8:0:2::1', wrong)).toBe(403);
  expect(addressGroup('2001:DB8::1')).toBe(addressGroup('2001:db8:0:0:5:6:7:8'));
});

it('lets a neighbour behind one address in, however many secrets others there got wrong', async () => {
  for (let index = 0; index < 70; index += 1) {
    const status = await attempt('203.0.113.9', { id: `app_${index}`, secret: 'ops_wrong' });
    expect(status).toBe(index < 60 ? 403 : 429);
  }
  expect(await attempt('203.0.113.9', app)).toBe(200);
});

it('admits exactly ten of fifty wrong secrets that arrive together', async () => {
  const wrong = { ...app, secret: 'ops_wrong' };
  const statuses = await Promise.all(Array.from({ length: 50 }, () => attempt('203.0.113.9', wrong)));
  expect(statuses.filter((status) => status === 403)).toHaveLength(10);
});

it('issues at most sixty tokens a minute to an application', async () => {
  const statuses = [];
  for (let index = 0; index < 61; index += 1) statuses.push(await attempt('203.0.113.9', app));
  expect(statuses).toEqual([...Array(60).fill(200), 429]);
});

it('gives an application the limit that the config names, and takes it back with the config', async () => {
  const caller = await service.caller('northwood');
  const limit = async (): Promise<string | null> =>
    (await caller.get('/v1/servers')).headers.get('x-ratelimit-limit');
  expect(await limit()).toBe('120');
  await service.reconcile(northwood({ applications: [{ id: caller.id, requestsPerMinute: 3 }] }));
  service.expire();
  expect([await limit(), await limit()]).toEqual(['3', '3']);
  // What was spent before stays spent.
  expect((await caller.get('/v1/servers')).status).toBe(429);
  await service.reconcile(northwood());
  service.expire();
  expect(await limit()).toBe('120');
});

it('remembers no key longer than its window, and no more strangers than it may', async () => {
  let now = 0;
  const policy = { name: 'p', quota: 120, windowSeconds: 60 };
  const limiter = createLimiter(() => now);
  for (let index = 0; index < 1_000; index += 1) await limiter.check(`checked ${index}`, [policy]);
  expect(limiter.size).toBe(0);
  for (let index = 0; index < 1_000; index += 1) await limiter.take(`taken ${index}`, [policy]);
  limiter.sweep();
  expect(limiter.size).toBe(1_000);
  now = 60_000;
  limiter.sweep();
  expect(limiter.size).toBe(0);
  const bounded = createLimiter(() => now, 10);
  for (let index = 0; index < 1_000; index += 1) await bounded.take(`stranger ${index}`, [policy]);
  expect(bounded.size).toBe(10);
});
