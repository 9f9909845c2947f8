import assert from 'node:assert/strict';
import { section, type ConformanceCase } from '../case.ts';
import { expectError, expectOk } from '../expectations.ts';

const { any, own, clock } = section('spec §Endpoints / GET /v1/server/{serverId}/players/online');
const inLimits = section('spec §Limits / Online players cache');

const live = '/v1/server/northwood-1/players/online';

export const liveCases: ConformanceCase[] = [
  own('is read live from the game server through its query port', async (service) => {
    const { get } = await service.freshCaller();
    const body = expectOk(await get('/v1/server/northwood-4/players/online'));
    assert.deepEqual(
      [body.online, body.listedPlayers, body.players, body.incompletePlayers, body.source],
      [5, 5, [], 5, 'GAMEDIG'],
    );
  }),
  clock('online is the query’s own count, listedPlayers the number of its entries', async (service) => {
    const { get } = await service.freshCaller();
    service.games.live.listed = 12;
    try {
      const { online, listedPlayers, incompletePlayers } = expectOk(await get(live));
      assert.deepEqual([online, listedPlayers, incompletePlayers], [37, 12, 12]);
    } finally {
      service.games.live.listed = null;
    }
  }),
  clock('observedAt is the time at which the query was executed, the cache’s included', async (service) => {
    const { get } = await service.freshCaller();
    const at = new Date(service.clock.now).toISOString();
    assert.equal(expectOk(await get(live)).observedAt, at);
    service.clock.now += 4_000;
    assert.equal(expectOk(await get(live)).observedAt, at);
  }),
  own('the server must have the query port configured: else 409', async (service) => {
    const { get } = await service.freshCaller();
    const { message } = expectError(
      await get(`/v1/server/${service.fact('serverWithoutQueryPort')}/players/online`),
      'data_source_not_configured',
    );
    assert.match(message, /query port/);
  }),
  own('a game server that does not answer: 503 with Retry-After, in header and body', async (service) => {
    const { get } = await service.freshCaller();
    const answer = await get(`/v1/server/${service.fact('deadServer')}/players/online`);
    const { retryAfter } = expectError(answer, 'live_source_unavailable');
    assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
    assert.equal(Number(answer.headers['retry-after']), retryAfter);
    // The limit would refuse an earlier try.
    const again = await get(`/v1/server/${service.fact('deadServer')}/players/online`);
    const wait = /"players";r=0;t=(\d+)/.exec(again.headers['ratelimit'] ?? '')?.[1];
    assert.equal(expectError(again, 'live_source_unavailable').retryAfter, Number(wait));
    assert.equal(again.headers['retry-after'], wait);
  }),
  own('a game server that answers nonsense: 503', async (service) => {
    const { get } = await service.callerOf('southshore');
    service.games.live.sendsGarbage = true;
    try {
      expectError(await get('/v1/server/southshore-1/players/online'), 'live_source_unavailable');
    } finally {
      service.games.live.sendsGarbage = false;
    }
  }),
  clock('a failure is not asked for again within the cache’s time', async (service) => {
    const [first, second] = [await service.freshCaller(), await service.freshCaller()];
    service.games.fading.isOnline = false;
    try {
      expectError(await first.get('/v1/server/northwood-4/players/online'), 'live_source_unavailable');
      service.games.fading.isOnline = true;
      const before = service.games.fading.queries.info;
      expectError(await second.get('/v1/server/northwood-4/players/online'), 'live_source_unavailable');
      assert.equal(service.games.fading.queries.info, before);
      service.clock.now += 5_000;
      expectOk(await second.get('/v1/server/northwood-4/players/online'));
    } finally {
      service.games.fading.isOnline = true;
    }
  }),
  clock('parallel requests cause one query: one answer is not cached, the rest are', async (service) => {
    const callers = await Promise.all(Array.from({ length: 20 }, () => service.freshCaller()));
    const before = service.games.live.queries.info;
    const bodies = (await Promise.all(callers.map(({ get }) => get(live)))).map(expectOk);
    assert.equal(service.games.live.queries.info - before, 1);
    assert.equal(bodies.filter(({ cached }) => cached === false).length, 1);
    assert.equal(new Set(bodies.map(({ observedAt }) => observedAt)).size, 1);
  }),
  own('parallel requests to the real process share one query', async (service) => {
    const callers = await Promise.all(Array.from({ length: 8 }, () => service.callerOf('southshore')));
    // The case before may have left an answer that is seconds old.
    const bodies = (
      await Promise.all(callers.map(({ get }) => get('/v1/server/southshore-1/players/online')))
    ).filter(({ status }) => status === 200);
    assert.ok(bodies.filter(({ body }) => body.cached === false).length <= 1);
    assert.ok(new Set(bodies.map(({ body }) => body.observedAt)).size <= 1);
  }),
  inLimits.clock('holds for five seconds, and not a millisecond longer', async (service) => {
    const [first, second] = [await service.freshCaller(), await service.freshCaller()];
    assert.equal(expectOk(await first.get(live)).cached, false);
    service.clock.now += 4_999;
    assert.equal(expectOk(await first.get(live)).cached, true);
    service.clock.now += 1;
    assert.equal(expectOk(await second.get(live)).cached, false);
  }),
  inLimits.clock('the cached answer is that of the query, the count of that time', async (service) => {
    const { get } = await service.freshCaller();
    const { cached: _, ...fresh } = expectOk(await get(live));
    service.games.live.setPlayers(3);
    try {
      const { cached, ...again } = expectOk(await get(live));
      assert.equal(cached, true);
      assert.deepEqual(again, fresh);
    } finally {
      service.games.live.setPlayers(37);
    }
  }),
  inLimits.any('cached tells whether the cache was used', async (service) => {
    const { get } = await service.freshCaller();
    const path = `/v1/server/${service.fact('liveServer')}/players/online`;
    const [first, second] = [expectOk(await get(path)), expectOk(await get(path))];
    assert.equal(second.cached, second.observedAt === first.observedAt);
  }),
  any('the answer is not stored by caches for longer than the service’s own', async (service) => {
    const { get } = await service.freshCaller();
    const answer = await get(`/v1/server/${service.fact('liveServer')}/players/online`);
    const { ['cache-control']: control = '' } = answer.headers;
    const seconds = Number(/max-age=(\d+)/.exec(control)?.[1] ?? 0);
    assert.ok(seconds <= 5, `expected at most 5 s, got Cache-Control: ${control}`);
  }),
];
