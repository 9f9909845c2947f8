import {
  count,
  flag,
  listOf,
  matching,
  measure,
  nonEmpty,
  nullable,
  object,
  oneOf,
  positive,
  text,
  timestamp,
  timeZone,
  webAddress,
  whole,
  type Check,
} from './shapes.ts';

/**
 * The resources of spec §Resources, their gaps filled as design §3 decides: `section()` says what these documents are. Not
 * taken from the service's own schemas: what is measured must not be the measure.
 */
type Fields = Readonly<Record<string, Check>>;

interface Metric {
  /** Of the same figure in `player.stats`. */
  stat: string;
  unit: 'count' | 'meters' | 'seconds';
  /** Each run of a log has a figure of it, so it is counted by period. */
  isOfRuns?: true;
}
export const metrics: Readonly<Record<string, Metric>> = {
  PLAYER_KILLS: { stat: 'playerKills', unit: 'count', isOfRuns: true },
  DEATHS: { stat: 'deaths', unit: 'count', isOfRuns: true },
  SUICIDES: { stat: 'suicides', unit: 'count', isOfRuns: true },
  LONGEST_HIT: { stat: 'longestHitMeters', unit: 'meters', isOfRuns: true },
  LONGEST_KILL: { stat: 'longestKillMeters', unit: 'meters', isOfRuns: true },
  ZOMBIE_KILLS: { stat: 'zombieKills', unit: 'count' },
  ANIMAL_KILLS: { stat: 'animalKills', unit: 'count' },
  PLAYTIME: { stat: 'totalPlaySeconds', unit: 'seconds', isOfRuns: true },
  LONGEST_LIFE: { stat: 'longestLifeSeconds', unit: 'seconds' },
};
export const metricCodes = Object.keys(metrics);

export const valueTexts = {
  count: /^[1-9]\d{0,2}(,\d{3})*$/,
  meters: /^(0|[1-9]\d{0,2}(,\d{3})*)\.\d m$/,
  seconds:
    /^(([1-9]\d{0,2}(,\d{3})*)d ([0-9]|1\d|2[0-3])h [0-5]?\dm|([1-9]|1\d|2[0-3])h [0-5]?\dm|[1-5]?\dm|[1-5]?\ds)$/,
};

export const project: Fields = {
  id: nonEmpty,
  name: nonEmpty,
  slug: nonEmpty,
  supportUrl: nullable(webAddress),
};
export const support: Fields = {
  title: nullable(nonEmpty),
  description: nullable(nonEmpty),
  accentColor: nullable(matching(/^#[0-9A-Fa-f]{6}$/)),
  logoUrl: nullable(webAddress),
  bannerUrl: nullable(webAddress),
  discordUrl: nullable(webAddress),
};
export const server: Fields = {
  id: nonEmpty,
  name: nonEmpty,
  map: nullable(nonEmpty),
  status: oneOf('ONLINE', 'OFFLINE', 'UNKNOWN'),
  players: nullable(count),
  maxPlayers: nullable(count),
  checkedAt: nullable(timestamp),
};
export const schedule: Fields = {
  kind: oneOf('RESTART', 'MAINTENANCE', 'EVENT', 'WIPE', 'OTHER'),
  title: nonEmpty,
  description: nullable(nonEmpty),
  recurrence: oneOf('INTERVAL', 'DAILY', 'WEEKLY'),
  intervalMinutes: nullable(whole(1)),
  timeOfDay: nullable(matching(/^([01]\d|2[0-3]):[0-5]\d$/)),
  weekdays: listOf(oneOf('MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN')),
  timezone: timeZone,
};
export const playerReference: Fields = {
  steamId64: nullable(matching(/^\d{17}$/)),
  battleyeGuid: nullable(matching(/^[0-9a-f]{32}$/)),
  cftoolsId: nullable(matching(/^[0-9a-f]{24}$/)),
  name: nullable(text),
};
const aliases = listOf(
  object({ name: text, firstSeenAt: nullable(timestamp), lastSeenAt: nullable(timestamp) }),
);
export const stats: Fields = Object.fromEntries(
  Object.values(metrics).map(({ stat, unit }) => [stat, nullable(unit === 'meters' ? measure : count)]),
);
export const player: Fields = {
  ...playerReference,
  aliases,
  firstSeenAt: nullable(timestamp),
  lastSeenAt: nullable(timestamp),
  stats: object(stats),
};
export const row: Fields = {
  rank: whole(1),
  value: positive,
  valueText: nonEmpty,
  player: object(playerReference),
};
export const leaderboard: Fields = {
  metric: oneOf(...metricCodes),
  unit: oneOf('count', 'meters', 'seconds'),
  rows: listOf(object(row)),
};
export const banlist: Fields = {
  id: nonEmpty,
  name: nonEmpty,
  description: nullable(nonEmpty),
  isPublic: flag,
  verificationStatus: oneOf('UNVERIFIED', 'PENDING', 'VERIFIED'),
  banCount: count,
};
export const target: Fields = {
  type: oneOf('SERVER'),
  serverId: nonEmpty,
  name: nonEmpty,
  state: oneOf('ENFORCED', 'PENDING', 'FAILED'),
};
export const ban: Fields = {
  category: oneOf('CHEATING', 'GRIEFING', 'TOXICITY', 'EXPLOITING', 'EVASION', 'OTHER'),
  reason: nullable(text),
  startsAt: nullable(timestamp),
  expiresAt: nullable(timestamp),
  permanent: flag,
  player: object({ ...playerReference, aliases }),
  targets: listOf(object(target)),
};
export const onlinePlayers: Fields = {
  online: nullable(count),
  listedPlayers: count,
  players: listOf(object({ steamId64: matching(/^\d{17}$/), name: nonEmpty })),
  incompletePlayers: count,
  observedAt: timestamp,
  source: oneOf('GAMEDIG'),
  cached: flag,
};
/** Beyond the specification, where a log names players whom the query does not name. */
export const loggedPlayers: Fields = {
  asOf: timestamp,
  isComplete: flag,
  players: listOf(object({ name: nonEmpty, since: nullable(timestamp) })),
};
export const registration: Fields = {
  token: nonEmpty,
  tokenType: oneOf('Bearer'),
  expiresIn: oneOf(86_400),
  expiresAt: timestamp,
  scopes: listOf(
    oneOf(
      'project:read',
      'servers:read',
      'schedules:read',
      'leaderboards:read',
      'players:read',
      'banlists:read',
    ),
  ),
};
