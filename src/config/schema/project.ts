import { z } from 'zod';
import { plans } from '../../api/access.ts';
import * as resource from '../../api/resources.ts';
import { gameBanFiles } from '../../server/games/table.ts';
import { server } from './server.ts';
import { id, moment, path, text, timeSpan, webAddress, wholeNumber } from './values.ts';

/** `battleye, dayz or vpp` */
const named = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const formats = gameBanFiles.map(({ format }) => format);

/** The path under which the service reads the names that are banned in the settings of a server at Nitrado. */
const nitradoBanNames = 'nitrado:settings.general.bans';

const servers = z.array(id).optional().describe('whose file it is; default: every server of the list');

const banFile = z.strictObject({
  file: path,
  filesOf: id
    .optional()
    .describe('the server at whose place (its key files) the file lies; default: it is on this machine'),
  format: z.enum(formats),
  servers,
});

const banNames = z
  .strictObject({
    format: z.literal('nitrado').describe('the banned names in the settings of a server at Nitrado'),
    filesOf: id.describe('the server, whose key files has the type nitrado'),
    servers,
  })
  .transform((source) => ({ ...source, file: nitradoBanNames }));

/** Where bans of a list come from. */
const banSource = z.discriminatedUnion('format', [banFile, banNames], {
  error: `expected a format: ${named.format(formats)} with a file, or nitrado with filesOf`,
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
  requestsPerMinute: wholeNumber('requests', 1, 1_000_000).describe(
    'in any 60 seconds with one token; default 120',
  ),
});

const season = z.strictObject({
  name: text(60),
  start: moment.describe(
    'when it began, such as 2026-11-01T18:00:00+01:00; it ends when the next one starts',
  ),
});

export const project = z.strictObject({
  slug: id,
  name: text(100),
  plan: z.enum(plans).default('PRO'),
  suspended: z.boolean().default(false),
  support: support.default({}),
  servers: z.array(server).default([]),
  banlists: z.array(banlist).default([]),
  killsKept: timeSpan
    .prefault('90d')
    .describe('how long each death is stored, such as 90d, 12w or 1y; figures stay'),
  killPositions: z
    .boolean()
    .default(false)
    .describe(
      'true: where players died and killed is kept as well, for /heatmap and kill feeds with positions',
    ),
  leaderboards: z
    .strictObject({
      banned: z
        .enum(['hide', 'show'])
        .default('hide')
        .describe('whether boards show players whom a ban list of the project bans permanently'),
    })
    .prefault({}),
  seasons: z.array(season).max(20).default([]).describe('each has leaderboards of its own in /top'),
  wipes: z
    .array(moment)
    .max(100)
    .default([])
    .describe(
      'when the servers were wiped; /top has leaderboards since the latest. Public schedules of kind WIPE count too',
    ),
  applications: z
    .array(application)
    .default([])
    .describe('limits of single applications; they are created with "outpost app create"'),
});
