import type { Keyv } from 'keyv';

/** Discord recommends a shard for a thousand guilds and refuses one with more than 2,500. */
const mostOfRecommended = 2;
const countKey = 'shard-count';

/** The number of shards that all processes use; null: none is stored. @throws when the store fails */
export async function storedShardCount(keyv: Keyv): Promise<number | null> {
  const stored: unknown = await keyv.get(countKey);
  return Number.isInteger(stored) && Number(stored) > 0 ? Number(stored) : null;
}

/**
 * How many shards the bot has. Another number means that every shard logs in again, so the stored one stays until Discord
 * recommends more than twice as many. It is not fenced by a lease: a process that was suspended stores late only what
 * Discord recommended then, which the others had stored, too.
 * @param recommended by `GET /gateway/bot`  @param atLeast more than Discord has just refused
 */
export async function planShards(keyv: Keyv, recommended: number, atLeast = 1): Promise<number> {
  const stored = await storedShardCount(keyv).catch(() => null);
  if (stored !== null && stored >= atLeast && recommended <= stored * mostOfRecommended) return stored;
  const count = Math.max(recommended, atLeast);
  await keyv.set(countKey, count).catch(() => undefined);
  return count;
}

/** The lease under which a process is connected as a shard. */
export const shardLease = (shard: number): string => `shard:${shard}`;

/** The shard whose events are those of a guild. */
export function shardOf(guildId: string, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}
