import { z } from 'zod';
import { ServiceUnreachableError } from './client-types.ts';
import { operations } from './operations.ts';
import { exchange, type TransportOptions } from './transport.ts';

/** A token as it is stored. Another process knows no clock but the wall clock. */
export interface HeldTokenData {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Where a token may outlive the process. When it fails, the token lives in memory only. */
export interface HeldTokenStore {
  load(): Promise<HeldTokenData | undefined>;
  save(token: HeldTokenData): Promise<void>;
}

/**
 * Holds an application's token: callers at the same time share one registration; renewed an hour before it ends. The time
 * left is measured with the monotonic clock. Where the service's wall clock, or that of a process that read the token from
 * a store, was set meanwhile, the service refuses the token early and the caller discards it.
 */
export interface HeldToken {
  get(): Promise<string>;
  /** The service no longer takes this token. */
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

/** A token with less time left than this is replaced while it still works. */
const renewAheadMs = 60 * 60_000;
/** A renewal ahead of time that failed is not tried again sooner. */
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

  /** In the background: nobody waits for it, and a failure leaves the token that still works. */
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
/** All that is needed of an answer: a newer service may name scopes that this client does not know. */
const registration = z.object({
  token: shape.token.min(1),
  expiresIn: shape.expiresIn.optional().catch(undefined),
  expiresAt: shape.expiresAt.optional().catch(undefined),
});

async function register(options: HeldTokenOptions): Promise<{ token: string; leftMs: number }> {
  const { baseUrl, applicationId, secret, transport, now, monotonic } = options;
  const { method, path } = operations.register;
  const askedAt = monotonic();
  const body = await exchange(transport, {
    operationId: 'register',
    method,
    url: new URL(`.${path}`, baseUrl),
    headers: { 'User-Agent': applicationId, 'Content-Type': 'application/json' },
    body: JSON.stringify({ application_id: applicationId, secret }),
  });
  const { data } = registration.safeParse(body);
  const { token, expiresIn, expiresAt } = data ?? {};
  // The time left says the same to every clock; the time of day only to those that agree with the service's.
  if (token !== undefined && expiresIn !== undefined) {
    return { token, leftMs: expiresIn * 1000 - (monotonic() - askedAt) };
  }
  if (token !== undefined && expiresAt !== undefined) return { token, leftMs: Date.parse(expiresAt) - now() };
  throw new ServiceUnreachableError(
    `${baseUrl.origin} answered the registration without a token and the time for which it is valid`,
  );
}
