import type { PostState } from '../bot/channels/background-jobs.ts';
import type { ShardFigures } from '../bot/gateway/shards/held-shard.ts';
import type { Config } from '../config/schema.ts';
import type { Family } from '../server/http/prometheus.ts';
import { activeSources } from '../server/ingest/follower/sources.ts';
import type { ReadDatabase } from '../server/store/engine/database.ts';
import {
  countFailedBanWrites,
  readLogTotals,
  readServerStates,
} from '../server/store/repositories/monitoring.ts';
import { readSourceStates } from '../server/store/repositories/logs/source-states.ts';
import { placedFile } from '../server/store/repositories/projects/places.ts';

interface MetricParts {
  db: ReadDatabase['db'];
  config: () => Config;
  postStates: () => PostState[];
  shards: () => ShardFigures[];
  now: () => number;
}

/**
 * The Prometheus metrics of servers, sources, ban files and posts. Labels are ids of the config, kinds and states. So
 * there are as many as the config has entries, and none can contain a path, name or secret.
 */
export function createServiceMetrics({
  db,
  config,
  postStates,
  shards,
  now,
}: MetricParts): () => Promise<Family[]> {
  const ageOf = (at: number | null): number | null => (at === null ? null : Math.max(0, (now() - at) / 1000));
  return async () => [
    ...(await serverMetrics(db, ageOf)),
    ...(await sourceMetrics(db, config(), ageOf)),
    ...(await banMetrics(db, config())),
    postMetric(postStates()),
    ...shardMetrics(shards()),
  ];
}

type AgeOf = (at: number | null) => number | null;

async function serverMetrics(db: ReadDatabase['db'], ageOf: AgeOf): Promise<Family[]> {
  const servers = await readServerStates(db);
  const of = (read: (server: (typeof servers)[number]) => number | null): Family['samples'] =>
    servers.map((server) => ({ labels: { server: server.id }, value: read(server) }));
  return [
    {
      name: 'outpost_server_up',
      help: '1: answers its query, 0: does not. Left out while it could not be checked.',
      samples: of(({ status }) => (status === 'ONLINE' ? 1 : status === 'OFFLINE' ? 0 : null)),
    },
    {
      name: 'outpost_server_players',
      help: 'Players online. Left out while it is unknown.',
      samples: of(({ players }) => players),
    },
    {
      name: 'outpost_server_max_players',
      help: 'Places for players, as last known.',
      samples: of(({ maxPlayers }) => maxPlayers),
    },
    {
      name: 'outpost_server_check_age_seconds',
      help: 'Time since the last check, whatever its result.',
      samples: of(({ checkedAt }) => ageOf(checkedAt)),
    },
  ];
}

/** A source of the config: its kind, its owner, and its index there. */
interface Source {
  kind: string;
  id: string;
  path: string;
  labels: Record<string, string>;
}

function sourcesOf(config: Config): Source[] {
  const { servers, banlists } = activeSources(config);
  const source = (kind: string, id: string, path: string | undefined, index = 0): Source[] =>
    path === undefined ? [] : [{ kind, id, path, labels: { kind, id, index: String(index) } }];
  return [
    ...servers.flatMap(({ id, logs, playersDb, schedules = [] }) => [
      ...source('logs', id, logs),
      ...source('playersDb', id, playersDb),
      ...schedules.flatMap(({ file }, index) => source('messages', id, file, index)),
    ]),
    ...banlists.flatMap(({ id, sources }) =>
      sources.flatMap(({ file, filesOf }, index) => source('bans', id, placedFile(file, filesOf), index)),
    ),
  ];
}

async function sourceMetrics(db: ReadDatabase['db'], config: Config, ageOf: AgeOf): Promise<Family[]> {
  const states = await readSourceStates(db);
  const logs = new Map((await readLogTotals(db)).map((totals) => [totals.serverId, totals]));
  const sources = sourcesOf(config).map(({ kind, id, path, labels }) => {
    const own = states.filter((state) => state.owner_id === id && state.path === path);
    const totals = kind === 'logs' ? logs.get(id) : undefined;
    const readAt = own.find((state) => state.kind === kind)?.read_at ?? null;
    return { labels, totals, readAt, failed: own.some(({ error }) => error !== null) };
  });
  const of = (read: (source: (typeof sources)[number]) => number | null): Family['samples'] =>
    sources.map((source) => ({ labels: source.labels, value: read(source) }));
  return [
    {
      name: 'outpost_source_failed',
      help: '1: the last attempt to read or write it failed; "outpost sources" says why.',
      samples: of(({ failed }) => Number(failed)),
    },
    {
      name: 'outpost_source_age_seconds',
      help: 'Of logs, time since the latest moment in them; of other files, since a change was read last.',
      samples: of(({ totals, readAt }) => ageOf(totals === undefined ? readAt : totals.lastEventAt)),
    },
    {
      name: 'outpost_source_lines',
      help: 'Lines read of the logs that are known.',
      samples: of(({ totals }) => totals?.lines ?? null),
    },
    {
      name: 'outpost_source_unread_lines',
      help: 'Lines that were not understood.',
      samples: of(({ totals }) => totals?.unreadLines ?? null),
    },
  ];
}

async function banMetrics(db: ReadDatabase['db'], config: Config): Promise<Family[]> {
  const failed = await countFailedBanWrites(db);
  const lists = activeSources(config).banlists;
  return [
    {
      name: 'outpost_ban_writes_failed',
      help: 'Bans made by hand that could not be written into a ban file.',
      samples: lists.map(({ id }) => ({ labels: { banlist: id }, value: failed.get(id) ?? 0 })),
    },
  ];
}

function postMetric(posts: readonly PostState[]): Family {
  const counts = new Map<string, { labels: { kind: string; state: string }; value: number }>();
  for (const { kind, state } of posts) {
    const key = `${kind} ${state}`;
    const sample = counts.get(key) ?? { labels: { kind, state }, value: 0 };
    counts.set(key, { ...sample, value: sample.value + 1 });
  }
  return {
    name: 'outpost_posts',
    help: 'Posts and kill feeds of the bot: shown, waiting for their first message, paused, or failing.',
    samples: [...counts.values()],
  };
}

function shardMetrics(shards: readonly ShardFigures[]): Family[] {
  const of = (read: (figures: ShardFigures) => number | null): Family['samples'] =>
    shards.map((figures) => ({ labels: { shard: String(figures.shard) }, value: read(figures) }));
  return [
    {
      name: 'outpost_discord_shard_up',
      help: '1: this process holds the shard and it is connected, 0: it is not connected yet, or again.',
      samples: of(({ state }) => Number(state === 'connected')),
    },
    {
      name: 'outpost_discord_shard_guilds',
      help: 'Discord servers of the shard.',
      samples: of(({ guilds }) => guilds),
    },
    {
      name: 'outpost_discord_shard_latency_seconds',
      help: 'From the last heartbeat to its answer.',
      samples: of(({ latencyMs }) => (latencyMs === null ? null : latencyMs / 1_000)),
    },
    {
      name: 'outpost_discord_shard_logins',
      help: 'Logins (IDENTIFY) of the shard by this process.',
      samples: of(({ logins }) => logins),
    },
  ];
}
