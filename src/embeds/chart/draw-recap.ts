import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Language } from '../../locales/language.ts';
import { recapTiles, recapTitle, type RecapTile, type RecapView } from '../recap.ts';
import { colours, margin, openCard, width } from './card.ts';
import { drawable, fontFor, shortened } from './drawn-text.ts';
import { font } from './fonts.ts';

export interface RecapPictureInput extends RecapView {
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
const tileColour = '#35373c';
const trends = { more: '#57c98a', less: '#eb6f92' } as const;

/** Draws a recap as PNG: a tile for each figure. The encoding runs off the main thread. */
export async function drawRecap(input: RecapPictureInput): Promise<Buffer> {
  const { language, recap } = input;
  const tiles = recapTiles(language, input);
  const rows = Math.ceil(tiles.length / columns);
  const { canvas, context } = openCard(top + rows * (tile.height + gap) + margin - gap);
  const accent = input.accentColor === null ? colours.capacity : hex(input.accentColor);
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  context.font = font(27, 600);
  context.fillStyle = colours.text;
  const title = recapTitle(language, recap);
  context.fillText(title, margin, 52);
  const room = width - 2 * margin - context.measureText(title).width - 30;
  const name = drawable(input.name ?? '');
  context.font = fontFor(name, 23);
  context.textAlign = 'right';
  context.fillStyle = colours.label;
  if (name !== '' && room > 60) context.fillText(shortened(context, name, room), width - margin, 52);
  for (const [index, each] of tiles.entries()) {
    const left = margin + (index % columns) * (tile.width + gap);
    drawTile(context, each, { left, top: top + Math.floor(index / columns) * (tile.height + gap), accent });
  }
  return await canvas.encode('png');
}

const hex = (colour: number): string => `#${colour.toString(16).padStart(6, '0')}`;

function drawTile(
  context: SKRSContext2D,
  { label, subject, value, detail, before, trend }: RecapTile,
  place: { left: number; top: number; accent: string },
): void {
  const left = place.left + tile.padding;
  const right = place.left + tile.width - tile.padding;
  const room = right - left;
  context.fillStyle = tileColour;
  context.beginPath();
  context.roundRect(place.left, place.top, tile.width, tile.height, 12);
  context.fill();
  context.fillStyle = place.accent;
  context.fillRect(place.left, place.top + 14, 4, tile.height - 28);

  context.textAlign = 'left';
  context.font = font(21);
  context.fillStyle = colours.label;
  context.fillText(shortened(context, label, room), left, place.top + 36);
  const compared =
    before === null ? 0 : drawBefore(context, before, trend, { right, bottom: place.top + 120 });
  const facts = [subject, value, detail].filter((text) => text !== null && text !== '');
  const [main = '', ...rest] = facts.map((text) => drawable(text ?? ''));
  context.textAlign = 'left';
  context.font = fontFor(main, 32, 600);
  context.fillStyle = colours.text;
  context.fillText(shortened(context, main, room), left, place.top + 80);
  const others = rest.join(' · ');
  context.font = fontFor(others, 24);
  context.fillText(shortened(context, others, room - compared), left, place.top + 120);
}

/** The figure of the week before, after an arrow. Returns the width that it takes, with a space before it. */
function drawBefore(
  context: SKRSContext2D,
  before: string,
  trend: RecapTile['trend'],
  { right, bottom }: { right: number; bottom: number },
): number {
  context.textAlign = 'right';
  context.font = font(21);
  context.fillStyle = colours.label;
  context.fillText(before, right, bottom);
  const used = context.measureText(before).width;
  if (trend === null) return used + 16;
  const x = right - used - 24;
  context.fillStyle = trend > 0 ? trends.more : trends.less;
  context.beginPath();
  const [tip, base] = trend > 0 ? [bottom - 17, bottom - 2] : [bottom - 2, bottom - 17];
  context.moveTo(x, base);
  context.lineTo(x + 16, base);
  context.lineTo(x + 8, tip);
  context.fill();
  return used + 24 + 16;
}
