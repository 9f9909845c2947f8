import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/api/client-types.ts';
import { createClient } from '../../src/api/client.ts';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { runMetrics } from '../../src/api/metrics.ts';
import type { CommandContext, Reply } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/index.ts';
import { createBoards, createPeriodBoards } from '../../src/community/boards.ts';
import { createStoredPlayers } from '../../src/community/stored-players.ts';
import { noCommunity } from '../../src/community/no-community.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import { addBan, liftBan } from '../../src/server/ingest/bans/by-hand.ts';
import { labelled, press } from '../commands/components.ts';
import { context, type PartialContext } from '../commands/context.ts';
import { importLogs } from '../harness/logs.ts';
import { northwood, steamIds } from '../harness/northwood.ts';
import { answerViolations } from '../harness/request-rules.ts';
import { type Caller, startTestService, type TestService } from '../harness/service.ts';
import { storedFrom } from './stored.ts';

const eveSteamId = '76561198000000078';
const [ann, bob, cid, eve] = [steamIds.ann, steamIds.bob, steamIds.cid, eveSteamId].map((id) =>
  dayzIdOf(id),
) as [string, string, string, string];
const P = (name: string, id: string, flag = '') => `Player "${name}"${flag} (id=${id} pos=<1234, 5678, 9>)`;
const kill = (time: string, victim: string, killer: string, weapon: string) =>
  `${time} | ${victim} killed by ${killer} with ${weapon} from 300 meters `;
const Ann = P('Ann', ann);
const deadBob = P('*Bob*', bob, ' (DEAD)');

let folder: string;
let service: TestService;
let caller: Caller;
let client: Client;
let config: Config;
let common: PartialContext;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-kills-'));
  const periodBoards = createPeriodBoards(() => storedOf(() => config));
  service = await startTestService(northwood(), { parts: { periodBoards } });
  caller = await service.caller('northwood');
  client = createClient({ baseUrl: service.url, applicationId: caller.id, secret: caller.secret });
  config = configSchema.parse(
    northwood({
      seasons: [
        { name: '*Second*', start: '2026-02-20T12:00:00+01:00' },
        { name: 'First', start: '2026-02-01T12:00:00+01:00' },
        { name: 'Third', start: '2027-01-01T00:00:00Z' },
      ],
    }),
  );
  await service.db.updateTable('project').set({ kill_positions: 1 }).execute();
  const file = join(folder, 'x.ADM');
  // A Sunday; the service's clock stands at noon of 1 March 2026, a Sunday too.
  await writeFile(
    file,
    [
      'AdminLog started on 2026-02-15 at 10:00:00',
      `10:00:01 | Player "Ann"(id=${ann}) is connected`,
      kill('10:10:00', deadBob, Ann, 'M4A1'),
      'AdminLog started on 2026-02-24 at 10:00:00',
      `10:00:01 | Player "Ann"(id=${ann}) is connected`,
      ...['10:10:00', '10:20:00'].map((time) => kill(time, deadBob, Ann, 'CR-527 Carbine')),
      kill('10:30:00', P('Ann', ann, ' (DEAD)'), P('Cid', cid), 'CR-527 Carbine'),
      `11:00:00 | ${P('Ann', ann, ' (DEAD)')} killed by ZmbM_SoldierNormal`,
      `13:00:00 | Player "Ann"(id=${ann}) has been disconnected`,
      '',
    ].join('\n'),
  );
  const { failures } = await importLogs(service.db, { serverId: 'northwood-1', files: [file] });
  expect(failures).toEqual([]);
  const project = storedOf(() => config);
  const [boards, players] = [createBoards(project), createStoredPlayers(project)];
  common = { client, community: { boards, players }, now: service.clock.now };
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const storedOf = (of: () => Config) =>
  storedFrom(of, service.db, { now: () => service.clock.now, monotonic: service.clock.monotonic });

async function run(
  command: 'lookup' | 'top',
  options: CommandContext['options'],
  over: PartialContext = {},
): Promise<Reply> {
  const reply = await commands[command].run(context({ ...common, options, ...over }));
  expect(answerViolations(reply)).toEqual([]);
  return reply;
}
const field = (reply: Reply, wanted: string) =>
  reply.embeds[0]?.fields?.find(({ name }) => name === wanted)?.value;

describe('/lookup', () => {
  it('tells the latest kills and deaths, the favorite weapon and kills per hour', async () => {
    const reply = await run('lookup', { identifier: steamIds.ann });
    const figures = reply.embeds[0]?.description;
    expect(figures).toContain('Kills per hour: **0\\.95**');
    expect(figures).toContain('Favorite weapon: **CR\u2011527\u00a0Carbine**');
    const kills = field(reply, 'Latest kills')?.split('\n') ?? [];
    expect(kills).toHaveLength(3);
    expect(kills[0]).toMatch(
      /^🦅 → \*\*\\\*Bob\\\*\*\* · CR\u2011527\u00a0Carbine · 300\u00a0m · <t:\d+:R>$/,
    );
    expect(kills[2]).toContain('M4A1');
    const deaths = field(reply, 'Latest deaths')?.split('\n') ?? [];
    expect(deaths[0]).toMatch(/^🧟 Killed by infected · <t:\d+:R>$/);
    expect(deaths[1]).toContain('← **Cid** · CR\u2011527\u00a0Carbine');
    expect(deaths[2]).toMatch(/^-# Kills and deaths since <t:\d+:D>$/);
  });

  it('never tells where somebody was', async () => {
    const reply = JSON.stringify(await run('lookup', { identifier: steamIds.ann }));
    expect(reply).not.toMatch(/1,?234|5,?678/);
  });

  it('answers without them when the store cannot be read', async () => {
    const away = () => Promise.reject(new Error('the store is away'));
    const community = { players: { ...noCommunity.players, details: away } };
    const reply = await run('lookup', { identifier: steamIds.ann }, { community });
    expect(reply.embeds[0]?.title).toBe('👤 Ann');
    expect(field(reply, 'Latest kills')).toBeUndefined();
  });
});

it('no answer of the service, figure or log line gives away where somebody was', async () => {
  expect(await service.db.selectFrom('death').select('victim_x').distinct().execute()).toEqual([
    { victim_x: 1234 },
  ]);
  const paths = ['leaderboards', 'servers', 'server/northwood-1', 'banlists', `player/${steamIds.ann}`];
  const answers = await Promise.all(paths.map((path) => caller.get(`/v1/${path}`)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  const said = JSON.stringify([answers.map(({ body }) => body), service.logged]);
  expect(said).not.toMatch(/\b(1,?234|5,?678)(\.0)?\b/);
});

describe('GET /v1/leaderboards?period=…', () => {
  const get = (query: string) => caller.get(`/v1/leaderboards${query}`);
  const rows = (board: { rows: { rank: number; valueText: string; player: { name: string } }[] }) =>
    board.rows.map(({ rank, valueText, player }) => `${rank} ${player.name} ${valueText}`);

  it('counts the running week, and says from when to when', async () => {
    const { body } = await get('?period=week&metric=player_kills&limit=2');
    expect(body).toMatchObject({ since: '2026-02-22T23:00:00.000Z', until: '2026-03-01T23:00:00.000Z' });
    expect(body.leaderboards.map(rows)).toEqual([['1 Ann 2', '2 Cid 1']]);
  });

  it('counts the running season, up to the next one that is announced', async () => {
    const { body } = await get('?period=season&metric=LONGEST_KILL');
    expect(body).toMatchObject({ since: '2026-02-20T11:00:00.000Z', until: '2027-01-01T00:00:00.000Z' });
    expect(body.leaderboards.map(rows)).toEqual([['1 Ann 300.0 m', '1 Cid 300.0 m']]);
  });

  it('has all leaderboards that logs count by period, empty ones as well', async () => {
    const { body } = await get('?period=month');
    expect(body.leaderboards.map(({ metric }: { metric: string }) => metric)).toEqual(runMetrics);
    expect(body.leaderboards.flatMap(rows)).toEqual([]);
  });

  it('counts once for callers with any limit', async () => {
    let counts = 0;
    const project = storedOf(() => config);
    const { remember } = project;
    const read = createPeriodBoards(() => ({
      ...project,
      remember: async (key, ms, count) => await remember(key, ms, () => ((counts += 1), count())),
    }));
    const asked = { period: 'week', metrics: ['PLAYER_KILLS'] } as const;
    const boards = await Promise.all([2, 1, 25].map((limit) => read('northwood', { ...asked, limit })));
    expect(boards.map((board) => board?.leaderboards[0]?.rows.length)).toEqual([2, 1, 2]);
    expect(counts).toBe(1);
  });

  it('answers as ever for all time', async () => {
    const { body } = await get('?metric=PLAYER_KILLS');
    expect(Object.keys(body)).toEqual(['leaderboards']);
    expect((await get('?metric=PLAYER_KILLS&period=all')).body).toEqual(body);
  });

  it('refuses unknown periods, and metrics that are counted over all time only', async () => {
    expect((await get('?period=year')).body.details).toEqual([
      { in: 'query', path: 'period', message: 'expected one of all, week, month, season, wipe' },
    ]);
    const { status, body } = await get('?period=week&metric=LONGEST_LIFE');
    expect([status, body.details[0].path]).toEqual([400, 'metric']);
    expect((await get('?period=all&metric=LONGEST_LIFE')).status).toBe(200);
  });

  it('finds no wipe where the config has none', async () => {
    const { status, body } = await get('?period=wipe');
    expect([status, body.message]).toEqual([
      404,
      'This project has no wipe: its config says when one begins.',
    ]);
  });
});

describe('/top', () => {
  const board = async (metric: string, period?: string, over: PartialContext = {}) =>
    await run('top', { metric, ...(period !== undefined && { period }) }, over);
  const lines = (reply: Reply | null) =>
    reply?.embeds[0]?.description?.replaceAll('\u00a0', ' ').split('\n') ?? [];
  const day = (moment: string) => `<t:${Date.parse(moment) / 1000}:D>`;
  const note = (moment: string) => `-# Counted by this bot from the server logs since ${day(moment)}.`;

  it('has boards of kills by period, marked as the bot’s own, that say since when they count', async () => {
    const month = await board('Player kills', 'This month');
    expect(month.embeds[0]?.title).toBe('⚔️ Player kills · This month');
    expect(lines(month)[0]).toBe('**Nobody is on this leaderboard yet.**');
    const week = await board('PLAYER_KILLS', 'this week');
    expect(week.embeds[0]?.title).toBe('⚔️ Player kills · This week');
    expect(lines(week)).toEqual(['🥇 Ann **2**', `🥈 Cid **1**`, note('2026-02-22T23:00:00Z')]);
    const weapon = await board('Kills with M4A1');
    expect(lines(weapon)).toEqual([
      '🥇 Ann **1**',
      `-# Counted by this bot from the server logs since ${day('2026-02-15T09:10:00Z')}.`,
    ]);
  });

  it.each([
    ['DEATHS', '. Ann **2**', 'Bob'],
    ['SUICIDES', 'Nobody is on this leaderboard yet.', ''],
    ['PLAYTIME', '🥇 Ann **2h 59m**', ''],
    ['LONGEST_KILL', '🥇 Ann **300 m**', '🥇 Cid **300 m**'],
    ['LONGEST_HIT', '🥇 Ann **300 m**', '🥇 Cid **300 m**'],
  ])('has %s this week', async (metric, first, also) => {
    const shown = JSON.stringify(await board(metric, 'week'))
      .replaceAll('\\u00a0', ' ')
      .replaceAll('\u00a0', ' ');
    expect(shown).toContain(first);
    expect(shown).toContain(also);
  });

  it('shows what is counted over all time only without a period, and keeps it for the next choice', async () => {
    const shown = await board('ZOMBIE_KILLS', 'week');
    expect(shown.embeds[0]?.title).toBe('🧟 Infected killed');
    const menu = labelled(shown, 'Choose a leaderboard');
    const kills = await press(menu.customId, ['PLAYER_KILLS'], common);
    expect(kills?.embeds[0]?.title).toBe('⚔️ Player kills · This week');
  });

  it('has a board for each season that has begun, with the first three of the one before', async () => {
    const second = await board('PLAYER_KILLS', 'season *second*');
    expect(second.embeds[0]?.title).toBe('⚔️ Player kills · Season \\*Second\\*');
    expect(lines(second)).toEqual([
      '🥇 Ann **2**',
      '🥈 Cid **1**',
      '-# Season First: 🥇 Ann **1**',
      note('2026-02-20T11:00:00Z'),
    ]);
    expect(lines(await board('PLAYER_KILLS', 'season'))).toEqual(lines(second));
    expect(lines(await board('PLAYER_KILLS', 'season first'))).toEqual([
      '🥇 Ann **1**',
      `-# Counted by this bot from the server logs, ${day('2026-02-15T09:00:00Z')} to ${day('2026-02-20T11:00:00Z')}.`,
    ]);
    const third = await board('PLAYER_KILLS', 'season third');
    expect(third.embeds[0]?.description).toContain('There is no period called “season third”.');
    expect(third.embeds[0]?.description).toContain('All time, This week, This month');
  });

  it('counts the run that a restart a little before the season has begun, and no other', async () => {
    const at = (start: string) =>
      configSchema.parse(
        northwood({
          seasons: [
            { name: 'Later', start },
            { name: 'Earlier', start: '2026-01-01T00:00:00Z' },
          ],
        }),
      );
    const first = async (start: string) => {
      const boards = createBoards(storedOf(() => at(start)));
      return await board('PLAYER_KILLS', 'season', { community: { boards } });
    };
    // The run began at 10:00.
    expect(lines(await first('2026-02-24T10:14:00+01:00')).slice(0, 2)).toEqual([
      '🥇 Ann **2**',
      '🥈 Cid **1**',
    ]);
    const late = lines(await first('2026-02-24T10:16:00+01:00'));
    expect(late[0]).toBe('**Nobody is on this leaderboard yet.**');
    expect(late[1]).toBe('-# Season Earlier: 🥇 Ann **3** · 🥈 Cid **1**');
  });

  it('offers periods for completion and in the menu, whose choice opens them', async () => {
    const completed = async (name: string, value: string) => {
      const choices = await commands.top.autocomplete?.({
        ...context(common),
        focused: { name, value },
      });
      return choices?.map((choice) => choice.name);
    };
    expect(await completed('metric', 'with')).toEqual(['Kills with CR-527 Carbine', 'Kills with M4A1']);
    expect(await completed('period', '')).toEqual([
      'All time',
      'This week',
      'This month',
      'Season *Second*',
      'Season First',
    ]);
    const menu = labelled(await board('PLAYER_KILLS'), 'Choose a period');
    expect(menu.choices).toEqual(['all', 'week', 'month', 'season.1771585200', 'season.1769943600']);
    const week = await press(menu.customId, ['week'], common);
    expect(lines(week)[0]).toBe('🥇 Ann **2**');
    const deaths = await press(labelled(week!, 'Choose a leaderboard').customId, ['DEATHS'], common);
    expect(deaths?.embeds[0]?.title).toBe('💀 Deaths · This week');
    const back = await press(labelled(deaths!, 'Choose a period').customId, ['all'], common);
    expect(back?.embeds[0]?.title).toBe('💀 Deaths');
  });

  it('leaves out within seconds who is banned for good, and shows the player again when the ban is lifted', async () => {
    const boards = async () => {
      service.clock.now += 10_000;
      const week = await board('PLAYER_KILLS', 'week');
      return [week, await board('Kills with M4A1')].map((reply) => JSON.stringify(lines(reply)));
    };
    const before = await boards();
    for (const shown of before) expect(shown).toContain('Ann');
    const player = { kind: 'steamId64', value: steamIds.ann } as const;
    const ban = { listId: 'northwood-bans', player } as const;
    await addBan(service.db, { ...ban, category: 'CHEATING', reason: 'aimbot', expiresAt: null });
    const [week, weapon] = await boards();
    expect(week).toContain('🥇 Cid');
    expect(week + weapon!).not.toContain('Ann');
    expect(JSON.stringify(await run('lookup', { identifier: steamIds.ann }))).toContain('Ann');
    await liftBan(service.db, ban);
    expect(await boards()).toEqual(before);
  });

  it('goes through their pages', async () => {
    const first = await run('top', { metric: 'PLAYER_KILLS', period: 'week', limit: 1 });
    expect(lines(first)[0]).toBe('🥇 Ann **2**');
    const next = labelled(first, 'Next');
    expect(lines(await press(next.customId, [], common))[0]).toBe('🥈 Cid **1**');
    const weapon = await run('top', { metric: 'weapon.CR-527 Carbine', limit: 1 });
    expect(lines(await press(labelled(weapon, 'Next').customId, [], common))[0]).toBe('🥈 Cid **1**');
  });

  it('has none where no log was read', async () => {
    const over = { community: { hasStore: false, boards: noCommunity.boards } };
    const reply = await board('PLAYER_KILLS', 'week', over);
    expect(reply.embeds[0]?.description).toContain('There is no period called “week”.');
    expect(JSON.stringify(reply)).not.toContain('Ann');
    expect(JSON.stringify(await board('KD', undefined, over))).not.toContain('Ann');
  });

  it('says who rose and fell since a week ago, over all time and within a season', async () => {
    const file = join(folder, 'earlier.ADM');
    // A week ago Cid was ahead of Ann in the season, and as far as she over all time; Dan is new.
    const dan = P('Dan', dayzIdOf('76561198000000077'));
    const lineOf = (time: string, killer: string) => kill(time, deadBob.replace(bob, eve), killer, 'M4A1');
    const times = ['10:01', '10:02', '10:03'].map((time) => `${time}:00`);
    await writeFile(
      file,
      [
        'AdminLog started on 2026-02-21 at 10:00:00',
        ...times.map((time) => lineOf(time, P('Cid', cid))),
        lineOf('10:04:00', Ann),
        lineOf('10:05:00', Ann),
        'AdminLog started on 2026-02-28 at 10:00:00',
        ...times.map((time) => lineOf(time, Ann)),
        ...times.map((time) => lineOf(time, dan)),
        lineOf('11:00:00', dan),
        '',
      ].join('\n'),
    );
    const { failures } = await importLogs(service.db, { serverId: 'northwood-1', files: [file] });
    expect(failures).toEqual([]);
    // Nothing is remembered of the boards before.
    service.clock.now += 3_600_000;
    const ranks = (reply: Reply) =>
      lines(reply).flatMap((line) => /^\S+ (\w+) \*\*(\d+)\*\*(.*)$/.exec(line)?.slice(1, 4).join(' ') ?? []);
    const fresh = createClient({ baseUrl: service.url, applicationId: caller.id, secret: caller.secret });
    const all = await board('PLAYER_KILLS', undefined, { client: fresh });
    expect(ranks(all)).toEqual(['Ann 8 ', `Cid 4  ▼1`, `Dan 4  🆕`]);
    expect(lines(all)).toContain('-# ▲ ▼ Places since last week');
    const season = await board('PLAYER_KILLS', 'season');
    expect(ranks(season)).toEqual([`Ann 7  ▲1`, `Cid 4  ▼1`, `Dan 4  🆕`]);
    const week = await board('PLAYER_KILLS', 'week');
    expect(ranks(week)).toEqual(['Ann 5 ', 'Dan 4 ', 'Cid 1 ']);
    expect(lines(week)).not.toContain('-# ▲ ▼ Places since last week');
    // Now Cid and Dan have one name.
    await service.db.updateTable('player').set({ name: 'Cid' }).where('name', '=', 'Dan').execute();
    service.clock.now += 3_600_000;
    const namesakes = await board('PLAYER_KILLS', 'season');
    expect(ranks(namesakes)).toEqual([`Ann 7  ▲1`, `Cid 4  ▼1`, `Cid 4  🆕`]);
    const named = createClient({ baseUrl: service.url, applicationId: caller.id, secret: caller.secret });
    const whole = await board('PLAYER_KILLS', undefined, { client: named });
    expect(ranks(whole)).toEqual(['Ann 8 ', 'Cid 4 ', 'Cid 4 ']);
  });
});
