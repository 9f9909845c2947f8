import type { Keyv } from 'keyv';

const key = 'feeds';

/**
 * Deletes the state of feeds that the config no longer has. A feed that comes back later starts anew, instead of counting
 * what happened in between as missed. `keyv` must throw on failure.
 * @param configured the keys of the feeds in the config
 */
export async function forgetRemovedFeeds(keyv: Keyv, configured: readonly string[]): Promise<void> {
  const before = ((await keyv.get(key)) as readonly string[] | undefined) ?? [];
  if (before.join() === configured.join()) return;
  const removed = before.filter((each) => !configured.includes(each));
  if (removed.length > 0) await keyv.deleteMany([...removed]);
  await keyv.set(key, configured);
}
