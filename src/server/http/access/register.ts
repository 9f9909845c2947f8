import { parse } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  operations,
  tokenLifetimeSeconds,
  type LimitPolicy,
  type OperationResponse,
} from '../../../api/operations.ts';
import { hashSecret, secretMatches } from '../../store/repositories/applications/credentials.ts';
import { requireActiveProject, userAgentMismatch, type AccessParts } from './access.ts';
import { jsonAnswer } from '../answers/answer.ts';
import { addressGroup } from '../connections/client-address.ts';
import { requireAdmitted } from '../limits/limiter.ts';
import { checkInput } from '../operations/parameters.ts';
import { Problem, unreadable } from '../answers/problem.ts';
import { addRoute } from '../routes.ts';

/** Failed attempts from one address on one application, and from one address on all. */
const failuresPerApplication = {
  name: 'failures',
  quota: 10,
  windowSeconds: 60,
} as const satisfies LimitPolicy;
const failuresPerAddress = { name: 'failures', quota: 60, windowSeconds: 60 } as const satisfies LimitPolicy;
const tokensPerApplication = { name: 'issued', quota: 60, windowSeconds: 60 } as const satisfies LimitPolicy;

const tooMany = 'Too many registrations: a token is valid for 24 hours, so keep the one you have.';

/** Compared against when no application has the id, so that both refusals take the same time. */
const noSecretHash = hashSecret('nobody');

/** Maximum number of addresses whose failures are counted. */
export const maxStrangers = 50_000;

export function addRegister(app: FastifyInstance, parts: AccessParts): void {
  const { method, path } = operations.register;
  addRoute(app, {
    method,
    url: path,
    operation: 'register',
    readers: 'preflight',
    check: prepareBody,
    answer: async (request) => jsonAnswer(200, await register(parts, request)),
  });
}

function prepareBody({ raw: { headers } }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', 'Expected a body without Content-Encoding.');
  }
  // Fastify rejects a malformed Content-Type; here the body is read whatever its type.
  const type = headers['content-type'];
  if (type !== undefined)
    headers['content-type'] = isForm(type) ? 'application/x-www-form-urlencoded' : 'text/plain';
}

/**
 * Issues a token for an application's id and secret, sent as JSON or form body whatever the Content-Type, or as query
 * parameters; the body takes precedence.
 *
 * Failures are limited per address: ten a minute for one application, sixty for all. The right secret always
 * registers, so other people's failed attempts lock no application out, not even from the same address. This does not
 * help guessing: a secret has 256 random bits.
 */
async function register(
  { applications, tokens, limiter, strangers, addressOf, onUse }: AccessParts,
  request: FastifyRequest,
): Promise<OperationResponse<'register'>> {
  const { query: inQuery, body: inBody } = operations.register;
  const query = checkInput('query', inQuery, request.query);
  const body = readBody(request);
  const ofQuery = Object.fromEntries(Object.entries(query).filter(([name]) => !(name in body)));
  checkInput('query', inBody.partial(), ofQuery);
  const { application_id: id, secret } = checkInput('body', inBody, { ...ofQuery, ...body });
  const mismatch = userAgentMismatch(request, id);
  if (mismatch !== null) throw mismatch;

  const application = await applications.read(id);
  const matches = secretMatches(secret, application?.secretHash ?? noSecretHash);
  if (application === null || !matches) {
    const group = addressGroup(addressOf(request.raw));
    // In this order: what is refused for the address adds no key for an invented id.
    requireAdmitted(await strangers.take(`failed ${group}`, [failuresPerAddress]), tooMany);
    requireAdmitted(await strangers.take(`failed ${group} ${id}`, [failuresPerApplication]), tooMany);
    throw new Problem(
      'invalid_credentials',
      'No application has this application_id and secret. The secret was shown once, when the application was created or its secret rotated; a revoked application has none.',
    );
  }
  requireActiveProject(application);
  requireAdmitted(await limiter.take(`issued ${id}`, [tokensPerApplication]), tooMany);
  request.applicationId = application.id;
  onUse(application.id);
  const { token, expiresAt } = await tokens.issue(application.id, application.generation);
  return {
    token,
    tokenType: 'Bearer',
    expiresIn: tokenLifetimeSeconds,
    expiresAt: new Date(expiresAt).toISOString(),
    scopes: [...application.scopes],
  };
}

function isForm(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(contentType);
}

/** Existing clients of this kind of API send JSON under any Content-Type or none; a form is read too. */
function readBody(request: FastifyRequest): Record<string, unknown> {
  const text = typeof request.body === 'string' ? request.body.trim() : '';
  if (text === '') return {};
  if (isForm(request.headers['content-type'] ?? '') && !text.startsWith('{')) return parse(text);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below: the parser's message would quote the body, and with it the secret.
  }
  throw unreadable('body', 'expected a JSON object with application_id and secret');
}
