import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Server } from '../../api/resources.ts';
import type { Charts, Picture } from '../../commands/ports.ts';
import { ranges, type ChartRange } from '../../embeds/chart/axis.ts';
import type { drawPlayerChart } from '../../embeds/chart/draw.ts';
import type { PlayerHistory } from '../../embeds/chart/history.ts';
import { mostSeries } from '../../embeds/chart/series.ts';
import { plain } from '../../embeds/text.ts';
import { loggable } from '../loggable.ts';

/** Samples are taken once a minute, so a chart is valid until the next one. */
const sampleMs = 60_000;
/** About 100 KB each. */
const mostKept = 50;

/** Draws charts of a history. Each chart is drawn at most once a minute. */
export function createCharts(history: PlayerHistory, log: Logger): Charts {
  const kept = new LRUCache<string, Promise<Picture | null>>({ max: mostKept });
  let drawing: Promise<typeof drawPlayerChart | null> | null = null;

  /** Loads native code of 37 MB with the first chart. Platforms without a build get no charts. */
  function loadDrawing(): Promise<typeof drawPlayerChart | null> {
    drawing ??= import('../../embeds/chart/draw.ts').then(
      (module) => module.drawPlayerChart,
      (error: unknown) => {
        log.warn(
          { error: loggable(error) },
          'charts are disabled: @napi-rs/canvas has no build for this platform',
        );
        return null;
      },
    );
    return drawing;
  }

  async function draw(
    servers: readonly Server[],
    { range, to, ...input }: Omit<Parameters<Charts['players']>[0], 'servers' | 'now'> & { to: number },
  ): Promise<Picture | null> {
    const { spanMs, stepMs } = ranges[range];
    const drawChart = await loadDrawing();
    if (drawChart === null) return null;
    // Whole steps only: a cut step would show the mean of its remainder.
    const from = Math.floor((to - spanMs) / stepMs) * stepMs;
    const histories = await Promise.all(
      servers.slice(0, mostSeries).map((server) => history(server.id, from, to, stepMs)),
    );
    const series = servers.map(({ name }, index) => ({ name, buckets: histories[index]?.buckets ?? [] }));
    const timezone = input.timezone ?? histories[0]?.timezone ?? 'UTC';
    const data = await drawChart({ series, range, to, timezone, language: input.language });
    if (data === null) return null;
    const names = input.language.list(series.slice(0, mostSeries).map(({ name }) => plain(name)));
    return { name: fileNames[range], data, alt: input.language.t('chart.alt', { servers: names }) };
  }

  return {
    async players({ servers, now, ...input }) {
      const to = (Math.floor(now / sampleMs) + 1) * sampleMs;
      const ids = servers.map((server) => [server.id, server.name]);
      const key = JSON.stringify([ids, input.range, input.language.locale, input.timezone, to]);
      let picture = kept.get(key);
      if (picture === undefined) {
        picture = draw(servers, { ...input, to });
        kept.set(key, picture);
        picture.catch(() => kept.delete(key));
      }
      return await picture;
    },
  };
}

const fileNames = { '24h': 'players-24h.png', '7d': 'players-7d.png' } as const satisfies Record<
  ChartRange,
  string
>;
