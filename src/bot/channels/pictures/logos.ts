import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { readLogo } from '../../../embeds/card/logo.ts';
import { within } from '../../../process/time-limit.ts';
import { logoLimits } from '../../limits.ts';
import { loggable } from '../../loggable.ts';

type Logo = Awaited<ReturnType<typeof readLogo>>;

/** Returns a function that loads a community's logo from the address in the owner's config; null: it has none yet. */
export function createLogos(log: Logger): (url: string) => Promise<Logo> {
  const known = new LRUCache<string, Promise<Logo>>({ max: 50, ttl: logoLimits.keepMs });

  async function load(url: string): Promise<Logo> {
    const { readLogo } = await import('../../../embeds/card/logo.ts');
    const answer = await fetch(url, { signal: AbortSignal.timeout(logoLimits.loadWithinMs) });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      if (bytes > logoLimits.mostBytes) throw new Error(`it has more than ${logoLimits.mostBytes} bytes`);
      chunks.push(chunk);
    }
    if (!answer.ok) throw new Error(`the answer is ${answer.status}`);
    const logo = await readLogo(Buffer.concat(chunks));
    if (logo === null) throw new Error('it is no PNG of at most 2048 × 2048 pixels');
    return logo;
  }

  return async (url) => {
    let logo = known.get(url);
    if (logo === undefined) {
      logo = load(url).catch((error: unknown) => {
        log.warn({ error: loggable(error), url }, 'player cards have no logo: it could not be loaded');
        known.set(url, Promise.resolve(null), { ttl: logoLimits.retryMs });
        return null;
      });
      known.set(url, logo);
    }
    const loaded = await within(logo, logoLimits.waitMs);
    return loaded === 'late' ? null : loaded;
  };
}
