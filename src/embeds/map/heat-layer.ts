import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { heatCellMeters, type HeatCell, leastHeat } from '../../api/heat-maps.ts';
import { channelsOf } from '../drawing/frame.ts';
import type { Scale } from './ground.ts';

/** From few to most, always lighter, so that it reads without colours. */
export const shades = [
  [0x7d, 0x52, 0xd9],
  [0xc4, 0x3f, 0x8e],
  [0xf8, 0x85, 0x4a],
  [0xfd, 0xee, 0x8c],
] as const;

/** The heat is computed for every fourth pixel, and the canvas smooths what is between. */
const step = 4;
/** The events of a square fade out around its middle as a Gaussian curve does. Half the distance of two squares would show each of them. */
const spreadMeters = 200;
/** Where it has faded to so much of the least heat, nothing is seen any more. */
const leastSeen = 0.15;
/** So that roads are seen below where there are few events. */
const fewOpacity = 0.75;

/** Draws how many events are where. A square's middle has at least the colour of its events; squares beside each other add up. */
export function drawHeat(
  context: SKRSContext2D,
  { box, length, point }: Scale,
  cells: readonly HeatCell[],
): void {
  const size = Math.ceil(box.width / step);
  const heat = new Float32Array(size * size);
  const spread = length(spreadMeters) / step;
  const reach = Math.ceil(3 * spread);
  for (const { x, z, events } of cells) {
    const [left, top] = point((x + 0.5) * heatCellMeters, (z + 0.5) * heatCellMeters);
    const [column, row] = [(left - box.left) / step - 0.5, (top - box.top) / step - 0.5];
    for (let y = Math.max(0, Math.ceil(row - reach)); y <= Math.min(size - 1, row + reach); y += 1) {
      for (let at = Math.max(0, Math.ceil(column - reach)); at <= Math.min(size - 1, column + reach); at += 1)
        heat[y * size + at]! += events * Math.exp(-((at - column) ** 2 + (y - row) ** 2) / (2 * spread ** 2));
    }
  }
  const most = Math.max(leastHeat, ...cells.map(({ events }) => events));
  const small = createCanvas(size, size);
  const pixels = small.getContext('2d');
  const image = pixels.createImageData(size, size);
  for (const [index, events] of heat.entries()) image.data.set(pixelOf(events, most), index * 4);
  pixels.putImageData(image, 0, 0);
  context.imageSmoothingQuality = 'high';
  context.drawImage(small, box.left, box.top, size * step, size * step);
}

/** Red, green, blue and opacity, each 0 to 255. */
function pixelOf(events: number, most: number): readonly number[] {
  const seen = Math.min(Math.max((events / leastHeat - leastSeen) / (1 - leastSeen), 0), 1);
  if (seen === 0) return [0, 0, 0, 0];
  const share = shareOf(events, most);
  return [...channelsOf(shades, share), 255 * seen * (fewOpacity + (1 - fewOpacity) * share)];
}

/** On a logarithmic scale, since a few squares have by far the most. */
function shareOf(events: number, most: number): number {
  if (most === leastHeat) return 1;
  return Math.min(Math.max(Math.log(events / leastHeat) / Math.log(most / leastHeat), 0), 1);
}
