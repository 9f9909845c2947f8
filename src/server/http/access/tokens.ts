import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keyv } from 'keyv';
import { tokenLifetimeSeconds } from '../../../api/operations.ts';
import {
  hashSecret,
  looksLikeToken,
  tokenPrefix,
} from '../../store/repositories/applications/credentials.ts';
import { openSecret, type SmallValues } from '../../store/engine/small-values.ts';
import { createBoundedCache } from '../../../process/bounded-cache.ts';

/** The application of a token, and its expiry. */
export interface TokenGrant {
  applicationId: string;
  /** The application's generation when the token was issued; a rotation invalidates it. */
  generation: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

interface FoundToken {
  /** SHA-256 of the token, the key under which requests are counted. */
  key: string;
  grant: TokenGrant;
}

/** Maximum number of tokens in memory, about 430 bytes each; others are read from the store. */
const mostInMemory = 100_000;

/** Where tokens are stored. A token that cannot be read from a shared store, as it is away, is not an unknown one. */
export function openGrants(small: Pick<SmallValues, 'of'>, isShared = true): Keyv<TokenGrant> {
  const grants = small.of<TokenGrant>('tokens');
  grants.throwOnErrors = isShared;
  return grants;
}

export type Tokens = ReturnType<typeof createTokens>;

/** Issued tokens by their SHA-256, in memory and in a store that outlives the process. */
export function createTokens(
  store: Keyv<TokenGrant>,
  now: () => number = Date.now,
  tokenKey: TokenKey = createTokenKey(),
) {
  const memory = createBoundedCache<FoundToken>(mostInMemory);

  return {
    async issue(applicationId: string, generation: number): Promise<{ token: string; expiresAt: number }> {
      const token = tokenKey.newToken();
      const grant = { applicationId, generation, expiresAt: now() + tokenLifetimeSeconds * 1000 };
      const key = hashSecret(token);
      await store.set(key, grant, tokenLifetimeSeconds * 1000);
      memory.set(key, { key, grant });
      return { token, expiresAt: grant.expiresAt };
    },

    /** The grant of a known, unexpired token. */
    async find(token: string): Promise<FoundToken | null> {
      const key = hashSecret(token);
      let found = memory.get(key);
      if (found === undefined) {
        const grant = tokenKey.mayBeIssued(token) ? await store.get(key) : undefined;
        if (grant === undefined) return null;
        found = { key, grant };
        memory.set(key, found);
      }
      return found.grant.expiresAt <= now() ? null : found;
    },

    /** Tokens in memory. */
    get size() {
      return memory.size;
    },
  };
}

const randomLength = 24;
const markLength = 8;

export type TokenKey = ReturnType<typeof createTokenKey>;

/**
 * Creates tokens, and recognises forged ones without reading the store: a token is 24 random bytes and 8 bytes of an HMAC
 * over them. Somebody who has the key can only cause useless reads of the store: a token is valid only if the store has it.
 */
export function createTokenKey(secret: Buffer = randomBytes(32)) {
  const markOf = (random: Buffer): Buffer =>
    createHmac('sha256', secret).update(random).digest().subarray(0, markLength);
  return {
    newToken(): string {
      const random = randomBytes(randomLength);
      return tokenPrefix + Buffer.concat([random, markOf(random)]).toString('base64url');
    },
    /** False: the token was not issued here, so the store need not be read. */
    mayBeIssued(token: string): boolean {
      if (!looksLikeToken(token)) return false;
      const bytes = Buffer.from(token.slice(tokenPrefix.length), 'base64url');
      return timingSafeEqual(markOf(bytes.subarray(0, randomLength)), bytes.subarray(randomLength));
    },
  };
}

/** The key of this store. */
export async function openTokenKey(store: Pick<SmallValues, 'change'>): Promise<TokenKey> {
  return createTokenKey(await openSecret(store, 'token-key'));
}
