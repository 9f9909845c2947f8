import { isIP } from 'node:net';
import { validate as isCronExpression } from 'node-cron';
import { z } from 'zod';
import { plans } from './api/access.ts';
import * as resource from './api/resources.ts';
import { gameTypes } from './server/live/game-types.ts';

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
const timezone = z
  .string()
  .refine(isTimeZone, { error: 'expected an IANA time zone such as Europe/Berlin or UTC' });
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

const schedule = z.strictObject({
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

const server = z.strictObject({
  id: id.describe('the {serverId} of the service; never change it, all history hangs on it'),
  name: text(100),
  game: z
    .string()
    .refine((game) => gameTypes.has(game), { error: 'expected a GameDig game type such as dayz' })
    .default('dayz'),
  host: z.string().min(1).describe('address on which the game server answers queries'),
  port: port.describe('game port'),
  queryPort: port.optional().describe('absent: no live list of players'),
  timezone: timezone.default('UTC').describe('of the machine that writes the logs'),
  logs: z.string().min(1).optional().describe('folder of .ADM, .RPT and serverconsole.log'),
  playersDb: z.string().min(1).optional().describe("the mission's storage_<n>/players.db"),
  schedules: z.array(schedule).default([]),
  active: z.boolean().default(true),
});

const banSource = z.strictObject({
  file: z.string().min(1),
  format: z.enum(['battleye', 'dayz', 'vpp']),
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

const statusPost = z.strictObject({
  channelId: snowflake,
  cron: cron.default('*/2 * * * *'),
  servers: z.array(id).min(1, { error: 'expected at least one server id' }),
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
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).describe('figures for Prometheus at /metrics; 0: any free port'),
});

const http = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('127.0.0.1: this machine only; 0.0.0.0: everyone who can reach it'),
  port: z.int().min(0).max(65_535).default(8080).describe('0: any free port'),
  supportUrl: webAddress.optional().describe("address of the projects' support pages; /<slug> is added"),
  trustProxy: z
    .array(z.string().refine(isNetwork, { error: 'expected an address or a network such as 10.0.0.0/8' }))
    .default([])
    .describe('your proxies: their X-Forwarded-For says who is calling; default: nobody is believed'),
  cors: cors.prefault({}),
  metrics: metrics.optional().describe('left out: no figures are served'),
});

const live = z.strictObject({
  poll: cron.default('*/15 * * * * *').describe('when servers are checked: cron, with seconds in front'),
});

const discord = z.strictObject({
  project: id.optional().describe('whose data the bot shows; default: the first project'),
  locale: z.string().default('en-US').describe('language of posts'),
  guildIds: z
    .array(snowflake)
    .default([])
    .describe('commands only in these guilds (at once); empty: everywhere'),
  statusPosts: z.array(statusPost).default([]),
});

/** The config file. `outpost.schema.json` is generated from this, and the example lists every key of it. */
export const configSchema = z.strictObject({
  http: http.prefault({}),
  live: live.prefault({}),
  projects: z.array(project).min(1, { error: 'expected at least one project' }),
  discord: discord.optional(),
});

export type Config = z.output<typeof configSchema>;
export type ConfigInput = z.input<typeof configSchema>;
export type ProjectConfig = Config['projects'][number];
export type ServerConfig = ProjectConfig['servers'][number];
export type BanlistConfig = ProjectConfig['banlists'][number];
export type DiscordConfig = NonNullable<Config['discord']>;
