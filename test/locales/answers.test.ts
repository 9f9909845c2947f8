import { PermissionsBitField } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { errorCodes, type ErrorCode } from '../../src/api/errors.ts';
import { ServiceUnreachableError } from '../../src/api/client-types.ts';
import type { CommandOptions, Reply } from '../../src/commands/command.ts';
import { commands, type CommandName } from '../../src/commands/index.ts';
import type { Placements } from '../../src/commands/interfaces/placements.ts';
import { alertEmbed } from '../../src/embeds/alert.ts';
import { deathCauses } from '../../src/api/death-causes.ts';
import { deathEmbed, digestEmbed, missedEmbed, type Death } from '../../src/embeds/kill-feed.ts';
import { errorEmbed } from '../../src/embeds/failure.ts';
import { languageOf, locales } from '../../src/locales/language.ts';
import { aDeath } from '../bot/channels/feeds/feed-world.ts';
import { asker, context } from '../commands/context.ts';
import { contractClient, serviceError, type Handlers } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { alerts } from '../embeds/every-alert.ts';
import { answerViolations } from '../harness/request-rules.ts';

type Question = [name: CommandName, options: CommandOptions, handlers?: Partial<Handlers>];

const steamId = '76561198000000001';
const stale = (value: object) => ({ data: value, receivedAt: data.now - 600_000, stale: true }) as never;

/** What members ask on an ordinary day, and on others. */
const questions: Question[] = [
  ['status', {}],
  ['status', { server: 'northwood-1' }],
  ['status', { server: 'northwood-3' }],
  ['status', { server: 'nowhere' }],
  ['status', { server: 'northwood' }],
  ['status', {}, { listServers: () => stale({ servers: data.servers }) }],
  ['status', {}, { listServers: () => ({ servers: [] }) }],
  ['online', { server: 'northwood-1' }],
  [
    'online',
    { server: 'northwood-1' },
    { listOnlinePlayers: () => data.online([], { online: 12, listedPlayers: 12, incompletePlayers: 12 }) },
  ],
  ['online', { server: 'northwood-1' }, { listOnlinePlayers: () => data.online([]) }],
  [
    'online',
    { server: 'northwood-1' },
    { listOnlinePlayers: () => Promise.reject(serviceError('live_source_unavailable')) },
  ],
  ['top', { metric: 'PLAYER_KILLS' }],
  [
    'top',
    { metric: 'PLAYTIME' },
    {
      listLeaderboards: () => ({
        leaderboards: [data.leaderboard(['Anna', 'Bert'], { metric: 'PLAYTIME', unit: 'seconds' })],
      }),
    },
  ],
  ['top', { metric: 'LONGEST_KILL' }, { listLeaderboards: () => ({ leaderboards: [] }) }],
  ['top', { metric: 'nonsense' }],
  ['lookup', { identifier: steamId }],
  ['lookup', { identifier: 'nonsense' }],
  ['lookup', { identifier: steamId }, { getPlayer: () => Promise.reject(serviceError('not_found')) }],
  ['bans', {}],
  ['bans', { list: 'northwood-bans' }],
  ['bans', { list: 'gone' }],
  ['bans', { identifier: steamId }],
  [
    'bans',
    { identifier: steamId },
    { listBans: () => ({ bans: [] }), listBanlists: () => ({ banlists: [data.banlist({ banCount: 0 })] }) },
  ],
  ['bans', { identifier: steamId }, { listBans: () => Promise.reject(serviceError('internal_error')) }],
  ['bans', {}, { listBanlists: () => ({ banlists: [] }) }],
  ['schedule', {}],
  ['schedule', { server: 'northwood-1' }],
  ['schedule', { server: 'northwood-1' }, { listSchedules: () => ({ schedules: [] }) }],
  ['outpost', { subcommand: 'posts' }],
  ['outpost', { subcommand: 'setup', kind: 'status' }],
  ['outpost', { subcommand: 'setup', kind: 'leaderboard' }],
  ['outpost', { subcommand: 'setup', kind: 'leaderboard', metric: 'DEATHS' }],
  ['outpost', { subcommand: 'alert' }],
  ['outpost', { subcommand: 'alert', down: true, players: 5, restart: 15 }],
];

/** Keeps nothing, and has room for more. */
const placements: Placements = {
  list: () => Promise.resolve([]),
  place: ({ channelId, content }) =>
    Promise.resolve({ placed: { id: '1', channelId, content, status: { state: 'waiting' } } }),
  remove: () => Promise.resolve(null),
};
const channels = { placements: () => placements };
const mayAll = asker({ permissions: PermissionsBitField.All, botPermissions: PermissionsBitField.All });

const textOf = (reply: Pick<Reply, 'embeds' | 'components'>) =>
  JSON.stringify([reply.embeds, reply.components ?? []]);

/** What shows that a text is missing, was filled in wrongly, or did not fit. */
const amiss = /\{\{|\$t\(|undefined|NaN|\[object|…|"[a-z]+\.[a-zA-Z_.]+"/;

describe.each(locales)('in %s', (locale) => {
  const language = languageOf(locale);

  it.each(questions)(
    '/%s %j is answered in full, as Discord takes it',
    async (name, options, handlers = {}) => {
      const reply = await commands[name].run(
        context({ client: contractClient(handlers), language, options, channels, asker: mayAll }),
      );
      expect(answerViolations(reply)).toEqual([]);
      expect(textOf(reply)).not.toMatch(amiss);
    },
  );

  it('every alert is translated in full', () => {
    const embeds = alerts.map((alert) => alertEmbed(language, data.server(), alert));
    expect(textOf({ embeds })).not.toMatch(amiss);
  });

  it('every death in a kill feed has its texts', () => {
    const view = { servers: new Map(), withServer: true, withPositions: true };
    const deaths = deathCauses.flatMap((cause): Death[] => [
      { ...aDeath, cause, killer: null },
      { ...aDeath, cause, killer: { name: null }, streak: 3, endedStreak: 22 },
    ]);
    const [first, ...others] = deaths as [Death, ...Death[]];
    const missed = [1, 3, 17].flatMap((count) =>
      [true, false].map((onlyKills) => ({ count, onlyKills, lastAt: data.now })),
    );
    const embeds = [
      ...deaths.map((each) => deathEmbed(language, view, each)),
      digestEmbed(language, view, [first, ...others]).embed,
      ...missed.map((each) => missedEmbed(language, each)),
    ];
    for (const embed of embeds) expect(textOf({ embeds: [embed] })).not.toMatch(amiss);
  });

  it('every failure has a sentence', () => {
    const errors = [
      ...(Object.keys(errorCodes) as ErrorCode[]).map((code) => serviceError(code)),
      new ServiceUnreachableError('no answer'),
      new Error('inside'),
    ];
    for (const error of errors) {
      expect(textOf({ embeds: [errorEmbed(language, error, { now: data.now })] })).not.toMatch(amiss);
    }
  });
});

it('answers differ from language to language', async () => {
  const said = await Promise.all(
    locales.map(async (locale) => {
      const reply = await commands.status.run(context({ language: languageOf(locale) }));
      return reply.embeds[0]?.title;
    }),
  );
  expect(new Set(said).size).toBe(locales.length);
});
