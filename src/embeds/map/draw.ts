import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import { heatCellMeters, leastHeat } from '../../api/heat-maps.ts';
import type { Language } from '../../locales/language.ts';
import { widthOf, write } from '../drawing/drawn-text.ts';
import { font } from '../drawing/fonts.ts';
import {
  type Box,
  colours,
  drawTitle,
  fillBox,
  fillDot,
  fillPath,
  fillScale,
  margin,
  openCard,
  type Point,
  shadeOf,
  strokePath,
  width,
  within,
} from '../drawing/frame.ts';
import { facts } from '../text.ts';
import { heatCount, heatPeriod, heatSide, heatSubject, type HeatMapView } from './heat-map.ts';
import { arrangeLabels } from './labels.ts';

const map = { left: margin, top: 76, width: width - 2 * margin, height: width - 2 * margin } as const;
const legendY = map.top + map.height + 42;
const height = legendY + 26;
const ground = '#1d2027';
const townColour = '#cdd2da';
const labelLine = { y: legendY, size: 23, color: colours.label } as const;
const glow = 24;
/** More squares than that are not overlooked, and each glow takes time. */
const mostGlows = 300;
/** Over an owner's picture, so that squares and names stand out. */
const shadow = 'rgba(18, 20, 26, 0.45)';

/** From few to most, always lighter, so that it reads without colours. */
const shades = [
  [0x7d, 0x52, 0xd9],
  [0xc4, 0x3f, 0x8e],
  [0xf8, 0x85, 0x4a],
  [0xfd, 0xee, 0x8c],
] as const;

/** The pixels of a map. */
interface Scale {
  /** Of a length. @param meters in the game */
  length(meters: number): number;
  /** Of a spot. */
  point(east: number, north: number): Point;
}

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
  const point = (east: number, north: number): Point => [
    map.left + length(east),
    map.top + map.height - length(north),
  ];
  const scale = { length, point };
  const { canvas, context } = openCard(height);
  const draw = () => {
    drawGround(context, terrain === null ? null : image);
    drawGrid(context, scale, side);
    const squares = drawSquares(context, view, scale);
    drawTowns(context, view, scale, squares);
    drawNorth(context, language);
    if (cells.length === 0) drawNothing(context, language);
  };
  within(context, map, draw, 10);
  const period = heatPeriod(language, view);
  drawTitle(context, heatSubject(language, view), [facts(view.server, period), period]);
  drawLegend(context, view, language);
  drawScale(context, scale, side, language);
  return await canvas.encode('png');
}

function drawGround(context: SKRSContext2D, image: Canvas | null): void {
  fillBox(context, map, 0, ground);
  if (image === null) return;
  context.drawImage(image, map.left, map.top, map.width, map.height);
  fillBox(context, map, 0, shadow);
}

/** Lines a kilometre apart, as on the game's own map. */
function drawGrid(context: SKRSContext2D, { point }: Scale, side: number): void {
  const look = { color: colours.grid, width: 1 };
  for (let meters = 1000; meters < side; meters += 1000) {
    strokePath(context, [point(meters, 0), point(meters, side)], look);
    strokePath(context, [point(0, meters), point(side, meters)], look);
  }
}

function drawSquares(context: SKRSContext2D, { cells }: HeatMapView, scale: Scale): Box[] {
  const most = Math.max(leastHeat, ...cells.map(({ events }) => events));
  const size = scale.length(heatCellMeters);
  const squares = cells.map(({ x, z, events }) => {
    const [left, top] = scale.point(x * heatCellMeters, (z + 1) * heatCellMeters);
    // A few squares have by far the most.
    const share = most === leastHeat ? 1 : Math.log(events / leastHeat) / Math.log(most / leastHeat);
    return { left, top, width: size, height: size, color: shadeOf(shades, share) };
  });
  if (squares.length <= mostGlows) {
    for (const { left, top, color } of squares) drawGlow(context, [left + size / 2, top + size / 2], color);
  }
  for (const square of squares) fillBox(context, square, 0, square.color);
  return squares;
}

/** A square of a large map has few pixels, and would be overlooked on a phone. */
function drawGlow(context: SKRSContext2D, [x, y]: Point, color: string): void {
  const gradient = context.createRadialGradient(x, y, 0, x, y, glow);
  gradient.addColorStop(0, color);
  gradient.addColorStop(1, 'rgba(0, 0, 0, 0)');
  context.globalAlpha = 0.3;
  context.fillStyle = gradient;
  context.fillRect(x - glow, y - glow, 2 * glow, 2 * glow);
  context.globalAlpha = 1;
}

function drawTowns(
  context: SKRSContext2D,
  { terrain }: HeatMapView,
  scale: Scale,
  squares: readonly Box[],
): void {
  const towns = (terrain?.towns ?? []).map(({ name, east, north }) => {
    const [x, y] = scale.point(east, north);
    return { name, x, y };
  });
  for (const { name, x, y, size, left, baseline } of arrangeLabels(context, towns, map, squares)) {
    fillDot(context, [x, y], 5, ground);
    fillDot(context, [x, y], 3.5, townColour);
    context.font = font(size, 600);
    context.strokeStyle = ground;
    context.lineWidth = 5;
    context.lineJoin = 'round';
    context.strokeText(name, left, baseline);
    write(context, name, { x: left, y: baseline, size, weight: 600, color: townColour });
  }
}

function drawNorth(context: SKRSContext2D, language: Language): void {
  const [x, y] = [map.left + map.width - 28, map.top + 20];
  const arrow: Point[] = [
    [x, y - 10],
    [x + 9, y + 10],
    [x - 9, y + 10],
  ];
  fillPath(context, arrow, colours.text);
  const line = { x, y: y + 31, size: 20, weight: 600, color: colours.text, align: 'center' } as const;
  write(context, language.t('heat.north'), line);
}

function drawNothing(context: SKRSContext2D, language: Language): void {
  const text = language.t('heat.none');
  const line = { y: map.top + map.height / 2, size: 26, weight: 600, color: colours.text } as const;
  const taken = Math.min(widthOf(context, text, line.size, line.weight), map.width - 40);
  const left = (width - taken) / 2;
  fillBox(context, { left: left - 16, top: line.y - 34, width: taken + 32, height: 52 }, 0, ground);
  write(context, text, { ...line, x: left, room: taken + 2 });
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
  const bar: Point[] = [
    [left, legendY - 16],
    [left, legendY - 2],
    [right, legendY - 2],
    [right, legendY - 16],
  ];
  strokePath(context, bar, { color: colours.label, width: 3 });
}
