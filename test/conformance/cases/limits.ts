import assert from 'node:assert/strict';
import { section, type ConformanceCase } from '../case.ts';
import type { Answer } from '../exchange.ts';
import { expectError, expectOk } from '../expectations.ts';
import { dataOperations } from '../operations.ts';
import type { Caller } from '../world/service.ts';

const inRate = section('spec §Limits / Request rate');
const inOnline = section('spec §Limits / Online players rate');
const inHeaders = section('design §3 / Limits / headers');
const inSpending = section('design §3 / Limits / what is counted');

const live = '/v1/server/northwood-2/players/online';
const tokenPolicy = '"token";q=120;w=60';

const many = async (caller: Caller, times: number, path = '/v1/servers'): Promise<number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) statuses.push((await caller.get(path)).status);
  return statuses;
};
const times = (count: number, status = 200): number[] => Array.from({ length: count }, () => status);
const remaining = ({ headers }: Answer): number =>
  Number(/"token";r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);

/** The least and greatest of what is admitted in a window, as the specification counts: by every window there is. */
class Window {
  readonly quota: number;
  readonly windowMs: number;
  #admitted: number[] = [];

  constructor(quota: number, windowSeconds: number) {
    this.quota = quota;
    this.windowMs = windowSeconds * 1_000;
  }

  remaining(now: number): number {
    this.#admitted = this.#admitted.filter((at) => at > now - this.windowMs);
    return this.quota - this.#admitted.length;
  }

  admit(now: number): void {
    this.#admitted.push(now);
  }

  /** Seconds until a request is given back. */
  reset(now: number): number {
    const [oldest] = this.#admitted;
    return Math.ceil((oldest === undefined ? this.windowMs : oldest + this.windowMs - now) / 1_000);
  }
}

/** A generator whose sequence is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const limitCases: ConformanceCase[] = [
  inRate.own('the 120th request of a minute is answered, the 121st refused', async (service) => {
    const caller = await service.freshCaller();
    const answers = await Promise.all(Array.from({ length: 121 }, () => caller.get('/v1/project')));
    assert.equal(answers.filter(({ status }) => status === 200).length, 120);
    assert.equal(answers.filter(({ status }) => status === 429).length, 1);
  }),
  inRate.clock('120 in any 60 seconds, not per calendar minute', async (service) => {
    const caller = await service.freshCaller();
    const from = service.clock.now;
    assert.deepEqual(await many(caller, 60), times(60));
    service.clock.now = from + 40_000;
    assert.deepEqual(await many(caller, 61), [...times(60), 429]);
    service.clock.now = from + 59_999;
    assert.deepEqual(await many(caller, 1), [429]);
    service.clock.now = from + 60_000;
    assert.deepEqual(await many(caller, 61), [...times(60), 429]);
    service.clock.now = from + 100_000;
    assert.deepEqual(await many(caller, 61), [...times(60), 429]);
  }),
  inRate.clock('1,000 requests at once: exactly 120 are answered', async (service) => {
    const caller = await service.freshCaller();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => caller.get('/v1/project')));
    assert.equal(answers.filter(({ status }) => status === 200).length, 120);
    assert.equal(answers.filter(({ status }) => status === 429).length, 880);
  }),
  inRate.clock('counts every operation together', async (service) => {
    const caller = await service.freshCaller();
    const left: number[] = [];
    for (const operation of dataOperations) left.push(remaining(await caller.get(operation.path(service))));
    assert.deepEqual(
      left,
      dataOperations.map((_, index) => 119 - index),
    );
  }),
  inRate.clock('is per bearer token: another token of the same application has its own', async (service) => {
    const caller = await service.freshCaller();
    assert.deepEqual(await many(caller, 121), [...times(120), 429]);
    const token = await service.register(caller);
    expectOk(await caller.get('/v1/project', { Authorization: `Bearer ${token}` }));
    expectError(await caller.get('/v1/project'), 'rate_limited');
  }),
  ...dataOperations.map(({ name, path }) =>
    inRate.own(`${name} answers 429 to a token that has spent its requests`, async (service) => {
      const caller = await service.callerOf('northwood', { requestsPerMinute: 1 });
      await caller.get('/v1/project');
      const answer = await caller.get(path(service));
      expectError(answer, 'rate_limited');
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    }),
  ),
  inRate.own('an application may carry another figure, smaller or greater', async (service) => {
    const small = await service.callerOf('northwood', { requestsPerMinute: 3 });
    assert.deepEqual(await many(small, 5), [...times(3), 429, 429]);
    const great = await service.callerOf('northwood', { requestsPerMinute: 200 });
    const answers = await Promise.all(Array.from({ length: 205 }, () => great.get('/v1/project')));
    assert.equal(answers.filter(({ status }) => status === 200).length, 200);
    assert.match(answers[0]?.headers['ratelimit-policy'] ?? '', /^"token";q=200;w=60/);
  }),
  inRate.clock(
    'Retry-After is the time after which a request goes through, to the second',
    async (service) => {
      const caller = await service.freshCaller();
      await many(caller, 120);
      service.clock.now += 10_500;
      const { retryAfter } = expectError(await caller.get('/v1/project'), 'rate_limited');
      assert.equal(retryAfter, 50);
      service.clock.now += 49_000;
      expectError(await caller.get('/v1/project'), 'rate_limited');
      service.clock.now += 1_000;
      expectOk(await caller.get('/v1/project'));
    },
  ),

  inOnline.clock('2 in any 30 seconds, then 429, then again', async (service) => {
    const caller = await service.freshCaller();
    const from = service.clock.now;
    assert.deepEqual(await many(caller, 1, live), [409]);
    service.clock.now = from + 20_000;
    assert.deepEqual(await many(caller, 2, live), [409, 429]);
    service.clock.now = from + 29_999;
    assert.deepEqual(await many(caller, 1, live), [429]);
    service.clock.now = from + 30_000;
    assert.deepEqual(await many(caller, 2, live), [409, 429]);
    service.clock.now = from + 50_000;
    assert.deepEqual(await many(caller, 2, live), [409, 429]);
  }),
  inOnline.any('the third within 30 seconds answers 429 with Retry-After', async (service) => {
    const caller = await service.freshCaller();
    const path = `/v1/server/${service.fact('server')}/players/online`;
    for (let index = 0; index < 2; index += 1) assert.notEqual((await caller.get(path)).status, 429);
    const answer = await caller.get(path);
    const { retryAfter } = expectError(answer, 'rate_limited');
    assert.ok(retryAfter >= 1 && retryAfter <= 30, `got ${retryAfter}`);
    assert.equal(answer.headers['retry-after'], String(retryAfter));
  }),
  inOnline.clock('counts over all servers together, and not for other operations', async (service) => {
    const caller = await service.freshCaller();
    await caller.get('/v1/server/northwood-1/players/online');
    await caller.get(live);
    expectError(await caller.get('/v1/server/nowhere/players/online'), 'rate_limited');
    expectOk(await caller.get('/v1/server/northwood-1'));
  }),
  inOnline.clock('is counted before the cache: a cached answer counts too', async (service) => {
    const caller = await service.freshCaller();
    const path = '/v1/server/northwood-1/players/online';
    await caller.get(path);
    assert.equal(expectOk(await caller.get(path)).cached, true);
    expectError(await caller.get(path), 'rate_limited');
  }),
  inOnline.clock(
    'stands in addition to the general limit: both are spent, and either refuses',
    async (service) => {
      const caller = await service.freshCaller();
      assert.equal(remaining(await caller.get(live)), 119);
      await many(caller, 119);
      const { retryAfter } = expectError(await caller.get(live), 'rate_limited');
      assert.equal(retryAfter, 60);
    },
  ),
  inOnline.clock('a request that it refuses spends nothing of the general limit', async (service) => {
    const caller = await service.freshCaller();
    await many(caller, 2, live);
    for (let index = 0; index < 5; index += 1) assert.equal(remaining(await caller.get(live)), 118);
    assert.equal(remaining(await caller.get('/v1/project')), 117);
  }),
  inOnline.clock('is per token', async (service) => {
    const [first, second] = [await service.freshCaller(), await service.freshCaller()];
    assert.deepEqual(await many(first, 3, live), [409, 409, 429]);
    assert.deepEqual(await many(second, 3, live), [409, 409, 429]);
  }),

  ...dataOperations.map(({ name, path }) =>
    inHeaders.any(
      `${name} carries RateLimit-Policy, RateLimit and X-RateLimit-Limit, -Remaining, -Reset`,
      async (service) => {
        const { headers } = await (await service.freshCaller()).get(path(service));
        const isLive = name.endsWith('/players/online');
        assert.match(
          headers['ratelimit-policy'] ?? '',
          isLive ? /^"token";q=\d+;w=60, "players";q=2;w=30$/ : /^"token";q=\d+;w=60$/,
        );
        assert.match(
          headers['ratelimit'] ?? '',
          isLive ? /^"token";r=\d+;t=\d+, "players";r=1;t=30$/ : /^"token";r=\d+;t=\d+$/,
        );
        for (const part of ['limit', 'remaining', 'reset'])
          assert.match(headers[`x-ratelimit-${part}`] ?? '', /^\d+$/);
        if (isLive)
          assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], ['2', '1']);
      },
    ),
  ),
  inHeaders.clock('a fresh token has 119 left after its first request, for 60 seconds', async (service) => {
    const { headers } = await (await service.freshCaller()).get('/v1/project');
    assert.equal(headers['ratelimit-policy'], tokenPolicy);
    assert.equal(headers['ratelimit'], '"token";r=119;t=60');
    assert.deepEqual(
      [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']],
      ['120', '119', '60'],
    );
  }),
  inHeaders.clock('a 429 carries them too, with nothing left', async (service) => {
    const caller = await service.freshCaller();
    await many(caller, 120);
    const answer = await caller.get('/v1/project');
    expectError(answer, 'rate_limited');
    assert.equal(answer.headers['ratelimit'], '"token";r=0;t=60');
    assert.equal(answer.headers['x-ratelimit-remaining'], '0');
  }),
  inHeaders.clock('400, 404, 409, 423 and 402 carry them too', async (service) => {
    const caller = await service.freshCaller();
    const paths = ['/v1/leaderboards?limit=0', '/v1/server/nowhere', live];
    for (const path of paths)
      assert.match((await caller.get(path)).headers['ratelimit-policy'] ?? '', /^"token"/);
    const free = await service.callerOf('freehold');
    const refused = await free.get('/v1/leaderboards');
    expectError(refused, 'subscription_required');
    assert.match(refused.headers['ratelimit'] ?? '', /^"token";r=119/);
  }),
  inHeaders.clock('add up over 400 requests at odd times, as every window says', async (service) => {
    const caller = await service.freshCaller();
    const random = seeded(20_260_301);
    const token = new Window(120, 60);
    const players = new Window(2, 30);
    let refused = 0;
    for (let index = 0; index < 400; index += 1) {
      service.clock.now += Math.floor(random() ** 9 * 3_000);
      const now = service.clock.now;
      const onLive = random() < 0.05;
      const policies = onLive ? [token, players] : [token];
      const admitted = policies.every((policy) => policy.remaining(now) > 0);
      if (admitted) for (const policy of policies) policy.admit(now);
      else refused += 1;
      const { status, headers } = await caller.get(onLive ? live : '/v1/project');
      assert.equal(
        status === 429,
        !admitted,
        `request ${index}: expected ${admitted ? 'an answer' : '429'}, got ${status}`,
      );
      const expected = policies.map((policy) => `r=${policy.remaining(now)};t=${policy.reset(now)}`);
      const names = onLive ? ['"token"', '"players"'] : ['"token"'];
      assert.equal(
        headers['ratelimit'],
        names.map((name, at) => `${name};${expected[at]}`).join(', '),
        `request ${index}`,
      );
      const left = Math.min(...policies.map((policy) => policy.remaining(now)));
      assert.equal(headers['x-ratelimit-remaining'], String(left), `request ${index}`);
    }
    assert.ok(refused > 10, `expected the sequence to reach the limit, ${refused} were refused`);
  }),

  inSpending.clock('401 and 403 spend nothing', async (service) => {
    const caller = await service.callerOf('northwood', { scopes: ['project:read'] });
    expectError(await caller.get('/v1/servers'), 'insufficient_scope');
    expectError(await caller.get('/v1/project', { 'User-Agent': 'other' }), 'user_agent_mismatch');
    expectError(
      await caller.get('/v1/project', { Authorization: `Bearer ${caller.token}x` }),
      'token_invalid',
    );
    expectError(await caller.get(live), 'insufficient_scope');
    assert.equal(remaining(await caller.get('/v1/project')), 119);
  }),
  inSpending.clock('200, 400, 402, 404, 409 and 423 spend one each', async (service) => {
    const caller = await service.freshCaller();
    for (const path of ['/v1/project', '/v1/leaderboards?limit=0', '/v1/server/nowhere', live])
      await caller.get(path);
    assert.equal(remaining(await caller.get('/v1/project')), 115);
  }),
  inSpending.clock('429 spends nothing: who waits as told gets in', async (service) => {
    const caller = await service.freshCaller();
    await many(caller, 120);
    service.clock.now += 30_000;
    assert.deepEqual(await many(caller, 50), times(50, 429));
    service.clock.now += 30_000;
    assert.equal(remaining(await caller.get('/v1/project')), 119);
  }),
  inSpending.any('registration asks for no token and spends nothing of one', async (service) => {
    const caller = await service.freshCaller();
    const before = remaining(await caller.get('/v1/project'));
    await service.register(caller);
    assert.equal(remaining(await caller.get('/v1/project')), before - 1);
  }),
  inSpending.clock('HEAD counts like GET', async (service) => {
    const caller = await service.freshCaller();
    await service.send('/v1/project', { method: 'HEAD', headers: caller.headers });
    assert.equal(remaining(await caller.get('/v1/project')), 118);
  }),
];
