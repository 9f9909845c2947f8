import type { FastifyRequest } from 'fastify';
import { planIncludes } from '../../../api/access.ts';
import { tokenLimit, type LimitPolicy, type Operation } from '../../../api/operations.ts';
import { createBoundedCache } from '../../../process/bounded-cache.ts';
import { findApplication, type Application } from '../../store/repositories/applications/applications.ts';
import type { Reader } from '../../store/engine/database.ts';
import { keptMs } from '../answers/answer-cache.ts';
import { addressGroup, isFromThisMachine, type ClientAddress } from '../connections/client-address.ts';
import { expectedAtMost, requireAdmitted, tooManyRequests, type Limiter } from '../limits/limiter.ts';
import { Problem } from '../answers/problem.ts';
import type { TokenGrant, Tokens } from './tokens.ts';

export interface AccessParts {
  applications: Applications;
  tokens: Tokens;
  /** Counts the requests of each token. */
  limiter: Limiter;
  /**
   * Counts, by address, what comes without a valid token or secret. Its keys come from strangers, so it drops the oldest beyond
   * a limit. It belongs to this process even where others share the store: it protects the process, and a shared one would let
   * strangers write to the store.
   */
  strangers: Limiter;
  addressOf: ClientAddress;
  /** Called for each request with a valid token or secret. */
  onUse: (applicationId: string) => void;
}

/** Requests without a valid token from one address. */
const perAddress = { name: 'unauthorized', quota: 60, windowSeconds: 60 } as const satisfies LimitPolicy;

/** All limits on an application's requests for an operation. */
function policiesOf({ requestsPerMinute }: Application, { limits }: Operation): LimitPolicy[] {
  const own = requestsPerMinute === null ? tokenLimit : { ...tokenLimit, quota: requestsPerMinute };
  return [own, ...limits];
}

const challenge = ['WWW-Authenticate', 'Bearer'];
const invalidChallenge = ['WWW-Authenticate', 'Bearer error="invalid_token"'];

/**
 * Grants a request access to an operation, or rejects with the first of these that applies: token 401, User-Agent 403,
 * rate 429, suspended 423, scope 403, plan 402. A refusal with 401 or 403 does not count towards the token's limit.
 */
export async function authorize(
  parts: AccessParts,
  operation: Operation,
  request: FastifyRequest,
): Promise<Application> {
  const proven = await authenticate(parts, request);
  if (proven instanceof Problem) {
    await countBadToken(parts, request);
    throw proven;
  }
  const { key, application } = proven;
  const mismatch = userAgentMismatch(request, application.id);
  // A suspended project is refused with 423 before the scope is looked at, which counts.
  const counts = mismatch === null && (application.project.suspended || mayUse(application, operation));
  // The bot and the page of this process have no limit here: their client keeps to one, and a bot limits each member itself.
  if (!application.embedded) {
    const { limiter } = parts;
    const policies = policiesOf(application, operation);
    request.allowance = await (counts ? limiter.take(key, policies) : limiter.check(key, policies));
  }
  if (mismatch !== null) throw mismatch;
  parts.onUse(application.id);
  request.applicationId = application.id;
  const { allowance } = request;
  if (allowance?.admitted === false)
    throw tooManyRequests(allowance, expectedAtMost(allowance.tightest, 'with one token'));
  requireRights(application, operation);
  return application;
}

/**
 * Requests with a valid token are not counted, even if others at the same address send bad ones. Requests from this machine are
 * not counted either. @throws Problem 429 after too many
 */
async function countBadToken({ strangers, addressOf }: AccessParts, request: FastifyRequest): Promise<void> {
  if (isFromThisMachine(request.raw)) return;
  const group = addressGroup(addressOf(request.raw));
  const allowance = await strangers.take(`unauthorized ${group}`, [perAddress]);
  if (!allowance.admitted) request.allowance = allowance;
  requireAdmitted(allowance, 'Too many requests without a valid token, which POST /v1/auth/register gives.');
}

interface ProvenToken {
  /** The key under which its requests are counted. */
  key: string;
  application: Application;
}

async function authenticate(
  { tokens, applications }: AccessParts,
  request: FastifyRequest,
): Promise<ProvenToken | Problem> {
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
  const found = await tokens.find(token);
  const application = found && (await applications.find(found.grant));
  if (found !== null && application !== null) return { key: found.key, application };
  return invalidToken(
    'The token is unknown, expired, or was made void when the secret was rotated or the application revoked. Register again for a new one.',
  );
}

function invalidToken(message: string): Problem {
  return new Problem('token_invalid', message, {}, invalidChallenge);
}

function mayUse({ scopes }: Application, { scope }: Operation): boolean {
  return scope === null || scopes.has(scope);
}

/** @throws Problem 423, 403, 402 */
function requireRights(application: Application, operation: Operation): void {
  const { scope, plan } = operation;
  requireActiveProject(application);
  if (scope !== null && !mayUse(application, operation)) {
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

export type Applications = ReturnType<typeof createApplications>;

const mostInMemory = 10_000;

export function createApplications(db: Reader, monotonic: () => number) {
  const kept = createBoundedCache<Application>(mostInMemory, {
    ttl: keptMs,
    ttlResolution: 0,
    perf: { now: monotonic },
    ignoreFetchAbort: true,
    fetchMethod: async (id) => (await findApplication(db, id)) ?? undefined,
  });
  return {
    read: async (id: string): Promise<Application | null> => await findApplication(db, id),
    /** The application of a token, as it was at most a second ago. Null: there is none, or it has made the token void. */
    async find({ applicationId, generation }: TokenGrant): Promise<Application | null> {
      let application = kept.get(applicationId);
      // A secret may have been rotated within the last second, and the token registered with the new one.
      if (application === undefined || application.generation < generation) {
        application = await kept.fetch(applicationId, { forceRefresh: application !== undefined });
      }
      return application?.generation === generation ? application : null;
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Empty until a token or secret is verified. */
    applicationId: string;
  }
}
