import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Language } from '../../locales/language.ts';
import { colours as brandColours } from '../branding.ts';
import { recapTiles, recapTitle, type RecapTile, type RecapView } from '../recap.ts';
import { write } from '../drawing/drawn-text.ts';
import {
  colours,
  drawTitle,
  fillBox,
  fillPath,
  margin,
  openCard,
  readable,
  width,
  type Point,
} from '../drawing/frame.ts';

interface RecapPictureInput extends RecapView {
  /** The name of the community; null: unknown. */
  name: string | null;
  /** 0xRRGGBB. */
  accentColor: number | null;
  language: Language;
}

const columns = 2;
const gap = 16;
const top = 84;
const tile = { width: (width - 2 * margin - gap) / columns, height: 140, padding: 20 } as const;
const trends = { more: '#57c98a', less: '#eb6f92' } as const;

/** Draws a recap as PNG: a tile for each figure. The encoding runs off the main thread. */
export async function drawRecap(input: RecapPictureInput): Promise<Buffer> {
  const { language, recap } = input;
  const tiles = recapTiles(language, input);
  const rows = Math.ceil(tiles.length / columns);
  const { canvas, context } = openCard(top + rows * (tile.height + gap) + margin - gap);
  const accent = readable(input.accentColor ?? brandColours.gold);
  drawTitle(context, recapTitle(language, recap), [input.name ?? '']);
  for (const [index, each] of tiles.entries()) {
    const left = margin + (index % columns) * (tile.width + gap);
    drawTile(context, each, { left, top: top + Math.floor(index / columns) * (tile.height + gap), accent });
  }
  return await canvas.encode('png');
}

function drawTile(
  context: SKRSContext2D,
  { label, subject, value, detail, change }: RecapTile,
  box: { left: number; top: number; accent: string },
): void {
  const x = box.left + tile.padding;
  const right = box.left + tile.width - tile.padding;
  const room = right - x;
  fillBox(context, { ...box, width: tile.width, height: tile.height }, 12, colours.tile);
  context.fillStyle = box.accent;
  context.fillRect(box.left, box.top + 14, 4, tile.height - 28);
  const compared = change === null ? 0 : drawChange(context, change, { right, bottom: box.top + 120 });
  const [main = '', ...others] = [subject, value, detail].filter((text) => text !== null && text !== '');
  const { label: grey, text: color } = colours;
  write(context, label, { x, y: box.top + 36, size: 21, color: grey, room });
  write(context, main ?? '', { x, y: box.top + 80, size: 32, weight: 600, color, room });
  write(context, others.join(' · '), { x, y: box.top + 120, size: 24, color, room: room - compared });
}

/** How much more or less than the week before, after an arrow. Returns the width that it takes, with a space before it. */
function drawChange(
  context: SKRSContext2D,
  { by, isMore }: NonNullable<RecapTile['change']>,
  { right, bottom }: { right: number; bottom: number },
): number {
  const line = { x: right, y: bottom, size: 21, color: colours.label, align: 'right' } as const;
  const used = write(context, by, { ...line, room: tile.width / 2 });
  const x = right - used - 24;
  const [tip, base] = isMore ? [bottom - 17, bottom - 2] : [bottom - 2, bottom - 17];
  const arrow: Point[] = [
    [x, base],
    [x + 16, base],
    [x + 8, tip],
  ];
  fillPath(context, arrow, isMore ? trends.more : trends.less);
  return used + 24 + 16;
}
