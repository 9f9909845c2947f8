import { z } from 'zod';
import { ServiceUnreachableError } from './client-types.ts';
import { operations } from './operations.ts';
import { exchange, type TransportOptions } from './transport.ts';

/** A token as it is stored. Its expiry is a wall-clock moment, since another process has another monotonic clock. */
export interface HeldTokenData {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Keeps a token across restarts. When it fails, the token is kept in memory only. */
export interface HeldTokenStore {
  load(): Promise<HeldTokenData | undefined>;
  save(token: HeldTokenData): Promise<void>;
}

/**
 * Holds an application's token and renews it an hour before it expires. Calls at the same time share one registration.
 * The time left is measured by the monotonic clock. If a wall clock was set meanwhile, the service may refuse the token
 * early, and the caller discards it.
 */
export interface HeldToken {
  get(): Promise<string>;
  /** To be called when the service has refused this token. */
  discard(token: string): void;
}

export interface HeldTokenOptions {
  baseUrl: URL;
  applicationId: string;
  secret: string;
  transport: TransportOptions;
  store: HeldTokenStore | undefined;
  now: () => number;
  monotonic: () => number;
}

interface Held {
  token: string;
  /** By the monotonic clock. */
  endsAt: number;
}

/** A token with less time left is renewed while it still works. */
const renewAheadMs = 60 * 60_000;
/** Pause after a failed renewal. */
const renewRetryMs = 60_000;

export function createHeldToken(options: HeldTokenOptions): HeldToken {
  const { store, now, monotonic } = options;
  let held: Held | undefined;
  let registering: Promise<Held> | undefined;
  let loading: Promise<void> | undefined;
  let renewNotBefore = -Infinity;

  const load = async (): Promise<void> => {
    const stored = await store?.load().catch(() => undefined);
    if (stored !== undefined) held = heldFrom(stored.token, stored.expiresAt - now());
  };

  const heldFrom = (token: string, leftMs: number): Held => ({ token, endsAt: monotonic() + leftMs });

  const registerOnce = (): Promise<Held> => {
    registering ??= register(options)
      .then(async ({ token, leftMs }) => {
        const registered = (held = heldFrom(token, leftMs));
        await store?.save({ token, expiresAt: Math.round(now() + leftMs) }).catch(() => undefined);
        return registered;
      })
      .finally(() => (registering = undefined));
    return registering;
  };

  /** In the background. If it fails, the present token still works. */
  const renew = (): void => {
    if (monotonic() < renewNotBefore) return;
    registerOnce().catch(() => (renewNotBefore = monotonic() + renewRetryMs));
  };

  return {
    async get() {
      await (loading ??= load());
      if (held === undefined || held.endsAt <= monotonic()) return (await registerOnce()).token;
      if (held.endsAt - monotonic() < renewAheadMs) renew();
      return held.token;
    },
    discard(token) {
      if (held?.token === token) held = undefined;
    },
  };
}

const { shape } = operations.register.response;
/** The fields that are needed. The scopes are left out, since a newer service may name unknown ones. */
const registration = z.object({
  token: shape.token.min(1),
  expiresIn: shape.expiresIn.optional().catch(undefined),
  expiresAt: shape.expiresAt.optional().catch(undefined),
});

/** The body of the answer, not yet checked. */
export async function askForToken(
  transport: TransportOptions,
  baseUrl: URL,
  applicationId: string,
  secret: string,
): Promise<unknown> {
  const { method, path } = operations.register;
  return await exchange(transport, {
    operationId: 'register',
    method,
    url: new URL(`.${path}`, baseUrl),
    headers: { 'User-Agent': applicationId, 'Content-Type': 'application/json' },
    body: JSON.stringify({ application_id: applicationId, secret }),
  });
}

async function register(options: HeldTokenOptions): Promise<{ token: string; leftMs: number }> {
  const { baseUrl, applicationId, secret, transport, now, monotonic } = options;
  const askedAt = monotonic();
  const body = await askForToken(transport, baseUrl, applicationId, secret);
  const { data } = registration.safeParse(body);
  const { token, expiresIn, expiresAt } = data ?? {};
  // A duration holds for every clock; `expiresAt` only for one that agrees with the service's.
  if (token !== undefined && expiresIn !== undefined) {
    return { token, leftMs: expiresIn * 1000 - (monotonic() - askedAt) };
  }
  if (token !== undefined && expiresAt !== undefined) return { token, leftMs: Date.parse(expiresAt) - now() };
  throw new ServiceUnreachableError(
    `${baseUrl.origin} answered the registration without a token and the time for which it is valid`,
  );
}
