import type { SKRSContext2D } from '@napi-rs/canvas';
import { font } from '../drawing/fonts.ts';
import type { Box } from '../drawing/frame.ts';

interface Labelled {
  name: string;
  /** Of its dot, in pixels. */
  x: number;
  y: number;
}

interface PlacedLabel extends Labelled {
  size: number;
  /** Where the text begins, and the middle of its line. */
  left: number;
  middle: number;
}

/** So many of the first have large names. */
const mostLarge = 12;
const sizes = { large: 24, small: 20 } as const;
/** Between a dot and its name. */
const gaps = [9, 26] as const;
/** Kept free between two labels. */
const air = 4;

/**
 * Finds room for names beside their dots, the first ones first. Whatever has none is left out.
 * @param avoided what names cover only where there is no other room
 */
export function placeLabels(
  context: SKRSContext2D,
  all: readonly Labelled[],
  { within, avoided }: { within: Box; avoided: readonly Box[] },
): PlacedLabel[] {
  const taken: Box[] = [];
  const placed: PlacedLabel[] = [];
  for (const [index, each] of all.entries()) {
    const size = index < mostLarge ? sizes.large : sizes.small;
    context.font = font(size, 600);
    const textWidth = context.measureText(each.name).width;
    const { x, y } = each;
    const dot = { left: x - 6, top: y - 6, width: 12, height: 12 };
    const places = gaps
      .flatMap((gap) => [
        { left: x + gap, middle: y },
        { left: x - gap - textWidth, middle: y },
        { left: x - textWidth / 2, middle: y - size / 2 - gap },
        { left: x - textWidth / 2, middle: y + size / 2 + gap },
      ])
      .map(({ left, middle }) => ({
        left,
        middle,
        box: {
          left: left - air,
          top: middle - size / 2 - air,
          width: textWidth + 2 * air,
          height: size + 2 * air,
        },
      }))
      .filter(({ box }) => contains(within, box) && !overlapsAny(box, taken) && !overlapsAny(dot, taken));
    const found = places.find(({ box }) => !overlapsAny(box, avoided)) ?? places[0];
    if (found === undefined) continue;
    const { box, left, middle } = found;
    taken.push(box, dot);
    placed.push({ ...each, size, left, middle });
  }
  return placed;
}

const contains = (outer: Box, { left, top, ...box }: Box): boolean =>
  left >= outer.left &&
  top >= outer.top &&
  left + box.width <= outer.left + outer.width &&
  top + box.height <= outer.top + outer.height;

const overlapsAny = (one: Box, others: readonly Box[]): boolean =>
  others.some(
    (other) =>
      one.left < other.left + other.width &&
      other.left < one.left + one.width &&
      one.top < other.top + other.height &&
      other.top < one.top + one.height,
  );
