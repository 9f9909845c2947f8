import type { Logger } from 'pino';
import type { Server } from '../../../api/resources.ts';
import type { Picture, Pictures } from '../../../commands/interfaces/community.ts';
import { ranges, type ChartKind, type ChartRange } from '../../../embeds/chart/axis.ts';
import type { drawPlayerChart } from '../../../embeds/chart/draw.ts';
import type { drawRecap } from '../../../embeds/chart/draw-recap.ts';
import type { drawWeekChart } from '../../../embeds/chart/draw-week.ts';
import type { PlayerHistory } from '../../../embeds/chart/history.ts';
import { mostSeries, peakOf } from '../../../embeds/chart/series.ts';
import { fullestHour, fullestText, weekHours, weeks } from '../../../embeds/chart/week.ts';
import { recapAlt } from '../../../embeds/recap.ts';
import { plain } from '../../../embeds/text.ts';
import type { Language } from '../../../locales/language.ts';
import { drawnOnce } from './drawn-once.ts';

/** Samples are taken once a minute, so a chart is valid until the next one. A mean of weeks changes little in an hour. */
const validMs = { '24h': 60_000, '7d': 60_000, week: 3_600_000 } as const satisfies Record<ChartKind, number>;
interface Drawing {
  drawPlayerChart: typeof drawPlayerChart;
  drawWeekChart: typeof drawWeekChart;
  drawRecap: typeof drawRecap;
}

interface ChartOf {
  servers: readonly Server[];
  /** Epoch milliseconds. */
  to: number;
  timezone?: string | undefined;
  language: Language;
}

/** Draws charts of a history. Each chart is drawn at most once a minute, that of weeks once an hour. */
export function createCharts(history: PlayerHistory, log: Logger): Pick<Pictures, 'players' | 'recap'> {
  const once = drawnOnce<Drawing>(
    async () => ({
      ...(await import('../../../embeds/chart/draw.ts')),
      ...(await import('../../../embeds/chart/draw-week.ts')),
      ...(await import('../../../embeds/chart/draw-recap.ts')),
    }),
    'charts',
    log,
  );

  /** Whole steps only: a cut step would show the mean of its remainder. */
  const read = async (
    servers: readonly Server[],
    to: number,
    { spanMs, stepMs }: typeof weeks | (typeof ranges)[ChartRange],
  ) => {
    const from = Math.floor((to - spanMs) / stepMs) * stepMs;
    return await Promise.all(servers.map((server) => history(server.id, from, to, stepMs)));
  };

  const namesOf = (servers: readonly Server[], language: Language): string =>
    language.list(servers.slice(0, mostSeries).map(({ name }) => plain(name)));

  async function drawPlayers(
    draw: Drawing,
    { servers, to, language, ...input }: ChartOf,
    range: ChartRange,
  ): Promise<Picture | null> {
    const histories = await read(servers.slice(0, mostSeries), to, ranges[range]);
    const series = servers.map(({ name }, index) => ({ name, buckets: histories[index]?.buckets ?? [] }));
    const timezone = input.timezone ?? histories[0]?.timezone ?? 'UTC';
    const data = await draw.drawPlayerChart({ series, range, to, timezone, language });
    const peak = peakOf(histories.flatMap(({ buckets }) => buckets));
    const alt = [
      language.t('chart.alt', { servers: namesOf(servers, language) }),
      language.t(ranges[range].title),
      language.t('chart.peak', { count: peak }),
    ].join(' · ');
    return data && { name: `players-${range}.png`, data, alt };
  }

  async function drawWeek(
    draw: Drawing,
    { servers, to, language, ...input }: ChartOf,
  ): Promise<Picture | null> {
    const histories = await read(servers, to, weeks);
    const timezone = input.timezone ?? histories[0]?.timezone ?? 'UTC';
    const hours = weekHours(
      histories.map(({ buckets }) => buckets),
      timezone,
    );
    const data = await draw.drawWeekChart({ hours, to, timezone, language });
    const fullest = fullestHour(hours);
    const alt = [
      language.t('chart.hoursAlt', { servers: namesOf(servers, language) }),
      ...(fullest === null ? [] : [fullestText(language, fullest)]),
    ].join(' · ');
    return data && { name: 'players-by-hour.png', data, alt };
  }

  return {
    async players({ servers, now, range, ...input }) {
      const to = (Math.floor(now / validMs[range]) + 1) * validMs[range];
      const ids = servers.map((server) => [server.id, server.name]);
      const key = JSON.stringify([ids, range, input.language.locale, input.timezone, to]);
      return await once(key, async (draw) => {
        const chart = { ...input, servers, to };
        return range === 'week' ? await drawWeek(draw, chart) : await drawPlayers(draw, chart, range);
      });
    },
    async recap(view, branding, language) {
      const { name = null, accentColor = null } = branding ?? {};
      const key = JSON.stringify(['recap', view.recap, [...view.names], name, accentColor, language.locale]);
      return await once(key, async (draw) => {
        const data = await draw.drawRecap({ ...view, name, accentColor, language });
        return { name: 'recap.png', data, alt: recapAlt(language, view) };
      });
    },
  };
}
