import { LRUCache } from 'lru-cache';

const mostKept = 100;

/** Returns a function that reads something, unless it was read for the same key a moment ago. */
export function createMemory(
  monotonic: () => number,
): <T>(key: readonly unknown[], ms: number, read: () => Promise<T>) => Promise<T> {
  const remembered = new LRUCache<string, { until: number; value: Promise<unknown> }>({ max: mostKept });
  return async <T>(key: readonly unknown[], ms: number, read: () => Promise<T>): Promise<T> => {
    const text = JSON.stringify(key);
    const known = remembered.get(text);
    if (known !== undefined && monotonic() < known.until) return (await known.value) as T;
    const value = read();
    remembered.set(text, { until: monotonic() + ms, value });
    value.catch(() => remembered.delete(text));
    return await value;
  };
}
