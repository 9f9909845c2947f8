import { kindOfLease } from '../../../process/leases.ts';
import type { LeaseKeeper } from '../../store/cluster/lease-keeper.ts';
import type { Reader } from '../../store/engine/database.ts';
import { groupsOf } from '../../store/engine/each-chunk.ts';
import { readSourceStates } from '../../store/repositories/logs/source-states.ts';
import { readLogTotals, readServerStates } from '../../store/repositories/monitoring.ts';
import type { Family, Labels } from './metrics.ts';

interface ServiceMetricsParts {
  db: Reader;
  sources: () => readonly ConfiguredSource[];
  /** The posts, kill feeds and recaps of the bot. */
  posts: () => readonly { kind: string; state: string }[];
  /** The bot's connection to Discord; null: this process does not run the bot. */
  gateway: () => DiscordGateway | null;
  now: () => number;
}

/** A source of the config: its kind, its owner, and which one of these it is. */
interface ConfiguredSource {
  kind: string;
  id: string;
  path: string;
  index: number;
}

interface DiscordGateway {
  isConnected: boolean;
  guilds: number;
  /** Of the last heartbeat; null: none yet. */
  latencyMs: number | null;
}

/**
 * The Prometheus metrics of servers, sources and posts. Labels are ids of the config, kinds and states. So
 * there are as many as the config has entries, and none can contain a path, name or secret.
 */
export function createServiceMetrics({
  db,
  sources,
  posts,
  gateway,
  now,
}: ServiceMetricsParts): () => Promise<Family[]> {
  const ageOf = (at: number | null): number | null => (at === null ? null : Math.max(0, (now() - at) / 1000));
  return async () => [
    ...(await serverMetrics(db, ageOf)),
    ...(await sourceMetrics(db, sources(), ageOf)),
    {
      name: 'outpost_posts',
      help: 'Posts and kill feeds of the bot: shown, waiting for their first message, paused, or failing.',
      samples: countsOf(posts().map(({ kind, state }) => ({ kind, state }))),
    },
    ...gatewayMetrics(gateway()),
  ];
}

/** Several gauges of the same things: name, help and value of each. */
function gaugesOf<Thing>(
  things: readonly Thing[],
  labelsOf: (thing: Thing) => Labels,
  gauges: readonly [name: string, help: string, read: (thing: Thing) => number | null][],
): Family[] {
  return gauges.map(([name, help, read]) => ({
    name,
    help,
    samples: things.map((thing) => ({ labels: labelsOf(thing), value: read(thing) })),
  }));
}

type AgeOf = (at: number | null) => number | null;

async function serverMetrics(db: Reader, ageOf: AgeOf): Promise<Family[]> {
  const servers = await readServerStates(db);
  const labelsOf = (server: (typeof servers)[number]) => ({ server: server.id });
  return gaugesOf(servers, labelsOf, [
    [
      'outpost_server_up',
      '1: answers its query, 0: does not. Left out while it could not be checked.',
      ({ status }) => (status === 'ONLINE' ? 1 : status === 'OFFLINE' ? 0 : null),
    ],
    ['outpost_server_players', 'Players online. Left out while it is unknown.', ({ players }) => players],
    ['outpost_server_max_players', 'Places for players, as last known.', ({ maxPlayers }) => maxPlayers],
    [
      'outpost_server_check_age_seconds',
      'Time since the last check, whatever its result.',
      ({ checkedAt }) => ageOf(checkedAt),
    ],
  ]);
}

const keyOf = (owner: string, path: string): string => `${owner} ${path}`;

async function sourceMetrics(
  db: Reader,
  configured: readonly ConfiguredSource[],
  ageOf: AgeOf,
): Promise<Family[]> {
  const states = groupsOf(await readSourceStates(db), ({ owner_id, path }) => keyOf(owner_id, path));
  const logs = new Map((await readLogTotals(db)).map((totals) => [totals.serverId, totals]));
  const sources = configured.map(({ kind, id, path, index }) => {
    const own = states.get(keyOf(id, path)) ?? [];
    const totals = kind === 'logs' ? logs.get(id) : undefined;
    const readAt = own.find((state) => state.kind === kind)?.read_at ?? null;
    const labels = { kind, id, index: String(index) };
    return { labels, totals, readAt, failed: own.some(({ error }) => error !== null) };
  });
  const labelsOf = (source: (typeof sources)[number]) => source.labels;
  return gaugesOf(sources, labelsOf, [
    [
      'outpost_source_failed',
      '1: the last attempt to read it failed; "outpost sources" says why.',
      ({ failed }) => Number(failed),
    ],
    [
      'outpost_source_age_seconds',
      'Of logs, time since the latest moment in them; of other files, since a change was read last.',
      ({ totals, readAt }) => ageOf(totals === undefined ? readAt : totals.lastEventAt),
    ],
    ['outpost_source_lines', 'Lines read of the logs that are known.', ({ totals }) => totals?.lines ?? null],
    [
      'outpost_source_unread_lines',
      'Unread lines: Outpost does not know what they say.',
      ({ totals }) => totals?.unreadLines ?? null,
    ],
  ]);
}

export function createLeaseMetrics(leases: LeaseKeeper): () => Promise<Family[]> {
  return async () => {
    const state = leases.state();
    return [
      {
        name: 'outpost_leases',
        help: 'Leases that this process holds.',
        samples: countsOf(state.held.map((name) => ({ kind: kindOfLease(name) }))),
      },
      ...gaugesOf([state], () => ({}), [
        ['outpost_leases_lost', 'Leases that this process lost, since the start.', ({ lost }) => lost],
        [
          'outpost_lease_renewal_age_seconds',
          'Since the leases were last renewed: more than 10 means that all are lost.',
          ({ renewedAgoMs }) => (renewedAgoMs === null ? null : renewedAgoMs / 1_000),
        ],
      ]),
    ];
  };
}

/** How many have each set of labels. */
function countsOf(all: readonly Labels[]): Family['samples'] {
  const groups = groupsOf(all, (labels) => JSON.stringify(labels));
  return Array.from(groups, ([labels, same]) => ({
    labels: JSON.parse(labels) as Labels,
    value: same.length,
  }));
}

function gatewayMetrics(gateway: DiscordGateway | null): Family[] {
  return gaugesOf(gateway === null ? [] : [gateway], () => ({}), [
    [
      'outpost_discord_up',
      '1: the bot runs in this process and is connected to Discord, 0: it is not connected yet, or again.',
      ({ isConnected }) => Number(isConnected),
    ],
    ['outpost_discord_guilds', 'Discord servers of the bot.', ({ guilds }) => guilds],
    [
      'outpost_discord_latency_seconds',
      'From the last heartbeat to its answer.',
      ({ latencyMs }) => (latencyMs === null ? null : latencyMs / 1_000),
    ],
  ]);
}
