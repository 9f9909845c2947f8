import type { SKRSContext2D } from '@napi-rs/canvas';
import { DateTime } from 'luxon';
import type { Language } from '../../locales/language.ts';
import { ranges, timeTicks, valueTicks, type ChartRange } from './axis.ts';
import { widthOf, write } from '../drawing/drawn-text.ts';
import {
  colours,
  drawHatch,
  drawTitle,
  fillDot,
  fillPath,
  labelLine,
  margin,
  openCard,
  pointAt,
  strokePath,
  width,
  within,
  type Point,
} from '../drawing/frame.ts';
import { facts } from '../text.ts';
import {
  gapsOf,
  type HistoryBucket,
  mostSeries,
  peakOf,
  roomsOf,
  type Segment,
  segmentsOf,
  shortNames,
} from './series.ts';

interface ChartSeries {
  /** Name of the server, as it is. */
  name: string;
  buckets: readonly HistoryBucket[];
}

export interface ChartInput {
  series: readonly ChartSeries[];
  range: ChartRange;
  /** End of the time axis; epoch milliseconds. */
  to: number;
  /** IANA time zone of the time axis. */
  timezone: string;
  language: Language;
}

const plot = { left: 70, right: width - margin, top: 84, bottom: 290 } as const;
/** Charts with several lines have a legend below. */
const heightOf = (lines: number) => (lines > 1 ? 396 : 346);
const legendBaseline = 376;

const lineColours = ['#57c98a', '#6ea8fe', '#f5b942', '#eb6f92', '#b794f6', '#5fd4d6'] as const;
const gridLine = { color: colours.grid, width: 2 } as const;

/** The capacity line is left out if the peak is below this share of it, since it would flatten the chart. */
const capacityShown = 0.4;

/** The scales of one chart. */
interface Frame {
  from: number;
  to: number;
  stepMs: number;
  x(at: number): number;
  y(value: number): number;
}

/** Draws player counts over time as PNG; null if there is too little data for a line. The encoding runs off the main thread. */
export async function drawPlayerChart(input: ChartInput): Promise<Buffer | null> {
  const { spanMs, stepMs, title } = ranges[input.range];
  const { t } = input.language;
  const series = input.series.slice(0, mostSeries);
  const buckets = series.flatMap((each) => each.buckets);
  if (!series.some(({ buckets }) => buckets.filter(({ players }) => players !== null).length > 1))
    return null;

  const peak = peakOf(buckets);
  const capacity = commonCapacity(series);
  const showsCapacity = capacity !== null && peak >= capacity * capacityShown;
  const values = valueTicks(showsCapacity ? Math.max(peak, capacity) : peak * 1.1);
  const top = values.at(-1)!;
  const from = input.to - spanMs;
  const frame: Frame = {
    from,
    to: input.to,
    stepMs,
    x: (at) => plot.left + ((at - from) / spanMs) * (plot.right - plot.left),
    y: (value) => plot.bottom - (value / top) * (plot.bottom - plot.top),
  };

  const { canvas, context } = openCard(heightOf(series.length));
  const lines = series.map((each) => segmentsOf(each.buckets, stepMs));
  drawGaps(context, frame, lines);
  for (const value of values) {
    const y = Math.round(frame.y(value));
    strokePath(context, acrossAt(y), gridLine);
    const label = input.language.number(value);
    write(context, label, { ...labelLine, x: plot.left - 14, y: y + 10, align: 'right' });
  }
  drawTimeAxis(context, frame, input);
  const { left, right, bottom } = plot;
  const inside = { left, top: plot.top - 6, width: right - left, height: bottom - plot.top + 8 };
  within(context, inside, () => {
    for (const [index, segments] of lines.entries()) {
      for (const segment of segments) drawSegment(context, frame, segment, index, lines.length === 1);
    }
  });
  if (showsCapacity) {
    const look = { color: colours.capacity, width: 2.5, dash: [10, 8] };
    strokePath(context, acrossAt(Math.round(frame.y(capacity))), look);
  }
  const zone = zoneName(input.timezone, input.to, input.language);
  const peakText = t('chart.peak', { count: peak });
  const slots = capacity !== null && t('chart.slots', { count: capacity });
  drawTitle(context, t(title), [facts(peakText, slots, zone), facts(peakText, zone), zone]);
  if (series.length > 1) drawLegend(context, input, series);
  return await canvas.encode('png');
}

const acrossAt = (y: number): Point[] => [pointAt(plot.left, y), pointAt(plot.right, y)];

function commonCapacity(series: readonly ChartSeries[]): number | null {
  const latest = series.map(
    ({ buckets }) => buckets.findLast(({ maxPlayers }) => maxPlayers !== null)?.maxPlayers ?? null,
  );
  const [first = null] = latest;
  return latest.every((each) => each === first) ? first : null;
}

/** Hatches the times for which no server has data. */
function drawGaps(context: SKRSContext2D, frame: Frame, lines: readonly (readonly Segment[])[]): void {
  const known = lines.flat().toSorted((one, other) => one[0]!.at - other[0]!.at);
  const height = plot.bottom - plot.top;
  for (const gap of gapsOf(known, frame, frame.stepMs)) {
    const [left, right] = [frame.x(gap.from), frame.x(gap.to)];
    drawHatch(context, { left, top: plot.top, width: right - left, height });
  }
}

function drawTimeAxis(context: SKRSContext2D, frame: Frame, { range, language, timezone }: ChartInput): void {
  for (const { at, label } of timeTicks(range, frame, { locale: language.locale, timezone })) {
    const x = Math.round(frame.x(at));
    strokePath(context, [pointAt(x, plot.top), pointAt(x, plot.bottom + 8)], gridLine);
    const half = widthOf(context, label, labelLine.size) / 2;
    const centre = Math.min(Math.max(x, plot.left + half - 8), width - 16 - half);
    write(context, label, { ...labelLine, x: centre, y: plot.bottom + 40, align: 'center' });
  }
}

/** @param isAlone the area below the line is filled */
function drawSegment(
  context: SKRSContext2D,
  frame: Frame,
  segment: Segment,
  index: number,
  isAlone: boolean,
): void {
  const color = lineColours[index % lineColours.length]!;
  const points = segment.map(({ at, players }): Point => [frame.x(at + frame.stepMs / 2), frame.y(players)]);
  const [first, last] = [points[0]!, points.at(-1)!];
  if (points.length === 1) return fillDot(context, first, 4, color);
  if (isAlone) {
    const gradient = context.createLinearGradient(0, plot.top, 0, plot.bottom);
    gradient.addColorStop(0, `${color}80`);
    gradient.addColorStop(1, `${color}08`);
    fillPath(context, [...points, [last[0], plot.bottom], [first[0], plot.bottom]], gradient);
  }
  strokePath(context, points, { color, width: 4 });
}

/** The short name of a time zone: `CET`, `MEZ`, `GMT-3`. */
export function zoneName(timezone: string, at: number, { locale }: Language): string {
  return DateTime.fromMillis(at, { zone: timezone, locale }).offsetNameShort ?? timezone;
}

function drawLegend(
  context: SKRSContext2D,
  { language, series: all }: ChartInput,
  series: readonly ChartSeries[],
): void {
  const hidden = all.length - series.length;
  const more = hidden > 0 ? language.t('chart.more', { count: hidden }) : '';
  const line = { ...labelLine, size: 26, y: legendBaseline };
  const right = width - margin;
  const taken = more === '' ? 0 : write(context, more, { ...line, x: right, align: 'right' }) + 16;
  const names = shortNames(series.map(({ name }) => name));
  const widths = names.map((name) => widthOf(context, name, line.size));
  const [dot, gap] = [24, 24];
  const rooms = roomsOf(widths, right - taken - margin + gap - names.length * (dot + gap));
  let x = margin;
  for (const [index, name] of names.entries()) {
    fillDot(context, [x + 7, legendBaseline - 8], 7, lineColours[index]!);
    x += dot + write(context, name, { ...line, x: x + dot, room: rooms[index]! }) + gap;
  }
}
