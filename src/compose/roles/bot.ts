import type { BotTiming } from '../../bot/bot.ts';
import type { PostState } from '../../bot/channels/background-jobs.ts';
import { PlacementStore } from '../../bot/channels/placement-store.ts';
import type { GatewayMetrics } from '../../bot/gateway/gateway.ts';
import { createCards } from '../../bot/channels/pictures/draw-cards.ts';
import { createLogos } from '../../bot/channels/pictures/logos.ts';
import { createCharts } from '../../bot/channels/pictures/charts.ts';
import { createHeatPictures } from '../../bot/channels/pictures/draw-heat-maps.ts';
import type { Config, ServerConfig } from '../../config/schema.ts';
import { deleteEmbeddedApplications } from '../../server/store/repositories/applications/applications.ts';
import { createBotHost } from '../bot-host.ts';
import { showsSeveralProjects } from '../../config/config-index.ts';
import type { Core } from '../core.ts';
import { createDeaths } from '../../community/deaths.ts';
import { createEmbeddedClient } from '../embedded-client.ts';
import { createHeatMaps } from '../../community/heat-maps.ts';
import { createMessageLedger } from '../../community/message-ledger.ts';
import { createKillRecords } from '../../community/kill-records.ts';
import { createPlayerLinks } from '../../community/player-links.ts';
import { createPlayerHistory } from '../../community/player-history.ts';
import { createPlayerStanding } from '../../community/player-standing.ts';
import { createPlayerRights } from '../../community/player-rights.ts';
import { createPorts } from '../../community/ports.ts';
import type { Queries } from '../queries.ts';
import { createRecaps } from '../../community/recaps.ts';
import { createRoleMembers } from '../../community/role-members.ts';
import { createRoleRecords } from '../../community/role-records.ts';
import { createShownProjects } from '../../community/shown-projects.ts';
import { createUnreadBanlists } from '../../community/unread-banlists.ts';
import { createArrivals, createWatchList } from '../../community/watch-list.ts';

interface BotRoleOptions {
  /** Address of the service that the bot reads. */
  url: string;
  queries: Queries;
  /** Called after data were deleted; unused parts of the store's file still contain them. */
  onForgotten: () => void;
  /** Called when Discord refuses the bot and the config requires it. */
  onRefused: () => void;
  /** In place of the bot's defaults. */
  timing: BotTiming | undefined;
}

/** The bot of this process. */
interface BotRole {
  /** Starts it, or logs why there is none. */
  start(): Promise<void>;
  /** Starts or stops it, or passes changes to a running one. */
  apply(config: Config): Promise<void>;
  /** The servers of these projects have changed: drops the answers that the bot has cached. */
  expire(slugs: Iterable<string>): void;
  postStates(): PostState[];
  gatewayMetrics(): GatewayMetrics | null;
  stop(): Promise<void>;
}

/** The role `bot`: answers members, keeps posts, alerts and kill feeds. */
export async function createBotRole(
  core: Core,
  { url, queries, onForgotten, onRefused, timing }: BotRoleOptions,
): Promise<BotRole> {
  const { data, log, unlisted, config, clock, environment } = core;
  const { writer, reader, small } = data;
  const { discordToken: token, discordApiUrl } = environment;
  const { db } = writer;
  const charts = createCharts(createPlayerHistory(reader.db, config), log);
  const deaths = createDeaths(reader.db, config);
  const mayForget = () => !showsSeveralProjects(config());
  const projects = createShownProjects({
    config,
    connect: (slug) => createEmbeddedClient(db, url, slug, clock),
    portsOf: (project) => ({
      ...createPorts(project, queries.results, reader.db, unlisted, clock.now),
      deaths: deaths.of(project),
      standing: createPlayerStanding(project, reader.db, clock.now),
      kills: createKillRecords(project, reader.db, unlisted.revision, clock),
      heatMaps: createHeatMaps(project, reader.db, unlisted.revision, clock),
      recaps: createRecaps(project, reader.db),
      roleMembers: createRoleMembers(project, reader.db, clock),
      unreadBanlists: createUnreadBanlists(project, reader.db),
      links: createPlayerLinks(project, { reads: reader.db, db, log, now: clock.now }),
      watch: createWatchList(project, { db, log, now: clock.now }),
      arrivals: createArrivals(project, reader.db, clock.now),
      rights: createPlayerRights(project.slug, { db, log, mayForget, onForgotten }),
    }),
  });
  const cards = createCards(log, createLogos(log));
  const heatPictures = createHeatPictures(log);
  const ports = { unlisted, charts, cards, heatPictures };
  const host = createBotHost({
    token,
    discordApiUrl,
    small,
    leases: core.leases,
    stored(lease) {
      const fenced = writer.shared?.fenced([lease]) ?? db;
      return { ledger: createMessageLedger(fenced, reader.db), roleRecords: createRoleRecords(fenced) };
    },
    ports,
    timing,
    log,
    ...clock,
    onRefused,
  });
  async function apply({ discord, projects: configured }: Config): Promise<void> {
    await renameServers(configured.flatMap(({ servers }) => servers));
    await host.apply(discord === undefined ? null : { config: discord, projects });
  }
  /** What members placed in channels names servers by their ids. */
  async function renameServers(servers: readonly ServerConfig[]): Promise<void> {
    const placements = new PlacementStore(small.of('bot'), async (key, next) => {
      await small.change('bot', key, next);
    });
    for (const { id, formerly } of servers)
      if (formerly !== undefined) await placements.renameServer(formerly, id);
  }
  return {
    async start() {
      await deleteEmbeddedApplications(db);
      await apply(core.config());
    },
    apply,
    expire: projects.expire,
    postStates: host.postStates,
    gatewayMetrics: host.gatewayMetrics,
    stop: host.stop,
  };
}
