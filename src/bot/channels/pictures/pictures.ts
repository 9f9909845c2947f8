import type { Logger } from 'pino';
import type { Pictures } from '../../../commands/interfaces/community.ts';
import type { PlayerHistory } from '../../../embeds/chart/series.ts';
import { createCharts } from './charts.ts';
import { createCards } from './draw-cards.ts';
import { createHeatMaps } from './draw-heat-maps.ts';

/** @param history null: the bot reads a service elsewhere. It draws no charts, and loads no logos. */
export function createPictures(log: Logger, history: PlayerHistory | null): Pictures {
  const noCharts = { players: async () => null, recap: async () => null };
  return {
    ...(history === null ? noCharts : createCharts(history, log)),
    card: createCards(log, history !== null),
    heatMap: createHeatMaps(log),
  };
}
