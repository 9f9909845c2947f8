import type { VNode } from 'preact';
import { ranges, timeTicks, valueTicks, type ChartRange } from '../../embeds/chart/axis.ts';
import type { ServerHistory } from '../../embeds/chart/history.ts';
import { segmentsOf, type Segment } from '../../embeds/chart/series.ts';
import type { View } from '../view.ts';

interface ChartProps {
  view: View;
  title: string;
  /** What the picture is, for those who do not see it. */
  alt: string;
  range: ChartRange;
  history: ServerHistory;
}

/** Pixels. The width is that of the page, so that labels keep their size on every screen. */
const plotTop = 10;
const plotHeight = 140;
const labelsAt = 172;
/** Units of the curve, which is stretched over the width. */
const curveWidth = 1000;

const round = (value: number): number => Math.round(value * 10) / 10;

/** Players over time, as a curve with gaps where the server did not answer. */
export function Chart({ view, title, alt, range, history }: ChartProps): VNode {
  const { language, now } = view;
  const { spanMs, stepMs } = ranges[range];
  const { buckets, timezone } = history;
  const span = { from: now - spanMs, to: now };
  const peak = Math.max(0, ...buckets.map((bucket) => bucket.peak ?? 0));
  const values = valueTicks(peak);
  const highest = values.at(-1) ?? 1;
  const yOf = (value: number): number => round(plotTop + (1 - value / highest) * plotHeight);
  const shareOf = (at: number): number => Math.min(Math.max((at - span.from) / spanMs, 0), 1);
  const xOf = (at: number): number => round(shareOf(at) * curveWidth);
  const segments = segmentsOf(buckets, stepMs);
  // In the server's zone. The browser's script draws those of the visitor's. Labels at the edges would be cut off.
  const ticks = timeTicks(range, span, { locale: language.locale, timezone }).filter(
    ({ at }) => shareOf(at) > 0.04 && shareOf(at) < 0.96,
  );
  return (
    <figure>
      <figcaption>
        {title} <span class="dim">{language.t('chart.peak', { count: peak })}</span>
      </figcaption>
      <svg
        class="chart"
        width="100%"
        height="180"
        role="img"
        aria-label={alt}
        data-range={range}
        data-from={span.from}
        data-to={span.to}
      >
        {values.map((value) => (
          <line class="grid" x1="0" x2="100%" y1={yOf(value)} y2={yOf(value)} />
        ))}
        <svg
          width="100%"
          height={plotTop + plotHeight}
          viewBox={`0 0 ${curveWidth} ${plotTop + plotHeight}`}
          preserveAspectRatio="none"
        >
          <path class="area" d={segments.map((segment) => areaOf(segment, xOf, yOf)).join('')} />
          <path class="line" d={segments.map((segment) => lineOf(segment, xOf, yOf)).join('')} />
        </svg>
        {values.slice(1).map((value) => (
          <text x="2" y={yOf(value) - 3}>
            {language.number(value)}
          </text>
        ))}
        <g class="ticks" text-anchor="middle">
          {ticks.map(({ at, label }) => (
            <text x={`${round(shareOf(at) * 100)}%`} y={labelsAt}>
              {label}
            </text>
          ))}
        </g>
      </svg>
    </figure>
  );
}

type Scale = (value: number) => number;

function lineOf(segment: Segment, xOf: Scale, yOf: Scale): string {
  const points = segment.map(({ at, players }) => `${xOf(at)} ${yOf(players)}`);
  // A round cap makes a dot of a line without length.
  return `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`;
}

function areaOf(segment: Segment, xOf: Scale, yOf: Scale): string {
  const [first, last] = [segment[0], segment.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `${lineOf(segment, xOf, yOf)}L${xOf(last.at)} ${yOf(0)}H${xOf(first.at)}Z`;
}
