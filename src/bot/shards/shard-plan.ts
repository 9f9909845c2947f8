import type { SessionStore } from './session-store.ts';

/** Discord recommends a shard for a thousand guilds and refuses one with more than 2,500. */
const mostOfRecommended = 2;

/**
 * How many shards the bot has. What is stored goes on, as another number ends all sessions, until Discord recommends more than
 * twice as many. All processes use the stored number. It belongs to no lease: a process that was suspended stores late what
 * Discord recommended then, which the others had stored, too.
 * @param recommended by `GET /gateway/bot`  @param atLeast more than Discord has just refused
 */
export async function planShards(store: SessionStore, recommended: number, atLeast = 1): Promise<number> {
  const stored = await store.shardCount().catch(() => null);
  if (stored !== null && stored >= atLeast && recommended <= stored * mostOfRecommended) return stored;
  const count = Math.max(recommended, atLeast);
  await store.setShardCount(count).catch(() => undefined);
  return count;
}

/** The shard whose events are those of a guild. */
export function shardOf(guildId: string, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}
