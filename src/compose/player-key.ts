import { randomBytes } from 'node:crypto';
import type { SmallValues } from '../server/store/engine/small-values.ts';

/**
 * The key of `playerRef` for the page; created if there is none. It stays in the store, so that old links work after a restart. Processes that do this at once get the same.
 */
export async function openPlayerKey(small: Pick<SmallValues, 'change'>): Promise<Buffer> {
  const { key } = await small.change<{ key: string }>(
    'player-key',
    'key',
    (before) => before ?? { key: randomBytes(32).toString('base64url') },
  );
  return Buffer.from(key, 'base64url');
}
