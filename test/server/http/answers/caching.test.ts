import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addBan, liftBan } from '../../../../src/server/ingest/bans/by-hand.ts';
import { hashSecret, newSecret } from '../../../../src/server/store/repositories/applications/credentials.ts';
import {
  revokeApplication,
  rotateApplication,
} from '../../../../src/server/store/repositories/applications/applications.ts';
import { saveServerState } from '../../../harness/server-states.ts';
import { northwood, steamIds, storeAnn, storeBan, storePlayers } from '../../../harness/northwood.ts';
import { baseTime, startTestService, type Caller, type TestService } from '../../../harness/service.ts';
import { ask, type WireAnswer } from '../../../harness/wire.ts';

let service: TestService;
let caller: Caller;
beforeEach(async () => {
  service = await startTestService(northwood());
  caller = await service.caller('northwood');
  await storeAnn(service.db, 'northwood');
});
afterEach(() => service.close());

const paths = {
  project: '/v1/project',
  servers: '/v1/servers',
  server: '/v1/server/northwood-1',
  schedules: '/v1/server/northwood-1/schedules',
  leaderboards: '/v1/leaderboards',
  player: `/v1/player/${steamIds.ann}`,
  banlists: '/v1/banlists',
  bans: '/v1/banlists/northwood-bans/bans',
};

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<WireAnswer> {
  const own = { Authorization: `Bearer ${caller.token}`, 'User-Agent': caller.id };
  return ask(service.url + path, { method, headers: { ...own, ...headers } });
}

/** Headers that say the same of every answer to a request. */
function steady({ headers }: WireAnswer): Record<string, unknown> {
  const {
    date: _date,
    'x-request-id': _id,
    ratelimit: _left,
    'x-ratelimit-remaining': _remaining,
    ...rest
  } = headers;
  return rest;
}

describe.each(Object.entries(paths))('%s', (_name, path) => {
  it('answers the second time, from memory, like the first', async () => {
    const first = await get(path);
    const second = await get(path);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.equals(first.body)).toBe(true);
    expect(steady(second)).toEqual(steady(first));
    expect(Number(second.headers['x-ratelimit-remaining'])).toBe(
      Number(first.headers['x-ratelimit-remaining']) - 1,
    );
  });

  it('has a strong tag and answers 304 without a body to who has it, the first time and later', async () => {
    const { headers } = await get(path);
    const etag = headers.etag as string;
    expect(etag).toMatch(/^"[\w-]+"$/);
    service.expire();
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get(path, { 'If-None-Match': tag });
      expect([answer.status, answer.body.length]).toEqual([304, 0]);
      expect(answer.headers.etag).toBe(etag);
      for (const name of ['cache-control', 'vary', 'ratelimit', 'ratelimit-policy', 'x-request-id', 'date'])
        expect(answer.headers[name]).toBeTruthy();
    }
    expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD with the headers of GET, the first time and later', async () => {
    const head = await get(path, {}, 'HEAD');
    const whole = await get(path);
    const again = await get(path, {}, 'HEAD');
    for (const answer of [head, again]) {
      expect([answer.status, answer.body.length]).toEqual([200, 0]);
      expect(steady(answer)).toEqual(steady(whole));
    }
  });

  it('says that its answers are one token’s, and for how long', async () => {
    const { headers } = await get(path);
    expect(headers['cache-control']).toMatch(/^private, (no-cache|max-age=[1-9]\d?)$/);
    expect(headers.vary).toBe('Authorization, User-Agent, Accept-Encoding');
  });
});

it('gives the same tag to other tokens of the project, and never another project’s answer', async () => {
  const other = await service.caller('northwood');
  const south = await service.caller('southshore');
  const mine = await get('/v1/servers');
  await get('/v1/servers');
  expect((await other.get('/v1/servers')).headers.get('etag')?.slice(0, 20)).toBe(
    mine.headers.etag?.slice(0, 20),
  );
  const { body } = await south.get('/v1/servers');
  expect(body.servers.map(({ id }: { id: string }) => id)).toEqual(['southshore-1']);
});

it('shows what another connection has written after a second', async () => {
  const shown = async (): Promise<unknown> =>
    JSON.parse((await get('/v1/server/northwood-1')).body.toString()).server.players;
  for (let players = 1; players <= 20; players += 1) {
    const state = { status: 'ONLINE', map: 'enoch', players, maxPlayers: 60, checkedAt: baseTime } as const;
    await saveServerState(service.db, 'northwood-1', state);
    if (players > 1) expect(await shown()).toBe(players - 1);
    service.expire();
    for (let times = 0; times < 2; times += 1) {
      expect(await shown()).toBe(players);
    }
  }
});

it('shows another support address after a second', async () => {
  await service.close();
  let supportUrl = 'https://one.example';
  service = await startTestService(northwood(), { parts: { supportUrl: () => supportUrl } });
  caller = await service.caller('northwood');
  await get('/v1/project');
  supportUrl = 'https://two.example';
  service.expire();
  const { body } = await get('/v1/project');
  expect(JSON.parse(body.toString()).project.supportUrl).toBe('https://two.example/northwood');
});

it.each([
  ['https://one.example/support//', 'https://one.example/support/northwood'],
  ['https://one.example/help?lang=de#start', 'https://one.example/help/northwood?lang=de#start'],
])('adds the slug to the path of %s', async (supportUrl, page) => {
  await service.close();
  service = await startTestService(northwood(), { parts: { supportUrl: () => supportUrl } });
  caller = await service.caller('northwood');
  const { body } = await get('/v1/project');
  expect(JSON.parse(body.toString()).project.supportUrl).toBe(page);
});

it.each([
  ['bans', (body: { bans: unknown[] }) => body.bans.length, paths.bans],
  ['banCount', (body: { banlists: { banCount: number }[] }) => body.banlists[0]?.banCount, paths.banlists],
] as const)('lets a ban expire in %s within a second, though nobody writes', async (_name, count, path) => {
  await storeBan(service.db, 'northwood-bans', { key: 'a', expiresAt: baseTime + 5_000 });
  await storeBan(service.db, 'northwood-bans', { key: 'b', expiresAt: baseTime + 9_000 });
  await storeBan(service.db, 'northwood-bans', { key: 'c' });
  const counted = async (at: number): Promise<unknown> => {
    service.clock.now = baseTime + at;
    return count(JSON.parse((await get(path)).body.toString()));
  };
  expect([await counted(0), await counted(4_999), await counted(6_000)]).toEqual([3, 3, 2]);
  expect([await counted(8_999), await counted(10_000), await counted(12_000)]).toEqual([2, 1, 1]);
});

describe('from memory too', () => {
  beforeEach(async () => {
    await get('/v1/servers');
    expect((await get('/v1/servers')).status).toBe(200);
  });

  it('answers tokens of a new secret at once, and refuses those of the former by then', async () => {
    const secret = newSecret();
    await rotateApplication(service.db, caller.id, hashSecret(secret), baseTime);
    const Authorization = `Bearer ${await service.register({ id: caller.id, secret })}`;
    for (let times = 0; times < 2; times += 1) {
      expect((await get('/v1/servers', { Authorization })).status).toBe(200);
      expect((await get('/v1/servers')).status).toBe(401);
    }
  });

  it('refuses a revoked application’s tokens after a second', async () => {
    await revokeApplication(service.db, caller.id, baseTime);
    service.expire();
    expect((await get('/v1/servers')).status).toBe(401);
  });

  it('refuses an expired token, another User-Agent and a suspended project', async () => {
    expect((await get('/v1/servers', { 'User-Agent': 'curl' })).status).toBe(403);
    await service.reconcile(northwood({ suspended: true }));
    service.expire();
    expect((await get('/v1/servers')).status).toBe(423);
    await service.reconcile(northwood());
    service.expire();
    await get('/v1/servers');
    service.clock.now = baseTime + 86_400_000;
    expect((await get('/v1/servers')).status).toBe(401);
  });

  it('counts every request, 304 included, and refuses the 121st', async () => {
    const { headers } = await get('/v1/servers');
    const tag = headers.etag as string;
    for (let spent = 4; spent <= 120; spent += 1) {
      const answer = await get('/v1/servers', { 'If-None-Match': tag });
      expect([answer.status, answer.headers['x-ratelimit-remaining']]).toEqual([304, String(120 - spent)]);
    }
    expect((await get('/v1/servers', { 'If-None-Match': tag })).status).toBe(429);
  });

  it('writes one log line a request', async () => {
    const before = service.logged.length;
    await get('/v1/servers', { 'X-Request-Id': 'my-own-id' });
    await expect.poll(() => service.logged.length).toBe(before + 1);
    expect(JSON.parse(service.logged.at(-1) as string)).toMatchObject({
      requestId: 'my-own-id',
      operation: 'listServers',
      application: caller.id,
      method: 'GET',
      status: 200,
      address: '127.0.0.1',
      ms: expect.any(Number),
    });
  });
});

it('takes who is banned for good off leaderboards, and puts the player back when the ban is lifted or the config says so', async () => {
  await storePlayers(service.db, 'northwood', [7]);
  const names = async (): Promise<string[]> => {
    service.expire();
    const { leaderboards } = JSON.parse(String((await get('/v1/leaderboards?metric=PLAYER_KILLS')).body));
    return leaderboards[0].rows.map((row: { rank: number; player: { name: string } }) => [
      row.rank,
      row.player.name,
    ]);
  };
  const both = [
    [1, 'Ann'],
    [2, 'p0'],
  ];
  expect(await names()).toEqual(both);
  const player = { kind: 'steamId64', value: steamIds.ann } as const;
  const ban = { listId: 'northwood-bans', player } as const;
  const add = () => addBan(service.db, { ...ban, category: 'CHEATING', reason: null, expiresAt: null });
  await add();
  expect(await names()).toEqual([[1, 'p0']]);
  expect(JSON.parse(String((await get(paths.player)).body)).player.stats.playerKills).toBe(1234);
  await liftBan(service.db, ban);
  expect(await names()).toEqual(both);
  await add();
  expect(await names()).toEqual([[1, 'p0']]);
  await service.reconcile(northwood({ leaderboards: { banned: 'show' } }));
  expect(await names()).toEqual(both);
});

it('keeps no error and no live list', async () => {
  expect((await get('/v1/server/new-one')).headers['cache-control']).toBe('no-store');
  const live = await get('/v1/server/northwood-2/players/online');
  expect([live.status, live.headers['cache-control'], live.headers.etag]).toEqual([
    409,
    'no-store',
    undefined,
  ]);
});

describe('compression', () => {
  beforeEach(async () => {
    await storePlayers(
      service.db,
      'northwood',
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
  });
  const path = '/v1/leaderboards?metric=PLAYER_KILLS&limit=25';

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=1.0', 'gzip'],
    ['deflate', undefined],
    ['', undefined],
  ])('to "%s" sends %s, the first time and later', async (accepted, coding) => {
    const plain = await get(path);
    for (let times = 0; times < 3; times += 1) {
      const { headers, body } = await get(path, { 'Accept-Encoding': accepted });
      expect(headers['content-encoding']).toBe(coding);
      const read = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
      expect(read.equals(plain.body)).toBe(true);
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers.etag === plain.headers.etag).toBe(coding === undefined);
      const same = await get(path, { 'Accept-Encoding': accepted, 'If-None-Match': headers.etag as string });
      expect(same.status).toBe(304);
    }
  });

  it('leaves small bodies as they are', async () => {
    expect(
      (await get('/v1/project', { 'Accept-Encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined();
  });
});
