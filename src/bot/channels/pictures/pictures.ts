import type { Logger } from 'pino';
import type { Pictures } from '../../../commands/ports/community.ts';
import type { PlayerHistory } from '../../../embeds/chart/history.ts';
import { createCharts } from './charts.ts';
import { createCards } from './draw-cards.ts';
import { createHeatMaps } from './draw-heat-maps.ts';
import { createLogos } from './logos.ts';

/** @param history null: the bot reads a service elsewhere, which has no history, and whose logos it does not load */
export function createPictures(log: Logger, history: PlayerHistory | null): Pictures {
  const ofNothing: PlayerHistory = async () => ({ timezone: 'UTC', buckets: [] });
  return {
    ...createCharts(history ?? ofNothing, log),
    card: createCards(log, history === null ? undefined : createLogos(log)),
    heatMap: createHeatMaps(log),
  };
}
