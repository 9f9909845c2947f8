import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { widthOf, write } from './drawn-text.ts';

/** Discord shows images about 400 pixels wide, so text has to be large. */
export const width = 800;
export const margin = 26;

/** Pictures have their own background, so that they look the same in Discord's light and dark themes. */
export const colours = {
  card: '#2b2d31',
  tile: '#35373c',
  grid: 'rgba(255, 255, 255, 0.09)',
  hatch: 'rgba(255, 255, 255, 0.10)',
  capacity: '#f5b942',
  text: '#f2f3f5',
  label: '#b5bac1',
} as const;

/** Of axes and legends: on a phone, 9 to 10 pixels high. */
export const labelLine = { size: 28, color: colours.label } as const;

/** An empty picture with its background. */
export function openCard(height: number): { canvas: Canvas; context: SKRSContext2D } {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  fillBox(context, { left: 0, top: 0, width, height }, 18, colours.card);
  return { canvas, context };
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function fillBox(context: SKRSContext2D, box: Box, radius: number, color: string): void {
  context.fillStyle = color;
  context.beginPath();
  context.roundRect(box.left, box.top, box.width, box.height, radius);
  context.fill();
}

export type Point = readonly [x: number, y: number];

export const pointAt = (x: number, y: number): Point => [x, y];

function tracePath(context: SKRSContext2D, points: readonly Point[]): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
}

export function strokePath(
  context: SKRSContext2D,
  points: readonly Point[],
  { color, width: lineWidth, dash = [] }: { color: string; width: number; dash?: number[] },
): void {
  context.save();
  tracePath(context, points);
  context.strokeStyle = color;
  context.lineWidth = lineWidth;
  context.lineJoin = 'round';
  context.setLineDash(dash);
  context.stroke();
  context.restore();
}

export function fillPath(
  context: SKRSContext2D,
  points: readonly Point[],
  color: SKRSContext2D['fillStyle'],
): void {
  tracePath(context, points);
  context.fillStyle = color;
  context.fill();
}

export function fillDot(context: SKRSContext2D, [x, y]: Point, radius: number, color: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

/** Draws something that nothing of which leaves a box. */
export function within(context: SKRSContext2D, box: Box, draw: () => void, radius = 0): void {
  context.save();
  context.beginPath();
  context.roundRect(box.left, box.top, box.width, box.height, radius);
  context.clip();
  draw();
  context.restore();
}

const titleLine = { x: margin, y: 48, size: 32, weight: 600, color: colours.text } as const;
const asideLine = { x: width - margin, y: 48, size: 28, color: colours.label, align: 'right' } as const;
/** The least that is left beside a title. */
const asideRoom = 120;

/** The first line of a picture. @param asides beside the title, the first that fits, or as much of the last as does */
export function drawTitle(context: SKRSContext2D, title: string, asides: readonly string[]): void {
  const all = width - 2 * margin;
  const room = all - write(context, title, { ...titleLine, room: all - asideRoom }) - 24;
  const fitting = asides.find((aside) => widthOf(context, aside, asideLine.size) <= room);
  write(context, fitting ?? asides.at(-1) ?? '', { ...asideLine, room });
}

/** A community's colour, made lighter until it stands out from the dark card. @param color 0xRRGGBB */
export function readable(color: number): string {
  let channels = [(color >> 16) & 255, (color >> 8) & 255, color & 255];
  const brightness = () => 0.2126 * channels[0]! + 0.7152 * channels[1]! + 0.0722 * channels[2]!;
  while (brightness() < leastBrightness)
    channels = channels.map((each) => Math.ceil(each + (255 - each) * 0.15));
  return `rgb(${channels.join(', ')})`;
}

const leastBrightness = 115;

/** A colour between those of a scale, its red, green and blue. @param share 0 to 1: from the first to the last */
export function channelsOf(scale: readonly (readonly number[])[], share: number): number[] {
  const at = share * (scale.length - 1);
  const [low, high] = [scale[Math.floor(at)]!, scale[Math.ceil(at)]!];
  return low.map((from, index) => Math.round(from + (high[index]! - from) * (at - Math.floor(at))));
}

export const shadeOf = (scale: readonly (readonly number[])[], share: number): string =>
  `rgb(${channelsOf(scale, share).join(', ')})`;

export function fillScale(context: SKRSContext2D, box: Box, scale: readonly (readonly number[])[]): void {
  const gradient = context.createLinearGradient(box.left, 0, box.left + box.width, 0);
  for (const index of scale.keys()) {
    const share = index / (scale.length - 1);
    gradient.addColorStop(share, shadeOf(scale, share));
  }
  context.fillStyle = gradient;
  context.fillRect(box.left, box.top, box.width, box.height);
}

export function drawHatch(context: SKRSContext2D, part: Box): void {
  const { left, top, height } = part;
  const right = left + part.width;
  within(context, part, () => {
    for (let x = Math.floor((left - height) / 14) * 14; x < right; x += 14) {
      const line = [pointAt(x, top + height), pointAt(x + height, top)];
      strokePath(context, line, { color: colours.hatch, width: 2 });
    }
  });
}
