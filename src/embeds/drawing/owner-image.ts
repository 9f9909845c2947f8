import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';

const pngSignature = '89504e470d0a1a0a';

/**
 * Width and height of a PNG (PNG specification, 11.2.2); null: the file is no PNG. Check them before you decode the file: a
 * small one can become a picture of gigabytes.
 */
function pngSize(file: Buffer): [number, number] | null {
  if (file.length < 24 || file.subarray(0, 8).toString('hex') !== pngSignature) return null;
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

/** Decodes a picture and makes it small: the longer side has at most `mostPixels`. */
async function readSmall(file: Buffer, mostPixels: number): Promise<Canvas> {
  const image = await loadImage(file);
  const scale = Math.min(1, mostPixels / Math.max(image.width, image.height));
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = createCanvas(width!, height!);
  canvas.getContext('2d').drawImage(image, 0, 0, width!, height!);
  return canvas;
}

/** Logos and maps are kept at twice the size in which they are drawn. */
const kept = { logo: 168, map: 1_496 } as const;
const mostOfLogo = 2048;

/** A logo for cards, made small; null: it is no PNG, or larger than 2048 × 2048. */
export async function readLogo(file: Buffer): Promise<Canvas | null> {
  const size = pngSize(file);
  return size === null || Math.max(...size) > mostOfLogo ? null : await readSmall(file, kept.logo);
}

const smallest = 200;
const largest = 4_096;
export const largestMapImageBytes = 30_000_000;

/** An owner's picture of a map, made small. @throws Error that says what is wrong with it */
export async function readMapImage(file: Buffer): Promise<Canvas> {
  const size = pngSize(file) ?? jpegSize(file);
  if (size === null) throw new Error('it is no PNG and no JPEG');
  const [width, height] = size;
  const sides = `it has ${width} × ${height} pixels`;
  if (width !== height) throw new Error(`${sides}, and has to be square: the whole map, north up`);
  if (width < smallest || width > largest)
    throw new Error(`${sides}, and may have ${smallest} to ${largest} a side`);
  return await readSmall(file, kept.map);
}

/** The size in a JPEG's frame header (ITU T.81, B.2.2), the first segment of the types 0xC0 to 0xCF but for three. */
function jpegSize(file: Buffer): [number, number] | null {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xff_d8) return null;
  let at = 2;
  while (at + 9 < file.length && file[at] === 0xff) {
    const type = file[at + 1]!;
    if (type >= 0xc0 && type <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(type))
      return [file.readUInt16BE(at + 7), file.readUInt16BE(at + 5)];
    at += 2 + file.readUInt16BE(at + 2);
  }
  return null;
}
