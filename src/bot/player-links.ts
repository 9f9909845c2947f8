import type { Keyv } from 'keyv';
import { parseIdentifier } from '../api/identifiers.ts';
import type { PlayerLinks } from '../commands/ports.ts';

/**
 * Stores which player each member is linked to. Not fenced by a lease: a process that was suspended may store an
 * earlier choice late. The next answer names the player, and the member can choose again.
 * @param scope returns the project in which the links count
 */
export function createPlayerLinks(keyv: Keyv, scope: () => string | undefined): PlayerLinks {
  const key = (userId: string): string => ['player', scope(), userId].filter(Boolean).join(':');
  return {
    async get(userId) {
      const value: unknown = await keyv.get(key(userId));
      return typeof value === 'string' ? (parseIdentifier(value)?.value ?? null) : null;
    },
    async set(userId, identifier) {
      await keyv.set(key(userId), identifier);
    },
    async remove(userId) {
      await keyv.delete(key(userId));
    },
  };
}
