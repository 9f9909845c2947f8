import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createMemberAllowance, type AllowanceRate } from '../bot/member-allowance.ts';
import type * as commands from '../commands/ports/added-servers.ts';
import type { Config, ServerConfig } from '../config/schema.ts';
import { server as serverSchema } from '../config/schema/server.ts';
import type { Clock } from '../process/clock.ts';
import { findDirectGames, isDirectGame } from '../server/live/direct-games.ts';
import { readHost } from '../server/live/public-address.ts';
import { QueryError, type QueryResult, type QueryServer } from '../server/live/query.ts';
import type { Database } from '../server/store/engine/database.ts';
import {
  addServer,
  listAddedServers,
  removeAddedServer,
  type AddedServer,
} from '../server/store/repositories/projects/added-servers.ts';
import { saveServerStates } from '../server/store/repositories/projects/servers.ts';

/** Attempts to add a server, whatever becomes of them. Each sends a query, and shows who answers. */
const memberRate: AllowanceRate = { burst: 5, everyMs: 120_000 };
const guildRate: AllowanceRate = { burst: 15, everyMs: 60_000 };
/**
 * Members learn that a server did not answer after this time at the earliest. So it does not show whether a port is
 * closed or filtered.
 */
const silenceMs = 10_000;

/** A config with the servers that members added after its own. */
export function withAddedServers(config: Config, added: readonly AddedServer[]): Config {
  if (added.length === 0) return config;
  const bySlug = new Map<string, ServerConfig[]>();
  for (const server of added) {
    bySlug.set(server.projectSlug, [...(bySlug.get(server.projectSlug) ?? []), configOf(server)]);
  }
  return {
    ...config,
    projects: config.projects.map((project) => {
      const more = bySlug.get(project.slug);
      return more === undefined ? project : { ...project, servers: [...project.servers, ...more] };
    }),
  };
}

/** What the config says of a server where it says nothing. */
const defaults = serverSchema.parse({ id: 'x', name: 'x', host: 'x', port: 1 });

function configOf({ id, name, game, host, port, queryPort }: AddedServer): ServerConfig {
  return { ...defaults, id, name, game, host, port, ...(queryPort !== null && { queryPort }) };
}

/** Logs the servers that moved from Discord into the config. */
export function logMovedToConfig(taken: readonly AddedServer[], config: Config, log: Logger): void {
  const configured = config.projects.flatMap(({ servers }) => servers);
  for (const { id, host, port, addedBy } of taken) {
    const own = configured.find((server) => server.id === id);
    const member = { server: id, addedBy };
    if (own === undefined || (own.host === host && own.port === port)) {
      log.info(
        member,
        `server ${id}, which a member added in Discord, is in the config now and belongs to it`,
      );
    } else {
      log.warn(
        member,
        `server ${id} of the config replaces one with the same id that a member added in Discord: ` +
          `its address is ${own.host}:${own.port} now, no longer ${host}:${port}. ` +
          'If both are meant, choose another id in the config and add the other one in Discord again',
      );
    }
  }
}

interface AddedServersOptions extends Clock {
  db: Database;
  /** With the servers that members added. */
  config: () => Config;
  query: QueryServer;
  /** Makes a change one at a time, together with reloads, and shows it everywhere. */
  change: <T>(work: () => Promise<T>) => Promise<T>;
  log: Logger;
  /** Default 10 s. */
  silenceMs?: number | undefined;
}

/** Lets members add servers to the project that their guild shows. The limits for attempts are those of all projects. */
export function createAddedServers(options: AddedServersOptions): (slug: string) => commands.AddedServers {
  const { db, config, query, change, log, now, monotonic } = options;
  const members = createMemberAllowance(memberRate, monotonic);
  const guilds = createMemberAllowance(guildRate, monotonic);
  const most = (): number => config().discord?.maxAddedServers ?? 0;

  let known = config();
  let revision = 0;

  const ownOf = async (slug: string): Promise<AddedServer[]> =>
    (await listAddedServers(db)).filter(({ projectSlug }) => projectSlug === slug);

  return (slug) => ({
    games: (typed) => findDirectGames(typed),
    revision() {
      if (config() !== known) revision += 1;
      known = config();
      return revision;
    },
    list: async () => (await ownOf(slug)).map(shown),
    async add({ name, game, host: typed, port, queryPort, guildId, userId }) {
      // A member beyond the limit uses up nothing of the guild's.
      const waitMs = members.take(userId) || guilds.take(guildId);
      if (waitMs > 0) return { retryAt: now() + waitMs };
      if (!isDirectGame(game)) return { invalid: 'game' };
      const host = readHost(typed);
      if (host === null) return { invalid: 'host' };
      // Nothing is queried that could not be added.
      if ((await ownOf(slug)).length >= most()) return { full: most() };
      const startedAt = monotonic();
      const answer = await query({ game, host, port, queryPort, fromDiscord: true }).catch(failureOf);
      if (answer instanceof QueryError) {
        if (answer.reason === 'refused') return { refused: 'privateAddress' };
        if (answer.reason === 'not_asked' || answer.reason === 'ipv4_only') return { refused: 'unresolved' };
        const restMs = startedAt + (options.silenceMs ?? silenceMs) - monotonic();
        await delay(Math.max(0, restMs), undefined, { ref: false });
      }
      const result = answer instanceof QueryError ? null : answer;
      const wanted = { name, game, host, port, guildId, addedBy: userId };
      const outcome = await change(async () => {
        const server = { ...wanted, queryPort: queryPort ?? result?.queryPort ?? null };
        const done = await addServer(db, slug, server, { most: most(), now: now() });
        // Shown before the poller has checked it.
        if ('added' in done && result !== null) await saveFirstState(db, done.added.id, result);
        return done;
      });
      if (!('added' in outcome)) return outcome;
      const { id } = outcome.added;
      log.info({ server: id, host, port, game, userId, guildId }, `a member added server ${id} in Discord`);
      return { added: shown(outcome.added), answer: result };
    },
    async remove(id, { userId, guildId }) {
      const removed = await change(() => removeAddedServer(db, slug, id, { by: userId, now: now() }));
      if (removed === null) return null;
      log.info(
        { server: id, userId, guildId },
        `a member removed server ${id} in Discord; its history is kept`,
      );
      return shown(removed);
    },
  });
}

async function saveFirstState(db: Database, serverId: string, result: QueryResult): Promise<void> {
  const { map, players, maxPlayers, observedAt: checkedAt } = result;
  await saveServerStates(db, [{ serverId, status: 'ONLINE', map, players, maxPlayers, checkedAt }]);
}

function failureOf(error: unknown): QueryError {
  if (error instanceof QueryError) return error;
  throw error;
}

function shown(server: AddedServer): commands.AddedServer {
  const { id, name, game, host, port, queryPort, addedBy, addedAt } = server;
  return { id, name, game: nameOfGame(game), host, port, queryPort, addedBy, addedAt };
}

/** The name of a game; its type, if GameDig no longer knows it. */
function nameOfGame(type: string): string {
  return findDirectGames(type).find((game) => game.type === type)?.name ?? type;
}
