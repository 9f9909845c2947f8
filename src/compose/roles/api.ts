import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ConfigError } from '../../config/error.ts';
import { listenProblem } from '../../process/listen-problem.ts';
import type { OnlinePlayers } from '../../api/resources.ts';
import type { Config } from '../../config/schema.ts';
import { createApp } from '../../server/http/app.ts';
import { serverBounds } from '../../server/http/connections/http-server.ts';
import { createSharedLimiter } from '../../server/http/limits/shared-limiter.ts';
import { createTokens, openGrants, openTokenKey } from '../../server/http/access/tokens.ts';
import { createOnlineList } from '../../server/live/online-list.ts';
import { createLiveLists } from '../../server/store/cluster/live-lists.ts';
import { createRequestLimits } from '../../server/store/cluster/request-limits.ts';
import {
  deleteEmbeddedApplications,
  type LastUse,
} from '../../server/store/repositories/applications/applications.ts';
import { serverOf } from '../../config/config-index.ts';
import type { Core } from '../core.ts';
import { createPeriodBoards } from '../../community/boards.ts';
import { withLoggedNames } from '../../community/roster-now.ts';
import { withoutUnlisted } from '../../community/unlisted-players.ts';
import { joinTarget } from '../../community/servers.ts';
import type { Queries } from '../queries.ts';
import { createPublicPage } from '../public-page.ts';

/**
 * The role `api`: serves `/v1` where the config says. Resolves once it listens.
 * @param options.onLoopback whether it is for this process's bot alone: at a free port of 127.0.0.1, without the public page
 */
export async function startApi(
  core: Core,
  { queries, lastUse, onLoopback }: { queries: Queries; lastUse: LastUse; onLoopback: boolean },
) {
  const { data, log, unlisted, metrics, clock } = core;
  const { results } = queries;
  const { http } = core.config();
  const { shared } = data.writer;
  const slugOf = (serverId: string) => serverOf(core.config(), serverId)?.project.slug;
  const onlyListed = (online: OnlinePlayers, serverId: string): OnlinePlayers =>
    withoutUnlisted(online, unlisted, slugOf(serverId));
  const online = createOnlineList(results.query, {
    monotonic: clock.monotonic,
    shared: shared && { lists: createLiveLists(shared.unlocked), onlyListed },
  });
  const sharedLimiter = shared && createSharedLimiter(createRequestLimits(shared), log);
  const tokenKey = await openTokenKey(data.small);
  // Those of earlier starts. The page and the bot add theirs later.
  await deleteEmbeddedApplications(data.writer.db);
  /** Of the service; empty until it listens, below. */
  let url = '';
  const publicParts = onLoopback ? undefined : await createPublicPage(core, queries, () => url);
  const app = createApp({
    reader: data.reader,
    sharedLimiter,
    tokens: createTokens(openGrants(data.small, shared !== undefined), clock.now, tokenKey),
    online: {
      async read(target) {
        const result = await online.read(target);
        if ('failure' in result) return result;
        const list = onlyListed(result, target.id);
        const slug = slugOf(target.id);
        return slug === undefined ? list : await withLoggedNames(core.storedProject(slug), target.id, list);
      },
    },
    periodBoards: createPeriodBoards(core.storedProject),
    supportUrl: () => core.config().http.supportUrl ?? null,
    community: () => communityOf(core.config()),
    joinTarget: (serverId) => joinTarget(core.config(), serverId, results),
    securityContact: http.securityContact,
    log,
    trustProxy: http.trustProxy,
    corsOrigins: http.cors.origins,
    logRequests: http.logRequests,
    bounds: {
      maxConnections: http.maxConnections ?? serverBounds.maxConnections,
      maxConnectionsPerAddress: http.maxConnectionsPerAddress ?? serverBounds.maxConnectionsPerAddress,
    },
    onUse: lastUse.note,
    readiness: core.readiness,
    publicParts,
    metrics,
    ...clock,
  });
  url = await listen(app, onLoopback ? { ...http, host: '127.0.0.1', port: 0 } : http, log);
  return { app, url };
}

/** The name and logo that the service shows: those of its only project, or with several Outpost's. */
function communityOf({ projects: [project, ...others] }: Config): { name: string; logoUrl: string | null } {
  if (project === undefined || others.length > 0) return { name: 'Outpost', logoUrl: null };
  const { title = project.name, logoUrl = null } = project.support ?? {};
  return { name: title, logoUrl };
}

/** Makes the service listen; resolves with its address. @throws ConfigError when the configured one is not available */
async function listen(app: FastifyInstance, { host, port }: Config['http'], log: Logger): Promise<string> {
  // Fastify calls this for each address on which it listens; it has no logger of its own here.
  const listenTextResolver = (address: string): string => {
    const text = `service listens at ${address}`;
    log.info(text);
    return text;
  };
  try {
    return await app.listen({ host, port, listenTextResolver });
  } catch (error) {
    throw new ConfigError(
      `cannot listen on ${host}:${port}: ${listenProblem(error)}. Change http.host or http.port in the config, or set OUTPOST_HTTP_HOST or OUTPOST_HTTP_PORT for this process.`,
    );
  }
}
