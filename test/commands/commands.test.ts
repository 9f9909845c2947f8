import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { battleyeGuidOf } from '../../src/api/identifiers.ts';
import { ServiceUnreachableError, type Client } from '../../src/api/client-types.ts';
import { errorCodes, type ErrorCode } from '../../src/api/errors.ts';
import { metricCodes } from '../../src/api/metrics.ts';
import type { Server } from '../../src/api/resources.ts';
import type { Command, CommandOptions } from '../../src/commands/command.ts';
import { visibilityOf } from '../../src/commands/visibilities.ts';
import { commandDefinitions, commands, type CommandName } from '../../src/commands/index.ts';
import type { Community } from '../../src/commands/interfaces/community.ts';
import { errorEmbed } from '../../src/embeds/failure.ts';
import type { LoggedPlayers } from '../../src/embeds/online.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from '../embeds/contract-data.ts';
import { expectSendable } from '../embeds/message-rules.ts';
import { asker, context } from './context.ts';
import { contractClient, serviceError, type Handlers } from './contract-client.ts';

const language = languageOf('en-US');
const { now } = data;

async function ask(name: CommandName, options: CommandOptions = {}, handlers: Partial<Handlers> = {}) {
  const reply = await commands[name].run(context({ client: contractClient(handlers), options }));
  expectSendable(reply.embeds, reply.files);
  const [embed] = reply.embeds;
  const fields = embed!.fields ?? [];
  const text = [
    embed!.title,
    embed!.description,
    ...fields.flatMap((field) => [field.name, field.value]),
  ].join('\n');
  return { ...reply, embed: embed!, text };
}

async function complete(name: CommandName, option: string, value: string, client: Client = contractClient()) {
  const focused = { name: option, value };
  const command: Command = commands[name];
  return await command.autocomplete!({ ...context({ client }), focused });
}

describe('/status', () => {
  it('shows all servers with players, readable maps, next restarts and the age of the check', async () => {
    const { embed, text } = await ask('status');
    expect(embed.fields?.map((field) => field.name)).toEqual([
      '🟢 Northwood | Chernarus',
      '🟢 Northwood | Livonia',
      '🔴 Northwood | Sakhal PvE',
    ]);
    expect(text).toContain('**37** players · 2 of 3 servers online');
    expect(text).toContain('Livonia');
    expect(text).toContain(`<t:${Date.parse('2026-11-20T21:00:00Z') / 1000}:R>`);
    expect(text).toContain(`checked <t:${(now - 20_000) / 1000}:R>`);
  });

  it('counts who is on by the log of a server whose check does not', async () => {
    const unknown = { status: 'UNKNOWN', map: null, maxPlayers: null } as const;
    const players = [{ name: 'Anna', seconds: 60, isLoading: false }];
    const describe = async (of: Partial<LoggedPlayers>, checked: Partial<Server> = unknown) => {
      const servers = [data.server({ players: null, ...checked })];
      const client = contractClient({ listServers: () => ({ servers }) });
      const logged = new Map([['northwood-1', { players, unnamed: 2, asOf: now, isComplete: true, ...of }]]);
      const community = { loggedPlayers: async () => logged };
      const reply = await commands.status.run(context({ client, community }));
      expect(JSON.stringify(reply.embeds)).not.toContain('Anna');
      return reply.embeds[0]?.description;
    };
    const unreported = "**Unknown** · This server doesn't report its status.";
    expect(await describe({})).toBe(`**3** players online (server log, updated <t:${now / 1000}:R>)`);
    expect(await describe({ players: null })).toBe(unreported);
    expect(await describe({ isComplete: false })).toBe(unreported);
    // Nor does every host count.
    expect(await describe({}, {})).toMatch(/^\*\*3\*\* players online \(server log/);
    expect(await describe({}, { status: 'OFFLINE' })).toMatch(/^\*\*Offline\*\*/);
    expect(await describe({}, { players: 8 })).toContain('## 8 / 60 players');
  });

  it.each(['northwood-2', 'NORTHWOOD-2', 'northwood | livonia', 'livonia'])(
    'shows one server by id, name or a part of it (%s)',
    async (text) => {
      expect((await ask('status', { server: text })).embed.title).toBe('🟢 Northwood | Livonia');
    },
  );

  it('lists the servers when none or several match', async () => {
    expect((await ask('status', { server: 'nowhere' })).text).toContain(
      'There is no server called “nowhere” here',
    );
    const several = await ask('status', { server: 'northwood' });
    expect(several.text).toContain('matches several servers');
    expect(several.visibility).toBe('private');
  });

  it('distinguishes offline, not checked and could not check', async () => {
    const one = (over: Parameters<typeof data.server>[0]) =>
      ask('status', {}, { listServers: () => ({ servers: [data.server({ players: null, ...over })] }) });
    expect((await one({ status: 'OFFLINE' })).text).toContain('**Offline**');
    expect((await one({ status: 'UNKNOWN', checkedAt: null })).text).toContain('Not checked yet');
    expect((await one({ status: 'UNKNOWN' })).text).toContain('The last check failed');
    expect((await one({ status: 'ONLINE' })).text).toContain('player count unknown');
  });

  it('says when the answer or the check is old', async () => {
    const old = { servers: [data.server({ checkedAt: new Date(now - 3_600_000).toISOString() })] };
    expect((await ask('status', {}, { listServers: () => old })).text).toContain('⚠️ Last checked');
    const stale = { data: { servers: data.servers }, receivedAt: now - 60_000, stale: true };
    expect((await ask('status', {}, { listServers: () => stale })).text).toContain(
      `Couldn't refresh. Last updated <t:${(now - 60_000) / 1000}:R>`,
    );
  });

  it('does without restarts and branding that it cannot read', async () => {
    const fails = () => Promise.reject(serviceError('subscription_required'));
    const { text } = await ask('status', {}, { listSchedules: fails, getProject: fails });
    expect(text).toContain('37');
    expect(text).not.toContain('restart');
  });
});

describe('/online', () => {
  const options = { server: 'northwood-1' };

  it('lists the names in alphabetical order', async () => {
    const { embed } = await ask('online', options);
    expect(embed.fields?.[0]?.value).toBe('Anna\nBert\nzoe');
  });

  it('says that the query gives no names', async () => {
    const result = data.online([], { online: 12, listedPlayers: 12, incompletePlayers: 12 });
    const { text } = await ask('online', options, { listOnlinePlayers: () => result });
    expect(text).toContain('**12** players online');
    expect(text).toContain('but not their names');
  });

  it('names players from the server log, and does without when the store fails', async () => {
    const result = data.online([], { online: 1, listedPlayers: 1, incompletePlayers: 1 });
    const client = contractClient({ listOnlinePlayers: () => result });
    const players = [{ name: 'Anna', seconds: null, isLoading: false }];
    const logged = new Map([['northwood-1', { players, asOf: now, isComplete: true }]]);
    const namesIn = async (loggedPlayers: Community['loggedPlayers']) => {
      const reply = await commands.online.run(context({ client, options, community: { loggedPlayers } }));
      return reply.embeds[0]?.fields?.map(({ value }) => value);
    };
    expect(await namesIn(() => Promise.resolve(logged))).toEqual(['Anna']);
    expect(await namesIn(() => Promise.reject(new Error('disk I/O error')))).toBeUndefined();
  });

  it('names players from the log of a service elsewhere', async () => {
    const asOf = new Date(now - 30_000).toISOString();
    const players = [
      { name: 'Anna', since: new Date(now - 60_000).toISOString() },
      { name: 'Bert', since: null },
    ];
    const fromLog = { asOf, isComplete: true, players };
    const result = { ...data.online([], { online: 2, listedPlayers: 0 }), fromLog };
    const { text, embed } = await ask('online', options, { listOnlinePlayers: () => result });
    expect(text).toContain(`Names from the server log, updated <t:${Date.parse(asOf) / 1000}:R>.`);
    expect(embed.fields?.[0]?.value).toBe('Anna · 1m\nBert');
  });

  it('names players from the log of a server without a query', async () => {
    const refuse = () => Promise.reject(serviceError('data_source_not_configured'));
    const unknown = { status: 'UNKNOWN', players: null } as const;
    const answer = async (of: Partial<LoggedPlayers>, checked: Partial<Server> = unknown) => {
      const servers = [data.server(checked)];
      const client = contractClient({ listOnlinePlayers: refuse, listServers: () => ({ servers }) });
      const players = [{ name: 'Anna', seconds: 60, isLoading: false }];
      const logged = new Map([['northwood-1', { players, asOf: now, isComplete: true, ...of }]]);
      const community = { loggedPlayers: async () => logged };
      const { embeds } = await commands.online.run(context({ client, options, community }));
      expectSendable(embeds);
      return [embeds[0]?.description, ...(embeds[0]?.fields ?? []).map(({ value }) => value)].join('\n');
    };
    const sentence = `Names from the server log, updated <t:${now / 1000}:R>.`;
    expect(await answer({})).toBe(`**1** player online\n${sentence}\nAnna · 1m`);
    expect(await answer({ isComplete: false })).toContain(`${sentence}\nPart of the log is missing`);
    expect(await answer({ players: null })).toContain('has no query port');
    // Its host may say how many are on.
    const counted = {
      status: 'ONLINE',
      players: 1,
      checkedAt: new Date(now - 60_000).toISOString(),
    } as const;
    const count = `**1** player online · checked <t:${now / 1000 - 60}:R>`;
    expect(await answer({}, counted)).toBe(`${count}\n${sentence}\nAnna · 1m`);
    expect(await answer({}, { ...counted, players: 3 })).toContain('3 online, 1 known by name');
  });

  it('says when count and list differ', async () => {
    const result = data.online(['Anna', 'Bert'], { online: 5, listedPlayers: 3, incompletePlayers: 1 });
    const { text } = await ask('online', options, { listOnlinePlayers: () => result });
    expect(text).toContain("Players online by the server's own count: 5, in its list: 3.");
    expect(text).toContain('1 entry has no name or Steam ID');
  });

  it('says that nobody is online, or that the count is not known', async () => {
    const nobody = await ask('online', options, { listOnlinePlayers: () => data.online([]) });
    expect(nobody.text).toContain('Nobody is online');
    const unknown = data.online([], { online: null });
    expect((await ask('online', options, { listOnlinePlayers: () => unknown })).text).toContain(
      "didn't report",
    );
  });

  it('shows a full server in one column', async () => {
    const names = Array.from({ length: 127 }, (_, index) => `A rather long player name number ${index}`);
    const { text, embed } = await ask('online', options, { listOnlinePlayers: () => data.online(names) });
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
    expect(embed.fields?.some(({ inline }) => inline)).toBe(false);
  });

  it('answers readably for a server without query port, and for one that is silent', async () => {
    const refuse = (code: ErrorCode) => ({ listOnlinePlayers: () => Promise.reject(serviceError(code)) });
    const servers = [data.server({ status: 'UNKNOWN', players: null })];
    const noPort = await ask('online', options, {
      ...refuse('data_source_not_configured'),
      listServers: () => ({ servers }),
    });
    expect(noPort.text).toContain('**Northwood | Chernarus** has no query port');
    expect(noPort.visibility).toBe('private');
    const silent = await ask('online', options, refuse('live_source_unavailable'));
    expect(silent.text).toContain("**Northwood | Chernarus** isn't responding");
  });
});

describe('/top', () => {
  it('gives medals, then ranks', async () => {
    const { embed } = await ask('top', { metric: 'PLAYER_KILLS' });
    expect(embed.description?.split('\n')).toEqual([
      '🥇\u00a0Anna **2,000**',
      '🥈\u00a0Bert **1,963**',
      '🥉\u00a0Carl **1,926**',
      '\u20074\\.\u00a0Dora **1,889**',
    ]);
  });

  it('lets equals share a rank and its medal', async () => {
    const board = data.leaderboard(['Anna', 'Bert', 'Carl', 'Dora']);
    const ranks = [1, 2, 2, 4];
    const rows = board.rows.map((row, index) => ({ ...row, rank: ranks[index]! }));
    const answer = () => ({ leaderboards: [{ ...board, rows }] });
    const { embed } = await ask('top', { metric: 'PLAYER_KILLS' }, { listLeaderboards: answer });
    expect(embed.description?.match(/🥇|🥈|🥉|4/g)).toEqual(['🥇', '🥈', '🥈', '4']);
  });

  it.each(['longest_kill', 'Longest Kill', 'LONGEST KILL', 'longest-kill'])(
    'understands the metric %s',
    async (metric) => {
      const asked: unknown[] = [];
      await ask(
        'top',
        { metric, limit: 99 },
        {
          listLeaderboards: (input) => {
            asked.push(input);
            return { leaderboards: [] };
          },
        },
      );
      expect(asked).toEqual([{ metric: 'LONGEST_KILL', limit: 25 }]);
    },
  );

  it('names the boards when it does not know one, and says why one is empty', async () => {
    const unknown = await ask('top', { metric: 'headshots' });
    expect(unknown.text).toContain('There is no leaderboard called “headshots”');
    expect(unknown.text).toContain('Longest kill');
    const empty = { leaderboards: [data.leaderboard([])] };
    const { text } = await ask('top', { metric: 'DEATHS' }, { listLeaderboards: () => empty });
    expect(text).toContain('Nobody is on this leaderboard yet');
  });
});

describe('/lookup', () => {
  it('shows figures, names, identifiers and when the player was here', async () => {
    const { text, embed } = await ask('lookup', { identifier: '76561198000000001', show: 'details' });
    expect(embed.title).toBe('👤 Survivor');
    expect(embed.fields?.some(({ inline }) => inline)).toBe(false);
    for (const part of [
      'Player kills: **1,234**',
      '**812\\.4\u00a0m**',
      '**76h**',
      '**5\\.88**',
      'Old Name',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('Animals killed');
    expect(text).toContain('`76561198000000001`');
    expect(text).toContain(`<t:${now / 1000 - 7200}:R>`);
  });

  it.each([
    ['76561198000000001', '76561198000000001'],
    [' Steam: 76561198000000001 ', '76561198000000001'],
    ['https://steamcommunity.com/profiles/76561198000000001/', '76561198000000001'],
    ['https://steamcommunity.com/profiles/76561198000000001/games?tab=all', '76561198000000001'],
    ['D41D8CD98F00B204E9800998ECF8427E', 'd41d8cd98f00b204e9800998ecf8427e'],
  ])('understands %j', async (text, identifier) => {
    const asked: unknown[] = [];
    await ask(
      'lookup',
      { identifier: text },
      {
        getPlayer: (input) => {
          asked.push(input);
          return { player: data.player() };
        },
      },
    );
    expect(asked).toEqual([{ identifier }]);
  });

  it('explains the form of an identifier, and says when nobody has it', async () => {
    for (const identifier of [
      '7656119800000000',
      'D41D8CD98F00B204E9800998ECF8427',
      'steam: Anna',
      '[U:1:x]',
    ]) {
      expect((await ask('lookup', { identifier })).text).toContain("isn't a valid player identifier");
    }
    const unknown = { getPlayer: () => Promise.reject(serviceError('not_found')) };
    const { text } = await ask('lookup', { identifier: '76561198000000009' }, unknown);
    expect(text).toContain('No player with SteamID64 `76561198000000009`');
  });

  it('says of a name that nobody here has that it is not known, not that it is no identifier', async () => {
    const { text } = await ask('lookup', { identifier: '`Survivor` 2' });
    expect(text).toContain('No player called “\\`Survivor\\` 2” is known here.');
    expect(text).not.toContain('identifier');
  });

  it('shows a player of whom next to nothing is known', async () => {
    const stats = Object.fromEntries(
      Object.keys(data.player().stats).map((key) => [key, null]),
    ) as unknown as ReturnType<typeof data.player>['stats'];
    const bare = data.player({ name: null, aliases: [], firstSeenAt: null, lastSeenAt: null, stats });
    const { text } = await ask(
      'lookup',
      { identifier: '76561198000000001' },
      { getPlayer: () => ({ player: bare }) },
    );
    expect(text).toContain('(no name)');
    expect(text).toContain('There are no stats for this player');
  });
});

describe('/bans', () => {
  const steamId = '76561198000000001';
  const manyBans = Array.from({ length: 200 }, (_, index) =>
    data.ban({
      player: {
        ...data.reference({
          steamId64: `7656119900000${String(index).padStart(4, '0')}`,
          battleyeGuid: null,
        }),
        aliases: [],
      },
    }),
  );

  it('lists the lists', async () => {
    const { text } = await ask('bans');
    expect(text).toContain('Northwood bans');
    expect(text).toContain('**2** active bans · public · verified');
  });

  it('shows the newest bans of a list and how many more there are', async () => {
    const big = {
      listBanlists: () => ({ banlists: [data.banlist({ banCount: 345 })] }),
      listBans: () => ({ bans: manyBans }),
    };
    const { text } = await ask('bans', { list: 'northwood-bans' }, big);
    expect(text).toContain('**345** active bans');
    expect(text).not.toContain('older bans');
  });

  it('says: banned', async () => {
    const { embed, text } = await ask('bans', { identifier: steamId });
    expect(embed.title).toBe('🔨 Banned');
    expect(text).toContain('Cheating · permanent');
    expect(text).toContain('Speed hack near Tisy');
    expect(text).toContain('Northwood | Chernarus (enforced)');
  });

  it('finds a ban by the GUID that belongs to its SteamID64, and the other way round', async () => {
    const unknown = { getPlayer: () => Promise.reject(serviceError('not_found')) };
    const only = (over: Parameters<typeof data.reference>[0]) => ({
      ...unknown,
      listBans: () => ({ bans: [data.ban({ player: { ...data.reference(over), aliases: [] } })] }),
    });
    const guid = battleyeGuidOf(steamId);
    const bySteam = only({ battleyeGuid: null });
    expect((await ask('bans', { identifier: guid.toUpperCase() }, bySteam)).embed.title).toBe('🔨 Banned');
    const byGuid = only({ steamId64: null, battleyeGuid: guid });
    expect((await ask('bans', { identifier: steamId }, byGuid)).embed.title).toBe('🔨 Banned');
  });

  const clean = {
    listBans: () => ({ bans: [data.bans[1]!] }),
    listBanlists: () => ({ banlists: [data.banlist({ banCount: 1 })] }),
  };

  it('says: not banned', async () => {
    const { embed, text } = await ask('bans', { identifier: steamId }, clean);
    expect(embed.title).toBe('✅ Not banned');
    expect(text).toContain('1 list was checked in full');
  });

  it.each([
    [
      'a list cannot be read',
      { listBans: () => Promise.reject(serviceError('internal_error')) },
      "couldn't be checked",
    ],
    [
      'only the last answer is left',
      { listBans: () => ({ data: { bans: [] }, receivedAt: now - 600_000, stale: true }) },
      "but couldn't refresh",
    ],
    [
      'a list holds more than can be read',
      {
        listBans: () => ({ bans: manyBans }),
        listBanlists: () => ({ banlists: [data.banlist({ banCount: 345 })] }),
      },
      'not among the newest 200 of 345 bans',
    ],
    [
      "the player's other identifiers are not known",
      { ...clean, getPlayer: () => Promise.reject(new ServiceUnreachableError('no answer')) },
      "other identifiers couldn't be loaded",
    ],
  ] satisfies [string, Partial<Handlers>, string][])(
    'says: could not check, when %s',
    async (_, handlers, why) => {
      const { embed, text } = await ask('bans', { identifier: steamId }, handlers);
      expect(embed.title).toBe('❓ Ban status unknown');
      expect(text).toContain(why);
      expect(text).not.toContain('no active ban;');
    },
  );

  const nobody = { steamId64: null, battleyeGuid: null, cftoolsId: null };
  it.each([
    ['by no identifier that the service shows', { ...nobody, name: null }],
    ['by a name only', { ...nobody, name: 'Survivor' }],
    ['by a kind of identifier that the player is not known by', { ...nobody, cftoolsId: 'a'.repeat(24) }],
  ])('says: could not check, when a ban names its player %s', async (_, reference) => {
    const unidentified = data.ban({ player: { ...data.reference(reference), aliases: [] } });
    const { embed, text } = await ask(
      'bans',
      { identifier: steamId },
      { listBans: () => ({ bans: [data.bans[1]!, unidentified] }) },
    );
    expect(embed.title).toBe('❓ Ban status unknown');
    expect(text).toContain('1 ban has no identifier to compare');
  });

  it('says: banned, and that there may be more, when another list names nobody', async () => {
    const unidentified = data.ban({ player: { ...data.reference({ ...nobody, name: null }), aliases: [] } });
    const { embed, text } = await ask(
      'bans',
      { identifier: steamId },
      {
        listBanlists: () => ({ banlists: [data.banlist(), data.banlist({ id: 'other', name: 'Other' })] }),
        listBans: ({ banListId }) => ({
          bans: banListId === 'other' ? [unidentified, unidentified] : data.bans,
        }),
      },
    );
    expect(embed.title).toBe('🔨 Banned');
    expect(text).toContain('there may be more');
    expect(text).toContain('2 bans have no identifier');
  });

  it('leaves out of that the bans that are over', async () => {
    const over = data.ban({
      expiresAt: new Date(now - 1000).toISOString(),
      permanent: false,
      player: { ...data.reference({ ...nobody, name: null }), aliases: [] },
    });
    const { embed } = await ask(
      'bans',
      { identifier: steamId },
      { listBans: () => ({ bans: [data.bans[1]!, over] }) },
    );
    expect(embed.title).toBe('✅ Not banned');
  });

  it('says: list not available', async () => {
    const { embed, text } = await ask('bans', { list: 'gone', identifier: steamId });
    expect(embed.title).toBe('🚫 Ban list not found');
    expect(text).toContain('Available: Northwood bans');
    const gone = { listBans: () => Promise.reject(serviceError('not_found')) };
    expect((await ask('bans', { list: 'northwood-bans' }, gone)).embed.title).toBe('🚫 Ban list not found');
  });

  it('says when there is no list at all', async () => {
    const { text } = await ask('bans', { identifier: steamId }, { listBanlists: () => ({ banlists: [] }) });
    expect(text).toContain('no ban lists to show');
  });

  it('is always private', () => {
    expect(visibilityOf('bans')).toBe('private');
  });
});

describe('/schedule', () => {
  it('shows the next three times of each entry, each in its own zone', async () => {
    const { embed } = await ask('schedule', { server: 'northwood-1' });
    const [restart, event] = embed.fields!;
    const times = restart!.value.match(/<t:(\d+):f>/g);
    expect(times).toHaveLength(3);
    expect(times?.[0]).toBe(`<t:${Date.parse('2026-11-20T21:00:00Z') / 1000}:f>`);
    expect(event!.value).toContain('Double loot');
    expect(event!.value).toContain('Fri, Sat at 20:00 (Europe/Berlin)');
    expect(event!.value).toContain(`<t:${Date.parse('2026-11-20T19:00:00Z') / 1000}:R>`);
  });

  it('shows all servers, and says which could not be read', async () => {
    const { embed } = await ask(
      'schedule',
      {},
      {
        listSchedules: ({ serverId }) =>
          serverId === 'northwood-3'
            ? Promise.reject(serviceError('internal_error'))
            : { schedules: serverId === 'northwood-1' ? data.schedules : [] },
      },
    );
    const values = embed.fields!.map((field) => field.value);
    expect(values[0]).toContain('🔄 Restart');
    expect(values[1]).toBe('There is no public schedule.');
    expect(values[2]).toBe("Couldn't load the schedule.");
  });

  it('says how to publish one only to who may manage the Discord server', async () => {
    const client = contractClient({ listSchedules: () => ({ schedules: [] }) });
    const options = { server: 'northwood-1' };
    const ask = async (permissions: bigint) =>
      (await commands.schedule.run(context({ client, options, asker: asker({ permissions }) }))).embeds[0];
    expect((await ask(0n))?.description).toBe('There is no public schedule.');
    expect((await ask(1n << 5n))?.description).toContain('`public: true`');
  });

  it("rejects with the service's reason when nothing can be read", async () => {
    const denied = { listSchedules: () => Promise.reject(serviceError('subscription_required')) };
    await expect(ask('schedule', {}, denied)).rejects.toMatchObject({ code: 'subscription_required' });
  });
});

describe('while typing', () => {
  it('offers servers, metrics and lists by id and name', async () => {
    expect(await complete('status', 'server', 'SAKHAL')).toEqual([
      { name: 'Northwood | Sakhal PvE', value: 'northwood-3' },
    ]);
    expect(await complete('online', 'server', 'northwood-2')).toEqual([
      { name: 'Northwood | Livonia', value: 'northwood-2' },
    ]);
    expect(await complete('top', 'metric', '')).toHaveLength(metricCodes.length);
    expect(await complete('top', 'metric', 'zombie')).toEqual([
      { name: 'Infected killed', value: 'ZOMBIE_KILLS' },
    ]);
    expect(await complete('bans', 'list', 'bans')).toEqual([
      { name: 'Northwood bans', value: 'northwood-bans' },
    ]);
  });

  it('offers 25 at most', async () => {
    const servers = Array.from({ length: 60 }, (_, index) =>
      data.server({ id: `s-${index}`, name: 'x'.repeat(300) }),
    );
    const choices = await complete(
      'status',
      'server',
      '',
      contractClient({ listServers: () => ({ servers }) }),
    );
    expect(choices).toHaveLength(25);
    expect(choices.every((choice) => choice.name.length <= 100)).toBe(true);
  });
});

describe('failures', () => {
  it('each have a sentence of their own, without the inside of the service', () => {
    const texts = (Object.keys(errorCodes) as ErrorCode[]).map((code) => {
      const embed = errorEmbed(language, serviceError(code), { now });
      expectSendable([embed]);
      return embed.description;
    });
    for (const text of texts) expect(text).toMatch(/[.]$/);
    expect(errorEmbed(language, new ServiceUnreachableError('x'), { now }).description).toContain(
      "isn't responding",
    );
    expect(errorEmbed(language, new Error('secret inside'), { now }).description).not.toContain('secret');
  });
});

describe('definitions', () => {
  it('are in docs/bot.md, with their options', () => {
    const docs = readFileSync('docs/bot.md', 'utf8').replaceAll('\\|', '|');
    for (const { name, options = [] } of commandDefinitions) {
      const words = (options as { name: string; type: number; required?: boolean }[]).map((option) =>
        option.type <= 2 ? option.name : option.required ? ` ${option.name}` : ` [${option.name}]`,
      );
      if (name === 'outpost')
        for (const word of words) expect(docs).toMatch(RegExp(`/outpost .*\\b${word}\\b`));
      else expect(docs).toContain(`\`/${[name, ...words].join('')}\``);
    }
  });

  it('are offered to who may use them, in guilds only', () => {
    const outpost = commandDefinitions.find((definition) => definition.name === 'outpost');
    expect(outpost).toMatchObject({ default_member_permissions: '32' });
    const bans = commandDefinitions.find((definition) => definition.name === 'bans');
    expect(bans).toMatchObject({ default_member_permissions: '4' });
    // Neither in private messages nor for users who install the app for themselves.
    for (const each of commandDefinitions)
      expect(each).toMatchObject({ contexts: [0], integration_types: [0] });
  });
});
