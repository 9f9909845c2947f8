import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { planIncludes } from '../../api/access.ts';
import { tokenLimit, type LimitPolicy, type Operation } from '../../api/operations.ts';
import type { Application } from '../store/applications/applications.ts';
import { whenReady } from './answer.ts';
import type { Applications } from './applications.ts';
import type { SlowBadTokens } from './bad-tokens.ts';
import type { Limiter } from './limits.ts';
import { Problem } from './problem.ts';
import type { Tokens } from './tokens.ts';

export interface AccessParts {
  applications: Applications;
  tokens: Tokens;
  limiter: Limiter;
  /** Called for each request with a valid token. */
  onUse: (applicationId: string) => void;
  slowBadTokens: SlowBadTokens;
}

const policiesByQuota = new LRUCache<number, readonly LimitPolicy[]>({ max: 1_000 });
const ordinaryPolicies: readonly LimitPolicy[] = [tokenLimit];

/**
 * The embedded bot runs in this process and limits each member itself. Its quota only prevents a bug in the bot from
 * using up the process: it is far above what Discord lets a bot answer. The same applies to the extra limits of
 * operations: the live list queries each game server at most once in five seconds, however often it is requested.
 */
const embeddedRequestsPerSecond = 1_000;
export const embeddedQuota = ({ windowSeconds }: LimitPolicy): number =>
  embeddedRequestsPerSecond * windowSeconds;
const forEmbedded = (policy: LimitPolicy): LimitPolicy => ({ ...policy, quota: embeddedQuota(policy) });
const embeddedPolicies: readonly LimitPolicy[] = [forEmbedded(tokenLimit)];

/** The limit on an application's token. */
function tokenPolicies({ embedded, requestsPerMinute: quota }: Application): readonly LimitPolicy[] {
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

const challenge = ['WWW-Authenticate', 'Bearer'];
const invalidChallenge = ['WWW-Authenticate', 'Bearer error="invalid_token"'];

/**
 * Grants a request access to an operation, or throws (or rejects with) the first of these that applies: token 401,
 * User-Agent 403, rate 429, suspended 423, scope 403, plan 402. A refusal with 401 or 403 does not count towards the
 * token's limit. Decides synchronously when the token and its application are in memory.
 */
export function authorize(
  parts: AccessParts,
  operation: Operation,
  request: FastifyRequest,
  version: number,
): Application | Promise<Application> {
  return whenReady(authenticate(parts, request, version), (proven) => {
    if (proven instanceof Problem) {
      parts.slowBadTokens(request);
      throw proven;
    }
    admit(parts, operation, request, proven);
    return proven.application;
  });
}

interface ProvenToken {
  /** The key under which its requests are counted. */
  key: string;
  application: Application;
}

function authenticate(
  { tokens, applications }: AccessParts,
  request: FastifyRequest,
  version: number,
): ProvenToken | Problem | Promise<ProvenToken | Problem> {
  const { authorization } = request.raw.headers;
  if (authorization === undefined || authorization.trim() === '') {
    return new Problem(
      'token_missing',
      'Expected a header "Authorization: Bearer <token>"; a token comes from POST /v1/auth/register.',
      {},
      challenge,
    );
  }
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) {
    return invalidToken('Expected the header "Authorization" to read "Bearer <token>".');
  }
  return whenReady(tokens.find(token), (found) => {
    if (found === null) return unknownToken();
    return whenReady(applications.find(found.grant.applicationId, version), (application) =>
      application?.generation === found.grant.generation ? { key: found.key, application } : unknownToken(),
    );
  });
}

function unknownToken(): Problem {
  return invalidToken(
    'The token is unknown, expired, or was made void when the secret was rotated. Register again for a new one.',
  );
}

function invalidToken(message: string): Problem {
  return new Problem('token_invalid', message, {}, invalidChallenge);
}

/** The checks after the token: User-Agent, limits, suspension, scope, plan. */
function admit(
  { limiter, onUse }: AccessParts,
  operation: Operation,
  request: FastifyRequest,
  { key, application }: ProvenToken,
): void {
  const { scope, plan } = operation;
  const policies = policiesOf(application, operation);
  const mismatch = userAgentMismatch(request, application.id);
  if (mismatch !== null) {
    request.rateHeaders = limiter.check(key, policies).headers;
    throw mismatch;
  }
  onUse(application.id);
  request.applicationId = application.id;
  const allowance = limiter.take(key, policies);
  request.rateHeaders = allowance.headers;
  if (!allowance.admitted) {
    const { quota, windowSeconds } = allowance.tightest;
    const retryAfter = allowance.resetSeconds;
    throw new Problem(
      'rate_limited',
      `Expected at most ${quota} requests in any ${windowSeconds} seconds with one token. Try again in ${retryAfter} s.`,
      { retryAfter },
      ['Retry-After', String(retryAfter)],
    );
  }
  requireActiveProject(application);
  if (scope !== null && !application.scopes.has(scope)) {
    request.rateHeaders = limiter.giveBack(key, policies).headers;
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
}

/** A request must name its application in the User-Agent, with exact case. Null: it does. */
export function userAgentMismatch({ raw }: FastifyRequest, applicationId: string): Problem | null {
  const sent = raw.headers['user-agent'];
  if (sent === applicationId) return null;
  const shown = sent === undefined ? 'none was sent' : `"${sent.slice(0, 200)}" was sent`;
  return new Problem(
    'user_agent_mismatch',
    `Expected the header "User-Agent" to be exactly the application_id, "${applicationId}", but ${shown}.`,
  );
}

/** @throws Problem 423 */
export function requireActiveProject(application: Application): void {
  if (application.project.suspended) {
    throw new Problem('project_suspended', 'The project is suspended. Its owner can lift the suspension.');
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Empty until a token or secret is verified. */
    applicationId: string;
  }
}
