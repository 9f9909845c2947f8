import { createCanvas, Image, loadImage } from '@napi-rs/canvas';

/** Twice the size in which it is drawn. */
const keptSize = 168;
const mostPixels = 2048;
const pngSignature = '89504e470d0a1a0a';

/** A logo for cards, made small; null: it is no PNG, or larger than 2048 × 2048. */
export async function readLogo(file: Buffer): Promise<Image | null> {
  // Before it is decoded: a small file can be a picture of gigabytes (PNG specification, 11.2.2).
  if (file.length < 24 || file.subarray(0, 8).toString('hex') !== pngSignature) return null;
  const [fileWidth, fileHeight] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (Math.max(fileWidth, fileHeight) > mostPixels) return null;
  const logo = await loadImage(file);
  const scale = Math.min(1, keptSize / Math.max(logo.width, logo.height));
  const [width, height] = [Math.max(1, logo.width * scale), Math.max(1, logo.height * scale)].map(Math.round);
  const canvas = createCanvas(width!, height!);
  canvas.getContext('2d').drawImage(logo, 0, 0, width!, height!);
  const small = new Image();
  small.src = await canvas.encode('png');
  await small.decode();
  return small;
}
