import { z } from 'zod';
import { ServiceUnreachableError } from './client-types.ts';
import { operations } from './operations.ts';
import { exchange, type TransportOptions } from './transport.ts';

/** A token, also as it is stored. */
export interface HeldTokenData {
  token: string;
  /** Epoch milliseconds, by this machine's clock. */
  expiresAt: number;
}

/** Keeps a token across restarts. When it fails, the token is kept in memory only. */
export interface HeldTokenStore {
  load(): Promise<HeldTokenData | undefined>;
  save(token: HeldTokenData): Promise<void>;
}

interface HeldTokenOptions {
  baseUrl: URL;
  applicationId: string;
  secret: string;
  transport: TransportOptions;
  store: HeldTokenStore | undefined;
  now: () => number;
}

/** A token with less time left is renewed while it still works. */
const renewAheadMs = 60 * 60_000;
/** After a failed renewal. */
const renewRetryMs = 60_000;

/**
 * Keeps an application's token and renews it an hour before it expires. Calls at the same time share one registration.
 * The service may refuse a token earlier, such as after the clock was set; the caller then calls `discard`.
 */
export function createHeldToken(options: HeldTokenOptions) {
  const { store, now } = options;
  let held: HeldTokenData | undefined;
  let registering: Promise<HeldTokenData> | undefined;
  let loading: Promise<void> | undefined;
  let renewNotBefore = -Infinity;

  const load = async (): Promise<void> => {
    held = await store?.load().catch(() => undefined);
  };

  const registerOnce = (): Promise<HeldTokenData> => {
    registering ??= register(options)
      .then(async (registered) => {
        held = registered;
        await store?.save(registered).catch(() => undefined);
        return registered;
      })
      .finally(() => (registering = undefined));
    return registering;
  };

  /** In the background. If it fails, the present token still works. */
  const renew = (): void => {
    if (now() < renewNotBefore) return;
    registerOnce().catch(() => (renewNotBefore = now() + renewRetryMs));
  };

  return {
    async get(): Promise<string> {
      await (loading ??= load());
      if (held === undefined || held.expiresAt <= now()) return (await registerOnce()).token;
      if (held.expiresAt - now() < renewAheadMs) renew();
      return held.token;
    },
    /** To be called when the service has refused this token. */
    discard(token: string): void {
      if (held?.token === token) held = undefined;
    },
  };
}

const { shape } = operations.register.response;
/** The fields of the answer that are needed. The scopes are left out, since a newer service may name unknown ones. */
const registration = z.object({ token: shape.token.min(1), expiresIn: shape.expiresIn });

/** Registers the application. Resolves with the body of the answer, not yet checked. */
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

async function register(options: HeldTokenOptions): Promise<HeldTokenData> {
  const { baseUrl, applicationId, secret, transport, now } = options;
  const askedAt = now();
  const body = await askForToken(transport, baseUrl, applicationId, secret);
  const { data } = registration.safeParse(body);
  // A duration is right by every clock; `expiresAt` only for one that agrees with the service's.
  if (data !== undefined) return { token: data.token, expiresAt: askedAt + data.expiresIn * 1000 };
  throw new ServiceUnreachableError(
    `${baseUrl.origin} answered the registration without a token and the time for which it is valid`,
  );
}
