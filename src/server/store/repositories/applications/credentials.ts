import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const random = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`;

/** The fixed prefixes let secret scanners find credentials that were published by mistake. */
export const newApplicationId = (): string => random('app');
export const newSecret = (): string => random('ops');
export const tokenPrefix = 'opt_';

/** Whether a text has the form of a token, without asking the store. */
export function looksLikeToken(text: string): boolean {
  return /^opt_[A-Za-z0-9_-]{43}$/.test(text);
}

/**
 * SHA-256, hex. Secrets are 32 random bytes; a slow hash would add no security, but would let registrations overload
 * the service.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares a secret with a stored hash in constant time. */
export function secretMatches(secret: string, stored: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(stored, 'hex'));
}
