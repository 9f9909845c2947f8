/** What is used of a shard of `@discordjs/ws`. */
interface ClosableShard {
  destroy(how?: { code?: number; reason?: string; recover?: number }): Promise<void>;
}

/**
 * Lets a shard close once at a time. A close that interrupts a login makes discord.js close the shard a second time, to
 * reconnect: then the first close would never end.
 */
export function closeOnce(shard: ClosableShard): void {
  const destroy = shard.destroy.bind(shard);
  let closing: Promise<void> | null = null;
  shard.destroy = async (how) => {
    if (closing !== null) return await closing;
    // This one lasts until the shard is connected again, and may be interrupted.
    if (how?.recover !== undefined) return await destroy(how);
    closing = destroy(how).finally(() => (closing = null));
    return await closing;
  };
}
