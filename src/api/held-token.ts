import { ServiceUnreachableError } from './client-types.ts';
import { operations } from './operations.ts';
import { exchange, type TransportOptions } from './transport.ts';

export interface HeldTokenData {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Where a token may outlive the process. */
export interface HeldTokenStore {
  load(): Promise<HeldTokenData | undefined>;
  save(token: HeldTokenData): Promise<void>;
}

/** Holds an application's token: registers once for all who wait, and again well before the token ends. */
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

export function createHeldToken(options: HeldTokenOptions): HeldToken {
  const { store, now } = options;
  let held: HeldTokenData | undefined;
  let registering: Promise<HeldTokenData> | undefined;
  let loaded = store === undefined;

  const registerOnce = (): Promise<HeldTokenData> => {
    registering ??= register(options)
      .then(async (token) => {
        held = token;
        await store?.save(token);
        return token;
      })
      .finally(() => (registering = undefined));
    return registering;
  };

  return {
    async get() {
      if (!loaded) {
        loaded = true;
        held = await store?.load();
      }
      if (held === undefined || held.expiresAt <= now()) return (await registerOnce()).token;
      // Renewal in the background: nobody waits for it, and a failure leaves the token that still works.
      if (held.expiresAt - now() < renewAheadMs) void registerOnce().catch(() => undefined);
      return held.token;
    },
    discard(token) {
      if (held?.token === token) held = undefined;
    },
  };
}

async function register({
  baseUrl,
  applicationId,
  secret,
  transport,
}: HeldTokenOptions): Promise<HeldTokenData> {
  const { method, path, response } = operations.register;
  const body = await exchange(transport, {
    method,
    url: new URL(`.${path}`, baseUrl),
    headers: { 'User-Agent': applicationId, 'Content-Type': 'application/json' },
    body: JSON.stringify({ application_id: applicationId, secret }),
  });
  const { token, expiresAt } = response.partial().loose().parse(body);
  if (token === undefined || expiresAt === undefined) {
    throw new ServiceUnreachableError(`${baseUrl.origin} answered the registration without a token`);
  }
  return { token, expiresAt: Date.parse(expiresAt) };
}
