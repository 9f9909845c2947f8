import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';

/** Discord shows images about 400 pixels wide, so text has to be large. */
export const width = 800;
export const margin = 26;

/** Pictures have their own background, so that they look the same in Discord's light and dark themes. */
export const colours = {
  card: '#2b2d31',
  grid: 'rgba(255, 255, 255, 0.09)',
  hatch: 'rgba(255, 255, 255, 0.10)',
  capacity: '#f5b942',
  text: '#f2f3f5',
  label: '#b5bac1',
} as const;

/** An empty picture with its background. */
export function openCard(height: number): { canvas: Canvas; context: SKRSContext2D } {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = colours.card;
  context.beginPath();
  context.roundRect(0, 0, width, height, 18);
  context.fill();
  return { canvas, context };
}

/** Hatches a part of which nothing is known. */
export function drawHatch(
  context: SKRSContext2D,
  part: { left: number; top: number; width: number; height: number },
): void {
  const { left, top, height } = part;
  const right = left + part.width;
  context.save();
  context.strokeStyle = colours.hatch;
  context.lineWidth = 2;
  context.beginPath();
  context.rect(left, top, part.width, height);
  context.clip();
  context.beginPath();
  for (let x = Math.floor((left - height) / 14) * 14; x < right; x += 14) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
  context.restore();
}
