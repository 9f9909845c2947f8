import type { SKRSContext2D } from '@napi-rs/canvas';
import { widthOf } from '../drawing/drawn-text.ts';
import type { Box, Point } from '../drawing/frame.ts';

interface Labelled {
  name: string;
  /** Of its dot, in pixels. */
  x: number;
  y: number;
}

interface Placement {
  size: number;
  /** Where the text begins. */
  left: number;
  baseline: number;
}

/** So many of the first have large names. */
const mostLarge = 12;
const sizes = { large: 24, small: 20 } as const;
/** Between a dot and its name. */
const gaps = [9, 26] as const;
/** Kept free between two labels. */
const air = 4;

/**
 * Finds room for names beside, above or below their dots, the first ones first. What has no room is left out.
 * @param avoided what names cover as little as they can
 */
export function arrangeLabels<Label extends Labelled>(
  context: SKRSContext2D,
  all: readonly Label[],
  map: Box,
  avoided: readonly Box[],
): (Label & Placement)[] {
  const taken: Box[] = [];
  return all.flatMap((each, index) => {
    const { name, x, y } = each;
    const size = index < mostLarge ? sizes.large : sizes.small;
    const textWidth = widthOf(context, name, size, 600);
    const dot = { left: x - 6, top: y - 6, width: 12, height: 12 };
    const middles = gaps.flatMap((gap): Point[] => [
      [x + gap + textWidth / 2, y],
      [x - gap - textWidth / 2, y],
      [x, y - size / 2 - gap],
      [x, y + size / 2 + gap],
    ]);
    const [boxWidth, height] = [textWidth + 2 * air, size + 2 * air];
    const boxes = middles.map(([centre, middle]) => {
      return { left: centre - boxWidth / 2, top: middle - height / 2, width: boxWidth, height };
    });
    const isFree = (box: Box) => contains(map, box) && !overlapsAny(box, taken);
    const free = overlapsAny(dot, taken) ? [] : boxes.filter(isFree);
    const covered = (one: Box) => avoided.filter((other) => overlapsAny(one, [other])).length;
    const [box] = free.toSorted((one, other) => covered(one) - covered(other));
    if (box === undefined) return [];
    taken.push(box, dot);
    return [{ ...each, size, left: box.left + air, baseline: box.top + air + size * 0.86 }];
  });
}

const contains = (outer: Box, box: Box): boolean =>
  box.left >= outer.left &&
  box.top >= outer.top &&
  box.left + box.width <= outer.left + outer.width &&
  box.top + box.height <= outer.top + outer.height;

const overlapsAny = (one: Box, others: readonly Box[]): boolean =>
  others.some(
    (other) =>
      one.left < other.left + other.width &&
      other.left < one.left + one.width &&
      one.top < other.top + other.height &&
      other.top < one.top + one.height,
  );
