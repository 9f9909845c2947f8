import type { Keyv } from 'keyv';
import { tokenLifetimeSeconds } from '../../api/operations.ts';
import { hashSecret, looksLikeToken, newToken } from '../credentials.ts';

/** What a token stands for. */
export interface TokenGrant {
  applicationId: string;
  /** The application's generation when the token was issued: a rotation makes it void. */
  generation: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Issued tokens by their SHA-256, in memory and written through to a store that outlives the process. */
export interface Tokens {
  issue(applicationId: string, generation: number): Promise<{ token: string; expiresAt: number }>;
  /** The grant of a token that is known and not expired, and the key under which it is counted. */
  find(token: string): Promise<{ key: string; grant: TokenGrant } | null>;
  /** Drops what has expired from memory. */
  sweep(): void;
}

export function createTokens(store: Keyv<TokenGrant>, now: () => number = Date.now): Tokens {
  const memory = new Map<string, TokenGrant>();

  return {
    async issue(applicationId, generation) {
      const token = newToken();
      const grant = { applicationId, generation, expiresAt: now() + tokenLifetimeSeconds * 1000 };
      const key = hashSecret(token);
      await store.set(key, grant, tokenLifetimeSeconds * 1000);
      memory.set(key, grant);
      return { token, expiresAt: grant.expiresAt };
    },

    async find(token) {
      if (!looksLikeToken(token)) return null;
      const key = hashSecret(token);
      let grant = memory.get(key);
      if (grant === undefined) {
        grant = await store.get(key);
        if (grant === undefined) return null;
        memory.set(key, grant);
      }
      return grant.expiresAt > now() ? { key, grant } : null;
    },

    sweep() {
      for (const [key, grant] of memory) if (grant.expiresAt <= now()) memory.delete(key);
    },
  };
}
