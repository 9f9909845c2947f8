import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dayzIdOf } from '../../../src/api/identifiers.ts';
import { section, type ConformanceCase } from '../case.ts';
import type { Answer } from '../exchange.ts';
import { expectError, expectInvalid, expectOk } from '../expectations.ts';
import { dataOperations } from '../operations.ts';
import { leaderboard, metricCodes, metrics } from '../resources.ts';
import { listOf, object, timestamp } from '../shapes.ts';
import { killRanks, manyBans } from '../world/fill.ts';
import type { OwnService, Service } from '../world/service.ts';

const operationSections = new Map(
  dataOperations.map((operation) => [operation.name, section(`spec §Endpoints / ${operation.name}`)]),
);
const of = (name: string) => operationSections.get(name) as ReturnType<typeof section>;

const inServer = of('GET /v1/server/{serverId}');
const inSchedules = of('GET /v1/server/{serverId}/schedules');
const inLeaderboards = of('GET /v1/leaderboards');
const inPlayer = of('GET /v1/player/{identifier}');
const inBans = of('GET /v1/banlists/{banListId}/bans');

interface Row {
  rank: number;
  value: number;
  player: { name: string };
}

async function rowsOf(service: Service, query: string): Promise<Row[]> {
  const { leaderboards } = expectOk(
    await (await service.caller()).get(`/v1/leaderboards?metric=PLAYER_KILLS${query}`),
  );
  return leaderboards[0].rows as Row[];
}

const countedByPeriod = metricCodes.filter((code) => metrics[code]?.isOfRuns);

const boardsOf = async (service: Service, period: string): Promise<Answer['body']> =>
  expectOk(await (await service.caller()).get(`/v1/leaderboards?period=${period}`));

/** Imports the log of a run in Southshore in which one player kills another. */
async function importRun(service: OwnService, began: number, killer: string): Promise<void> {
  const [day, time] = new Date(began).toISOString().slice(0, 19).split('T');
  const player = (name: string) => `Player "${name}" (id=${dayzIdOf(name)} pos=<1, 2, 3>)`;
  const log = [
    `AdminLog started on ${day} at ${time}`,
    `${time} | ${player('Victim').replace(' (id', ' (DEAD) (id')} killed by ${player(killer)} with M4A1 from 9 meters `,
    '',
  ];
  const file = join(await mkdtemp(join(tmpdir(), 'outpost-conformance-')), 'x.ADM');
  await writeFile(file, log.join('\n'));
  await service.outpost('import', 'adm', '--server', 'southshore-1', file);
  await rm(dirname(file), { recursive: true });
}

async function bansOf(service: OwnService, query: string): Promise<{ startsAt: string }[]> {
  return expectOk(await (await service.caller()).get(`/v1/banlists/many-bans/bans${query}`)).bans;
}

/** What no integer parameter accepts, whatever its range. */
const noIntegers = [
  '',
  '-1',
  '+5',
  '1.5',
  '5.0',
  '1e1',
  '0x10',
  'ten',
  '%D9%A3',
  '%205',
  '5%20',
  '5,6',
  'NaN',
  'null',
  '99999999999999999999',
];

export const endpointCases: ConformanceCase[] = [
  ...dataOperations.flatMap(({ name, path, pathOf, idFact, keys }) => {
    const { any, own } = of(name);
    const cases = [
      any('takes no other parameter: an unknown one answers 400 and is named', async (service) => {
        const { get } = await service.freshCaller();
        expectInvalid(await get(`${path(service)}?nonsense=1`), 'query', 'nonsense');
      }),
      any('has a path that is read letter by letter', async (service) => {
        const caller = await service.caller();
        const [first = '', ...rest] = path(service).slice('/v1/'.length).split('/');
        expectError(await caller.get(['/v1', first.toUpperCase(), ...rest].join('/')), 'not_found');
        expectError(await caller.get(`${path(service)}/more`), 'not_found');
      }),
    ];
    if (pathOf === undefined || idFact === undefined || idFact === 'steamId64') return cases;
    const of3 = (service: Service): [unknown: string, foreign: string, inactive: string] =>
      idFact === 'banList'
        ? ['nowhere', service.fact('foreignBanList'), service.fact('inactiveBanList')]
        : ['nowhere', service.fact('foreignServer'), service.fact('inactiveServer')];
    const spellings = [
      '%00',
      '..%2Fproject',
      '%F0%9F%92%A9',
      'a'.repeat(200),
      "'%20OR%201=1--",
      '__proto__',
      'constructor',
    ];
    return [
      ...cases,
      any('answers 404 to an id that nothing has', async (service) => {
        expectError(await (await service.freshCaller()).get(pathOf('nowhere')), 'not_found');
      }),
      own('does not serve what belongs to another project', async (service) => {
        expectError(await (await service.freshCaller()).get(pathOf(of3(service)[1])), 'not_found');
      }),
      own('does not serve what is not active', async (service) => {
        expectError(await (await service.freshCaller()).get(pathOf(of3(service)[2])), 'not_found');
      }),
      own('answers another project’s, an inactive and an unknown id alike', async (service) => {
        const caller = await service.freshCaller();
        const other = await service.freshCaller();
        const [first, second, third] = of3(service);
        const messages = [
          (await caller.get(pathOf(first))).body.message,
          (await caller.get(pathOf(second))).body.message,
          (await other.get(pathOf(third))).body.message,
        ];
        assert.equal(new Set(messages).size, 1, `expected one message, got ${messages.join(' | ')}`);
      }),
      any('answers 404 to ids that no config can hold', async (service) => {
        for (const spelling of spellings) {
          const caller = keys.includes('cached') ? await service.freshCaller() : await service.caller();
          expectError(await caller.get(pathOf(spelling)), 'not_found');
        }
      }),
    ];
  }),

  inServer.any('serves what the list of servers says of it', async (service) => {
    const { get } = await service.caller();
    const id = service.fact('server');
    const listed = expectOk(await get('/v1/servers')).servers.find(
      (server: { id: string }) => server.id === id,
    );
    const { server } = expectOk(await get(`/v1/server/${id}`));
    assert.deepEqual([server.id, server.name], [listed.id, listed.name]);
  }),
  inServer.any('reads the id with its percent-encoding', async (service) => {
    const id = service.fact('server');
    const encoded = [...id]
      .map((letter) => `%${letter.codePointAt(0)?.toString(16).padStart(2, '0')}`)
      .join('');
    assert.equal(expectOk(await (await service.caller()).get(`/v1/server/${encoded}`)).server.id, id);
  }),
  inSchedules.own('serves each server its own', async (service) => {
    const south = await service.callerOf('southshore');
    const { schedules } = expectOk(await south.get('/v1/server/southshore-1/schedules'));
    assert.equal(schedules.length, 4);
    assert.equal(schedules[1].timezone, 'UTC');
  }),

  ...(
    [
      ['absent', '', 10],
      ['1', '&limit=1', 1],
      ['10', '&limit=10', 10],
      ['25', '&limit=25', 25],
      ['26', '&limit=26', 25],
      ['99', '&limit=99', 25],
      ['100', '&limit=100', 25],
    ] as const
  ).map(([limit, query, rows]) =>
    inLeaderboards.own(`limit ${limit}: ${rows} rows of the 34 that there are`, async (service) => {
      assert.equal((await rowsOf(service, query)).length, rows);
    }),
  ),
  inLeaderboards.own('at most 25 rows of every metric when all are asked for', async (service) => {
    const { leaderboards } = expectOk(await (await service.caller()).get('/v1/leaderboards?limit=100'));
    assert.equal(leaderboards.length, metricCodes.length);
    for (const { metric, rows } of leaderboards) assert.equal(rows.length, 25, metric);
  }),
  inLeaderboards.own('limit counts for every metric when all are asked for', async (service) => {
    const { leaderboards } = expectOk(await (await service.caller()).get('/v1/leaderboards?limit=3'));
    for (const { metric, rows } of leaderboards) assert.equal(rows.length, 3, metric);
  }),
  ...['0', '101', ...noIntegers].map((limit) =>
    inLeaderboards.any(
      `limit "${decodeURIComponent(limit)}" answers 400 and says the range`,
      async (service) => {
        const answer = await (await service.caller()).get(`/v1/leaderboards?limit=${limit}`);
        expectInvalid(answer, 'query', 'limit');
        assert.match(answer.body.details[0].message, /\b1\b.*\b100\b/);
      },
    ),
  ),
  inLeaderboards.any('limit given twice answers 400', async (service) => {
    expectInvalid(await (await service.caller()).get('/v1/leaderboards?limit=1&limit=2'), 'query', 'limit');
  }),
  inLeaderboards.any('metric given twice, or empty, answers 400', async (service) => {
    const { get } = await service.caller();
    expectInvalid(await get('/v1/leaderboards?metric=DEATHS&metric=SUICIDES'), 'query', 'metric');
    expectInvalid(await get('/v1/leaderboards?metric='), 'query', 'metric');
  }),
  inLeaderboards.any('metric is case-insensitive for ASCII letters only', async (service) => {
    const { get } = await service.caller();
    // A long s and a dotless i fold to S and I elsewhere.
    for (const metric of ['%C5%BFuicides', 'pla%C4%B1time', 'su%C4%B1cides', 'DEATHS%00', '%20DEATHS'])
      expectInvalid(await get(`/v1/leaderboards?metric=${metric}`), 'query', 'metric');
  }),
  inLeaderboards.any('both wrong: details name both', async (service) => {
    const answer = await (await service.caller()).get('/v1/leaderboards?limit=0&metric=KDR');
    expectInvalid(answer, 'query', 'limit');
    expectInvalid(answer, 'query', 'metric');
  }),
  inLeaderboards.any('metric present: one leaderboard, that of the metric', async (service) => {
    const { leaderboards } = expectOk(await (await service.caller()).get('/v1/leaderboards?metric=DEATHS'));
    assert.deepEqual(
      leaderboards.map(({ metric }: { metric: string }) => metric),
      ['DEATHS'],
    );
  }),
  inLeaderboards.any('values fall, and ranks follow from them', async (service) => {
    const { leaderboards } = expectOk(await (await service.caller()).get('/v1/leaderboards?limit=100'));
    for (const { metric, rows } of leaderboards as { metric: string; rows: Row[] }[]) {
      for (const [index, row] of rows.entries()) {
        const before = rows[index - 1];
        assert.ok(row.value > 0, `${metric}: expected only values above 0`);
        if (before === undefined) assert.equal(row.rank, 1);
        else if (row.value === before.value)
          assert.equal(row.rank, before.rank, `${metric}: equal values share a rank`);
        else {
          assert.ok(row.value < before.value, `${metric}: expected the greatest first`);
          assert.equal(row.rank, index + 1, `${metric}: expected the rank to count those before`);
        }
      }
    }
  }),
  inLeaderboards.own(
    'equal values share a rank, and the next one counts on: 1, 2, 3, 3, 5',
    async (service) => {
      const rows = await rowsOf(service, '&limit=7');
      assert.deepEqual(
        rows.map(({ rank, value }) => [rank, value]),
        killRanks,
      );
    },
  ),
  inLeaderboards.any('period=all is the same as none', async (service) => {
    const { get } = await service.caller();
    const [all, none] = [await get('/v1/leaderboards?period=all'), await get('/v1/leaderboards')];
    assert.deepEqual(expectOk(all), expectOk(none));
  }),
  ...['week', 'month'].map((period) =>
    inLeaderboards.any(
      `period=${period} says since and until when it counts, and has a leaderboard of each metric that it counts`,
      async (service) => {
        const { since, until, leaderboards, ...others } = await boardsOf(service, period);
        assert.deepEqual(others, {});
        timestamp(since, 'since');
        timestamp(until, 'until');
        assert.ok(Date.parse(since) <= Date.now() && Date.now() <= Date.parse(until));
        listOf(object(leaderboard))(leaderboards, 'leaderboards');
        const codes = leaderboards.map(({ metric }: { metric: string }) => metric);
        assert.deepEqual(codes, countedByPeriod);
      },
    ),
  ),
  inLeaderboards.own('period=wipe counts from the last scheduled wipe to the next', async (service) => {
    const { since, until } = await boardsOf(service, 'wipe');
    assert.ok(Date.parse(since) <= Date.now() && Date.now() <= Date.parse(until));
    const days = new Intl.DateTimeFormat('en', {
      weekday: 'short',
      hour: 'numeric',
      timeZone: 'Europe/Berlin',
    });
    for (const at of [since, until]) assert.match(days.format(new Date(at)), /^(Mon|Fri).* 4\WAM$/);
  }),
  inLeaderboards.own('period=season of a project without seasons answers 404', async (service) => {
    expectError(await (await service.caller()).get('/v1/leaderboards?period=season'), 'not_found');
  }),
  inLeaderboards.own('a period counts the runs of logs that began in it', async (service) => {
    const { get } = await service.callerOf('southshore');
    const began = Math.floor(Date.now() / 1_000) * 1_000;
    await importRun(service, began, 'Recent');
    await importRun(service, began - 40 * 86_400_000, 'Former');
    await service.shown();
    const { since, leaderboards } = expectOk(await get('/v1/leaderboards?period=week&metric=PLAYER_KILLS'));
    const names = leaderboards[0].rows.map(({ player }: Row) => player.name);
    assert.deepEqual(names, began >= Date.parse(since) ? ['Recent'] : []);
  }),
  ...['day', 'WEEK', '', 'week&period=month'].map((period) =>
    inLeaderboards.any(`period=${period} answers 400`, async (service) => {
      expectInvalid(
        await (await service.caller()).get(`/v1/leaderboards?period=${period}`),
        'query',
        'period',
      );
    }),
  ),
  inLeaderboards.any('a metric that is not counted by period answers 400 and is named', async (service) => {
    const answer = await (await service.caller()).get('/v1/leaderboards?period=week&metric=ZOMBIE_KILLS');
    expectInvalid(answer, 'query', 'metric');
    for (const code of countedByPeriod) assert.ok(answer.body.details[0].message.includes(code), code);
  }),
  inLeaderboards.own('equal values stand in a fixed order', async (service) => {
    const names = async (limit: number) =>
      (await rowsOf(service, `&limit=${limit}`)).map(({ player }) => player.name);
    const all = await names(25);
    assert.deepEqual(await names(25), all);
    assert.deepEqual(await names(12), all.slice(0, 12));
  }),

  ...[
    '7656119820798532',
    '765611982079853200',
    'Ann',
    '%20',
    'a'.repeat(31),
    'a'.repeat(33),
    'g'.repeat(32),
    'z'.repeat(24),
    'a'.repeat(23),
  ].map((identifier) =>
    inPlayer.any(`"${decodeURIComponent(identifier)}" is none of the three kinds: 400`, async (service) => {
      expectInvalid(await (await service.caller()).get(`/v1/player/${identifier}`), 'path', 'identifier');
    }),
  ),
  inPlayer.any(
    'digits of other scripts, spaces and line ends make none of the three kinds',
    async (service) => {
      const { get } = await service.caller();
      for (const identifier of ['%20', '%0A', '%00'].map((end) => `76561198000000000${end}`))
        expectInvalid(await get(`/v1/player/${identifier}`), 'path', 'identifier');
      const arabic = encodeURIComponent('٧٦٥٦١١٩٨٠٠٠٠٠٠٠٠٠');
      expectInvalid(await get(`/v1/player/${arabic}`), 'path', 'identifier');
    },
  ),
  inPlayer.any(
    'a very long identifier is none of the three kinds, and asks for a token like any other',
    async (service) => {
      const path = `/v1/player/${'7'.repeat(2_000)}`;
      expectInvalid(await (await service.caller()).get(path), 'path', 'identifier');
      expectError(await service.send(path), 'token_missing');
    },
  ),
  inPlayer.any('hex identifiers are found in any case', async (service) => {
    const { get } = await service.caller();
    for (const kind of ['battleyeGuid', 'cftoolsId'] as const) {
      const { player } = expectOk(await get(`/v1/player/${service.fact(kind).toUpperCase()}`));
      assert.equal(player[kind], service.fact(kind));
    }
  }),
  inPlayer.own(
    'who is known by the GUID alone is found by the SteamID64 it is derived from',
    async (service) => {
      const { player } = expectOk(await (await service.caller()).get('/v1/player/76561198017124053'));
      assert.deepEqual([player.name, player.steamId64], ['p0', '76561198017124053']);
    },
  ),
  inPlayer.own(
    'who is known by the DayZ id alone is found by the SteamID64 it is derived from',
    async (service) => {
      const steamId64 = '76561198000000077';
      const { id } = await service.db
        .selectFrom('project')
        .select('id')
        .where('slug', '=', 'northwood')
        .executeTakeFirstOrThrow();
      const player = { project_id: id, name: 'Dora', dayz_id: dayzIdOf(steamId64) };
      await service.db
        .insertInto('player')
        .values({
          ...player,
          steam_id64: null,
          battleye_guid: null,
          cftools_id: null,
          first_seen_at: null,
          last_seen_at: null,
        })
        .execute();
      const found = expectOk(await (await service.caller()).get(`/v1/player/${steamId64}`)).player;
      assert.deepEqual([found.name, found.steamId64], ['Dora', steamId64]);
      assert.equal(found.stats.playerKills, null);
    },
  ),

  ...(
    [
      ['absent', '', 100],
      ['1', '?limit=1', 1],
      ['100', '?limit=100', 100],
      ['199', '?limit=199', 199],
      ['200', '?limit=200', 200],
    ] as const
  ).map(([limit, query, length]) =>
    inBans.own(`limit ${limit}: ${length} of the ${manyBans} bans`, async (service) => {
      assert.equal((await bansOf(service, query)).length, length);
    }),
  ),
  ...['0', '201', ...noIntegers].map((limit) =>
    inBans.any(`limit "${decodeURIComponent(limit)}" answers 400 and says the range`, async (service) => {
      const answer = await (
        await service.caller()
      ).get(`/v1/banlists/${service.fact('banList')}/bans?limit=${limit}`);
      expectInvalid(answer, 'query', 'limit');
      assert.match(answer.body.details[0].message, /\b1\b.*\b200\b/);
    }),
  ),
  inBans.own('newest first, and the limit keeps the newest', async (service) => {
    const all = (await bansOf(service, '?limit=200')).map(({ startsAt }) => startsAt);
    assert.deepEqual(all, all.toSorted().toReversed());
    assert.deepEqual(
      (await bansOf(service, '?limit=7')).map(({ startsAt }) => startsAt),
      all.slice(0, 7),
    );
  }),
  inBans.own('a list without bans is empty, not missing', async (service) => {
    const south = await service.callerOf('freehold');
    assert.deepEqual(expectOk(await south.get('/v1/banlists/freehold-bans/bans')), { bans: [] });
  }),
];
