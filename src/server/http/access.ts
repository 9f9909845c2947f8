import type { FastifyReply, FastifyRequest } from 'fastify';
import { planIncludes } from '../../api/access.ts';
import { tokenLimit, type LimitPolicy, type Operation } from '../../api/operations.ts';
import { findApplication, type Application } from '../store/applications.ts';
import type { ReadDatabase } from '../store/database.ts';
import type { Limiter } from './limits.ts';
import { Problem } from './problem.ts';
import type { Tokens } from './tokens.ts';

/** Finds applications; remembers them until another connection has written to the store. */
export type ApplicationSource = (id: string) => Promise<Application | null>;

export function createApplicationSource(reader: ReadDatabase): ApplicationSource {
  const known = new Map<string, Application>();
  let version = -1;
  return async (id) => {
    const current = reader.dataVersion();
    if (current !== version) {
      known.clear();
      version = current;
    }
    const cached = known.get(id);
    if (cached !== undefined) return cached;
    const application = await findApplication(reader.db, id);
    if (application !== null && version === current) known.set(id, application);
    return application;
  };
}

export interface AccessParts {
  applications: ApplicationSource;
  tokens: Tokens;
  limiter: Limiter;
}

const challenge = { 'WWW-Authenticate': 'Bearer' };
const invalidChallenge = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };

/**
 * Lets a request through to an operation, or throws the first of these that applies: token 401, User-Agent 403,
 * rate 429, suspended 423, scope 403, plan 402. A refusal with 401 or 403 spends nothing of the token's limit.
 */
export async function authorize(
  { applications, tokens, limiter }: AccessParts,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Application> {
  const { key, application } = await authenticate(tokens, applications, request);
  const policies: LimitPolicy[] = [
    { ...tokenLimit, quota: application.requestsPerMinute ?? tokenLimit.quota },
    ...operation.limits,
  ];
  try {
    requireUserAgent(request, application.id);
  } catch (problem) {
    reply.headers(limiter.look(key, policies).headers);
    throw problem;
  }
  const allowance = limiter.take(key, policies);
  reply.headers(allowance.headers);
  if (!allowance.admitted) {
    const { quota, windowSeconds } = allowance.tightest;
    const retryAfter = allowance.retryAfterSeconds;
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
    reply.headers(limiter.giveBack(key, policies).headers);
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
): Promise<{ key: string; application: Application }> {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization.trim() === '') {
    throw new Problem(
      'token_missing',
      'Expected a header "Authorization: Bearer <token>"; a token comes from POST /v1/auth/register.',
      {},
      challenge,
    );
  }
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  const found = token === undefined ? null : await tokens.find(token);
  const application = found === null ? null : await applications(found.grant.applicationId);
  if (found === null || application === null || application.generation !== found.grant.generation) {
    throw new Problem(
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
