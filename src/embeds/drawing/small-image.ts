import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';

const pngSignature = '89504e470d0a1a0a';

/**
 * Width and height of a PNG (PNG specification, 11.2.2); null: the file is no PNG. Check them before you decode the file: a
 * small one can become a picture of gigabytes.
 */
export function pngSize(file: Buffer): [number, number] | null {
  if (file.length < 24 || file.subarray(0, 8).toString('hex') !== pngSignature) return null;
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

/** Decodes a picture and makes it small: the longer side has at most `mostPixels`. */
export async function readSmall(file: Buffer, mostPixels: number): Promise<Canvas> {
  const image = await loadImage(file);
  const scale = Math.min(1, mostPixels / Math.max(image.width, image.height));
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = createCanvas(width!, height!);
  canvas.getContext('2d').drawImage(image, 0, 0, width!, height!);
  return canvas;
}
