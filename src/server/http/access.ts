import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { planIncludes } from '../../api/access.ts';
import { tokenLimit, type LimitPolicy, type Operation } from '../../api/operations.ts';
import { findApplication, findSecretHash, type Application } from '../store/applications.ts';
import type { ReadDatabase } from '../store/database.ts';
import type { SlowBadTokens } from './bad-tokens.ts';
import { sendAllowance, type Limiter } from './limits.ts';
import { Problem } from './problem.ts';
import type { Tokens } from './tokens.ts';

/** Finds applications; remembers them until another connection has written to the store. */
export interface ApplicationSource {
  /** From the store. */
  read(id: string): Promise<Application | null>;
  readSecretHash(id: string): Promise<string | null>;
  find(id: string): Promise<Application | null>;
  /** The same from memory alone, for a state of the store; undefined also says that it would have to be read. */
  peek(id: string, version: number): Application | undefined;
}

export function createApplicationSource(reader: ReadDatabase, version: () => number): ApplicationSource {
  const known = new Map<string, Application>();
  let knownVersion = -1;
  const peek: ApplicationSource['peek'] = (id, current) => {
    if (current !== knownVersion) {
      known.clear();
      knownVersion = current;
    }
    return known.get(id);
  };
  const read: ApplicationSource['read'] = async (id) => await findApplication(reader.db, id);
  return {
    read,
    readSecretHash: async (id) => await findSecretHash(reader.db, id),
    peek,
    async find(id) {
      const current = version();
      const cached = peek(id, current);
      if (cached !== undefined) return cached;
      const application = await read(id);
      if (application !== null && knownVersion === current && version() === current)
        known.set(id, application);
      return application;
    },
  };
}

export interface AccessParts {
  applications: ApplicationSource;
  tokens: Tokens;
  limiter: Limiter;
  /** Told of each request that a token proves. */
  onUse: (applicationId: string) => void;
  slowBadTokens: SlowBadTokens;
}

const policiesByQuota = new LRUCache<number, readonly LimitPolicy[]>({ max: 1_000 });
const ordinaryPolicies: readonly LimitPolicy[] = [tokenLimit];

/**
 * The embedded bot is the owner's own process, and bounds each member by itself. Its quotas only keep a fault of its own
 * from taking the whole process: they are far above what Discord lets a bot answer. The extra limits of operations are
 * the more so: the live list asks each game server once in five seconds, whoever wants it.
 */
const embeddedRequestsPerSecond = 1_000;
export const embeddedQuota = ({ windowSeconds }: LimitPolicy): number =>
  embeddedRequestsPerSecond * windowSeconds;
const forEmbedded = (policy: LimitPolicy): LimitPolicy => ({ ...policy, quota: embeddedQuota(policy) });
const embeddedPolicies: readonly LimitPolicy[] = [forEmbedded(tokenLimit)];

/** The limit on an application's token. */
export function tokenPolicies({ embedded, requestsPerMinute: quota }: Application): readonly LimitPolicy[] {
  if (embedded) return embeddedPolicies;
  if (quota === null) return ordinaryPolicies;
  let policies = policiesByQuota.get(quota);
  if (policies === undefined) policiesByQuota.set(quota, (policies = [{ ...tokenLimit, quota }]));
  return policies;
}

/** All limits on an application's requests for an operation. */
function policiesOf(application: Application, { limits }: Operation): readonly LimitPolicy[] {
  const own = tokenPolicies(application);
  if (limits.length === 0) return own;
  return [...own, ...(application.embedded ? limits.map(forEmbedded) : limits)];
}

/** Whether nothing but a limit can keep an application from an operation: what `authorize` says in words. */
export function mayUse({ project, scopes }: Application, { scope, plan }: Operation): boolean {
  return (
    !project.suspended &&
    (scope === null || scopes.has(scope)) &&
    (plan === null || planIncludes(project.plan, plan))
  );
}

const challenge = { 'WWW-Authenticate': 'Bearer' };
const invalidChallenge = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };

/**
 * Lets a request through to an operation, or throws the first of these that applies: token 401, User-Agent 403,
 * rate 429, suspended 423, scope 403, plan 402. A refusal with 401 or 403 spends nothing of the token's limit.
 */
export async function authorize(
  { applications, tokens, limiter, onUse, slowBadTokens }: AccessParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Application> {
  const proven = await authenticate(tokens, applications, request);
  if (proven instanceof Problem) {
    slowBadTokens(request, reply);
    throw proven;
  }
  const { key, application } = proven;
  const policies = policiesOf(application, operation);
  try {
    requireUserAgent(request, application.id);
  } catch (problem) {
    sendAllowance(reply, limiter.look(key, policies));
    throw problem;
  }
  onUse(application.id);
  const allowance = limiter.take(key, policies);
  sendAllowance(reply, allowance);
  if (!allowance.admitted) {
    const { quota, windowSeconds } = allowance.tightest;
    const retryAfter = allowance.resetSeconds;
    throw new Problem(
      'rate_limited',
      `Expected at most ${quota} requests in any ${windowSeconds} seconds with one token. Try again in ${retryAfter} s.`,
      { retryAfter },
      { 'Retry-After': String(retryAfter) },
    );
  }
  requireActiveProject(application);
  const { scope, plan } = operation;
  if (scope !== null && !application.scopes.has(scope)) {
    sendAllowance(reply, limiter.giveBack(key, policies));
    throw new Problem(
      'insufficient_scope',
      `This operation needs the scope ${scope}, which the application does not hold. The project owner grants scopes.`,
      { requiredScope: scope },
    );
  }
  if (plan !== null && !planIncludes(application.project.plan, plan)) {
    throw new Problem(
      'subscription_required',
      `This operation needs the plan ${plan} or higher; the project's plan is ${application.project.plan}.`,
      { requiredPlan: plan },
    );
  }
  return application;
}

async function authenticate(
  tokens: Tokens,
  applications: ApplicationSource,
  request: FastifyRequest,
): Promise<{ key: string; application: Application } | Problem> {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization.trim() === '') {
    return new Problem(
      'token_missing',
      'Expected a header "Authorization: Bearer <token>"; a token comes from POST /v1/auth/register.',
      {},
      challenge,
    );
  }
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  const found = token === undefined ? null : await tokens.find(token);
  const application = found === null ? null : await applications.find(found.grant.applicationId);
  if (found === null || application === null || application.generation !== found.grant.generation) {
    return new Problem(
      'token_invalid',
      token === undefined
        ? 'Expected the header "Authorization" to read "Bearer <token>".'
        : 'The token is unknown, expired, or was made void when the secret was rotated. Register again for a new one.',
      {},
      invalidChallenge,
    );
  }
  return { key: found.key, application };
}

/** A request names its application in the User-Agent, letter by letter. */
export function requireUserAgent(request: FastifyRequest, applicationId: string): void {
  const sent = request.headers['user-agent'];
  if (sent === applicationId) return;
  const shown = sent === undefined ? 'none was sent' : `"${sent.slice(0, 200)}" was sent`;
  throw new Problem(
    'user_agent_mismatch',
    `Expected the header "User-Agent" to be exactly the application_id, "${applicationId}", but ${shown}.`,
  );
}

export function requireActiveProject(application: Application): void {
  if (application.project.suspended) {
    throw new Problem('project_suspended', 'The project is suspended. Its owner can lift the suspension.');
  }
}
