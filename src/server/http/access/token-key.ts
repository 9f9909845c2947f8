import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { looksLikeToken, tokenPrefix } from '../../store/repositories/applications/credentials.ts';
import type { SmallValues } from '../../store/engine/small-values.ts';

const randomLength = 24;
const markLength = 8;

export type TokenKey = ReturnType<typeof createTokenKey>;

/**
 * Creates tokens, and recognises forged ones without reading the store: a token is 24 random bytes and 8 bytes of an HMAC
 * over them. Somebody who has the key can only cause useless reads of the store: a token is valid only if the store has it.
 */
export function createTokenKey(key = newKey()) {
  const secret = Buffer.from(key, 'base64url');
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

const newKey = (): string => randomBytes(32).toString('base64url');

/** The key of this store; created if there is none. Processes that do this at once get the same. */
export async function openTokenKey(store: Pick<SmallValues, 'change'>): Promise<TokenKey> {
  const { key } = await store.change<{ key: string }>(
    'token-key',
    'key',
    (before) => before ?? { key: newKey() },
  );
  return createTokenKey(key);
}
