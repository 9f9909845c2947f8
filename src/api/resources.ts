import { z } from 'zod';
import { metricCodes } from './metrics.ts';

/** RFC 3339, UTC, milliseconds: `2026-01-31T12:00:00.000Z`. */
const timestamp = z.iso.datetime({ precision: 3 });
const count = z.int().min(0);

export const project = z.strictObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  supportUrl: z.url().nullable(),
});

export const support = z.strictObject({
  title: z.string().nullable(),
  description: z.string().nullable(),
  accentColor: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/)
    .nullable(),
  logoUrl: z.url().nullable(),
  bannerUrl: z.url().nullable(),
  discordUrl: z.url().nullable(),
});

export const serverStatuses = ['ONLINE', 'OFFLINE', 'UNKNOWN'] as const;

export const server = z.strictObject({
  id: z.string(),
  name: z.string(),
  map: z.string().nullable(),
  status: z.enum(serverStatuses),
  players: count.nullable(),
  maxPlayers: count.nullable(),
  checkedAt: timestamp.nullable(),
});

export const scheduleKinds = ['RESTART', 'MAINTENANCE', 'EVENT', 'WIPE', 'OTHER'] as const;
export const recurrences = ['INTERVAL', 'DAILY', 'WEEKLY'] as const;
export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
/** `HH:mm`, 00:00 to 23:59. */
export const timeOfDayPattern = /^([01][0-9]|2[0-3]):[0-5][0-9]$/;

export const schedule = z.strictObject({
  kind: z.enum(scheduleKinds),
  title: z.string(),
  description: z.string().nullable(),
  recurrence: z.enum(recurrences),
  intervalMinutes: z.int().min(1).nullable(),
  timeOfDay: z.string().regex(timeOfDayPattern).nullable(),
  weekdays: z.array(z.enum(weekdays)),
  timezone: z.string(),
});

/** How a player is named everywhere: three identifiers and the latest name, each null when not known. */
export const playerReference = z.strictObject({
  steamId64: z
    .string()
    .regex(/^[0-9]{17}$/)
    .nullable(),
  battleyeGuid: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  cftoolsId: z
    .string()
    .regex(/^[0-9a-f]{24}$/)
    .nullable(),
  name: z.string().nullable(),
});

export const alias = z.strictObject({
  name: z.string(),
  firstSeenAt: timestamp.nullable(),
  lastSeenAt: timestamp.nullable(),
});

/** Figures that no source of the project reports are null. Times in seconds, distances in metres. */
export const playerStats = z.strictObject({
  playerKills: count.nullable(),
  deaths: count.nullable(),
  suicides: count.nullable(),
  zombieKills: count.nullable(),
  animalKills: count.nullable(),
  totalPlaySeconds: count.nullable(),
  longestLifeSeconds: count.nullable(),
  longestHitMeters: z.number().min(0).nullable(),
  longestKillMeters: z.number().min(0).nullable(),
});

export const player = z.strictObject({
  ...playerReference.shape,
  aliases: z.array(alias),
  firstSeenAt: timestamp.nullable(),
  lastSeenAt: timestamp.nullable(),
  stats: playerStats,
});

export const leaderboardRow = z.strictObject({
  rank: z.int().min(1),
  value: z.number().gt(0),
  valueText: z.string(),
  player: playerReference,
});

export const leaderboard = z.strictObject({
  metric: z.enum(metricCodes),
  unit: z.enum(['count', 'meters', 'seconds']),
  rows: z.array(leaderboardRow).max(25),
});

export const verificationStatuses = ['UNVERIFIED', 'PENDING', 'VERIFIED'] as const;

export const banlist = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  isPublic: z.boolean(),
  verificationStatus: z.enum(verificationStatuses),
  banCount: count,
});

export const banCategories = ['CHEATING', 'GRIEFING', 'TOXICITY', 'EXPLOITING', 'EVASION', 'OTHER'] as const;
export const targetStates = ['ENFORCED', 'PENDING', 'FAILED'] as const;

export const banTarget = z.strictObject({
  type: z.literal('SERVER'),
  serverId: z.string(),
  name: z.string(),
  state: z.enum(targetStates),
});

export const ban = z.strictObject({
  category: z.enum(banCategories),
  reason: z.string().nullable(),
  startsAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  permanent: z.boolean(),
  player: z.strictObject({ ...playerReference.shape, aliases: z.array(alias) }),
  targets: z.array(banTarget),
});

/** `online` is the query's own count; the entries it listed are complete ones in `players` and the rest counted. */
export const onlinePlayers = z.strictObject({
  online: count.nullable(),
  listedPlayers: count,
  players: z.array(z.strictObject({ steamId64: z.string().regex(/^[0-9]{17}$/), name: z.string() })),
  incompletePlayers: count,
  observedAt: timestamp,
  source: z.literal('GAMEDIG'),
  cached: z.boolean(),
});

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
