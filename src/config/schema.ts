import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { validate as isCronExpression } from 'node-cron';
import { z } from 'zod';
import { plans } from '../api/access.ts';
import { metricCodes, metricSources, type SharedMetric, sharedMetrics } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import * as resource from '../api/resources.ts';
import { isSpoken, locales } from '../locales/language.ts';
import { defaultGameType, isGameType, suggestGameType } from '../server/live/game-types.ts';
import { suggestion } from './suggestion.ts';

const id = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, {
  error: 'expected 1 to 63 of a-z 0-9 . _ - , beginning with a letter or digit',
});
const text = (max: number) =>
  z.string().trim().min(1, { error: 'expected a text that is not empty' }).max(max);
const port = z
  .int({ error: 'expected a port, a whole number from 1 to 65535' })
  .min(1, { error: 'expected a port from 1 to 65535' })
  .max(65_535, { error: 'expected a port from 1 to 65535' });
const webAddress = z.url({ protocol: /^https?$/, error: 'expected a web address, https://…' });
const joinAddress = z
  .string()
  .refine(
    (text) =>
      /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[1-9][0-9]{0,4})?$/.test(text) &&
      URL.canParse(`http://${text}`),
    { error: 'expected an address such as play.example.org or 203.0.113.7:2302' },
  );
const timezone = z.string().superRefine((name, context) => {
  if (isTimeZone(name)) return;
  const message = 'expected an IANA time zone such as Europe/Berlin or UTC';
  context.addIssue({ code: 'custom', message, params: { meant: suggestTimeZone(name) } });
});
/** What resolves to an address, without anything around it. */
const host = z
  .string()
  .min(1)
  .refine((text) => isIP(text) > 0 || /^[\p{L}\p{N}._-]+$/u.test(text), {
    error:
      'expected an address or host name alone, without http:// and without a port (which has a key of its own)',
  });
const path = z
  .string()
  .min(1)
  .refine((text) => !hasControlCharacter(text), {
    error:
      'expected a path, found a line break, tab or the like in it: in "double quotes" \\n and \\t mean those. ' +
      "Write it in 'single quotes', or with / instead of \\",
  });
const cron = z.string().refine(isCronExpression, {
  error: 'expected a cron expression such as "*/2 * * * *" (minute hour day month weekday)',
});
const snowflake = z
  .string({ error: 'expected a Discord id in quotes, such as "123456789012345678"' })
  .regex(/^[0-9]{17,20}$/, { error: 'expected a Discord id: 17 to 20 digits, in quotes' });

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A city alone, or a misspelt name, is enough to know the zone. */
function suggestTimeZone(text: string): string | null {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = (name: string): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return zones.find((zone) => city(zone) === city(text)) ?? suggestion(text, zones);
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

const ownSchedule = z.strictObject({
  source: z.literal('config').optional().describe('default: what stands here is the schedule'),
  kind: z.enum(resource.scheduleKinds),
  title: text(100),
  description: text(1000).optional(),
  recurrence: z.enum(resource.recurrences),
  intervalMinutes: z.int().min(1).max(525_600).optional().describe('INTERVAL: minutes from one to the next'),
  timeOfDay: z
    .string({ error: 'expected a time of day in quotes, such as "02:00"' })
    .regex(resource.timeOfDayPattern, { error: 'expected a time of day "HH:mm", 00:00 to 23:59' })
    .optional()
    .describe('DAILY, WEEKLY: when; INTERVAL: the time on which the interval is anchored, else 00:00'),
  weekdays: z.array(z.enum(resource.weekdays)).optional().describe('WEEKLY: on which days'),
  timezone: timezone.optional().describe("default: the server's"),
  public: z.boolean().default(false).describe('false: kept from the service and the bot'),
  active: z.boolean().default(true),
});

const restartSchedule = z.strictObject({
  source: z.literal('messages.xml').describe("the restart that the mission's messages.xml announces"),
  file: path.optional().describe("default: db/messages.xml of the mission of the server's playersDb"),
  title: text(100).default('Restart'),
  description: text(1000).optional(),
  public: z
    .boolean()
    .default(true)
    .describe('the game announces it to everyone; false: kept from the service'),
  active: z.boolean().default(true),
});

const schedule = z.discriminatedUnion('source', [ownSchedule, restartSchedule], {
  error: 'expected a schedule with source "messages.xml", or without a source',
});

/** What both the admin log and players.db count. */
const metricSource = z.enum(metricSources).optional();
const chosenSources = z.strictObject(
  Object.fromEntries(sharedMetrics.map((code) => [code, metricSource])) as Record<
    SharedMetric,
    typeof metricSource
  >,
);

const serverKeys = z.strictObject({
  id: id.describe('the {serverId} of the service; never change it, all history hangs on it'),
  name: text(100),
  game: z
    .string()
    .superRefine((type, context) => {
      if (isGameType(type)) return;
      const message = `expected a GameDig game type such as ${defaultGameType} ("outpost games" lists all)`;
      context.addIssue({ code: 'custom', message, params: { meant: suggestGameType(type) } });
    })
    .default(defaultGameType),
  host: host.describe('address on which the game server answers queries'),
  port: port.describe('game port'),
  queryPort: port.optional().describe('absent: no live list of players'),
  joinAddress: joinAddress
    .optional()
    .describe(
      'where players connect; default: host and port. Where http.publicUrl is not set, the bot shows it as text',
    ),
  timezone: timezone.default('UTC').describe('of the machine that writes the logs'),
  logs: path.optional().describe('folder of .ADM, .RPT and serverconsole.log'),
  playersDb: path.optional().describe("the mission's storage_<n>/players.db"),
  metricSources: chosenSources
    .default({})
    .describe(
      'which source counts where both could; default: logs; on a server with playersDb and no logs: players.db',
    ),
  schedules: z.array(schedule).default([]),
  active: z.boolean().default(true),
});

/** `<mission>/db/messages.xml`, seen from `<mission>/storage_<n>/players.db`. */
function messagesFileBeside(playersDb: string): string {
  return join(dirname(dirname(playersDb)), 'db', 'messages.xml');
}

const server = serverKeys.transform((server) => ({
  ...server,
  schedules: server.schedules.map((schedule) =>
    schedule.source === 'messages.xml'
      ? { ...schedule, file: schedule.file ?? messagesFileBeside(server.playersDb ?? '') }
      : schedule,
  ),
}));

const banSource = z.strictObject({
  file: path,
  format: z.enum(['battleye', 'dayz', 'vpp']),
  servers: z.array(id).optional().describe('whose file it is; default: every server of the list'),
  write: z
    .boolean()
    .default(false)
    .describe('true: Outpost writes bans made with "outpost ban add" into it and takes them out again'),
});

const banlist = z.strictObject({
  id: id.describe('the {banListId} of the service'),
  name: text(100),
  description: text(1000).optional(),
  public: z.boolean().default(false),
  verificationStatus: z.enum(resource.verificationStatuses).default('UNVERIFIED'),
  servers: z.array(id).optional().describe('where the list is applied; default: every server of the project'),
  sources: z.array(banSource).default([]),
  active: z.boolean().default(true),
});

const support = z.strictObject({
  title: text(100).optional(),
  description: text(1000).optional(),
  accentColor: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, { error: 'expected a colour "#RRGGBB", in quotes' })
    .optional(),
  logoUrl: webAddress.optional(),
  bannerUrl: webAddress.optional(),
  discordUrl: webAddress.optional(),
});

const application = z.strictObject({
  id: z.string().regex(/^app_[A-Za-z0-9_-]{43}$/, {
    error: 'expected an application id, as "outpost app list" shows it',
  }),
  requestsPerMinute: z
    .int({ error: 'expected a whole number of requests' })
    .min(1, { error: 'expected at least 1 request a minute' })
    .max(1_000_000, { error: 'expected at most 1000000 requests a minute' })
    .describe('in any 60 seconds with one token; default 120'),
});

const project = z.strictObject({
  slug: id,
  name: text(100),
  plan: z.enum(plans).default('PRO'),
  suspended: z.boolean().default(false),
  support: support.default({}),
  servers: z.array(server).default([]),
  banlists: z.array(banlist).default([]),
  applications: z
    .array(application)
    .default([])
    .describe('limits of single applications; they are created with "outpost app create"'),
});

const locale = z.string().refine(isSpoken, {
  error: `expected a language that the bot speaks: ${locales.join(', ')}`,
});
const serverIds = z.array(id).min(1, { error: 'expected at least one server id' });
const postLocale = locale.optional().describe("default: the guild's");
const seldom = '*/10 * * * *';

const statusPost = z.strictObject({
  channelId: snowflake,
  cron: cron.default('*/2 * * * *'),
  servers: serverIds,
  chart: z.enum(['24h', '7d', 'none']).default('24h').describe('players over that time'),
  locale: postLocale,
});

const leaderboardPost = z.strictObject({
  channelId: snowflake,
  cron: cron.default(seldom),
  metric: z.enum(metricCodes),
  limit: z.int().min(1).max(leaderboardMaxRows).default(10).describe('rows'),
  locale: postLocale,
});

const schedulePost = z.strictObject({
  channelId: snowflake,
  cron: cron.default(seldom),
  servers: serverIds,
  locale: postLocale,
});

const roleId = snowflake.optional().describe('mentioned with it; nobody else ever is');

const alert = z
  .strictObject({
    channelId: snowflake,
    servers: serverIds,
    locale: postLocale,
    down: z
      .strictObject({
        afterMinutes: z.int().min(1).max(60).default(3).describe('a shorter absence is not told'),
        roleId,
      })
      .optional()
      .describe('told when a server is down, and when it is back; left out: not told'),
    players: z
      .strictObject({
        atLeast: z.int().min(1).max(10_000),
        cooldownMinutes: z.int().min(1).max(10_080).default(120).describe('not told again so soon'),
        roleId,
      })
      .optional()
      .describe('told when so many players are online; left out: not told'),
    restart: z
      .strictObject({ minutesBefore: z.int().min(1).max(1_440).default(15), roleId })
      .optional()
      .describe('told before each scheduled restart; left out: not told'),
  })
  .refine(({ down, players, restart }) => down ?? players ?? restart, {
    error: 'expected at least one of down, players and restart',
  });

const guild = z.strictObject({
  id: snowflake,
  locale: locale.optional().describe('language of posts and alerts there'),
  timezone: timezone.optional().describe("of charts there; default: the server's"),
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}

function isOrigin(text: string): boolean {
  if (text === '*') return true;
  try {
    return /^https?:/.test(text) && new URL(text).origin === text;
  } catch {
    return false;
  }
}

const cors = z.strictObject({
  origins: z
    .array(z.string().refine(isOrigin, { error: 'expected an origin such as https://example.org, or "*"' }))
    .default([])
    .describe('pages in browsers that may read the service; empty: none, "*": all'),
});

const metrics = z.strictObject({
  host: host.default('127.0.0.1'),
  port: z.int().min(0).max(65_535).describe('figures for Prometheus at /metrics; 0: any free port'),
});

const connectionCount = z
  .int({ error: 'expected a whole number of connections' })
  .min(1, { error: 'expected at least 1 connection' })
  .max(1_000_000, { error: 'expected at most 1000000 connections' });

const http = z.strictObject({
  host: host
    .default('127.0.0.1')
    .describe('127.0.0.1: this machine only; 0.0.0.0: everyone who can reach it'),
  port: z.int().min(0).max(65_535).default(8080).describe('0: any free port'),
  supportUrl: webAddress.optional().describe("address of the projects' support pages; /<slug> is added"),
  publicUrl: webAddress
    .optional()
    .describe('where members reach this service; the bot then links /join/<server>. Left out: no such links'),
  trustProxy: z
    .array(z.string().refine(isNetwork, { error: 'expected an address or a network such as 10.0.0.0/8' }))
    .default([])
    .describe('your proxies: their X-Forwarded-For says who is calling; default: nobody is believed'),
  maxConnections: connectionCount
    .optional()
    .describe('open at once, all callers together; a few more are left to this machine; default: 4000'),
  maxConnectionsPerAddress: connectionCount
    .optional()
    .describe('of one address (an IPv6 /64 is one), but for this machine and trusted proxies; default: 200'),
  cors: cors.prefault({}),
  metrics: metrics.optional().describe('left out: no figures are served'),
  logRequests: z
    .boolean()
    .default(false)
    .describe('true: a line in the log for each request; false: only with LOG_LEVEL=debug'),
});

const live = z.strictObject({
  pollSeconds: z
    .int({ error: 'expected whole seconds, such as 15' })
    .min(1, { error: 'expected 1 second or more' })
    .max(86_400, { error: 'expected a day (86400 seconds) or less' })
    .optional()
    .describe('seconds from one check of a server to its next; default 15'),
  poll: cron
    .optional()
    .meta({ deprecated: true, description: 'the same as a cron expression, as earlier versions had it' }),
});

const visibility = z
  .enum(['public', 'private'], { error: 'expected public or private' })
  .optional()
  .describe('who sees the answers');
const answers = z
  .strictObject({
    status: visibility,
    online: visibility,
    top: visibility,
    lookup: visibility,
    bans: visibility,
    schedule: visibility,
  })
  .describe('default: lookup and bans are private, all others public');

const discord = z.strictObject({
  project: id.optional().describe('whose data the bot shows; default: the first project'),
  locale: locale.optional().describe("language of posts and alerts; default: each guild's own"),
  guilds: z
    .array(guild)
    .default([])
    .describe('your own guilds (see "Home guilds" in the README), and what is different in each'),
  guildIds: z
    .array(snowflake)
    .default([])
    .describe('commands only in these guilds (at once), which are home guilds then; empty: everywhere'),
  answers: answers.default({}),
  buttons: z
    .enum(['asker', 'everyone'], { error: 'expected asker or everyone' })
    .default('asker')
    .describe('who may use the buttons and menus of a public answer'),
  sharing: z
    .enum(['nobody', 'moderators', 'everyone'], { error: 'expected nobody, moderators or everyone' })
    .default('moderators')
    .describe('who may turn a private answer public; moderators: who may manage messages or ban'),
  statusPosts: z.array(statusPost).default([]),
  leaderboardPosts: z.array(leaderboardPost).default([]),
  schedulePosts: z.array(schedulePost).default([]),
  alerts: z.array(alert).default([]),
  presence: z.boolean().default(true).describe("the bot's presence tells how many are playing"),
  keepServing: z
    .boolean()
    .default(false)
    .describe('true: when Discord refuses the bot, the service goes on without it; false: the process ends'),
});

/** The config file. `outpost.schema.json` is generated from this, and the example lists every key of it. */
export const configSchema = z.strictObject({
  http: http.prefault({}),
  live: live.prefault({}),
  projects: z.array(project).min(1, { error: 'expected at least one project' }),
  discord: discord.optional(),
});

const ofTheService = z.unknown().optional();

/** The same file where the bot reads a service elsewhere: that one serves the projects, so only `discord` counts. */
export const botConfigSchema = z.strictObject({
  http: ofTheService,
  live: ofTheService,
  projects: ofTheService,
  discord: discord.prefault({}),
});

export type BotConfig = z.output<typeof botConfigSchema>;
export type Config = z.output<typeof configSchema>;
export type ConfigInput = z.input<typeof configSchema>;
export type ProjectConfig = Config['projects'][number];
export type ServerConfig = ProjectConfig['servers'][number];
export type BanlistConfig = ProjectConfig['banlists'][number];
export type DiscordConfig = NonNullable<Config['discord']>;
