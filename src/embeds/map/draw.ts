import type { Image, SKRSContext2D } from '@napi-rs/canvas';
import { heatCellMeters, leastHeat } from '../../api/heat-maps.ts';
import type { Language } from '../../locales/language.ts';
import { drawable, write } from '../drawing/drawn-text.ts';
import { font } from '../drawing/fonts.ts';
import {
  type Box,
  colours,
  drawTitle,
  fillScale,
  margin,
  openCard,
  shadeOf,
  width,
} from '../drawing/frame.ts';
import { heatCount, heatPeriod, heatSide, heatSubject, type HeatMapView } from './heat-map.ts';
import { placeLabels } from './labels.ts';

const map = { left: margin, top: 76, side: width - 2 * margin } as const;
const legendY = map.top + map.side + 42;
const height = legendY + 26;
const ground = '#1d2027';
const townColour = '#cdd2da';
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

/**
 * Draws a heat map as PNG, north up; null where there is neither a terrain nor anything to show. The encoding runs off the
 * main thread.
 * @param image the owner's picture of the whole map; null: a grid
 */
export async function drawHeatMap(
  view: HeatMapView,
  image: Image | null,
  language: Language,
): Promise<Buffer | null> {
  if (view.terrain === null && view.cells.length === 0) return null;
  const side = heatSide(view);
  const { canvas, context } = openCard(height);
  context.save();
  context.beginPath();
  context.roundRect(map.left, map.top, map.side, map.side, 10);
  context.clip();
  drawGround(context, view.terrain === null ? null : image);
  drawGrid(context, side);
  const squares = drawSquares(context, view, side);
  drawTowns(context, view, side, squares);
  drawNorth(context, language);
  if (view.cells.length === 0) drawNothing(context, language);
  context.restore();
  const period = drawable(heatPeriod(language, view));
  drawTitle(context, heatSubject(language, view), [drawable(`${view.server} · ${period}`), period]);
  drawLegend(context, view, language);
  drawScale(context, side, language);
  return await canvas.encode('png');
}

function drawGround(context: SKRSContext2D, image: Image | null): void {
  context.fillStyle = ground;
  context.fillRect(map.left, map.top, map.side, map.side);
  if (image === null) return;
  context.drawImage(image, map.left, map.top, map.side, map.side);
  context.fillStyle = shadow;
  context.fillRect(map.left, map.top, map.side, map.side);
}

/** Lines a kilometre apart, as on the game's own map. */
function drawGrid(context: SKRSContext2D, side: number): void {
  context.strokeStyle = colours.grid;
  context.lineWidth = 1;
  context.beginPath();
  for (let meters = 1000; meters < side; meters += 1000) {
    const away = (meters / side) * map.side;
    context.moveTo(map.left + away, map.top);
    context.lineTo(map.left + away, map.top + map.side);
    context.moveTo(map.left, map.top + map.side - away);
    context.lineTo(map.left + map.side, map.top + map.side - away);
  }
  context.stroke();
}

function drawSquares(context: SKRSContext2D, { cells }: HeatMapView, side: number): Box[] {
  const most = Math.max(leastHeat, ...cells.map(({ events }) => events));
  const size = (heatCellMeters / side) * map.side;
  const squares = cells.map(({ x, z, events }) => ({
    left: map.left + x * size,
    top: map.top + map.side - (z + 1) * size,
    width: size,
    height: size,
    // A few places have by far the most.
    color: shadeOf(
      shades,
      most === leastHeat ? 1 : Math.log(events / leastHeat) / Math.log(most / leastHeat),
    ),
  }));
  if (squares.length <= mostGlows)
    for (const { left, top, color } of squares) drawGlow(context, left + size / 2, top + size / 2, color);
  for (const { left, top, color } of squares) {
    context.fillStyle = color;
    context.fillRect(left, top, size, size);
  }
  return squares;
}

/** A square of a large map has few pixels, and would be overlooked on a phone. */
function drawGlow(context: SKRSContext2D, x: number, y: number, color: string): void {
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
  side: number,
  squares: readonly Box[],
): void {
  const towns = (terrain?.towns ?? []).map(({ name, east, north }) => ({
    name,
    x: map.left + (east / side) * map.side,
    y: map.top + map.side - (north / side) * map.side,
  }));
  const within = { left: map.left, top: map.top, width: map.side, height: map.side };
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.lineJoin = 'round';
  for (const { name, x, y, size, left, middle } of placeLabels(context, towns, {
    within,
    avoided: squares,
  })) {
    context.fillStyle = townColour;
    context.strokeStyle = ground;
    context.lineWidth = 3;
    context.beginPath();
    context.arc(x, y, 3.5, 0, 2 * Math.PI);
    context.stroke();
    context.fill();
    context.font = font(size, 600);
    context.lineWidth = 5;
    context.strokeText(name, left, middle);
    context.fillText(name, left, middle);
  }
}

function drawNorth(context: SKRSContext2D, language: Language): void {
  const [x, y] = [map.left + map.side - 28, map.top + 20];
  context.fillStyle = colours.text;
  context.beginPath();
  context.moveTo(x, y - 10);
  context.lineTo(x + 9, y + 10);
  context.lineTo(x - 9, y + 10);
  context.fill();
  context.font = font(20, 600);
  context.textAlign = 'center';
  context.fillText(language.t('heat.north'), x, y + 24);
}

function drawNothing(context: SKRSContext2D, language: Language): void {
  const text = language.t('heat.none');
  context.font = font(26, 600);
  const taken = Math.min(context.measureText(text).width, map.side - 40);
  const [x, y] = [width / 2 - taken / 2, map.top + map.side / 2];
  context.fillStyle = ground;
  context.fillRect(x - 16, y - 34, taken + 32, 52);
  write(context, text, { x, y, size: 26, weight: 600, color: colours.text, room: taken + 2 });
}

/** `3 ▮▮▮▮ 41 deaths` */
function drawLegend(context: SKRSContext2D, { cells, kind }: HeatMapView, language: Language): void {
  if (cells.length === 0) return;
  const most = Math.max(...cells.map(({ events }) => events));
  const line = { y: legendY, size: 23, color: colours.label } as const;
  let x = map.left + 4;
  const isScale = most > leastHeat;
  if (isScale) x += write(context, language.number(leastHeat), { ...line, x, room: 60 }) + 12;
  const bar = isScale ? 190 : 24;
  const box = { left: x, top: legendY - 17, width: bar, height: 18 };
  fillScale(context, box, isScale ? shades : [shades.at(-1)!, shades.at(-1)!]);
  write(context, heatCount(language, kind, most), { ...line, x: x + bar + 12, room: 300 });
}

/** A bar of one, two or five kilometres. */
function drawScale(context: SKRSContext2D, side: number, { locale }: Language): void {
  const km = [5, 2].find((each) => (each * 1000) / side <= 0.3) ?? 1;
  const bar = ((km * 1000) / side) * map.side;
  const right = map.left + map.side - 4;
  const text = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilometer' }).format(km);
  const line = { x: right - bar - 12, y: legendY, size: 23, color: colours.label, align: 'right' } as const;
  write(context, text, { ...line, room: 120 });
  context.strokeStyle = colours.label;
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(right - bar, legendY - 16);
  context.lineTo(right - bar, legendY - 2);
  context.lineTo(right, legendY - 2);
  context.lineTo(right, legendY - 16);
  context.stroke();
}
