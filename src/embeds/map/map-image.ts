import type { Canvas } from '@napi-rs/canvas';
import { pngSize, readSmall } from '../drawing/small-image.ts';

/** Twice the size in which it is drawn at most. */
const keptSize = 1_496;
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
  return await readSmall(file, keptSize);
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
