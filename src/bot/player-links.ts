import type { Keyv } from 'keyv';
import { parseIdentifier } from '../api/identifiers.ts';
import type { PlayerLinks } from '../commands/ports.ts';

/** Stores which player each member is linked to. */
export function createPlayerLinks(keyv: Keyv): PlayerLinks {
  const key = (userId: string): string => `player:${userId}`;
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
