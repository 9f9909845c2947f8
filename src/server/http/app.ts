import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../process/clock.ts';
import type { HandlerContext } from './operations/handlers.ts';
import type { ReadDatabase } from '../store/engine/database.ts';
import { createAccessLog, type Observer } from './access-log.ts';
import { AnswerCache } from './answers/answer-cache.ts';
import { createApplications, type AccessParts } from './access/access.ts';
import { createClientAddress, createProxyCheck } from './connections/client-address.ts';
import { boundConnections } from './connections/connections.ts';
import { addDataRoutes } from './operations/data-routes.ts';
import { addDocumentation, type Community } from './documentation/index.ts';
import { createFastifyApp } from './fastify-app.ts';
import { addHealthRoutes, type Readiness } from './health.ts';
import { addJoin, type JoinTarget } from './public/join.ts';
import { createLimiter, type Limiter } from './limits/limiter.ts';
import type { Metrics } from './metrics/metrics.ts';
import { addRegister, maxStrangers } from './access/register.ts';
import { addSecurityText } from './public/security-text.ts';
import { addNoPage } from './public/no-page.ts';
import type { PublicParts } from './public/public-parts.ts';
import { addPublicRoutes } from './public/public-routes.ts';
import { serverBounds, type ServerBounds } from './connections/http-server.ts';
import type { Tokens } from './access/tokens.ts';

export interface AppParts extends Partial<Clock>, Pick<HandlerContext, 'online' | 'supportUrl'> {
  /** A read-only connection: no handler can reach a writer. */
  reader: ReadDatabase;
  tokens: Tokens;
  /** Counts the requests of each token together with other processes. Left out: this process is alone. */
  sharedLimiter?: Limiter | undefined;
  /** Left out: no project has leaderboards by period. */
  periodBoards?: HandlerContext['periodBoards'];
  /** Whose documentation it is. Left out: Outpost's. */
  community?: () => Community;
  /** Where players join a server; null for servers that cannot be joined by a link. Left out: none can. */
  joinTarget?: (serverId: string) => JoinTarget | null;
  /** Where to report a vulnerability of this installation: a web address or `mailto:`. Left out: nothing says so. */
  securityContact?: string | undefined;
  log: Logger;
  /** Addresses and networks of trusted proxies, whose X-Forwarded-For is used. */
  trustProxy?: readonly string[];
  /** Origins of browser pages that may read the service. */
  corsOrigins?: readonly string[];
  /** Logs each request at level info rather than debug. */
  logRequests?: boolean;
  /** Called for each request with a valid token or secret. */
  onUse?: (applicationId: string) => void;
  /** The parts besides the store that must work for the service to be ready. Read at each request. */
  readiness?: Readiness;
  /** Left out: the config wants none. */
  metrics?: Metrics | undefined;
  /** What is served to everyone besides. Left out: nothing. */
  publicParts?: PublicParts | undefined;
  bounds?: Partial<ServerBounds>;
}

const sweepEveryMs = 60_000;
/** Of the answers to applications, and of those to everyone, whom no token stops from asking for all there is. */
const maxAnswerBytes = 64 * 1024 * 1024;
const maxPublicBytes = 32 * 1024 * 1024;

/** Creates the service as a Fastify instance, without listening. */
export function createApp({
  reader,
  tokens,
  sharedLimiter,
  online,
  supportUrl,
  periodBoards = async () => null,
  community = () => ({ name: 'Outpost', logoUrl: null }),
  joinTarget = () => null,
  securityContact,
  log,
  trustProxy = [],
  corsOrigins = [],
  logRequests = false,
  onUse = () => undefined,
  readiness = {},
  metrics,
  publicParts,
  bounds: ownBounds = {},
  now = systemClock.now,
  monotonic = systemClock.monotonic,
}: AppParts): FastifyInstance {
  const bounds = { ...serverBounds, ...ownBounds };
  const accessLog = createAccessLog(log, logRequests ? 'info' : 'debug');
  const observe: Observer = (entry) => {
    accessLog(entry);
    metrics?.observe(entry);
  };
  const addressOf = createClientAddress(trustProxy, log);
  const { app, isClosing } = createFastifyApp({ log, observe, addressOf, corsOrigins, bounds });
  const isProxy = createProxyCheck(trustProxy);
  const connections = boundConnections(app.server, { ...bounds, isProxy, log, monotonic });

  const strangers = createLimiter(monotonic, maxStrangers);
  const localLimiter = createLimiter(monotonic);
  const limiter = sharedLimiter ?? localLimiter;
  const access: AccessParts = {
    applications: createApplications(reader.db, monotonic),
    tokens,
    limiter,
    onUse,
    strangers,
    addressOf,
  };
  const cache = new AnswerCache(maxAnswerBytes, monotonic);
  const context = { db: reader.db, online, periodBoards, supportUrl, now };

  addRegister(app, access);
  const dataAnswers = addDataRoutes(app, access, cache, context);
  addHealthRoutes(app, () => ({ service: () => !isClosing(), ...readiness }));
  addJoin(app, joinTarget);
  if (securityContact !== undefined) addSecurityText(app, securityContact, now);
  addDocumentation(app, dataAnswers, community);
  if (publicParts === undefined) addNoPage(app);
  else {
    const publicCache = new AnswerCache(maxPublicBytes, monotonic);
    addPublicRoutes(app, publicParts, { limiter: strangers, cache: publicCache, addressOf });
  }

  metrics?.gauge('outpost_tokens', 'Tokens in memory.', () => tokens.size);
  metrics?.gauge('outpost_limited_tokens', 'Tokens with requests counted.', () => localLimiter.size);
  metrics?.gauge('outpost_connections', 'Open connections.', connections);
  metrics?.gauge('outpost_answers', 'Answers in memory.', () => cache.size);

  const sweep = setInterval(() => {
    for (const one of [limiter, strangers]) one.sweep();
  }, sweepEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(sweep));
  return app;
}
