import { z } from 'zod';
import { boardMetrics, periodKinds } from '../../api/log-metrics.ts';
import { leaderboardMaxRows } from '../../api/operations.ts';
import { isSupported, locales } from '../../locales/tags.ts';
import { cron, serverIds, snowflake, wholeNumber } from './values.ts';

export const locale = z.string().refine(isSupported, {
  error: `expected a language that the bot speaks: ${locales.join(', ')}`,
});
const postLocale = locale.optional().describe("default: the guild's");
/** As the bot names them. */
const feedDeaths = ['suicides', 'animals', 'infected', 'vehicles', 'falls', 'others'] as const;
const seldom = '*/10 * * * *';

const statusPost = z.strictObject({
  channelId: snowflake,
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
  locale: postLocale,
});

const leaderboardPost = z.strictObject({
  channelId: snowflake,
  cron: cron.default(seldom),
  metric: z.enum(boardMetrics),
  period: z.enum(periodKinds).optional().describe('counted from logs: the running one; default: all time'),
  limit: z.int().min(1).max(leaderboardMaxRows).default(10).describe('rows'),
  locale: postLocale,
});

const schedulePost = z.strictObject({
  channelId: snowflake,
  cron: cron.default(seldom),
  servers: serverIds,
  locale: postLocale,
});

const killFeed = z.strictObject({
  channelId: snowflake,
  servers: serverIds,
  show: z
    .array(z.enum(feedDeaths, { error: `expected some of ${feedDeaths.join(', ')}` }))
    .default([])
    .describe('deaths to post besides kills by players'),
  delaySeconds: wholeNumber('seconds', 0, 86_400).default(0).describe('posts each death so much later'),
  positions: z
    .boolean()
    .default(false)
    .describe('links to the place on the map; use a delay of at least five minutes'),
  maxAgeMinutes: wholeNumber('minutes', 1, 1_440)
    .default(10)
    .describe('older deaths are only counted, such as those of an outage'),
  locale: postLocale,
});

const recapPost = z.strictObject({
  channelId: snowflake,
  cron: cron.default('0 10 * * 1').describe('when the last week that has ended is posted'),
  servers: serverIds.optional().describe('default: all of the project'),
  locale: postLocale,
});

const roleId = snowflake.optional().describe('mentioned with it; nobody else ever is');

const aboutPlayers = z.strictObject({ roleId }).optional();

const alert = z
  .strictObject({
    channelId: snowflake,
    servers: serverIds,
    locale: postLocale,
    down: z
      .strictObject({
        afterMinutes: z.int().min(1).max(60).default(5).describe('a shorter outage is not posted'),
        roleId,
      })
      .optional()
      .describe('posted when a server is down, and when it is back; left out: not posted'),
    players: z
      .strictObject({
        atLeast: z.int().min(1).max(10_000),
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
    banned: aboutPlayers.describe('posted when a player of a ban list comes on; for a channel of moderators'),
    newPlayers: aboutPlayers.describe(
      'posted when a player is on a server for the first time, by logs of more than a day',
    ),
  })
  .refine(
    ({ down, players, restart, watched, banned, newPlayers }) =>
      down ?? players ?? restart ?? watched ?? banned ?? newPlayers,
    { error: 'expected at least one of down, players, restart, watched, banned and newPlayers' },
  );

/** What the bot does on its own in channels: each list of `discord`. */
export const channelJobs = {
  statusPosts: z.array(statusPost).default([]),
  leaderboardPosts: z.array(leaderboardPost).default([]),
  schedulePosts: z.array(schedulePost).default([]),
  alerts: z.array(alert).default([]),
  recapPosts: z.array(recapPost).default([]).describe('a message a week: who and what was first'),
  killFeeds: z.array(killFeed).default([]),
};

/** What an entry of any list may have. */
export interface ChannelEntry {
  channelId: string;
  servers?: readonly string[] | undefined;
}

export const channelJobLists = Object.keys(channelJobs) as readonly (keyof typeof channelJobs)[];
