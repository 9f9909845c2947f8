import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Language } from '../../locales/language.ts';
import { ranges, timeTicks, valueTicks, type ChartRange } from './axis.ts';
import { colours, drawHatch, drawTitle, margin, openCard, width } from '../drawing/frame.ts';
import { drawable, fontFor, shortened } from '../drawing/drawn-text.ts';
import { font } from '../drawing/fonts.ts';
import type { HistoryBucket } from './history.ts';
import { gapsOf, mostSeries, peakOf, segmentsOf, type Segment } from './series.ts';
import { shortNames } from './short-names.ts';

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
const legendBaseline = 372;

const lineColours = ['#57c98a', '#6ea8fe', '#f5b942', '#eb6f92', '#b794f6', '#5fd4d6'] as const;

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
  const { spanMs, stepMs } = ranges[input.range];
  const series = input.series.slice(0, mostSeries);
  const buckets = series.flatMap((each) => each.buckets);
  if (!series.some(({ buckets }) => buckets.filter(({ players }) => players !== null).length > 1))
    return null;

  const peak = peakOf(buckets);
  const capacity = commonCapacity(series);
  const showCapacity = capacity !== null && peak >= capacity * capacityShown;
  const values = valueTicks(showCapacity ? Math.max(peak, capacity) : peak * 1.1);
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
  drawValueAxis(context, frame, values, input.language);
  drawTimeAxis(context, frame, input);
  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top - 6, plot.right - plot.left, plot.bottom - plot.top + 8);
  context.clip();
  for (const [index, segments] of lines.entries()) drawLine(context, frame, segments, index, lines.length);
  context.restore();
  if (showCapacity) drawCapacity(context, frame, capacity);
  drawHeader(context, input, { peak, capacity });
  if (series.length > 1) drawLegend(context, input.language, series, input.series.length);
  return await canvas.encode('png');
}

/** The capacity, if it is the same for all servers. */
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

function drawValueAxis(
  context: SKRSContext2D,
  frame: Frame,
  values: readonly number[],
  language: Language,
): void {
  context.font = font(23);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.lineWidth = 2;
  for (const value of values) {
    const y = Math.round(frame.y(value));
    context.strokeStyle = colours.grid;
    context.beginPath();
    context.moveTo(plot.left, y);
    context.lineTo(plot.right, y);
    context.stroke();
    context.fillStyle = colours.label;
    context.fillText(language.number(value), plot.left - 14, y);
  }
}

function drawTimeAxis(context: SKRSContext2D, frame: Frame, { range, language, timezone }: ChartInput): void {
  context.font = font(23);
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  for (const { at, label } of timeTicks(range, frame, { locale: language.locale, timezone })) {
    const x = Math.round(frame.x(at));
    context.strokeStyle = colours.grid;
    context.beginPath();
    context.moveTo(x, plot.top);
    context.lineTo(x, plot.bottom + 8);
    context.stroke();
    const half = context.measureText(label).width / 2;
    const centre = Math.min(Math.max(x, plot.left + half - 8), width - 16 - half);
    context.fillStyle = colours.label;
    context.fillText(label, centre, plot.bottom + 36);
  }
}

function drawLine(
  context: SKRSContext2D,
  frame: Frame,
  segments: readonly Segment[],
  index: number,
  count: number,
): void {
  const colour = lineColours[index % lineColours.length]!;
  const middle = (at: number) => frame.x(at + frame.stepMs / 2);
  for (const segment of segments) {
    const [first, last] = [segment[0]!, segment.at(-1)!];
    if (segment.length === 1) {
      context.fillStyle = colour;
      context.beginPath();
      context.arc(middle(first.at), frame.y(first.players), 4, 0, 2 * Math.PI);
      context.fill();
      continue;
    }
    const trace = () => {
      context.beginPath();
      for (const { at, players } of segment) context.lineTo(middle(at), frame.y(players));
    };
    if (count === 1) {
      trace();
      context.lineTo(middle(last.at), plot.bottom);
      context.lineTo(middle(first.at), plot.bottom);
      const gradient = context.createLinearGradient(0, plot.top, 0, plot.bottom);
      gradient.addColorStop(0, `${colour}80`);
      gradient.addColorStop(1, `${colour}08`);
      context.fillStyle = gradient;
      context.fill();
    }
    trace();
    context.strokeStyle = colour;
    context.lineWidth = 4;
    context.lineJoin = 'round';
    context.lineCap = 'round';
    context.stroke();
  }
}

function drawCapacity(context: SKRSContext2D, frame: Frame, capacity: number): void {
  const y = Math.round(frame.y(capacity));
  context.save();
  context.setLineDash([10, 8]);
  context.strokeStyle = colours.capacity;
  context.lineWidth = 2.5;
  context.beginPath();
  context.moveTo(plot.left, y);
  context.lineTo(plot.right, y);
  context.stroke();
  context.restore();
}

function drawHeader(
  context: SKRSContext2D,
  { language, range, timezone, to }: ChartInput,
  { peak, capacity }: { peak: number; capacity: number | null },
): void {
  const zone = zoneName(timezone, to, language);
  const peakText = language.t('chart.peak', { count: peak });
  const slots = capacity === null ? [] : [language.t('chart.slots', { count: capacity })];
  const facts = [[peakText, ...slots, zone], [peakText, zone], [zone]].map((each) => each.join(' · '));
  drawTitle(context, language.t(ranges[range].title), facts);
}

/** The short name of a time zone: `CET`, `MEZ`, `GMT-3`. */
export function zoneName(timezone: string, at: number, { locale }: Language): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName: 'short' });
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timezone;
}

/** The server names in one row below the chart, shortened to fit. */
function drawLegend(
  context: SKRSContext2D,
  language: Language,
  series: readonly ChartSeries[],
  total: number,
): void {
  const more = total > series.length ? language.t('chart.more', { count: total - series.length }) : '';
  const spacing = 30;
  const dot = 24;
  const moreWidth = more === '' ? 0 : context.measureText(more).width + spacing;
  const names = shortNames(series.map(({ name }) => drawable(name)));
  context.font = fontFor(names.join(''), 23);
  const room = width - 2 * margin - moreWidth - series.length * (spacing + dot);
  const shares = sharesOf(
    names.map((name) => context.measureText(name).width),
    room,
  );
  let x: number = margin;
  context.textAlign = 'left';
  for (const [index, name] of names.entries()) {
    context.fillStyle = lineColours[index]!;
    context.beginPath();
    context.arc(x + 7, legendBaseline - 8, 7, 0, 2 * Math.PI);
    context.fill();
    const text = shortened(context, name, shares[index]!);
    context.fillStyle = colours.label;
    context.fillText(text, x + dot, legendBaseline);
    x += dot + context.measureText(text).width + spacing;
  }
  context.fillText(more, x, legendBaseline);
}

/** Divides the width among the names. A name that needs less than an equal share leaves the rest to the others. */
function sharesOf(needs: readonly number[], room: number): number[] {
  const shares = needs.map(() => 0);
  let left = room;
  const order = needs.map((need, index) => ({ need, index })).toSorted((one, other) => one.need - other.need);
  for (const [place, { need, index }] of order.entries()) {
    const share = Math.min(Math.ceil(need), left / (order.length - place));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
