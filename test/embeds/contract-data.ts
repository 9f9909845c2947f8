import { metricCodes, metrics } from '../../src/api/metrics.ts';
import type {
  Ban,
  Banlist,
  Leaderboard,
  OnlinePlayers,
  Player,
  PlayerReference,
  PlayerStats,
  Project,
  Schedule,
  Server,
  Support,
} from '../../src/api/resources.ts';

/** Plain data in the shapes of the contract, each part replaceable. */

export const now = Date.parse('2026-11-20T18:30:00.000Z');
const iso = (offsetMs: number) => new Date(now + offsetMs).toISOString();
const minute = 60_000;
const day = 86_400_000;

export const project: Project = {
  id: '1',
  name: 'Northwood',
  slug: 'northwood',
  supportUrl: 'https://example.org/support/northwood',
};

export const support: Support = {
  title: 'Northwood',
  description: null,
  accentColor: '#5865F2',
  logoUrl: null,
  bannerUrl: null,
  discordUrl: null,
};

export function server(over: Partial<Server> = {}): Server {
  return {
    id: 'northwood-1',
    name: 'Northwood | Chernarus',
    map: 'chernarusplus',
    status: 'ONLINE',
    players: 37,
    maxPlayers: 60,
    checkedAt: iso(-20_000),
    ...over,
  };
}

export const servers: Server[] = [
  server(),
  server({ id: 'northwood-2', name: 'Northwood | Livonia', map: 'enoch', players: 0, maxPlayers: 40 }),
  server({
    id: 'northwood-3',
    name: 'Northwood | Sakhal PvE',
    map: 'sakhal',
    status: 'OFFLINE',
    players: null,
    maxPlayers: null,
  }),
];

export function schedule(over: Partial<Schedule> = {}): Schedule {
  return {
    kind: 'RESTART',
    title: 'Restart',
    description: null,
    recurrence: 'INTERVAL',
    intervalMinutes: 240,
    timeOfDay: '02:00',
    weekdays: [],
    timezone: 'Europe/Berlin',
    ...over,
  };
}

export const schedules: Schedule[] = [
  schedule(),
  schedule({
    kind: 'EVENT',
    title: 'Airfield fight night',
    description: 'Double loot at the north-west airfield.',
    recurrence: 'WEEKLY',
    intervalMinutes: null,
    timeOfDay: '20:00',
    weekdays: ['SAT', 'FRI'],
  }),
];

export function reference(over: Partial<PlayerReference> = {}): PlayerReference {
  return {
    steamId64: '76561198000000001',
    battleyeGuid: 'd41d8cd98f00b204e9800998ecf8427e',
    cftoolsId: null,
    name: 'Survivor',
    ...over,
  };
}

/** The figures of a player for whom there are none. */
export const noStats = Object.fromEntries(
  metricCodes.map((code) => [metrics[code].stat, null]),
) as PlayerStats;

export function player(over: Partial<Player> = {}): Player {
  return {
    ...reference(),
    aliases: [
      { name: 'Survivor', firstSeenAt: iso(-30 * day), lastSeenAt: iso(-day) },
      { name: 'Old Name', firstSeenAt: iso(-90 * day), lastSeenAt: iso(-31 * day) },
    ],
    firstSeenAt: iso(-90 * day),
    lastSeenAt: iso(-2 * 3_600_000),
    stats: {
      ...noStats,
      playerKills: 1234,
      deaths: 210,
      suicides: 3,
      zombieKills: 5120,
      totalPlaySeconds: 274_320,
      longestLifeSeconds: 41_400,
      longestHitMeters: 812.4,
      longestKillMeters: 803.1,
    },
    ...over,
  };
}

export function leaderboard(names: readonly string[], over: Partial<Leaderboard> = {}): Leaderboard {
  return {
    metric: 'PLAYER_KILLS',
    unit: 'count',
    rows: names.map((name, index) => ({
      rank: index + 1,
      value: 2000 - index * 37,
      valueText: (2000 - index * 37).toLocaleString('en-US'),
      player: reference({ name, steamId64: `765611980000000${String(index).padStart(2, '0')}` }),
    })),
    ...over,
  };
}

export function online(names: readonly string[], over: Partial<OnlinePlayers> = {}): OnlinePlayers {
  return {
    online: names.length,
    listedPlayers: names.length,
    players: names.map((name, index) => ({ steamId64: String(76561198000000000n + BigInt(index)), name })),
    incompletePlayers: 0,
    observedAt: iso(-4_000),
    source: 'GAMEDIG',
    cached: false,
    ...over,
  };
}

export function banlist(over: Partial<Banlist> = {}): Banlist {
  return {
    id: 'northwood-bans',
    name: 'Northwood bans',
    description: 'Bans of all our servers.',
    isPublic: true,
    verificationStatus: 'VERIFIED',
    banCount: 2,
    ...over,
  };
}

export function ban(over: Partial<Ban> = {}): Ban {
  return {
    category: 'CHEATING',
    reason: 'Speed hack near Tisy',
    startsAt: iso(-10 * day),
    expiresAt: null,
    permanent: true,
    player: { ...reference(), aliases: [] },
    targets: [{ type: 'SERVER', serverId: 'northwood-1', name: 'Northwood | Chernarus', state: 'ENFORCED' }],
    ...over,
  };
}

export const bans: Ban[] = [
  ban(),
  ban({
    category: 'TOXICITY',
    reason: null,
    expiresAt: iso(3 * day + 5 * minute),
    permanent: false,
    player: {
      ...reference({ steamId64: '76561198000000002', battleyeGuid: null, name: 'Loud Mouth' }),
      aliases: [],
    },
    targets: [],
  }),
];
