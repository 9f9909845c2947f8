import type { Canvas } from '@napi-rs/canvas';
import { pngSize, readSmall } from '../drawing/small-image.ts';

/** Twice the size in which it is drawn. */
const keptSize = 168;
const mostPixels = 2048;

/** A logo for cards, made small; null: it is no PNG, or larger than 2048 × 2048. */
export async function readLogo(file: Buffer): Promise<Canvas | null> {
  const size = pngSize(file);
  return size === null || Math.max(...size) > mostPixels ? null : await readSmall(file, keptSize);
}
