import { afterEach, beforeEach, expect, it } from 'vitest';
import { northwood } from '../../harness/northwood.ts';
import { startTestService, type Caller, type TestService } from '../../harness/service.ts';
import { ask } from '../../harness/wire.ts';

let service: TestService;
let caller: Caller;
beforeEach(async () => {
  service = await startTestService(northwood());
  caller = await service.caller('northwood');
});
afterEach(() => service.close());

const names = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}`).join('&');
/** Of a body of JSON, and more than any answer to a bad request needs. */
const mostBytes = 4_000;

it('names ten unknown parameters of thousands, and says that there are more', async () => {
  const asked = { headers: { 'User-Agent': caller.id, Authorization: `Bearer ${caller.token}` } };
  for (const [path, method] of [
    ['/v1/auth/register', 'POST'],
    ['/v1/servers', 'GET'],
    ['/v1/leaderboards', 'GET'],
    ['/v1/banlists/northwood-bans/bans', 'GET'],
  ] as const) {
    const { status, body } = await ask(`${service.url}${path}?${names(2_500)}`, { method, ...asked });
    const error = JSON.parse(body.toString()) as { details: unknown[]; message: string };
    expect([status, error.details.length], path).toEqual([400, 10]);
    expect(error.details[9]).toEqual({ in: 'query', path: 'a9', message: 'unknown parameter' });
    expect(error.message).toMatch(/; and more\.$/);
    expect(body.length).toBeLessThan(mostBytes);
  }
});

it('names all of up to ten wrong parameters, and says nothing of more', async () => {
  const { body } = await caller.get(`/v1/servers?${names(10)}`);
  expect(body.details).toHaveLength(10);
  expect(body.message).not.toContain('more');
});

it('cuts the names and values that it repeats', async () => {
  const long = '%01'.repeat(4_000);
  const { status, body } = await ask(`${service.url}/v1/auth/register?${long}`, { method: 'POST' });
  expect(status).toBe(400);
  expect(body.length).toBeLessThan(mostBytes);
  const headers = { 'User-Agent': 'x'.repeat(8_000), Authorization: `Bearer ${caller.token}` };
  const mismatch = await ask(`${service.url}/v1/servers`, { headers });
  expect(mismatch.status).toBe(403);
  expect(mismatch.body.length).toBeLessThan(mostBytes);
});

it('refuses a parameter that is wrong however many stand before it', async () => {
  for (const query of [`limit=5${'&'.repeat(50)}unknown=1`, `${names(30)}&limit=5`, 'limit=5&'.repeat(30)]) {
    expect((await caller.get(`/v1/leaderboards?${query}`)).status, query).toBe(400);
  }
});

it('reads as many parameters as an operation has, in any order, with empty ones between them', async () => {
  const query = '&&limit=5&&metric=DEATHS&';
  expect((await caller.get(`/v1/leaderboards?${query}`)).status).toBe(200);
});
