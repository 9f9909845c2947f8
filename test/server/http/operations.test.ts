import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { battleyeGuidOf, dayzIdOf } from '../../../src/api/identifiers.ts';
import { metricCodes } from '../../../src/api/metrics.ts';
import { saveServerState } from '../../../src/server/store/servers.ts';
import { northwood, steamIds, storeAnn, storeBan, storePlayers } from '../../harness/northwood.ts';
import {
  baseTime,
  startTestService,
  type Caller,
  type TestResponse,
  type TestService,
} from '../../harness/service.ts';

let service: TestService;
let caller: Caller;
let south: Caller;
let annId: number;
const get = async (path: string): Promise<TestResponse> => {
  service.clock.now += 61_000;
  return await caller.get(path);
};

beforeAll(async () => {
  service = await startTestService(northwood());
  caller = await service.caller('northwood');
  south = await service.caller('southshore');
  annId = await storeAnn(service.db, 'northwood');
  await storePlayers(service.db, 'northwood', [50, 40, 40, 30, ...Array.from({ length: 30 }, () => 1), 0]);
  await saveServerState(service.db, 'northwood-1', {
    status: 'ONLINE',
    map: 'chernarusplus',
    players: 12,
    maxPlayers: 60,
    checkedAt: baseTime,
  });
});
afterAll(() => service.close());

it('serves the project with its support link and branding', async () => {
  const { body } = await get('/v1/project');
  expect(body).toEqual({
    project: {
      id: expect.stringMatching(/^prj_/),
      name: 'Northwood',
      slug: 'northwood',
      supportUrl: 'https://example.org/support/northwood',
    },
    support: {
      title: 'Northwood',
      description: null,
      accentColor: '#5865F2',
      logoUrl: null,
      bannerUrl: null,
      discordUrl: null,
    },
  });
});

describe('servers', () => {
  it('lists the active ones in the order of the config, with UNKNOWN and nulls where nothing was checked yet', async () => {
    expect((await get('/v1/servers')).body.servers).toEqual([
      {
        id: 'northwood-1',
        name: 'Northwood | Chernarus',
        map: 'chernarusplus',
        status: 'ONLINE',
        players: 12,
        maxPlayers: 60,
        checkedAt: '2026-03-01T12:00:00.000Z',
      },
      {
        id: 'northwood-2',
        name: 'Northwood | Livonia',
        map: null,
        status: 'UNKNOWN',
        players: null,
        maxPlayers: null,
        checkedAt: null,
      },
    ]);
  });

  it('serves one', async () => {
    expect((await get('/v1/server/northwood-1')).body.server.players).toBe(12);
  });

  it.each(['/v1/server/X', '/v1/server/X/schedules', '/v1/server/X/players/online'])(
    'answers 404 to %s for an unknown, an inactive and another project’s server',
    async (path) => {
      for (const id of ['nowhere', 'retired', 'southshore-1']) {
        const { status, body } = await get(path.replace('X', id));
        expect([status, body.error]).toEqual([404, 'not_found']);
      }
      expect((await south.get('/v1/server/southshore-1')).status).toBe(200);
    },
  );

  it('serves only active public schedules, in the zone of the server unless they name one', async () => {
    expect((await get('/v1/server/northwood-1/schedules')).body.schedules).toEqual([
      {
        kind: 'RESTART',
        title: 'Restart',
        description: null,
        recurrence: 'INTERVAL',
        intervalMinutes: 240,
        timeOfDay: '02:00',
        weekdays: [],
        timezone: 'Europe/Berlin',
      },
    ]);
  });

  it('answers 409 to the live list of a server without a query port', async () => {
    const { status, body } = await get('/v1/server/northwood-2/players/online');
    expect([status, body.error]).toEqual([409, 'data_source_not_configured']);
  });
});

describe('leaderboards', () => {
  const rows = async (query: string): Promise<{ rank: number; value: number; player: { name: string } }[]> =>
    (await get(`/v1/leaderboards?metric=PLAYER_KILLS&${query}`)).body.leaderboards[0].rows;

  it('serves every metric when none is named, one element when one is', async () => {
    const all = await get('/v1/leaderboards');
    expect(all.body.leaderboards.map((board: { metric: string }) => board.metric)).toEqual(metricCodes);
    expect((await get('/v1/leaderboards?metric=DEATHS')).body.leaderboards).toHaveLength(1);
  });

  it('takes the metric in any case and answers with the canonical one', async () => {
    expect((await get('/v1/leaderboards?metric=pLaYtImE')).body.leaderboards[0].metric).toBe('PLAYTIME');
  });

  it('gives equal values one rank and leaves out who has none', async () => {
    const board = await rows('limit=25');
    expect(board.slice(0, 6).map(({ rank, value }) => [rank, value])).toEqual([
      [1, 1234],
      [2, 50],
      [3, 40],
      [3, 40],
      [5, 30],
      [6, 1],
    ]);
    expect(board.every(({ value }) => value > 0)).toBe(true);
  });

  it.each([
    ['', 10],
    ['limit=1', 1],
    ['limit=25', 25],
    ['limit=26', 25],
    ['limit=100', 25],
  ])('with "%s" returns %i rows', async (query, length) => {
    expect(await rows(query)).toHaveLength(length);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'limit=1&limit=2',
    'page=2',
  ])('answers 400 to %s and says what was expected', async (query) => {
    const { status, body } = await get(`/v1/leaderboards?${query}`);
    expect([status, body.error]).toEqual([400, 'invalid_parameters']);
    expect(body.details[0]).toMatchObject({ in: 'query', path: query.split('=')[0] });
  });

  it('answers 400 to an unknown metric and lists the known ones', async () => {
    const { status, body } = await get('/v1/leaderboards?metric=KDR');
    expect(status).toBe(400);
    expect(body.details[0].message).toContain('PLAYER_KILLS');
  });

  it('formats values for display', async () => {
    const { body } = await get('/v1/leaderboards?limit=1');
    const shown = body.leaderboards.map(
      (board: { rows: { valueText: string }[] }) => board.rows[0]?.valueText,
    );
    expect(shown).toEqual(['1,234', '7', '1', '812.4 m', '1,234.6 m', '500', undefined, '3d 3h 52m', '59s']);
  });
});

describe('player', () => {
  const guid = battleyeGuidOf(steamIds.ann);

  it.each([
    ['SteamID64', steamIds.ann],
    ['BattlEye GUID', guid],
    ['BattlEye GUID in upper case', guid.toUpperCase()],
    ['CFTools id', '5F1d7a4e3c2b1a0098765432'],
  ])('is found by %s', async (_kind, identifier) => {
    const { body } = await get(`/v1/player/${identifier}`);
    expect(body.player).toEqual({
      steamId64: steamIds.ann,
      battleyeGuid: guid,
      cftoolsId: '5f1d7a4e3c2b1a0098765432',
      name: 'Ann',
      aliases: [
        { name: 'Ann', firstSeenAt: '2026-01-01T00:00:00.000Z', lastSeenAt: '2026-02-01T00:00:00.000Z' },
        { name: 'Annie', firstSeenAt: '2026-01-01T00:00:00.000Z', lastSeenAt: '2026-02-01T00:00:00.000Z' },
      ],
      firstSeenAt: '2026-01-01T00:00:00.000Z',
      lastSeenAt: '2026-02-01T00:00:00.000Z',
      stats: {
        playerKills: 1234,
        deaths: 7,
        suicides: 1,
        zombieKills: 500,
        animalKills: null,
        totalPlaySeconds: 273_120,
        longestLifeSeconds: 59,
        longestHitMeters: 812.43,
        longestKillMeters: 1234.56,
      },
    });
  });

  it('known only by DayZ id is found by the SteamID64 from which it is derived', async () => {
    const { id } = await service.db
      .selectFrom('project')
      .select('id')
      .where('slug', '=', 'northwood')
      .executeTakeFirstOrThrow();
    await service.db
      .insertInto('player')
      .values({
        project_id: id,
        steam_id64: null,
        battleye_guid: null,
        cftools_id: null,
        dayz_id: dayzIdOf(steamIds.bob),
        name: 'Bob',
        first_seen_at: null,
        last_seen_at: null,
      })
      .execute();
    const { body } = await get(`/v1/player/${steamIds.bob}`);
    expect(body.player).toMatchObject({
      steamId64: steamIds.bob,
      battleyeGuid: battleyeGuidOf(steamIds.bob),
      name: 'Bob',
    });
    expect(body.player.stats.playerKills).toBeNull();
  });

  it.each(['7656119820798532', `steam:${steamIds.ann}`, 'Ann', 'a'.repeat(33), '%20', 'g'.repeat(32)])(
    'answers 400 to %s, which is none of the three kinds',
    async (identifier) => {
      const { status, body } = await get(`/v1/player/${identifier}`);
      expect([status, body.error]).toEqual([400, 'invalid_parameters']);
      expect(body.details[0]).toMatchObject({ in: 'path', path: 'identifier' });
    },
  );

  it('is not found in another project, nor when unknown', async () => {
    expect((await south.get(`/v1/player/${steamIds.ann}`)).body.error).toBe('not_found');
    expect((await get(`/v1/player/${steamIds.cid}`)).body.error).toBe('not_found');
  });
});

describe('bans', () => {
  const path = '/v1/banlists/northwood-bans/bans';

  beforeAll(async () => {
    const hour = 3_600_000;
    const far = baseTime + 365 * 24 * hour;
    await storeBan(service.db, 'northwood-bans', {
      key: 'new',
      startsAt: baseTime,
      expiresAt: far,
      playerId: annId,
    });
    await storeBan(service.db, 'northwood-bans', { key: 'old', startsAt: baseTime - hour, reason: 'aimbot' });
    await storeBan(service.db, 'northwood-bans', { key: 'lifted', startsAt: baseTime, liftedAt: baseTime });
    await storeBan(service.db, 'northwood-bans', { key: 'expired', startsAt: baseTime, expiresAt: baseTime });
  });

  it('are served newest first, without expired and lifted ones', async () => {
    const { body } = await get(path);
    expect(body.bans).toEqual([
      expect.objectContaining({
        category: 'CHEATING',
        reason: null,
        permanent: false,
        player: expect.objectContaining({
          steamId64: steamIds.ann,
          name: 'Ann',
          aliases: expect.arrayContaining([expect.objectContaining({ name: 'Annie' })]),
        }),
        targets: [
          { type: 'SERVER', serverId: 'northwood-1', name: 'Northwood | Chernarus', state: 'ENFORCED' },
        ],
      }),
      expect.objectContaining({
        reason: 'aimbot',
        permanent: true,
        expiresAt: null,
        startsAt: '2026-03-01T11:00:00.000Z',
        player: { steamId64: null, battleyeGuid: null, cftoolsId: null, name: null, aliases: [] },
      }),
    ]);
  });

  it('are counted by the list that holds them, and inactive lists are not listed', async () => {
    expect((await get('/v1/banlists')).body.banlists).toEqual([
      {
        id: 'northwood-bans',
        name: 'Northwood bans',
        description: null,
        isPublic: true,
        verificationStatus: 'UNVERIFIED',
        banCount: 2,
      },
    ]);
  });

  it('vanish at the moment they expire, while the service runs', async () => {
    await storeBan(service.db, 'northwood-bans', { key: 'soon', expiresAt: service.clock.now + 200_000 });
    expect((await get(path)).body.bans).toHaveLength(3);
    service.clock.now += 200_000;
    expect((await get(path)).body.bans).toHaveLength(2);
    expect((await get('/v1/banlists')).body.banlists[0].banCount).toBe(2);
  });

  it('are at most as many as asked for, from 1 to 200', async () => {
    expect((await get(`${path}?limit=1`)).body.bans).toHaveLength(1);
    expect((await get(`${path}?limit=200`)).status).toBe(200);
    for (const limit of ['0', '201']) expect((await get(`${path}?limit=${limit}`)).status).toBe(400);
  });

  it.each(['old-bans', 'nowhere', 'southshore-bans'])('of the list %s are not found', async (id) => {
    expect((await get(`/v1/banlists/${id}/bans`)).body.error).toBe('not_found');
  });
});

describe('plain HTTP', () => {
  it('answers 404 to unknown paths and 405 with Allow to wrong methods', async () => {
    expect((await service.send('/v2/project')).body.error).toBe('not_found');
    const wrong = await service.send('/v1/project', { method: 'DELETE' });
    expect([wrong.status, wrong.body.error, wrong.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, OPTIONS',
    ]);
    const register = await service.send('/v1/auth/register');
    expect([register.status, register.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('answers 400 to a path that is no valid percent-encoding', async () => {
    expect((await service.send('/v1/server/%zz')).body.error).toBe('invalid_parameters');
  });

  it('answers HEAD like GET, without the body', async () => {
    const headers = { Authorization: `Bearer ${caller.token}`, 'User-Agent': caller.id };
    const { status, body } = await service.send('/v1/project', { method: 'HEAD', headers });
    expect([status, body]).toEqual([200, null]);
  });
});
