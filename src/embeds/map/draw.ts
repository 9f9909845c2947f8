import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { heatCellMeters, leastHeat } from '../../api/heat-maps.ts';
import type { Language } from '../../locales/language.ts';
import { write } from '../drawing/drawn-text.ts';
import {
  colours,
  drawTitle,
  fillDot,
  fillPath,
  fillScale,
  margin,
  openCard,
  pointAt,
  strokePath,
  width,
  within,
} from '../drawing/frame.ts';
import { facts } from '../text.ts';
import { drawGround, groundColour as outline, type Scale } from './ground.ts';
import { drawHeat, shades } from './heat-layer.ts';
import { busiestSpots, heatCount, heatPeriod, heatSide, heatSubject, type HeatMapView } from './heat-map.ts';
import { arrangeLabels } from './labels.ts';

const map = { left: margin, top: 76, width: width - 2 * margin, height: width - 2 * margin } as const;
const legendY = map.top + map.height + 42;
const height = legendY + 26;
const townColour = '#cdd2da';
const spotColour = '#ffe9a8';
const labelLine = { y: legendY, size: 23, color: colours.label } as const;
/**
 * Draws a heat map as PNG, north up; null where there is neither a terrain nor anything to show. The encoding runs off the
 * main thread.
 * @param image the owner's picture of the whole map; null: a grid
 */
export async function drawHeatMap(
  view: HeatMapView,
  image: Canvas | null,
  language: Language,
): Promise<Buffer | null> {
  const { terrain, cells } = view;
  if (terrain === null && cells.length === 0) return null;
  const side = heatSide(view);
  const length = (meters: number): number => (meters / side) * map.width;
  const point = (east: number, north: number) =>
    pointAt(map.left + length(east), map.top + map.height - length(north));
  const scale = { box: map, length, point };
  const { canvas, context } = openCard(height);
  const draw = () => {
    drawGround(context, scale, side, terrain, image);
    drawHeat(context, scale, cells);
    drawTowns(context, view, scale, language);
    drawNorth(context, language);
  };
  within(context, map, draw, 10);
  const period = heatPeriod(language, view);
  drawTitle(context, heatSubject(language, view), [facts(view.server, period), period]);
  drawLegend(context, view, language);
  drawScale(context, scale, side, language);
  return await canvas.encode('png');
}

/** The towns, and how many events are near the three with the most, which are written first, so that they have room. */
function drawTowns(context: SKRSContext2D, view: HeatMapView, scale: Scale, language: Language): void {
  const spots = new Map(busiestSpots(language, view).map(({ name, events }) => [name, events]));
  const towns = (view.terrain?.towns ?? []).map(({ name, east, north }) => {
    const [x, y] = scale.point(east, north);
    const events = spots.get(name) ?? 0;
    return { name: events > 0 ? `${name} · ${language.number(events)}` : name, x, y, events };
  });
  const side = scale.length(heatCellMeters);
  const hot = view.cells.map(({ x, z }) => {
    const [left, top] = scale.point(x * heatCellMeters, (z + 1) * heatCellMeters);
    return { left, top, width: side, height: side };
  });
  const sorted = towns.toSorted((one, other) => other.events - one.events);
  for (const label of arrangeLabels(context, sorted, map, hot)) {
    const { name, x, y, size, left, baseline, events } = label;
    const color = events > 0 ? spotColour : townColour;
    fillDot(context, [x, y], 5, outline);
    fillDot(context, [x, y], 3.5, color);
    write(context, name, { x: left, y: baseline, size, weight: 600, color, outline });
  }
}

function drawNorth(context: SKRSContext2D, language: Language): void {
  const [x, y] = [map.left + map.width - 28, map.top + 20];
  const arrow = [pointAt(x, y - 10), pointAt(x + 9, y + 10), pointAt(x - 9, y + 10)];
  fillPath(context, arrow, colours.text);
  const line = { x, y: y + 31, size: 20, weight: 600, color: colours.text, align: 'center' } as const;
  write(context, language.t('heat.north'), line);
}

/** `3 ▮▮▮▮ 41 deaths` */
function drawLegend(context: SKRSContext2D, { cells, kind }: HeatMapView, language: Language): void {
  if (cells.length === 0) return;
  const most = Math.max(...cells.map(({ events }) => events));
  const isScale = most > leastHeat;
  const first = map.left + 4;
  const taken = isScale ? write(context, language.number(leastHeat), { ...labelLine, x: first }) + 12 : 0;
  const box = { left: first + taken, top: legendY - 17, width: isScale ? 190 : 24, height: 18 };
  fillScale(context, box, isScale ? shades : [shades.at(-1)!, shades.at(-1)!]);
  const x = box.left + box.width + 12;
  write(context, heatCount(language, kind, most), { ...labelLine, x, room: 300 });
}

/** A bar of one, two or five kilometres. */
function drawScale(context: SKRSContext2D, { length }: Scale, side: number, { locale }: Language): void {
  const km = [5, 2].find((each) => (each * 1000) / side <= 0.3) ?? 1;
  const right = map.left + map.width - 4;
  const left = right - length(km * 1000);
  const text = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilometer' }).format(km);
  write(context, text, { ...labelLine, x: left - 12, align: 'right' });
  const [top, bottom] = [legendY - 16, legendY - 2];
  const bar = [pointAt(left, top), pointAt(left, bottom), pointAt(right, bottom), pointAt(right, top)];
  strokePath(context, bar, { color: colours.label, width: 3 });
}
