import { z } from 'zod';
import { banCategories } from './ban-categories.ts';
import { metricCodes, metrics, metricUnits, type Metric, type PlayerStat } from './metrics.ts';

/** RFC 3339, UTC, milliseconds: `2026-01-31T12:00:00.000Z`. */
const timestamp = z.iso.datetime({ precision: 3 });
const count = z.int().min(0);
const matching = (pattern: RegExp) => z.string().regex(pattern);

export const project = z
  .strictObject({
    id: z.string().describe('Identifier of the project inside the service.'),
    name: z.string().describe('Name of the project.'),
    slug: z.string().describe("Name of the project's public support page in its address."),
    supportUrl: z
      .url()
      .nullable()
      .describe('Address of the public support page; null when the service has no support pages.'),
  })
  .describe('The project to which the application belongs.');

export const support = z
  .strictObject({
    title: z.string().nullable().describe('Title of the support page.'),
    description: z.string().nullable().describe('Description on the support page.'),
    accentColor: matching(/^#[0-9A-Fa-f]{6}$/)
      .nullable()
      .describe('Colour of the brand: `#` and six hex digits.'),
    logoUrl: z.url().nullable().describe('Address of the logo.'),
    bannerUrl: z.url().nullable().describe('Address of the banner.'),
    discordUrl: z.url().nullable().describe('Invitation to the Discord of the project.'),
  })
  .describe("The project's support branding. Fields that the owner did not set are null.");

export const serverStatuses = ['ONLINE', 'OFFLINE', 'UNKNOWN'] as const;

export const server = z
  .strictObject({
    id: z
      .string()
      .describe(
        'Identifier of the server in the service, used as `serverId`. No address, no port, no display name.',
      ),
    name: z.string().describe('Name of the server in the service.'),
    map: z.string().nullable().describe('Technical name of the game map, as the server last reported it.'),
    status: z
      .enum(serverStatuses)
      .describe('Last known state; `UNKNOWN`: not checked yet, or it cannot be checked.'),
    players: count.nullable().describe('Players at the last check; null when not `ONLINE`.'),
    maxPlayers: count.nullable().describe('Number of slots.'),
    checkedAt: timestamp.nullable().describe('When the service last checked the server.'),
  })
  .describe('An active server with its last known state. Fields that the server did not report are null.');

export const scheduleKinds = ['RESTART', 'MAINTENANCE', 'EVENT', 'WIPE', 'OTHER'] as const;
export const recurrences = ['INTERVAL', 'DAILY', 'WEEKLY'] as const;
export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
/** `HH:mm`, 00:00 to 23:59. */
export const timeOfDayPattern = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

export const schedule = z
  .strictObject({
    kind: z.enum(scheduleKinds).describe('What happens.'),
    title: z.string().describe('Public title.'),
    description: z.string().nullable().describe('Description, null when none is set.'),
    recurrence: z.enum(recurrences).describe('How it repeats.'),
    intervalMinutes: z.int().min(1).nullable().describe('Minutes between two runs of an `INTERVAL`.'),
    timeOfDay: matching(timeOfDayPattern)
      .nullable()
      .describe(
        '`HH:mm` in `timezone`. An `INTERVAL` counts from it, or from 00:00 when it is null. One below 1440 minutes starts again each day (300 from 02:00: 02:00, 07:00, 12:00, 17:00, 22:00, then 02:00); a longer one counts from 1970-01-01.',
      ),
    weekdays: z.array(z.enum(weekdays)).describe('Days of a `WEEKLY` schedule; empty for the others.'),
    timezone: z.string().describe('IANA time zone, such as `Europe/Berlin`.'),
  })
  .describe('A schedule that is active and that the owner of the server made public.');

/** How other resources refer to a player. */
export const playerReference = z
  .strictObject({
    steamId64: matching(/^[0-9]{17}$/)
      .nullable()
      .describe('SteamID64: 17 digits.'),
    battleyeGuid: matching(/^[0-9a-f]{32}$/)
      .nullable()
      .describe('BattlEye GUID: 32 hex digits in lower case.'),
    cftoolsId: matching(/^[0-9a-f]{24}$/)
      .nullable()
      .describe('CFTools id: 24 hex digits in lower case.'),
    name: z.string().nullable().describe('Latest known name.'),
  })
  .describe('A player: three identifiers and the latest name, each null when not known.');

export const alias = z
  .strictObject({
    name: z.string().describe('A name that the player went by.'),
    firstSeenAt: timestamp.nullable().describe('When the name was first seen.'),
    lastSeenAt: timestamp.nullable().describe('When the name was last seen.'),
  })
  .describe('A name by which a player was known, and when.');

function statSchema({ unit, description }: Metric): z.ZodType<number | null> {
  const figure = unit === 'meters' ? z.number().min(0) : count;
  return figure.nullable().describe(description);
}

/** Figures that no source of the project reports are null. Times in seconds, distances in metres. */
export const playerStats = z
  .strictObject(
    Object.fromEntries(
      Object.values(metrics).map((metric) => [metric.stat, statSchema(metric)] as const),
    ) as Record<PlayerStat, ReturnType<typeof statSchema>>,
  )
  .describe('Figures of a player over all servers of the project. Those that no source reports are null.');

export const player = z
  .strictObject({
    ...playerReference.shape,
    aliases: z.array(alias).describe('Known names, the latest first, 100 at most.'),
    firstSeenAt: timestamp.nullable().describe('When the player was first seen.'),
    lastSeenAt: timestamp.nullable().describe('When the player was last seen.'),
    stats: playerStats,
  })
  .describe('A player who is known in the project, with names and figures.');

export const leaderboardRow = z
  .strictObject({
    rank: z.int().min(1).describe('Place; equal values share one (1, 2, 2, 4).'),
    value: z.number().gt(0).describe('The figure, in the `unit` of the leaderboard.'),
    valueText: z.string().describe('The figure as it is displayed: `1,234`, `812.4 m`, `3d 4h 12m`.'),
    player: playerReference,
  })
  .describe('One place of a leaderboard.');

export const leaderboard = z
  .strictObject({
    metric: z.enum(metricCodes).describe('What is counted.'),
    unit: z.enum(metricUnits).describe('Unit of every `value`.'),
    rows: z.array(leaderboardRow).max(25).describe('The best first; only values above 0.'),
  })
  .describe('The best players by one metric.');

export const verificationStatuses = ['UNVERIFIED', 'PENDING', 'VERIFIED'] as const;

export const banlist = z
  .strictObject({
    id: z.string().describe('Identifier of the list, used as `banListId`.'),
    name: z.string().describe('Name of the list.'),
    description: z.string().nullable().describe('Description, null when none is set.'),
    isPublic: z.boolean().describe('Whether the list is marked public.'),
    verificationStatus: z.enum(verificationStatuses).describe('How far the list has been verified.'),
    banCount: count.describe('Bans of the list that are active and not expired.'),
  })
  .describe('An active ban list of the project.');

export const targetStates = ['ENFORCED', 'PENDING', 'FAILED'] as const;

export const banTarget = z
  .strictObject({
    type: z.literal('SERVER').describe('What the ban is applied to.'),
    serverId: z.string().describe('Identifier of the server.'),
    name: z.string().describe('Name of the server.'),
    state: z
      .enum(targetStates)
      .describe(
        '`ENFORCED`: a ban file of the server holds the player; `PENDING`: none does yet; `FAILED`: it could not be applied there. Outpost only reads ban files and never answers this.',
      ),
  })
  .describe('Where a ban is applied, and whether it is enforced there.');

export const bannedPlayer = z
  .strictObject({
    ...playerReference.shape,
    aliases: z.array(alias).describe('Known names, the latest first, 100 at most.'),
  })
  .describe('The player whom a ban is for. Unknown fields are null.');

export const ban = z
  .strictObject({
    category: z.enum(banCategories).describe('What the ban is for.'),
    reason: z.string().nullable().describe('Reason in words.'),
    startsAt: timestamp.nullable().describe('When the ban began.'),
    expiresAt: timestamp.nullable().describe('When the ban ends; null when it has no end.'),
    permanent: z.boolean().describe('True when the ban has no end.'),
    player: bannedPlayer,
    targets: z.array(banTarget).describe('Where the ban is applied.'),
  })
  .describe('A ban that is active and not expired.');

export const onlinePlayer = z
  .strictObject({
    steamId64: matching(/^[0-9]{17}$/).describe('SteamID64: 17 digits.'),
    name: z.string().describe('Current name.'),
  })
  .describe('A player on the server.');

/** DayZ answers a query without names, so these are from the server's log, which has no SteamID64. */
export const loggedPlayers = z
  .strictObject({
    asOf: timestamp.describe('Up to when the log is known.'),
    isComplete: z.boolean().describe('False: a part of the log is missing, so others may be on, too.'),
    players: z
      .array(
        z.strictObject({
          name: z.string().describe('Name in the log.'),
          since: timestamp.nullable().describe('When the player came on; null when the log does not say.'),
        }),
      )
      .describe('Hidden players are left out.'),
  })
  .describe('Who is on a server by its log, which may be minutes behind.');

export const onlinePlayers = z
  .strictObject({
    online: count.nullable().describe('Players as the query of the server counts them.'),
    listedPlayers: count.describe('Entries that the query listed.'),
    players: z
      .array(onlinePlayer)
      .describe('The entries that have both a SteamID64 and a name. DayZ itself reports neither.'),
    incompletePlayers: count.describe('Entries without a SteamID64 or without a name.'),
    observedAt: timestamp.describe('When the server was queried.'),
    source: z.literal('GAMEDIG').describe('Library that queried it.'),
    cached: z.boolean().describe('True: the answer to an earlier request, a few seconds old.'),
    fromLog: loggedPlayers
      .optional()
      .describe('Only where the query does not name everybody, and Outpost follows the log of the server.'),
  })
  .describe('Who is on a server, read live from its query port.');

export type Project = z.infer<typeof project>;
export type Support = z.infer<typeof support>;
export type Server = z.infer<typeof server>;
export type Schedule = z.infer<typeof schedule>;
export type PlayerReference = z.infer<typeof playerReference>;
export type Alias = z.infer<typeof alias>;
export type PlayerStats = z.infer<typeof playerStats>;
export type Player = z.infer<typeof player>;
export type Leaderboard = z.infer<typeof leaderboard>;
export type LeaderboardRow = z.infer<typeof leaderboardRow>;
export type Banlist = z.infer<typeof banlist>;
export type Ban = z.infer<typeof ban>;
export type BanTarget = z.infer<typeof banTarget>;
export type OnlinePlayers = z.infer<typeof onlinePlayers>;

/** Whether any check of a server had an answer so far: the map and slots of the last answer stay known. */
export function hasAnswered(server: Pick<Server, 'map' | 'maxPlayers'> & { status: string | null }): boolean {
  return server.status === 'ONLINE' || server.map !== null || server.maxPlayers !== null;
}
