import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { tokenLifetimeSeconds } from '../../api/operations.ts';
import { looksLikeToken, tokenPrefix } from '../store/repositories/applications/credentials.ts';
import type { SmallValues } from '../store/engine/small-values.ts';

/** Creates tokens, and recognises forged ones without reading the store. */
export interface TokenKey {
  newToken(): string;
  /** False: the token was not issued here, so the store need not be read. */
  mayBeIssued(token: string): boolean;
}

/**
 * In stored form. Somebody who has it can only cause useless reads of the store: a token is valid only if the store
 * has it.
 */
interface StoredTokenKey {
  key: string;
  /** Epoch milliseconds. Tokens issued before this moment do not contain an HMAC of the key. */
  createdAt: number;
}

const randomLength = 24;
const markLength = 8;

/** A token is 24 random bytes and 8 bytes of an HMAC over them. */
export function createTokenKey(
  { key, createdAt }: StoredTokenKey = newTokenKey(-Infinity),
  now: () => number = Date.now,
): TokenKey {
  const secret = Buffer.from(key, 'base64url');
  const markOf = (random: Buffer): Buffer =>
    createHmac('sha256', secret).update(random).digest().subarray(0, markLength);
  return {
    newToken() {
      const random = randomBytes(randomLength);
      return tokenPrefix + Buffer.concat([random, markOf(random)]).toString('base64url');
    },
    mayBeIssued(token) {
      if (!looksLikeToken(token)) return false;
      // Tokens from before this key (issued by an earlier version, or the key was lost) stay valid for their lifetime.
      if (now() < createdAt + tokenLifetimeSeconds * 1000) return true;
      const bytes = Buffer.from(token.slice(tokenPrefix.length), 'base64url');
      return timingSafeEqual(markOf(bytes.subarray(0, randomLength)), bytes.subarray(randomLength));
    },
  };
}

function newTokenKey(createdAt: number): StoredTokenKey {
  return { key: randomBytes(32).toString('base64url'), createdAt };
}

/** The key of this store; created if there is none. Processes that do this at once get the same. */
export async function openTokenKey(store: Pick<SmallValues, 'change'>, now: () => number): Promise<TokenKey> {
  const stored = await store.change<StoredTokenKey>(
    'token-key',
    'key',
    (before) => before ?? newTokenKey(now()),
  );
  return createTokenKey(stored, now);
}
