import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServiceUnreachableError } from '../../src/api/client-types.ts';
import { createHeldToken, type HeldTokenData, type HeldTokenStore } from '../../src/api/held-token.ts';
import { createTestClock, type TestClock } from '../harness/clock.ts';

const hour = 3_600_000;
let registration: Server;
let baseUrl: URL;
/** The next answers to registrations; the last one stays. */
let answers: { status?: number; body: unknown }[];
let registrations: number;
let clock: TestClock;

beforeEach(async () => {
  registrations = 0;
  clock = createTestClock();
  answers = [];
  registration = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') return void response.end();
    registrations += 1;
    const answer = answers[0] ?? { body: { token: `token-${registrations}`, expiresIn: 86_400 } };
    if (answers.length > 1) answers.shift();
    response.statusCode = answer.status ?? 200;
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => registration.listen(0, '127.0.0.1', resolve));
  baseUrl = new URL(`http://127.0.0.1:${(registration.address() as AddressInfo).port}/`);
});
afterEach(() => {
  registration.closeAllConnections();
  registration.close();
});

function hold(store?: HeldTokenStore) {
  const transport = { fetch, timeoutMs: 5_000 };
  const access = { baseUrl, applicationId: 'opa_1', secret: 'ops_1' };
  return createHeldToken({ ...access, transport, store, now: clock.now });
}

it('reads the kept token once for all who come first, and registers for none of them', async () => {
  const kept = { token: 'kept', expiresAt: clock.now() + 20 * hour };
  const held = hold({ load: async () => kept, save: async () => undefined });
  expect(await Promise.all([held.get(), held.get(), held.get()])).toEqual(['kept', 'kept', 'kept']);
  expect(registrations).toBe(0);
});

it('works with a store that fails, as if there were none', async () => {
  const fails = async (): Promise<never> => Promise.reject(new Error('disk I/O error'));
  const held = hold({ load: fails, save: fails });
  expect([await held.get(), await held.get()]).toEqual(['token-1', 'token-1']);
});

it('retries a failed renewal once a minute, and uses the token that still works meanwhile', async () => {
  const held = hold();
  await held.get();
  clock.advance(23.5 * hour);
  answers = [{ status: 500, body: { error: 'internal_error', message: 'm', requestId: 'r' } }];
  for (let call = 0; call < 10; call += 1) {
    expect(await held.get()).toBe('token-1');
    await expect.poll(() => registrations).toBeGreaterThan(1);
    // The failure is taken in by the time that a request of our own has gone the same way.
    await fetch(baseUrl).then((response) => response.text());
  }
  expect(registrations).toBe(2);
  clock.advance(60_000);
  answers = [];
  await held.get();
  await expect.poll(() => held.get()).toBe('token-3');
});

it('takes a token with scopes that this version does not know', async () => {
  const expiresAt = new Date(clock.now() + 24 * hour).toISOString();
  answers = [
    {
      body: { token: 'new', tokenType: 'Bearer', expiresIn: 86_400, expiresAt, scopes: ['clans:read'], x: 1 },
    },
  ];
  expect(await hold().get()).toBe('new');
});

it('goes by the time left, whatever the clock of the service says', async () => {
  answers = [
    { body: { token: 'one', expiresIn: 86_400, expiresAt: new Date(clock.now() - hour).toISOString() } },
  ];
  const held = hold();
  await held.get();
  clock.advance(22 * hour);
  expect(await held.get()).toBe('one');
  expect(registrations).toBe(1);
});

it('renews ahead of its end', async () => {
  const held = hold();
  expect(await held.get()).toBe('token-1');
  clock.advance(22 * hour);
  expect(await held.get()).toBe('token-1');
  expect(registrations).toBe(1);
  clock.advance(1.5 * hour);
  expect(await held.get()).toBe('token-1');
  await expect.poll(() => held.get()).toBe('token-2');
});

it('takes over a stored token for the time that is left', async () => {
  let stored: HeldTokenData | undefined;
  const store = { load: async () => stored, save: async (token: HeldTokenData) => void (stored = token) };
  await hold(store).get();
  clock.advance(10 * hour);
  const next = hold(store);
  expect(await next.get()).toBe('token-1');
  clock.advance(14 * hour);
  expect(await next.get()).toBe('token-2');
});

it.each([
  [{ tokenType: 'Bearer', expiresIn: 60 }],
  [{ token: 't' }],
  [{ token: 7, expiresIn: 60 }],
  [{ token: 't', expiresIn: 'soon', expiresAt: 'later' }],
  [[]],
])('says plainly that %j is no token', async (body) => {
  answers = [{ body }];
  await expect(hold().get()).rejects.toThrow(ServiceUnreachableError);
  await expect(hold().get()).rejects.toThrow(/without a token/);
});
