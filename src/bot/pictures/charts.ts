import type { Logger } from 'pino';
import type { Picture, Pictures } from '../../commands/interfaces/community.ts';
import { ranges, type ChartKind } from '../../embeds/chart/axis.ts';
import { mostSeries, peakOf, type PlayerHistory } from '../../embeds/chart/series.ts';
import { fullestHour, fullestText, weekHours, weeks } from '../../embeds/chart/week.ts';
import { recapAlt } from '../../embeds/recap.ts';
import { plain } from '../../embeds/text.ts';
import { drawnOnce } from './drawn-once.ts';

/** Samples are taken once a minute, so a chart is valid until the next one. A mean of weeks changes little in an hour. */
const validMs = { '24h': 60_000, '7d': 60_000, week: 3_600_000 } as const satisfies Record<ChartKind, number>;

const loadDrawing = async () => ({
  ...(await import('../../embeds/chart/draw.ts')),
  ...(await import('../../embeds/chart/draw-week.ts')),
  ...(await import('../../embeds/chart/draw-recap.ts')),
});
type Drawing = Awaited<ReturnType<typeof loadDrawing>>;

type ChartOf = Omit<Parameters<Pictures['players']>[0], 'now'> & {
  /** Epoch milliseconds. */
  to: number;
};

/** Draws charts of a history. Each chart is drawn at most once a minute, that of weeks once an hour. */
export function createCharts(history: PlayerHistory, log: Logger): Pick<Pictures, 'players' | 'recap'> {
  const once = drawnOnce(loadDrawing, 'charts', log);

  async function drawPlayers(draw: Drawing, chart: ChartOf): Promise<Picture | null> {
    const { servers, range, to, language } = chart;
    const { spanMs, stepMs } = range === 'week' ? weeks : ranges[range];
    // Whole steps only: a cut step would show the mean of its remainder.
    const from = Math.floor((to - spanMs) / stepMs) * stepMs;
    // The hours of a week are those of all servers together.
    const drawn = range === 'week' ? servers : servers.slice(0, mostSeries);
    const histories = await Promise.all(drawn.map(({ id }) => history(id, from, to, stepMs)));
    const buckets = histories.map((each) => each.buckets);
    const timezone = chart.timezone ?? histories[0]?.timezone ?? 'UTC';
    const names = language.list(servers.slice(0, mostSeries).map(({ name }) => plain(name)));
    if (range === 'week') {
      const hours = weekHours(buckets, timezone);
      const data = await draw.drawWeekChart({ hours, to, timezone, language });
      const fullest = fullestHour(hours);
      const alt = [
        language.t('chart.hoursAlt', { servers: names }),
        ...(fullest === null ? [] : [fullestText(language, fullest)]),
      ].join(' · ');
      return data && { name: 'players-by-hour.png', data, alt };
    }
    const series = servers.map(({ name }, index) => ({ name, buckets: buckets[index] ?? [] }));
    const data = await draw.drawPlayerChart({ series, range, to, timezone, language });
    const alt = [
      language.t('chart.alt', { servers: names }),
      language.t(ranges[range].title),
      language.t('chart.peak', { count: peakOf(buckets.flat()) }),
    ].join(' · ');
    return data && { name: `players-${range}.png`, data, alt };
  }

  return {
    async players({ now, ...input }) {
      const { servers, range, language, timezone } = input;
      const to = (Math.floor(now / validMs[range]) + 1) * validMs[range];
      const ids = servers.map((server) => [server.id, server.name]);
      const key = JSON.stringify([ids, range, language.locale, timezone, to]);
      return await once(key, (draw) => drawPlayers(draw, { ...input, to }));
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
