import type { SharedClient } from '../../api/client.ts';
import type { PostState } from '../../bot/background-jobs.ts';
import type { ShardFigures } from '../../bot/shards/held-shard.ts';
import { createCharts } from '../../bot/charts.ts';
import type { Config } from '../../config/schema.ts';
import { createAddedServers } from '../added-servers.ts';
import { createBotHost } from '../bot-host.ts';
import type { Core } from '../core.ts';
import { createDeaths } from '../deaths.ts';
import { createEmbeddedClient } from '../embedded-client.ts';
import { createHealth } from '../health.ts';
import { createKillRecords } from '../kill-records.ts';
import { createPlayerHistory } from '../player-history.ts';
import { createPlayerRights } from '../player-rights.ts';
import { createPorts, projectOfBot } from '../ports.ts';
import type { Queries } from '../queries.ts';

export interface BotRoleOptions {
  /** Address of the service that the bot reads. */
  url: string;
  queries: Queries;
  /** Makes a change of the added servers one at a time, together with reloads, and shows it everywhere. */
  change: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called after data were deleted; unused parts of the store's file still contain them. */
  onForgotten: () => void;
  /** Called when Discord refuses the bot and the config requires it. */
  onRefused: () => void;
  /** See `createAddedServers`. */
  silenceMs: number | undefined;
}

/** The bot of this process. */
export interface BotRole {
  /** Starts it, or logs why there is none. */
  start(): Promise<void>;
  /** Starts or stops it, or passes changes to a running one. */
  apply(config: Config): Promise<void>;
  /** The servers have changed: drops the answers that the bot has cached. */
  expire(): void;
  postStates(): PostState[];
  shards(): ShardFigures[];
  stop(): Promise<void>;
}

/** The role `bot`: answers members, keeps posts, alerts and kill feeds. */
export function createBotRole(
  core: Core,
  { url, queries, change, onForgotten, onRefused, silenceMs }: BotRoleOptions,
): BotRole {
  const { data, log, people, config, clock, environment } = core;
  const { writer, reader, small } = data;
  const { discordToken: token, discordApiUrl, dataFolder } = environment;
  const { db } = writer;
  const charts = createCharts(createPlayerHistory(reader.db, config), log);
  const ports = {
    ...createPorts(config, queries.results, reader.db, people, clock.now),
    charts,
    deaths: createDeaths(reader, db, config),
    kills: createKillRecords(config, reader.db, people.revision, clock),
    addedServers: createAddedServers({ db, config, query: queries.ask, change, log, silenceMs, ...clock }),
    health: createHealth({ db: reader.db, health: data.health, dataFolder, config, now: clock.now }),
    rights: createPlayerRights({ db, small, log, onForgotten }),
  };
  const host = createBotHost({ token, discordApiUrl, small, ports, log, ...clock, onRefused });
  let client: SharedClient | null = null;
  const apply = async (next: Config): Promise<void> => {
    const { discord } = next;
    const shows = projectOfBot(next)?.slug ?? '';
    const connect = async () => (client = await createEmbeddedClient(db, url, shows, clock));
    await host.apply(discord === undefined ? null : { discord, shows, connect });
  };
  return {
    async start() {
      await apply(core.written());
      if (token !== null) void charts.warmUp();
    },
    apply,
    expire: () => client?.expire(),
    postStates: host.postStates,
    shards: host.shards,
    stop: host.stop,
  };
}
