import type { Community } from '../commands/interfaces/community.ts';
import type { Config, ServerConfig } from '../config/schema.ts';
import { placeKinds } from '../config/schema/files.ts';
import type { JoinTarget } from '../server/http/public/join.ts';
import type { LatestResults } from '../server/live/latest-results.ts';
import type { QueryResult } from '../server/live/query.ts';
import { findLastAnswer } from '../server/store/repositories/projects/history.ts';
import { listSchedulesOf } from '../server/store/repositories/projects/servers.ts';
import { serverOf } from '../config/config-index.ts';
import { readLoggedPlayers } from './roster-now.ts';
import type { UnlistedPlayers } from './unlisted-players.ts';
import type { StoredProject } from './stored-project.ts';

/** Older results of queries say nothing about who is on now. */
const freshMs = 5 * 60_000;

function latestOf(
  results: Pick<LatestResults, 'of'>,
  { game, host, port, queryPort }: ServerConfig,
  maxAgeMs: number,
): QueryResult | null {
  return results.of({ game, host, port, queryPort: queryPort ?? null }, maxAgeMs);
}

/**
 * Where Steam finds a server; null without `publicUrl`, for servers that may not be shown, and for those on consoles, to which Steam
 * does not lead. Steam asks the server for its game and port, so `port` is the query port: DayZ answers at no other.
 * @param results know the query port where the config has none
 */
export function joinTarget(
  config: Config,
  serverId: string,
  results: Pick<LatestResults, 'of'>,
): JoinTarget | null {
  const { project, server } = serverOf(config, serverId) ?? {};
  if (config.http.publicUrl === undefined || server?.active !== true || project?.suspended !== false)
    return null;
  const { host, files, port, queryPort, joinAddress } = server;
  const portForSteam = queryPort ?? latestOf(results, server, Infinity)?.queryPort ?? port;
  if (joinAddress === undefined) {
    const isOnConsole =
      files !== undefined && placeKinds[files.type].provider !== undefined && queryPort === undefined;
    return isOnConsole ? null : { host, port: portForSteam };
  }
  // A name or an IPv4 address, or an IPv6 address in brackets; each with or without a port.
  const [, ipv6, other, joinPort = port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(joinAddress) ?? [];
  return { host: ipv6 ?? other ?? host, port: Number(joinPort) === port ? portForSteam : Number(joinPort) };
}

/** What is known of a project's servers beyond the contract of `/v1`. */
export function createServers(
  stored: StoredProject,
  results: LatestResults,
  unlisted: Pick<UnlistedPlayers, 'isUnlisted'>,
) {
  const { slug, config, reader } = stored;
  const find = (serverId: string) => stored.servers().find(({ id }) => id === serverId) ?? null;
  return {
    pageUrl() {
      const { publicUrl, page } = config().http;
      const isShown = page !== undefined && page.projects?.includes(slug) !== false;
      return isShown ? (publicUrl ?? null) : null;
    },
    async schedules(serverIds) {
      const servers = (await stored.open('listSchedules'))?.project.servers ?? [];
      const own = new Set(servers.filter(({ active }) => active).map(({ id }) => id));
      const ids = serverIds.filter((id) => own.has(id));
      return ids.length === 0 ? new Map() : await listSchedulesOf(reader, ids);
    },
    live(serverId) {
      const server = find(serverId);
      const result = server && latestOf(results, server, freshMs);
      if (result === null) return null;
      const sessions = result.listed.map((player) =>
        unlisted.isUnlisted(player, slug) ? { name: null, seconds: player.seconds } : player,
      );
      return { queue: result.queue, sessions, observedAt: result.observedAt };
    },
    hasLogs: (serverId) => find(serverId)?.logs !== undefined,
    loggedPlayers: async (serverIds) => await readLoggedPlayers(stored, serverIds),
    async lastAnswerAt(serverId) {
      return find(serverId) === null ? null : await findLastAnswer(reader, serverId);
    },
    joinAddress(serverId) {
      // Never host and port: the owner may want to hide the address at which this machine reaches the server.
      const { publicUrl } = config().http;
      const server = publicUrl === undefined ? find(serverId) : null;
      if (server?.joinAddress === undefined) return null;
      return /:\d+$/.test(server.joinAddress) ? server.joinAddress : `${server.joinAddress}:${server.port}`;
    },
    joinUrl(serverId) {
      const { publicUrl } = config().http;
      if (publicUrl === undefined || find(serverId) === null) return null;
      if (joinTarget(config(), serverId, results) === null) return null;
      const base = publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`;
      return new URL(`join/${encodeURIComponent(serverId)}`, base).href;
    },
  } satisfies Partial<Community>;
}
