import type { VNode } from 'preact';
import { ranges, timeTicks, valueTicks, type ChartRange } from '../../embeds/chart/axis.ts';
import { gapsOf, peakOf, type Segment, segmentsOf, type ServerHistory } from '../../embeds/chart/series.ts';
import type { Schedule } from '../../api/resources.ts';
import { nextOccurrences } from '../../embeds/schedule-times.ts';
import { dayMs, dayStepMs } from '../preview/picture.ts';
import type { ShownServer } from '../project.ts';
import { nameOr, type View } from '../view.ts';

export interface ChartProps extends Pick<ShownServer, 'server' | 'schedules'> {
  view: View;
  range: ChartRange;
  history: ServerHistory;
}

/** Pixels from the top, also in `browser/page.js`. Across, percent of the width: so labels keep their size on every screen. */
const plotTop = 10;
const plotHeight = 140;
const labelsAt = 172;
/** Width in units of the curve's own, which is stretched over the page's. */
const curveWidth = 1000;

const round = (value: number): number => Math.round(value * 10) / 10;
/** @param share of the width, from 0 to 1: labels at the edges would be cut off */
const hasRoomForLabel = (share: number): boolean => share > 0.04 && share < 0.96;
const percent = (share: number): string => `${round(share * 100)}%`;

/** Players over time, as a curve with gaps where nothing is known. Labels of values stand in a column of their own. */
export function Chart({ view, server, schedules, range, history }: ChartProps): VNode {
  const { language, now } = view;
  const { t } = language;
  const { spanMs, stepMs } = ranges[range];
  const { buckets, timezone } = history;
  const span = { from: now - spanMs, to: now };
  const values = valueTicks(peakOf(buckets));
  const yOf = (value: number): number => round(plotTop + (1 - value / (values.at(-1) ?? 1)) * plotHeight);
  const shareOf = (at: number): number => Math.min(Math.max((at - span.from) / spanMs, 0), 1);
  const title = t(ranges[range].title);
  const restarts = restartsIn(schedules, span.from, span.to);
  const segments = segmentsOf(buckets, stepMs);
  const gaps = gapsOf(segments, span, stepMs);
  // Days of a week are named in their middle, hours where they are. The browser's script does the same in the visitor's zone.
  const labelOffset = range === '24h' ? 0 : dayMs / 2;
  const tickSpan = { from: span.from - labelOffset, to: span.to };
  const ticks = timeTicks(range, tickSpan, { locale: language.locale, timezone });
  return (
    <figure>
      <figcaption>
        {title} <span class="dim">{t('chart.peak', { count: peakOf(buckets) })}</span>
      </figcaption>
      <div class="plot">
        <svg width="36" height="180" aria-hidden="true">
          {values.map((value) => (
            <text x="30" y={yOf(value) + 4} text-anchor="end">
              {language.number(value)}
            </text>
          ))}
        </svg>
        <svg
          class="chart"
          width="100%"
          height="180"
          role="img"
          aria-label={`${t('chart.alt', { servers: nameOr(server.name, server.id) })} · ${title}`}
          data-range={range}
          data-from={span.from}
          data-to={span.to}
        >
          {gaps.map(({ from, to }) => (
            <rect
              class="gap"
              x={percent(shareOf(from))}
              y={plotTop}
              width={percent(shareOf(to) - shareOf(from))}
              height={plotHeight}
            />
          ))}
          {values.map((value) => (
            <line class="grid" x1="0" x2="100%" y1={yOf(value)} y2={yOf(value)} />
          ))}
          {restarts.map((at) => (
            <VerticalLine look="restart" share={shareOf(at)} />
          ))}
          <Curve segments={segments} height={plotTop + plotHeight} shareOf={shareOf} yOf={yOf} />
          <g class="ticks" text-anchor="middle">
            {ticks.map(({ at, label }) => (
              <>
                {at > span.from && <VerticalLine look="grid" share={shareOf(at)} />}
                {hasRoomForLabel(shareOf(at + labelOffset)) && (
                  <text x={percent(shareOf(at + labelOffset))} y={labelsAt}>
                    {label}
                  </text>
                )}
              </>
            ))}
          </g>
        </svg>
      </div>
      <p class="legend">
        {restarts.length > 0 && <span class="restarts">{t('kind.RESTART')}</span>}
        {gaps.length > 0 && <span class="gaps">{t('chart.gap')}</span>}
      </p>
    </figure>
  );
}

const mostRestarts = 14;

/** When a server was to restart in a span; none if there are more than `mostRestarts`, since they would hide the curve. */
function restartsIn(schedules: readonly Schedule[], from: number, to: number): number[] {
  const starts = schedules
    .filter(({ kind }) => kind === 'RESTART')
    .flatMap((schedule) => nextOccurrences(schedule, from, mostRestarts + 1));
  const within = starts.filter((at) => at < to);
  return within.length > mostRestarts ? [] : within;
}

function VerticalLine({ look, share }: { look: 'restart' | 'grid'; share: number }): VNode {
  return <line class={look} x1={percent(share)} x2={percent(share)} y1={plotTop} y2={plotTop + plotHeight} />;
}

/** Pixels. */
const sparkHeight = 44;

/** A small curve of a server's last day, for its card; null: fewer than two counts are known. */
export function Sparkline({ view, history }: { view: View; history: ServerHistory }): VNode | null {
  const { now, language } = view;
  const segments = segmentsOf(history.buckets, dayStepMs);
  if (segments.flat().length < 2) return null;
  const peak = peakOf(history.buckets);
  const shareOf = (at: number): number => Math.min(Math.max((at - (now - dayMs)) / dayMs, 0), 1);
  const yOf = (value: number): number => round(2 + (1 - value / Math.max(peak, 1)) * (sparkHeight - 3));
  return (
    <figure class="spark">
      <svg width="100%" height={sparkHeight} aria-hidden="true">
        <Curve segments={segments} height={sparkHeight} shareOf={shareOf} yOf={yOf} />
      </svg>
      <figcaption class="dim">
        {language.t('chart.day')} · {language.t('chart.peak', { count: peak })}
      </figcaption>
    </figure>
  );
}

interface CurveProps {
  segments: readonly Segment[];
  height: number;
  shareOf: (at: number) => number;
  yOf: (players: number) => number;
}

/** A line with the area below it, stretched over the width. */
function Curve({ segments, height, shareOf, yOf }: CurveProps): VNode {
  const xOf = (at: number): number => round(shareOf(at) * curveWidth);
  const lineOf = (segment: Segment): string => {
    const points = segment.map(({ at, players }) => `${xOf(at)} ${yOf(players)}`);
    // One point alone: with its round caps, a line without length is a dot.
    return `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`;
  };
  const areaOf = (segment: Segment): string =>
    `${lineOf(segment)}L${xOf(segment.at(-1)!.at)} ${yOf(0)}H${xOf(segment[0]!.at)}Z`;
  return (
    <svg width="100%" height={height} viewBox={`0 0 ${curveWidth} ${height}`} preserveAspectRatio="none">
      <path class="area" d={segments.map(areaOf).join('')} />
      <path class="line" d={segments.map(lineOf).join('')} />
    </svg>
  );
}
