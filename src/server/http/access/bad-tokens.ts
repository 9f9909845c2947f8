import type { FastifyRequest } from 'fastify';
import type { LimitPolicy } from '../../../api/operations.ts';
import { addressGroup, isFromThisMachine, type ClientAddress } from '../connections/client-address.ts';
import { requireAdmitted, type Limiter } from '../limits/limiter.ts';

/** Requests without a valid token from one address. */
const perAddress = { name: 'unauthorized', quota: 60, windowSeconds: 60 } as const satisfies LimitPolicy;

const tooMany = (): string => 'Too many requests without a valid token, which POST /v1/auth/register gives.';

/** Called for each request that will be refused with 401. @throws Problem 429 after too many */
export type SlowBadTokens = (request: FastifyRequest) => Promise<void>;

/**
 * Requests with a valid token are not counted, even if others at the same address send bad ones. Requests from this
 * machine are not counted either. Each process counts by itself, as in `RegisterParts.strangers`.
 */
export function createSlowBadTokens(limiter: Limiter, addressOf: ClientAddress): SlowBadTokens {
  return async (request) => {
    if (isFromThisMachine(request.raw)) return;
    const group = addressGroup(addressOf(request.raw));
    const allowance = await limiter.take(`unauthorized ${group}`, [perAddress]);
    if (!allowance.admitted) request.allowance = allowance;
    requireAdmitted(allowance, tooMany);
  };
}
