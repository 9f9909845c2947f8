import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Keyv } from 'keyv';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../../src/server/http/app.ts';
import { createSharedLimiter } from '../../../src/server/http/limits/shared-limiter.ts';
import {
  createTokenKey,
  createTokens,
  openGrants,
  type TokenGrant,
  type TokenKey,
} from '../../../src/server/http/access/tokens.ts';
import { createOnlineList } from '../../../src/server/live/online-list.ts';
import type { QueryServer } from '../../../src/server/live/query.ts';
import {
  rotateApplication,
  revokeApplication,
  saveRequestLimits,
} from '../../../src/server/store/repositories/applications/applications.ts';
import { openReader, openWriter } from '../../../src/server/store/engine/database.ts';
import { StoreUnavailable } from '../../../src/server/store/engine/error.ts';
import { StoreHealth } from '../../../src/server/store/engine/store-health.ts';
import { openValuesOf } from '../../harness/small-values.ts';
import { createLiveLists } from '../../../src/server/store/cluster/live-lists.ts';
import { createRequestLimits } from '../../../src/server/store/cluster/request-limits.ts';
import { createTestClock } from '../../harness/clock.ts';
import { startLink } from '../../harness/link.ts';
import { openNewDatabase, patient, type NewStore } from '../../harness/new-store.ts';
import { northwood } from '../../harness/northwood.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { reconcile } from '../../../src/server/store/repositories/projects/reconcile.ts';
import { createApplication } from '../../../src/server/store/repositories/applications/applications.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../../src/server/store/repositories/applications/credentials.ts';
import { scopes } from '../../../src/api/access.ts';

const log = pino({ level: 'silent' });
const closers: (() => Promise<unknown>)[] = [];
const time = createTestClock();
let store: NewStore;
let keyv: Keyv<TokenGrant>;
let tokenKey: TokenKey;

beforeEach(async () => {
  store = await openNewDatabase();
  await reconcile(store.db, configSchema.parse(northwood()));
  keyv = new Keyv<TokenGrant>();
  tokenKey = createTokenKey();
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await store.close();
});

const noQuery: QueryServer = () => Promise.reject(new Error('expected no query'));

/** A process with the service, on its own connections to the store. */
async function startProcess(
  query: QueryServer = noQuery,
  location = store.location,
  grants = keyv,
): Promise<string> {
  const health = new StoreHealth();
  const writer = await openWriter(location, { busyTimeoutMs: 10_000, limits: patient, health });
  const reader = openReader(location, health);
  if (writer.shared === undefined) throw new Error('expected PostgreSQL');
  const { unlocked } = writer.shared;
  const app: FastifyInstance = createApp({
    reader,
    sharedLimiter: createSharedLimiter(createRequestLimits(writer.shared), log),
    tokens: createTokens(grants, Date.now, tokenKey),
    online: createOnlineList(query, {
      shared: { lists: createLiveLists(unlocked), onlyListed: (online) => online },
    }),
    supportUrl: () => null,
    log,
    monotonic: time.monotonic,
    readiness: { store: () => health.isAvailable },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  closers.push(async () => {
    await app.close();
    await reader.close();
    await writer.close();
  });
  return url;
}

interface Caller {
  id: string;
  headers: Record<string, string>;
}

async function newCaller(url: string): Promise<Caller> {
  const id = newApplicationId();
  const secret = newSecret();
  const application = { id, projectSlug: 'northwood', name: 'test', secretHash: hashSecret(secret), scopes };
  await createApplication(store.db, application, Date.now());
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'User-Agent': id },
    body: JSON.stringify({ application_id: id, secret }),
  });
  const { token } = (await response.json()) as { token: string };
  return { id, headers: { Authorization: `Bearer ${token}`, 'User-Agent': id } };
}

const get = (url: string, path: string, { headers }: Caller): Promise<Response> =>
  fetch(url + path, { headers });
const statusOf = async (url: string, path: string, caller: Caller): Promise<number> =>
  (await get(url, path, caller)).status;

it('admits 120 of the requests that are dealt to four processes at random', async () => {
  const urls = await Promise.all([1, 2, 3, 4].map(() => startProcess()));
  const caller = await newCaller(urls[0] as string);
  const ask = () => statusOf(urls[Math.floor(Math.random() * urls.length)] as string, '/v1/project', caller);
  const statuses: number[] = [];
  // Not all at once: where few connections reach the store, the last would wait longer than a request may, and get 503.
  for (let round = 0; round < 6; round += 1)
    statuses.push(...(await Promise.all(Array.from({ length: 50 }, ask))));
  expect(statuses.filter((status) => status === 200)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(180);
});

it('refuses a token in any process within a second once its secret is rotated or revoked', async () => {
  const [one, other] = [await startProcess(), await startProcess()];
  for (const end of [
    (id: string) => rotateApplication(store.db, id, hashSecret(newSecret()), Date.now()),
    (id: string) => revokeApplication(store.db, id, Date.now()),
  ]) {
    const caller = await newCaller(one);
    for (const url of [one, other]) expect(await statusOf(url, '/v1/servers', caller)).toBe(200);
    await end(caller.id);
    time.advance(1_001);
    for (const url of [other, one]) expect(await statusOf(url, '/v1/servers', caller)).toBe(401);
  }
});

it('shows within a second in any process what another has changed, and applies new rights', async () => {
  const [one, other] = [await startProcess(), await startProcess()];
  const caller = await newCaller(one);
  const name = async (url: string): Promise<unknown> =>
    ((await (await get(url, '/v1/project', caller)).json()) as { project: { name: string } }).project.name;
  expect([await name(one), await name(other)]).toEqual(['Northwood', 'Northwood']);
  await store.db.updateTable('project').set({ name: 'Southwood' }).where('slug', '=', 'northwood').execute();
  time.advance(1_001);
  expect([await name(one), await name(other)]).toEqual(['Southwood', 'Southwood']);
  const grant = async (scope: string): Promise<unknown> =>
    await store.db
      .updateTable('application')
      .set({ scopes: JSON.stringify([scope]) })
      .where('id', '=', caller.id)
      .execute();
  await grant('servers:read');
  time.advance(1_001);
  for (const url of [one, other, one]) expect(await statusOf(url, '/v1/project', caller)).toBe(403);
  await grant('project:read');
  time.advance(1_001);
  for (const url of [one, other]) expect(await statusOf(url, '/v1/project', caller)).toBe(200);
  // A refusal with 403 does not count.
  const left = (await get(one, '/v1/project', caller)).headers.get('x-ratelimit-remaining');
  expect(left).toBe('113');
});

it('counts by a changed quota a second later', async () => {
  const urls = [await startProcess(), await startProcess()];
  const caller = await newCaller(urls[0] as string);
  const quotaOf = async (url: string): Promise<string | null> =>
    (await get(url, '/v1/project', caller)).headers.get('x-ratelimit-limit');
  for (const url of urls) expect(await quotaOf(url)).toBe('120');
  const { id: projectId } = await store.db.selectFrom('project').select('id').executeTakeFirstOrThrow();
  await saveRequestLimits(store.db, projectId, [{ id: caller.id, requestsPerMinute: 7 }]);
  time.advance(1_001);
  for (const url of urls) expect(await quotaOf(url)).toBe('7');
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => statusOf(urls[index % 2] as string, '/v1/project', caller)),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
});

it('answers 503 while the store is away, never without a limit, and 200 as soon as it is back', async () => {
  const target = new URL(store.location);
  await using link = await startLink(`http://${target.host}`);
  target.host = new URL(link.url).host;
  const url = await startProcess(noQuery, target.href);
  const caller = await newCaller(url);
  expect(await statusOf(url, '/v1/project', caller)).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);

  link.cut();
  const away = await Promise.all(Array.from({ length: 200 }, () => get(url, '/v1/project', caller)));
  expect(new Set(away.map(({ status }) => status))).toEqual(new Set([503]));
  expect(away[0]?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await away[0]?.json()).toMatchObject({ error: 'service_unavailable', retryAfter: 2 });
  expect((await fetch(`${url}/readyz`)).status).toBe(503);

  link.mend();
  await expect.poll(() => statusOf(url, '/v1/project', caller)).toBe(200);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
});

it('answers 503 to a token that it cannot look up, and to registrations, while the store is away', async () => {
  const target = new URL(store.location);
  await using link = await startLink(`http://${target.host}`);
  target.host = new URL(link.url).host;
  const small = await openValuesOf(target.href);
  closers.push(small.close);
  const url = await startProcess(noQuery, target.href, openGrants(small));
  const [known, unknown] = [
    await newCaller(url),
    await newCaller(await startProcess(noQuery, store.location, openGrants(small))),
  ];
  expect(await statusOf(url, '/v1/project', known)).toBe(200);

  link.cut();
  const register = async (): Promise<Response> =>
    await fetch(`${url}/v1/auth/register`, {
      method: 'POST',
      headers: { 'User-Agent': known.id },
      body: JSON.stringify({ application_id: known.id, secret: newSecret() }),
    });
  for (const ask of [
    () => get(url, '/v1/project', unknown),
    () => get(url, '/v1/project', known),
    register,
  ]) {
    const answer = await ask();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  }

  link.mend();
  await expect.poll(() => statusOf(url, '/v1/project', unknown)).toBe(200);
  // Its requests were not counted as those of a stranger with bad tokens.
  expect(await statusOf(url, '/v1/project', known)).toBe(200);
});

it('knows tokens in memory, and reads and issues no others, while the store is away', async () => {
  const target = new URL(store.location);
  await using link = await startLink(`http://${target.host}`);
  target.host = new URL(link.url).host;
  const small = await openValuesOf(target.href);
  closers.push(small.close);
  const tokens = createTokens(openGrants(small), Date.now, tokenKey);
  const { token } = await tokens.issue('app_x', 1);
  const { token: other } = await createTokens(openGrants(small), Date.now, tokenKey).issue('app_x', 1);

  link.cut();
  expect(await tokens.find(token)).toMatchObject({ grant: { applicationId: 'app_x' } });
  await expect(tokens.find(other)).rejects.toThrow(StoreUnavailable);
  await expect(tokens.issue('app_x', 1)).rejects.toThrow(StoreUnavailable);
  expect(tokens.size).toBe(1);
  link.mend();
  expect(await tokens.find(other)).toMatchObject({ grant: { applicationId: 'app_x' } });
});

it('queries a game server once for 500 askers at four processes', async () => {
  let queries = 0;
  const query: QueryServer = async () => {
    queries += 1;
    await delay(200);
    return {
      players: 1,
      listed: [{ steamId64: '76561198000000001', name: 'Ann' }],
      observedAt: Date.now(),
    } as unknown as Awaited<ReturnType<QueryServer>>;
  };
  const urls = await Promise.all([1, 2, 3, 4].map(() => startProcess(query)));
  const callers = await Promise.all(Array.from({ length: 10 }, () => newCaller(urls[0] as string)));
  // Without the limit of each token, whose requests are refused before the list is read.
  await store.db.updateTable('application').set({ embedded: 1 }).execute();
  const path = '/v1/server/northwood-1/players/online';
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      const answer = await get(urls[index % 4] as string, path, callers[index % 10] as Caller);
      return [answer.status, (await answer.json()) as { cached: boolean }] as const;
    }),
  );
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
  // On a busy machine the last of them ask when the list is old.
  expect(queries).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 5_000));
  expect(answers.filter(([, { cached }]) => !cached).length).toBeLessThan(500);
});

it('queries again when the process that claimed a query has ended, and when its answer is old', async () => {
  const { shared } = store;
  if (shared === undefined) throw new Error('expected PostgreSQL');
  const lists = createLiveLists(shared.unlocked);
  const pass = async (ms: number) =>
    await sql`
      UPDATE live_list SET claimed_at = claimed_at - ${ms}::bigint, answered_at = answered_at - ${ms}::bigint
    `.execute(shared.unlocked);
  const options = { target: 'a', freshMs: 60_000, patienceMs: 150_000 };
  expect(await lists.claim('s', options)).toEqual({ kind: 'claimed', claim: 1 });
  expect(await lists.claim('s', options)).toEqual({ kind: 'pending' });
  await pass(150_001);
  expect(await lists.claim('s', options)).toEqual({ kind: 'claimed', claim: 2 });
  // The first was only slow.
  await lists.save('s', 1, '"late"');
  expect(await lists.claim('s', options)).toEqual({ kind: 'pending' });
  await lists.save('s', 2, '"fresh"');
  await pass(30_000);
  const answered = await lists.claim('s', options);
  expect(answered).toEqual({ kind: 'answered', answer: '"fresh"', ageMs: expect.any(Number) });
  expect((answered as { ageMs: number }).ageMs).toBeGreaterThanOrEqual(30_000);
  expect(await lists.claim('s', { ...options, target: 'b' })).toEqual({ kind: 'claimed', claim: 3 });
  await lists.save('s', 3, '"b"');
  await pass(60_000);
  expect(await lists.claim('s', { ...options, target: 'b' })).toEqual({ kind: 'claimed', claim: 4 });
  await pass(60_001);
  await lists.sweep();
  expect(await lists.claim('s', { ...options, target: 'b' })).toEqual({ kind: 'claimed', claim: 1 });
});
