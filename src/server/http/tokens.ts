import type { Keyv } from 'keyv';
import { LRUCache } from 'lru-cache';
import { tokenLifetimeSeconds } from '../../api/operations.ts';
import { hashSecret } from '../store/credentials.ts';
import { createTokenKey, type TokenKey } from './token-key.ts';

/** Whose token it is, and until when it is valid. */
export interface TokenGrant {
  applicationId: string;
  /** The application's generation when the token was issued: a rotation makes it void. */
  generation: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface FoundToken {
  /** SHA-256 of the token: under it requests are counted. */
  key: string;
  grant: TokenGrant;
}

/** Issued tokens by their SHA-256, in memory and written through to a store that outlives the process. */
export interface Tokens {
  issue(applicationId: string, generation: number): Promise<{ token: string; expiresAt: number }>;
  /** The grant of a token that is known and not expired: at once when it is in memory. */
  find(token: string): FoundToken | null | Promise<FoundToken | null>;
  /** Drops what has expired from memory. */
  sweep(): void;
  /** Tokens in memory. */
  readonly size: number;
}

/** So many tokens in use stay in memory, about 430 bytes each; any more are read from the store again. */
const mostInMemory = 100_000;

export function createTokens(
  store: Keyv<TokenGrant>,
  now: () => number = Date.now,
  tokenKey: TokenKey = createTokenKey(),
): Tokens {
  const memory = new LRUCache<string, FoundToken>({ max: mostInMemory });
  const unexpired = (found: FoundToken): FoundToken | null => (found.grant.expiresAt > now() ? found : null);
  const readAndCache = async (key: string): Promise<FoundToken | null> => {
    const grant = await store.get(key);
    if (grant === undefined) return null;
    const found = { key, grant };
    memory.set(key, found);
    return unexpired(found);
  };

  return {
    async issue(applicationId, generation) {
      const token = tokenKey.newToken();
      const grant = { applicationId, generation, expiresAt: now() + tokenLifetimeSeconds * 1000 };
      const key = hashSecret(token);
      await store.set(key, grant, tokenLifetimeSeconds * 1000);
      memory.set(key, { key, grant });
      return { token, expiresAt: grant.expiresAt };
    },

    find(token) {
      const key = hashSecret(token);
      const found = memory.get(key);
      if (found !== undefined) return unexpired(found);
      return tokenKey.mayBeIssued(token) ? readAndCache(key) : null;
    },

    sweep() {
      for (const [key, found] of memory.entries()) if (unexpired(found) === null) memory.delete(key);
    },
    get size() {
      return memory.size;
    },
  };
}
