import { z } from 'zod';
import { boardMetrics, periodKinds } from '../../api/log-metrics.ts';
import { leaderboardMaxRows } from '../../api/operations.ts';
import { cron, locale, serverIds, snowflake, wholeNumber } from './values.ts';

/*
 * What the bot does on its own in channels: a row for each kind. The lists of `discord` in the config, their types, the example
 * config (with the first of `examples`), `/outpost setup`, `/outpost posts` and the doctor follow from it. What a kind does is in
 * `bot/channels/kinds/`.
 */

/** What is known of a kind without its code. */
interface KindFacts {
  /** Its list in the config. */
  list: string;
  /** For log lines and the doctor. */
  name: string;
  /** What its list is, for the schema of the config. */
  about: string;
  /** It has one message, which is edited in place. Otherwise, its messages are sent once. */
  isPost: boolean;
  /** Only logs say what it posts. It is off where the bot reads a service elsewhere. */
  needsLogs: boolean;
}

/** What each entry of the config has besides the options of its kind. */
const inChannel = { channelId: snowflake, locale: locale.optional().describe("default: the guild's") };

/** Adds the list of the config to what is known of a kind. */
function job<const Facts extends KindFacts, Shape extends z.ZodRawShape>(
  facts: Facts,
  options: z.ZodObject<Shape>,
) {
  const extended: z.ZodObject = (options as z.ZodObject).safeExtend(inChannel).strict();
  const entry = extended as z.ZodObject<Shape & typeof inChannel, z.core.$strict>;
  return { ...facts, options, entries: z.array(entry).default([]).describe(facts.about) };
}

const seldom = '*/10 * * * *';

/** Deaths that a kill feed posts besides kills by players. */
export const feedDeaths = ['suicides', 'animals', 'infected', 'vehicles', 'falls', 'others'] as const;

const roleId = snowflake.optional().describe('mentioned with it; nobody else ever is');
const aboutPlayers = z.strictObject({ roleId }).optional();

export const channelKinds = {
  status: job(
    {
      list: 'statusPosts',
      name: 'status post',
      about: 'one message each, edited in place: how servers are',
      isPost: true,
      needsLogs: false,
    },
    z.object({
      cron: cron.default('*/2 * * * *'),
      servers: serverIds,
      chart: z
        .enum(['24h', '7d', 'week', 'none'])
        .default('24h')
        .describe('players over that time; week: by weekday and hour, over the last four weeks'),
      names: z
        .boolean()
        .default(false)
        .describe('true: names of who is online, from the query or the server log'),
    }),
  ),
  leaderboard: job(
    {
      list: 'leaderboardPosts',
      name: 'leaderboard post',
      about: 'one message each: who leads in a metric',
      isPost: true,
      needsLogs: false,
    },
    z.object({
      cron: cron.default(seldom),
      metric: z.enum(boardMetrics),
      period: z
        .enum(periodKinds)
        .optional()
        .describe('counted from logs: the running one; default: all time'),
      limit: z.int().min(1).max(leaderboardMaxRows).default(10).describe(`rows, 1 to ${leaderboardMaxRows}`),
    }),
  ),
  schedule: job(
    {
      list: 'schedulePosts',
      name: 'schedule post',
      about: 'one message each: when servers restart',
      isPost: true,
      needsLogs: false,
    },
    z.object({ cron: cron.default(seldom), servers: serverIds }),
  ),
  alerts: job(
    {
      list: 'alerts',
      name: 'alerts',
      about: 'a message of its own each, about servers and players who come on; at least one of the six',
      isPost: false,
      needsLogs: false,
    },
    z
      .object({
        servers: serverIds,
        down: z
          .strictObject({
            afterMinutes: z
              .int()
              .min(1)
              .max(60)
              .default(5)
              .describe('a shorter outage is not posted, nor a restart of the schedules for 15 minutes'),
            roleId,
          })
          .optional()
          .describe('posted when a server is down, and when it is back; left out: not posted'),
        players: z
          .strictObject({
            atLeast: z
              .int()
              .min(1)
              .max(10_000)
              .meta({ examples: [40] }),
            cooldownMinutes: z.int().min(1).max(10_080).default(120).describe('not posted again before'),
            roleId,
          })
          .optional()
          .describe('posted when so many players are online; left out: not posted'),
        restart: z
          .strictObject({ minutesBefore: z.int().min(1).max(1_440).default(15), roleId })
          .optional()
          .describe('posted before each scheduled restart; left out: not posted'),
        watched: aboutPlayers.describe(
          "posted when a player of the moderators' watch list comes on; for a channel of moderators",
        ),
        banned: aboutPlayers.describe(
          'posted when a player of a ban list comes on; for a channel of moderators',
        ),
        newPlayers: aboutPlayers.describe(
          'posted when a player is on a server for the first time, by logs of more than a day',
        ),
      })
      .refine(
        ({ down, players, restart, watched, banned, newPlayers }) =>
          down ?? players ?? restart ?? watched ?? banned ?? newPlayers,
        { error: 'expected at least one of down, players, restart, watched, banned and newPlayers' },
      ),
  ),
  feed: job(
    {
      list: 'killFeeds',
      name: 'kill feed',
      about: 'a message for each kill, or a digest when there are many at once',
      isPost: false,
      needsLogs: true,
    },
    z.object({
      servers: serverIds,
      show: z
        .array(z.enum(feedDeaths, { error: `expected some of ${feedDeaths.join(', ')}` }))
        .default([])
        .meta({ examples: [feedDeaths] })
        .describe('deaths to post besides kills by players'),
      delaySeconds: wholeNumber('seconds', 0, 86_400)
        .default(0)
        .meta({ examples: [300] })
        .describe('posts each death so much later'),
      positions: z
        .boolean()
        .default(false)
        .describe('true: links to the place on the map; use a delay of at least five minutes'),
      compact: z.boolean().default(false).describe('true: a line of text for each kill instead of an embed'),
      maxAgeMinutes: wholeNumber('minutes', 1, 1_440)
        .default(10)
        .describe('older deaths are only counted, such as those of an outage'),
    }),
  ),
  recap: job(
    {
      list: 'recapPosts',
      name: 'recap',
      about: 'a message a week: who and what was first, beside the week before',
      isPost: false,
      needsLogs: true,
    },
    z.object({
      cron: cron
        .default('0 10 * * 1')
        .describe('Mondays at ten: when the last week (Monday to Sunday) that has ended is posted'),
      servers: z
        .array(serverIds.element)
        .default([])
        .meta({ examples: [['northwood-1']] })
        .describe('none: all of the project'),
    }),
  ),
};

type Kinds = typeof channelKinds;

export type ChannelKind = keyof Kinds;

type WithReadonlyLists<T> = { [Key in keyof T]: T[Key] extends (infer Item)[] ? readonly Item[] : T[Key] };

/** The options of a kind, with the defaults of what was left out. */
export type KindOptions<Kind extends ChannelKind> = WithReadonlyLists<z.output<Kinds[Kind]['options']>>;

/** What the bot posts in a channel: a kind and its options. */
export type ChannelContent = { [Kind in ChannelKind]: { kind: Kind } & KindOptions<Kind> }[ChannelKind];

/** The lists of `discord`. */
type Lists = { [Kind in ChannelKind as Kinds[Kind]['list']]: Kinds[Kind]['entries'] };

export const channelLists = Object.fromEntries(
  Object.values(channelKinds).map(({ list, entries }) => [list, entries]),
) as unknown as Lists;

export const channelListNames = Object.keys(channelLists) as readonly (keyof Lists)[];

/** What an entry of any list may have. */
export interface ChannelEntry {
  channelId: string;
  locale?: string | undefined;
  servers?: readonly string[] | undefined;
}

/**
 * The content for the options of a kind, with the defaults of what is left out. Options that the kind does not have are dropped.
 * @throws where one is wrong or missing
 */
export function contentOf(kind: ChannelKind, options: object): ChannelContent {
  return { kind, ...channelKinds[kind].options.parse(options) } as ChannelContent;
}

/** The rules of alerts about servers. One that is left out sends no alerts. */
export type AlertRules = Pick<KindOptions<'alerts'>, 'down' | 'players' | 'restart'>;

/** The rules of alerts about players who come on. */
export type PlayerAlertRules = Pick<KindOptions<'alerts'>, 'watched' | 'banned' | 'newPlayers'>;

export const hasServerRules = ({ down, players, restart }: AlertRules): boolean =>
  (down ?? players ?? restart) !== undefined;

export const hasPlayerRules = ({ watched, banned, newPlayers }: PlayerAlertRules): boolean =>
  (watched ?? banned ?? newPlayers) !== undefined;

/** Whether alerts say what only moderators should know of players. */
export const isForModerators = ({ watched, banned }: PlayerAlertRules): boolean =>
  (watched ?? banned) !== undefined;

/** The roles that alerts mention. */
export function rolesOf(rules: AlertRules & PlayerAlertRules): string[] {
  const { down, players, restart, watched, banned, newPlayers } = rules;
  const all = [down, players, restart, watched, banned, newPlayers].flatMap((rule) => rule?.roleId ?? []);
  return [...new Set(all)];
}

export const hasPicture = (content: ChannelContent): boolean =>
  content.kind === 'recap' || (content.kind === 'status' && content.chart !== 'none');
