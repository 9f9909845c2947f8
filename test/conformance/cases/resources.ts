import assert from 'node:assert/strict';
import { section, type ConformanceCase } from '../case.ts';
import { expectError, expectOk, someOf } from '../expectations.ts';
import * as resource from '../resources.ts';
import { object, type Check } from '../shapes.ts';
import type { Service } from '../world/service.ts';

/** One case a field: in every object that the service shows, it is there and of its type. */
function fieldCases(
  title: string,
  fields: Readonly<Record<string, Check>>,
  read: (service: Service) => Promise<Record<string, unknown>[]>,
): ConformanceCase[] {
  const { any } = section(title);
  return [
    ...Object.entries(fields).map(([field, check]) =>
      any(`${field} is there, and of its type`, async (service) => {
        for (const [index, item] of someOf(await read(service), title).entries()) {
          assert.ok(
            field in item,
            `expected ${field} in item ${index}: unknown is null, never an absent key`,
          );
          check(item[field], `${field} of item ${index}`);
        }
      }),
    ),
    any('there are no other fields', async (service) => {
      for (const item of someOf(await read(service), title)) {
        assert.deepEqual(Object.keys(item).toSorted(), Object.keys(fields).toSorted());
      }
    }),
  ];
}

const reading =
  (path: (service: Service) => string, pick: (body: never) => Record<string, unknown>[]) =>
  async (service: Service): Promise<Record<string, unknown>[]> =>
    pick(expectOk(await (await service.caller()).get(path(service))) as never);

const onBans = ({ fact }: Service): string => `/v1/banlists/${fact('banList')}/bans`;
const onPlayer = ({ fact }: Service): string => `/v1/player/${fact('steamId64')}`;

type Bodies = Record<string, Record<string, unknown>[]>;

const inProject = section('spec §Resources / Project');
const inServer = section('spec §Resources / Server');
const inSchedule = section('spec §Resources / Schedule');
const inMetrics = section('spec §Resources / Leaderboard metric codes');
const inPlayer = section('spec §Resources / Player');
const inBanList = section('spec §Resources / Ban-list');
const inBan = section('spec §Resources / Ban record');
const inOnline = section('spec §Resources / Online players result');

export const resourceCases: ConformanceCase[] = [
  ...fieldCases(
    'spec §Resources / Project',
    resource.project,
    reading(
      () => '/v1/project',
      ({ project }: { project: Record<string, unknown> }) => [project],
    ),
  ),
  inProject.own(
    'supportUrl has the form {support_url}/<slug>, whatever slash the address ends with',
    async (service) => {
      const { project } = expectOk(await (await service.caller()).get('/v1/project'));
      assert.equal(project.supportUrl, 'https://example.org/support/northwood');
    },
  ),
  inProject.own('name and slug are those of the config', async (service) => {
    const { project } = expectOk(await (await service.caller()).get('/v1/project'));
    assert.deepEqual([project.name, project.slug], ['Northwood', 'northwood']);
  }),
  ...fieldCases(
    'spec §Resources / Project / support branding',
    resource.support,
    reading(
      () => '/v1/project',
      ({ support }: { support: Record<string, unknown> }) => [support],
    ),
  ),
  inProject.own('support carries what the config says, and null for what it does not', async (service) => {
    const { support } = expectOk(await (await service.caller()).get('/v1/project'));
    assert.deepEqual(support, {
      title: 'Northwood',
      description: 'Ask us',
      accentColor: '#5865F2',
      logoUrl: 'https://example.org/logo.png',
      bannerUrl: null,
      discordUrl: 'https://example.org/discord',
    });
  }),

  ...fieldCases(
    'spec §Resources / Server',
    resource.server,
    reading(
      () => '/v1/servers',
      ({ servers }: Bodies) => servers ?? [],
    ),
  ),
  inServer.own('only active servers are listed, in the order of the config', async (service) => {
    const { servers } = expectOk(await (await service.caller()).get('/v1/servers'));
    assert.deepEqual(
      servers.map(({ id }: { id: string }) => id),
      ['northwood-1', 'northwood-2', 'northwood-3', 'northwood-4'],
    );
  }),
  inServer.own('id and name are those of the config, no address and no port', async (service) => {
    const answer = await (await service.caller()).get('/v1/servers');
    const { servers } = expectOk(answer);
    assert.deepEqual([servers[0].id, servers[0].name], ['northwood-1', 'Northwood | Chernarus']);
    for (const secret of ['127.0.0.1', '2302', String(service.games.live.port)])
      assert.ok(!JSON.stringify(servers[0]).includes(`${secret}"`), `expected no ${secret} in the answer`);
  }),
  inServer.clock(
    'a server that was not checked yet is UNKNOWN, and every figure of it null',
    async (service) => {
      const { server } = expectOk(await (await service.caller()).get('/v1/server/northwood-2'));
      assert.deepEqual(server, {
        id: 'northwood-2',
        name: 'Northwood | Livonia',
        map: null,
        status: 'UNKNOWN',
        players: null,
        maxPlayers: null,
        checkedAt: null,
      });
    },
  ),

  ...fieldCases(
    'spec §Resources / Schedule',
    resource.schedule,
    reading(
      ({ fact }) => `/v1/server/${fact('server')}/schedules`,
      ({ schedules }: Bodies) => schedules ?? [],
    ),
  ),
  inSchedule.own('an interval has its minutes, its anchor and its own time zone', async (service) => {
    const { schedules } = expectOk(await (await service.caller()).get('/v1/server/northwood-1/schedules'));
    assert.deepEqual(schedules[0], {
      kind: 'RESTART',
      title: 'Restart',
      description: null,
      recurrence: 'INTERVAL',
      intervalMinutes: 240,
      timeOfDay: '02:00',
      weekdays: [],
      timezone: 'America/New_York',
    });
  }),
  inSchedule.own('what is not set is null, and the time zone is the server’s', async (service) => {
    const { schedules } = expectOk(await (await service.caller()).get('/v1/server/northwood-1/schedules'));
    const [, reminder, airdrop] = schedules;
    assert.deepEqual(
      [reminder.timeOfDay, reminder.intervalMinutes, reminder.timezone],
      [null, 30, 'Europe/Berlin'],
    );
    assert.deepEqual(
      [airdrop.recurrence, airdrop.intervalMinutes, airdrop.timeOfDay],
      ['DAILY', null, '20:15'],
    );
  }),
  inSchedule.own('a weekly one has its days and its description', async (service) => {
    const { schedules } = expectOk(await (await service.caller()).get('/v1/server/northwood-1/schedules'));
    const { kind, description, recurrence, weekdays } = schedules[3];
    assert.deepEqual(
      [kind, description, recurrence, weekdays],
      ['WIPE', 'All is gone', 'WEEKLY', ['MON', 'FRI']],
    );
  }),

  inMetrics.any('they are all, in the order of the table, with their units', async (service) => {
    const { leaderboards } = expectOk(await (await service.caller()).get('/v1/leaderboards'));
    assert.deepEqual(
      leaderboards.map(({ metric, unit }: { metric: string; unit: string }) => [metric, unit]),
      Object.entries(resource.metrics).map(([metric, { unit }]) => [metric, unit]),
    );
  }),
  ...Object.entries(resource.metrics).flatMap(([code, { unit }]) => [
    inMetrics.any(
      `${code} is taken in upper, lower and mixed case, and answered in upper case`,
      async (service) => {
        const { get } = await service.caller();
        const mixed = [...code]
          .map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter))
          .join('');
        for (const asked of [code, code.toLowerCase(), mixed]) {
          const { leaderboards } = expectOk(await get(`/v1/leaderboards?metric=${asked}`));
          assert.deepEqual(
            leaderboards.map((board: { metric: string; unit: string }) => [board.metric, board.unit]),
            [[code, unit]],
          );
        }
      },
    ),
    inMetrics.any(`${code}: every row has the raw value and the same value formatted`, async (service) => {
      const { leaderboards } = expectOk(
        await (await service.caller()).get(`/v1/leaderboards?metric=${code}&limit=25`),
      );
      for (const { value, valueText } of someOf(
        leaderboards[0].rows as { value: number; valueText: string }[],
        'rows',
      )) {
        assert.match(valueText, resource.valueTexts[unit]);
        if (unit === 'count') assert.equal(Number(valueText.replaceAll(',', '')), value);
        if (unit === 'meters')
          assert.ok(Math.abs(Number(valueText.replace(/,| m/g, '')) - value) <= 0.050_001);
        if (unit === 'seconds')
          assert.equal(secondsOf(valueText), value < 60 ? Math.floor(value) : Math.floor(value / 60) * 60);
        if (unit !== 'meters')
          assert.ok(Number.isInteger(value), `expected ${code} to be a whole number, got ${value}`);
      }
    }),
  ]),
  inMetrics.own('each code is the figure of the same meaning in player.stats', async (service) => {
    const { get } = await service.caller();
    const { player } = expectOk(await get(`/v1/player/${service.fact('steamId64')}`));
    const { leaderboards } = expectOk(await get('/v1/leaderboards?limit=25'));
    type Board = { metric: string; rows: { value: number; player: { name: string } }[] };
    const figures = (leaderboards as Board[]).flatMap(({ metric, rows }) => {
      const row = rows.find((one) => one.player.name === 'Ann');
      return row === undefined ? [] : [[metric, row.value]];
    });
    assert.deepEqual(
      figures,
      figures.map(([metric = '']) => [metric, player.stats[resource.metrics[metric]?.stat ?? '']]),
    );
    // Her longest life is behind the first 25; an animal she has not killed.
    assert.equal(figures.length, 7);
  }),
  inMetrics.own('who has no figure of a metric, or none above 0, has no row', async (service) => {
    const { leaderboards } = expectOk(
      await (await service.caller()).get('/v1/leaderboards?metric=ANIMAL_KILLS&limit=25'),
    );
    assert.ok(!JSON.stringify(leaderboards).includes('"Ann"'), 'expected no row for an unknown figure');
  }),
  inMetrics.any('a code that is none of them answers 400 and names them', async (service) => {
    const body = expectError(
      await (await service.caller()).get('/v1/leaderboards?metric=KDR'),
      'invalid_parameters',
    );
    for (const code of resource.metricCodes)
      assert.ok(body.details[0].message.includes(code), `expected it to name ${code}`);
  }),

  ...fieldCases(
    'spec §Resources / Player',
    resource.player,
    reading(onPlayer, ({ player }: { player: Record<string, unknown> }) => [player]),
  ),
  ...fieldCases(
    'spec §Resources / Player / player.stats',
    resource.stats,
    reading(onPlayer, ({ player }: { player: { stats: Record<string, unknown> } }) => [player.stats]),
  ),
  inPlayer.own('the answer holds every figure that is known, and null for the others', async (service) => {
    const { player } = expectOk(await (await service.caller()).get(onPlayer(service)));
    assert.deepEqual(player.stats, {
      ...Object.fromEntries(Object.keys(resource.stats).map((stat) => [stat, null])),
      playerKills: 1234,
      deaths: 7,
      suicides: 1,
      zombieKills: 500,
      totalPlaySeconds: 273_120,
      longestLifeSeconds: 59,
      longestHitMeters: 812.43,
      longestKillMeters: 1234.56,
    });
  }),
  inPlayer.own('the answer holds the known aliases', async (service) => {
    const { player } = expectOk(await (await service.caller()).get(onPlayer(service)));
    const span = { firstSeenAt: '2026-01-01T00:00:00.000Z', lastSeenAt: '2026-02-01T00:00:00.000Z' };
    assert.deepEqual(player.aliases, [
      { name: 'Ann', ...span },
      { name: 'Annie', ...span },
    ]);
  }),
  inPlayer.own('a player without figures has stats with nulls', async (service) => {
    const { get } = await service.caller();
    const { player } = expectOk(await get(`/v1/player/76561198017124053`));
    assert.deepEqual(Object.keys(player.stats).toSorted(), Object.keys(resource.stats).toSorted());
  }),
  ...(['steamId64', 'battleyeGuid', 'cftoolsId'] as const).map((kind) =>
    inPlayer.any(`is found by its ${kind}, passed bare`, async (service) => {
      const id = service.fact(kind);
      const { player } = expectOk(await (await service.caller()).get(`/v1/player/${id}`));
      assert.equal(player[kind], id);
    }),
  ),
  ...['steam:', 'steam_', 'cftools:', 'be:', 'guid:', 'xuid:'].map((prefix) =>
    inPlayer.any(`the prefix "${prefix}" makes an identifier invalid`, async (service) => {
      const { get } = await service.caller();
      for (const kind of ['steamId64', 'battleyeGuid', 'cftoolsId'] as const) {
        const answer = await get(`/v1/player/${encodeURIComponent(prefix)}${service.fact(kind)}`);
        expectError(answer, 'invalid_parameters');
      }
    }),
  ),
  inPlayer.any('must be known in the project: another answers 404', async (service) => {
    expectError(
      await (await service.caller()).get(`/v1/player/${service.fact('unknownPlayer')}`),
      'not_found',
    );
  }),

  ...fieldCases(
    'spec §Resources / Ban-list',
    resource.banlist,
    reading(
      () => '/v1/banlists',
      ({ banlists }: Bodies) => banlists ?? [],
    ),
  ),
  inBanList.own('only active ones are listed, in the order of the config', async (service) => {
    const { banlists } = expectOk(await (await service.caller()).get('/v1/banlists'));
    assert.deepEqual(
      banlists.map(({ id }: { id: string }) => id),
      ['northwood-bans', 'many-bans', 'empty-bans'],
    );
  }),
  inBanList.own('the fields are those of the config, public or not', async (service) => {
    const { banlists } = expectOk(await (await service.caller()).get('/v1/banlists'));
    const { banCount: _, ...list } = banlists[0];
    assert.deepEqual(list, {
      id: 'northwood-bans',
      name: 'Northwood bans',
      description: 'Who is banned',
      isPublic: true,
      verificationStatus: 'VERIFIED',
    });
    assert.deepEqual(
      [banlists[1].isPublic, banlists[1].description, banlists[1].verificationStatus],
      [false, null, 'UNVERIFIED'],
    );
    assert.equal(banlists[2].verificationStatus, 'PENDING');
  }),

  ...fieldCases(
    'spec §Resources / Ban record',
    resource.ban,
    reading(onBans, ({ bans }: Bodies) => bans ?? []),
  ),
  inBan.any('permanent is true exactly when expiresAt is null', async (service) => {
    const { bans } = expectOk(await (await service.caller()).get(onBans(service)));
    for (const { permanent, expiresAt } of someOf(
      bans as { permanent: boolean; expiresAt: string | null }[],
      'bans',
    ))
      assert.equal(permanent, expiresAt === null);
  }),
  inBan.own('player carries the three identifiers, the name and the known aliases', async (service) => {
    const { bans } = expectOk(await (await service.caller()).get(onBans(service)));
    const { player } = bans.find(({ reason }: { reason: string }) => reason === 'aimbot');
    assert.deepEqual(
      [player.steamId64, player.battleyeGuid, player.cftoolsId, player.name],
      [service.fact('steamId64'), service.fact('battleyeGuid'), service.fact('cftoolsId'), 'Ann'],
    );
    assert.deepEqual(
      player.aliases.map(({ name }: { name: string }) => name),
      ['Ann', 'Annie'],
    );
  }),
  inBan.own('a ban of somebody unknown has nulls and no aliases', async (service) => {
    const { bans } = expectOk(await (await service.caller()).get(onBans(service)));
    const { player, startsAt } = bans.at(-1);
    assert.deepEqual(player, {
      steamId64: null,
      battleyeGuid: null,
      cftoolsId: null,
      name: null,
      aliases: [],
    });
    assert.equal(startsAt, null);
  }),
  inBan.own('targets are the servers of the list, with the enforcement state', async (service) => {
    const { bans } = expectOk(await (await service.caller()).get(onBans(service)));
    assert.deepEqual(bans[0].targets, [
      { type: 'SERVER', serverId: 'northwood-1', name: 'Northwood | Chernarus', state: 'ENFORCED' },
      { type: 'SERVER', serverId: 'northwood-2', name: 'Northwood | Livonia', state: 'ENFORCED' },
    ]);
  }),

  ...Object.entries(resource.onlinePlayers).map(([field, check]) =>
    inOnline.any(`${field} is there, and of its type`, async (service) => {
      const { get } = await service.freshCaller();
      const body = expectOk(await get(`/v1/server/${service.fact('liveServer')}/players/online`));
      assert.ok(field in body, `expected ${field}: unknown is null, never an absent key`);
      check(body[field], field);
    }),
  ),
  inOnline.any('listedPlayers counts the complete entries and the incomplete ones', async (service) => {
    const { get } = await service.freshCaller();
    const body = expectOk(await get(`/v1/server/${service.fact('liveServer')}/players/online`));
    assert.equal(body.listedPlayers, body.players.length + body.incompletePlayers);
  }),
  inOnline.any('fromLog, where it is there, has who is on by the log', async (service) => {
    const { get } = await service.freshCaller();
    const { fromLog } = expectOk(await get(`/v1/server/${service.fact('liveServer')}/players/online`));
    if (fromLog !== undefined) object(resource.loggedPlayers)(fromLog, 'fromLog');
  }),
];

function secondsOf(valueText: string): number {
  const lengths: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 };
  return valueText
    .replaceAll(',', '')
    .split(' ')
    .reduce((sum, part) => sum + Number(part.slice(0, -1)) * (lengths[part.at(-1) ?? ''] ?? Number.NaN), 0);
}
