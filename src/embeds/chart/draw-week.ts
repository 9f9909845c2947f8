import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Language } from '../../locales/language.ts';
import {
  colours,
  drawHatch,
  drawTitle,
  fillScale,
  labelLine,
  margin,
  openCard,
  shadeOf,
  width,
} from '../drawing/frame.ts';
import { weekdayName } from '../format.ts';
import { zoneName } from './draw.ts';
import { write } from '../drawing/drawn-text.ts';
import { type FullestHour, fullestHour, fullestText, meanText, type WeekHour } from './week.ts';

interface WeekChartInput {
  /** As `weekHours` returns them. */
  hours: readonly WeekHour[];
  /** Epoch milliseconds: when the zone has the name that is shown. */
  to: number;
  /** IANA. */
  timezone: string;
  language: Language;
}

const height = 402;
const plot = { left: 104, right: width - margin, top: 78 } as const;
const cell = { width: (plot.right - plot.left) / 24, height: 34, gap: 3 } as const;
const plotBottom = plot.top + 7 * cell.height;
const scale = { top: 364, width: 180, height: 16 } as const;

/** From empty to the fullest hour, always lighter. */
const shades = [
  [0x38, 0x3a, 0x40],
  [0x2c, 0x6e, 0x5b],
  [0x45, 0xb0, 0x7a],
  [0xf7, 0xdf, 0x6b],
] as const;

/** Draws how full each hour of the week is as PNG; null without any data. The encoding runs off the main thread. */
export async function drawWeekChart(input: WeekChartInput): Promise<Buffer | null> {
  const { hours, language } = input;
  if (hours.every(({ players }) => players === null)) return null;
  const fullest = fullestHour(hours);
  const { canvas, context } = openCard(height);
  drawHours(context, hours, fullest?.players ?? 0);
  if (fullest !== null) {
    context.strokeStyle = colours.text;
    context.lineWidth = 3;
    context.strokeRect(...boxOf(fullest));
  }
  drawAxes(context, language);
  drawTitle(context, language.t('chart.hours'), [zoneName(input.timezone, input.to, language)]);
  if (fullest !== null) drawScale(context, language, fullest);
  return await canvas.encode('png');
}

const boxOf = ({ weekday, hour }: Pick<WeekHour, 'weekday' | 'hour'>) =>
  [
    plot.left + hour * cell.width,
    plot.top + weekday * cell.height,
    cell.width - cell.gap,
    cell.height - cell.gap,
  ] as const;

function drawHours(context: SKRSContext2D, hours: readonly WeekHour[], most: number): void {
  for (const each of hours) {
    const [left, top, boxWidth, boxHeight] = boxOf(each);
    if (each.players === null) {
      drawHatch(context, { left, top, width: boxWidth, height: boxHeight });
      continue;
    }
    context.fillStyle = shadeOf(shades, most === 0 ? 0 : each.players / most);
    context.fillRect(left, top, boxWidth, boxHeight);
  }
}

function drawAxes(context: SKRSContext2D, language: Language): void {
  for (let weekday = 0; weekday < 7; weekday += 1) {
    const y = plot.top + (weekday + 0.5) * cell.height - cell.gap / 2 + 10;
    write(context, weekdayName(language, weekday), { ...labelLine, x: plot.left - 14, y, align: 'right' });
  }
  for (let hour = 0; hour < 24; hour += 4) {
    const x = plot.left + (hour + 0.5) * cell.width - cell.gap / 2;
    const label = String(hour).padStart(2, '0');
    write(context, label, { ...labelLine, x, y: plotBottom + 30, align: 'center' });
  }
}

function drawScale(context: SKRSContext2D, language: Language, fullest: FullestHour): void {
  const line = { ...labelLine, y: scale.top + 18 };
  const left = plot.left + 28;
  write(context, '0', { ...line, x: plot.left });
  fillScale(context, { left, ...scale }, shades);
  write(context, meanText(language, fullest.players), { ...line, x: left + scale.width + 12 });
  write(context, fullestText(language, fullest), { ...line, x: width - margin, align: 'right' });
}
