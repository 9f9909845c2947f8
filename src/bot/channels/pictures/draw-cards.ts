import type { Logger } from 'pino';
import type { Pictures } from '../../../commands/interfaces/community.ts';
import { limitConcurrency } from '../../../process/concurrency-limit.ts';
import { drawnOnce } from './drawn-once.ts';
import type { createLogos } from './logos.ts';

/**
 * Draws player cards one at a time, each in about 10 ms of this thread, and lets others go first in between. What is on a
 * card decides which picture it is.
 * @param logoOf loads a community's logo; left out: cards have none
 */
export function createCards(log: Logger, logoOf?: ReturnType<typeof createLogos>): Pictures['card'] {
  const once = drawnOnce(() => import('../../../embeds/card/draw.ts'), 'player cards', log);
  const { run: oneAfterTheOther } = limitConcurrency(1);
  return async (content, { accentColor, logoUrl }) => {
    const logo = logoUrl === null ? null : ((await logoOf?.(logoUrl).catch(() => null)) ?? null);
    const key = JSON.stringify([content, accentColor, logo !== null && logoUrl]);
    return await once(key, ({ drawCard }) =>
      oneAfterTheOther(async () => {
        await new Promise(setImmediate);
        const data = await drawCard(content, { accent: accentColor, logo });
        return { name: 'player.png', data, alt: content.alt };
      }),
    );
  };
}
