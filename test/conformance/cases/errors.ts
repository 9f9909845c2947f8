import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { scopes } from '../../../src/api/access.ts';
import { section, type ConformanceCase } from '../case.ts';
import { statusOf } from '../error-body.ts';
import type { Answer } from '../exchange.ts';
import { expectError, expectOk } from '../expectations.ts';
import { liveOperation } from '../operations.ts';
import type { ApplicationOptions, OwnService } from '../world/service.ts';
import { setOrder } from './states.ts';

const inErrors = section('spec §Errors');
const inBody = section('design §3 / Errors / body');
const inOrder = section('design §3 / Errors / order');
const inHttp = section('design §3 / Errors / plain HTTP');

/** The stages of design §3 in their order, and the error of each. */
const stages = [
  ['token', 'token_invalid'],
  ['User-Agent', 'user_agent_mismatch'],
  ['rate', 'rate_limited'],
  ['suspended', 'project_suspended'],
  ['scope', 'insufficient_scope'],
  ['plan', 'subscription_required'],
  ['parameters', 'invalid_parameters'],
  ['resource', 'not_found'],
  ['configured', 'data_source_not_configured'],
  ['live', 'live_source_unavailable'],
] as const;
type Fault = (typeof stages)[number][0];

/** Sends one request that has all these faults at once. */
async function commit(service: OwnService, faults: ReadonlySet<Fault>): Promise<Answer> {
  const onLive = faults.has('configured') || faults.has('live');
  const scope = onLive ? 'players:read' : 'schedules:read';
  const options: ApplicationOptions = {
    scopes: faults.has('scope') ? scopes.filter((held) => held !== scope) : scopes,
    ...(faults.has('rate') ? { requestsPerMinute: 1 } : {}),
  };
  await setOrder(service, {});
  const caller = await service.callerOf('order', options);
  if (faults.has('rate')) {
    const path = faults.has('scope') ? '/v1/project' : '/v1/servers';
    expectOk(await caller.get(path));
  }
  // Last of all, so that the requests before go through.
  if (faults.has('token')) await voidTokens(service, caller.id);
  await setOrder(service, {
    suspended: faults.has('suspended') ? 1 : 0,
    plan: faults.has('plan') ? 'FREE' : 'PRO',
  });
  if (faults.has('rate')) await service.shown();
  try {
    const server = faults.has('resource') ? 'nowhere' : faults.has('configured') ? 'order-2' : 'order-1';
    const path = `/v1/server/${server}/${onLive ? 'players/online' : 'schedules'}`;
    const query = faults.has('parameters') ? '?nonsense=1' : '';
    return await caller.get(path + query, faults.has('User-Agent') ? { 'User-Agent': 'other' } : {});
  } finally {
    await setOrder(service, {});
  }
}

/** What a rotation does to the tokens of an application. */
async function voidTokens(service: OwnService, id: string): Promise<void> {
  await service.db
    .updateTable('application')
    .set((column) => ({ generation: column('generation', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** No operation can have both: a server is unknown, without a query port, or dead; and the live list is in every plan. */
const excluded: readonly (readonly [Fault, Fault])[] = [
  ['resource', 'configured'],
  ['resource', 'live'],
  ['configured', 'live'],
  ['plan', 'configured'],
  ['plan', 'live'],
];
const pairs = stages.flatMap(([first, code], index) =>
  stages
    .slice(index + 1)
    .map(([second]) => [first, second, code] as const)
    .filter(([one, two]) => !excluded.some(([a, b]) => a === one && b === two)),
);

export const errorCases: ConformanceCase[] = [
  ...stages.map(([fault, code]) =>
    inErrors.own(`${statusOf[code]} ${code} when only ${fault} is at fault`, async (service) => {
      expectError(await commit(service, new Set([fault])), code);
    }),
  ),
  inErrors.any('401 token_missing when no token is sent', async (service) => {
    expectError(await service.send('/v1/project'), 'token_missing');
  }),
  inErrors.own('no fault, no error', async (service) => {
    expectOk(await commit(service, new Set()));
  }),
  inErrors.clock('503 says in whole seconds when to ask again', async (service) => {
    const { get } = await service.freshCaller();
    const answer = await get(`/v1/server/${service.fact('deadServer')}/players/online`);
    const { retryAfter } = expectError(answer, 'live_source_unavailable');
    assert.equal(answer.headers['retry-after'], String(retryAfter));
    assert.ok(retryAfter >= 1 && retryAfter <= 60);
  }),

  ...pairs.map(([first, second, code]) =>
    inOrder.own(`${first} before ${second}: ${code}`, async (service) => {
      expectError(await commit(service, new Set([first, second])), code);
    }),
  ),
  inOrder.own('everything wrong at once, then one fault fewer each time', async (service) => {
    const all: Fault[] = [
      'token',
      'User-Agent',
      'rate',
      'suspended',
      'scope',
      'plan',
      'parameters',
      'resource',
    ];
    for (const [index, fault] of all.entries()) {
      const code = stages.find(([name]) => name === fault)?.[1] ?? '';
      expectError(await commit(service, new Set(all.slice(index))), code);
    }
  }),
  inOrder.any('a path that leads nowhere answers 404 with and without a token', async (service) => {
    const { get } = await service.caller();
    for (const path of [
      '/v1/nothing',
      '/v1',
      '/v1/',
      '/v1/server',
      '/v1/server/',
      '/v1/player/',
      '/v1/banlists/x',
      '/v1/auth',
    ]) {
      expectError(await get(path), 'not_found');
      expectError(await service.send(path), 'not_found');
    }
  }),

  inBody.any(
    'error, message and requestId are in every error, and requestId is X-Request-Id',
    async (service) => {
      const { get } = await service.caller();
      for (const path of ['/v1/leaderboards?limit=0', '/v1/server/nowhere', '/v1/nothing']) {
        const { status, body, headers } = await get(path);
        assert.ok(status >= 400);
        assert.deepEqual(
          [typeof body.error, typeof body.message, body.requestId],
          ['string', 'string', headers['x-request-id']],
        );
      }
    },
  ),
  inBody.any('two requests have two ids', async (service) => {
    const { get } = await service.caller();
    const [first, second] = [await get('/v1/nothing'), await get('/v1/nothing')];
    assert.notEqual(first.body.requestId, second.body.requestId);
  }),
  inBody.any('details say where, which and what was expected', async (service) => {
    const { get } = await service.caller();
    const { details } = expectError(await get('/v1/leaderboards?limit=101'), 'invalid_parameters');
    assert.deepEqual(details, [{ in: 'query', path: 'limit', message: details[0].message }]);
    const inPath = expectError(await get('/v1/player/Ann'), 'invalid_parameters').details;
    assert.deepEqual([inPath[0].in, inPath[0].path], ['path', 'identifier']);
  }),
  inBody.any('path and query wrong at once: details name both', async (service) => {
    const { get } = await service.caller();
    const { details } = expectError(await get('/v1/player/Ann?nonsense=1'), 'invalid_parameters');
    const places = details.map((detail: { in: string }) => detail.in).toSorted();
    assert.deepEqual(places, ['path', 'query']);
  }),
  inBody.own('requiredPlan stands on a 402 only, requiredScope on a missing scope only', async (service) => {
    const plan = await commit(service, new Set<Fault>(['plan']));
    assert.deepEqual(Object.keys(plan.body).toSorted(), ['error', 'message', 'requestId', 'requiredPlan']);
    const scope = await commit(service, new Set<Fault>(['scope']));
    assert.deepEqual(Object.keys(scope.body).toSorted(), ['error', 'message', 'requestId', 'requiredScope']);
  }),
  inBody.own('retryAfter stands on a 429, and is the Retry-After header', async (service) => {
    const answer = await commit(service, new Set<Fault>(['rate']));
    assert.equal(answer.headers['retry-after'], String(answer.body.retryAfter));
  }),
  inBody.any('errors are not stored by caches', async (service) => {
    const { get } = await service.caller();
    assert.equal((await get('/v1/server/nowhere')).headers['cache-control'], 'no-store');
  }),
  inBody.own('what is in the request reaches no log as a secret', async (service) => {
    const { id, secret } = await service.application('northwood');
    const token = await service.register({ id, secret });
    const query = new URLSearchParams({ application_id: id, secret }).toString();
    await service.send(`/v1/auth/register?${query}`, { method: 'POST', headers: { 'User-Agent': id } });
    await service.send(`/v1/nothing?secret=${secret}&token=${token}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    await service.send(`/v1/player/${token}`, {
      headers: { Authorization: `Bearer ${token}`, 'User-Agent': id },
    });
    assert.ok(service.logged().includes('request'), 'expected an access log');
    for (const hidden of [secret, token]) assert.ok(!service.logged().includes(hidden));
  }),

  inHttp.any('percent-encoding that is none answers 400, in the path', async (service) => {
    const { get } = await service.caller();
    for (const path of ['/v1/server/%zz', '/v1/server/%', '/v1/player/%E0%A4%A']) {
      const { details } = expectError(await get(path), 'invalid_parameters');
      assert.equal(details[0].in, 'path');
    }
  }),
  inHttp.any('HEAD answers like GET, without a body', async (service) => {
    const { headers } = await service.caller();
    const got = await service.send('/v1/servers', { headers });
    const head = await service.send('/v1/servers', { method: 'HEAD', headers });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers['content-length'], got.headers['content-length']);
    assert.equal(head.headers['content-type'], got.headers['content-type']);
  }),
  inHttp.any('HEAD is held to the same access as GET', async (service) => {
    const { id, headers } = await service.caller();
    assert.equal((await service.send('/v1/servers', { method: 'HEAD' })).status, 401);
    const other = { ...headers, 'User-Agent': `${id}x` };
    assert.equal((await service.send('/v1/servers', { method: 'HEAD', headers: other })).status, 403);
  }),
  inHttp.any('a sane X-Request-Id comes back, so that a caller finds its requests again', async (service) => {
    const { headers } = await service.caller();
    const id = `check-${randomBytes(6).toString('hex')}`;
    const answer = await service.send('/v1/project', { headers: { ...headers, 'X-Request-Id': id } });
    assert.equal(answer.headers['x-request-id'], id);
  }),
  inHttp.any('a hostile X-Request-Id is replaced', async (service) => {
    const { headers } = await service.caller();
    for (const id of ['x'.repeat(300), '<script>', 'a b', 'a"b', '{}']) {
      const answer = await service.send('/v1/project', { headers: { ...headers, 'X-Request-Id': id } });
      assert.notEqual(answer.headers['x-request-id'], id);
    }
  }),
  inHttp.any('bodies are not guessed at by browsers', async (service) => {
    const { headers } = await (await service.caller()).get('/v1/project');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }),
  inHttp.any('a GET with a body answers like one without', async (service) => {
    const { headers } = await service.caller();
    expectOk(await service.send('/v1/project', { headers, body: '{"secret":1}' }));
    expectOk(
      await service.send(liveOperation.path(service).replace('/players/online', ''), { headers, body: 'x' }),
    );
  }),
];
