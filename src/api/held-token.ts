import { z } from 'zod';
import { ServiceUnreachableError } from './client-types.ts';
import { operations } from './operations.ts';
import { exchange, type TransportOptions } from './transport.ts';

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

/** Holds an application's token: callers at the same time share one registration; renewed an hour before it ends. */
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
}

/** A token with less time left than this is replaced while it still works. */
const renewAheadMs = 60 * 60_000;
/** A renewal ahead of time that failed is not tried again sooner. */
const renewRetryMs = 60_000;

export function createHeldToken(options: HeldTokenOptions): HeldToken {
  const { store, now } = options;
  let held: HeldTokenData | undefined;
  let registering: Promise<HeldTokenData> | undefined;
  let loading: Promise<void> | undefined;
  let renewNotBefore = 0;

  const load = async (): Promise<void> => {
    held = await store?.load().catch(() => undefined);
  };

  const registerOnce = (): Promise<HeldTokenData> => {
    registering ??= register(options)
      .then(async (token) => {
        held = token;
        await store?.save(token).catch(() => undefined);
        return token;
      })
      .finally(() => (registering = undefined));
    return registering;
  };

  /** In the background: nobody waits for it, and a failure leaves the token that still works. */
  const renew = (): void => {
    if (now() < renewNotBefore) return;
    registerOnce().catch(() => (renewNotBefore = now() + renewRetryMs));
  };

  return {
    async get() {
      await (loading ??= load());
      if (held === undefined || held.expiresAt <= now()) return (await registerOnce()).token;
      if (held.expiresAt - now() < renewAheadMs) renew();
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

async function register(options: HeldTokenOptions): Promise<HeldTokenData> {
  const { baseUrl, applicationId, secret, transport, now } = options;
  const { method, path } = operations.register;
  const askedAt = now();
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
  if (token !== undefined && expiresIn !== undefined) return { token, expiresAt: askedAt + expiresIn * 1000 };
  if (token !== undefined && expiresAt !== undefined) return { token, expiresAt: Date.parse(expiresAt) };
  throw new ServiceUnreachableError(
    `${baseUrl.origin} answered the registration without a token and the time for which it is valid`,
  );
}
