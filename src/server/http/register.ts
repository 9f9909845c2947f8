import type { FastifyRequest } from 'fastify';
import type { LimitPolicy, OperationResponse } from '../../api/operations.ts';
import { operations, tokenLifetimeSeconds } from '../../api/operations.ts';
import { hashSecret, secretMatches } from '../credentials.ts';
import { requireActiveProject, requireUserAgent, type ApplicationSource } from './access.ts';
import type { Limiter } from './limits.ts';
import { checkInput } from './parameters.ts';
import { Problem } from './problem.ts';
import type { Tokens } from './tokens.ts';

/** Failed attempts from one address on one application, and from one address on all. */
const failuresPerApplication = {
  name: 'failures',
  quota: 10,
  windowSeconds: 60,
} as const satisfies LimitPolicy;
const failuresPerAddress = { name: 'failures', quota: 60, windowSeconds: 60 } as const satisfies LimitPolicy;
/** Tokens issued to one application. */
const tokensPerApplication = { name: 'issued', quota: 60, windowSeconds: 60 } as const satisfies LimitPolicy;

/** Compared against when no application has the id, so that both refusals take the same time. */
const nobody = hashSecret('nobody');

export interface RegisterParts {
  applications: ApplicationSource;
  tokens: Tokens;
  limiter: Limiter;
}

/**
 * Issues a token for an application's id and secret, sent as JSON or form body whatever the Content-Type, or as query
 * parameters; the body wins. Guessing is limited per address, so nobody can lock an application's owner out.
 */
export async function register(
  { applications, tokens, limiter }: RegisterParts,
  request: FastifyRequest,
): Promise<OperationResponse<'register'>> {
  const query = checkInput('query', operations.register.query, request.query);
  const body = readBody(request);
  const { application_id: id, secret } = checkInput('body', operations.register.body, { ...query, ...body });
  requireUserAgent(request, id);

  const failures = [
    { key: `register ${request.ip} ${id}`, policies: [failuresPerApplication] },
    { key: `register ${request.ip}`, policies: [failuresPerAddress] },
  ];
  for (const { key, policies } of failures) refuseWhenSpent(limiter, key, policies);
  const application = await applications(id);
  const matches = secretMatches(secret, application?.secretHash ?? nobody);
  if (application === null || !matches) {
    for (const { key, policies } of failures) limiter.take(key, policies);
    throw new Problem(
      'invalid_credentials',
      'No application has this application_id and secret. The secret was shown once, when the application was created or its secret rotated.',
    );
  }
  requireActiveProject(application);
  const issued = [tokensPerApplication];
  refuseWhenSpent(limiter, `issued ${id}`, issued);
  limiter.take(`issued ${id}`, issued);
  const { token, expiresAt } = await tokens.issue(application.id, application.generation);
  return {
    token,
    tokenType: 'Bearer',
    expiresIn: tokenLifetimeSeconds,
    expiresAt: new Date(expiresAt).toISOString(),
    scopes: [...application.scopes],
  };
}

function refuseWhenSpent(limiter: Limiter, key: string, policies: readonly LimitPolicy[]): void {
  const allowance = limiter.look(key, policies);
  const retryAfter = Number(allowance.headers['X-RateLimit-Reset']);
  if (Number(allowance.headers['X-RateLimit-Remaining']) > 0) return;
  throw new Problem(
    'rate_limited',
    `Too many registrations. Try again in ${retryAfter} s; a token is valid for 24 hours, so keep the one you have.`,
    { retryAfter },
    { 'Retry-After': String(retryAfter) },
  );
}

/** Existing clients of this kind of API send JSON under any Content-Type or none; a form is read too. */
function readBody(request: FastifyRequest): Record<string, unknown> {
  const text = typeof request.body === 'string' ? request.body.trim() : '';
  if (text === '') return {};
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
  if (isForm && !text.startsWith('{')) return Object.fromEntries(new URLSearchParams(text));
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Answered below: what the parser says would quote the body, and with it the secret.
  }
  throw new Problem('invalid_parameters', 'The body is not readable.', {
    details: [{ in: 'body', path: '', message: 'expected a JSON object with application_id and secret' }],
  });
}
