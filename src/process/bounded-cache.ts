import { LRUCache } from 'lru-cache';

/**
 * An LRU cache of at most `most` entries that grows with them. Given `max`, lru-cache would allocate every place
 * when it is created: for 100,000 in 12 ms, and 28 kB for each thousand.
 */
export function createBoundedCache<Value extends NonNullable<unknown>>(
  most: number,
  options: LRUCache.OptionsBase<string, Value, unknown> = {},
): LRUCache<string, Value> {
  return new LRUCache({ ...options, maxSize: most, sizeCalculation: () => 1 });
}
