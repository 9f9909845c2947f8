import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Language } from '../../locales/language.ts';
import { colours as brandColours } from '../branding.ts';
import { recapServers, recapTiles, recapTitle, type RecapTile, type RecapView } from '../recap.ts';
import { sizeFor, write } from '../drawing/drawn-text.ts';
import { colours, fillBox, fillPath, margin, openCard, pointAt, readable, width } from '../drawing/frame.ts';
import { facts } from '../text.ts';

interface RecapPictureInput extends RecapView {
  /** The name of the community; null: unknown. */
  name: string | null;
  /** 0xRRGGBB. */
  accentColor: number | null;
  language: Language;
}

const top = 88;
const noteHeight = 38;
const tile = { left: margin, width: width - 2 * margin, height: 110, padding: 22, gap: 12 } as const;
/** On a phone, a picture is about 300 pixels wide: these become 10 to 15. */
const sizes = { note: 27, label: 30, figure: 36, names: [40, 36, 32, 29] } as const;
const trends = { more: '#57c98a', less: '#eb6f92' } as const;

/** Draws a recap as PNG: a tile for each figure, one below the other. The encoding runs off the main thread. */
export async function drawRecap(input: RecapPictureInput): Promise<Buffer> {
  const { language, recap } = input;
  const tiles = recapTiles(language, input);
  const isCompared = tiles.some(({ change }) => change !== null);
  const notes = [recapServers(language, recap), isCompared ? language.t('recap.changes') : ''].filter(
    Boolean,
  );
  const bottom = top + tiles.length * (tile.height + tile.gap);
  const { canvas, context } = openCard(bottom + notes.length * noteHeight + margin - tile.gap);
  const accent = readable(input.accentColor ?? brandColours.gold);
  const head = { y: 56, color: colours.text } as const;
  const title = { ...head, x: margin, size: 36, weight: 600, room: tile.width * 0.75 } as const;
  const room = tile.width - write(context, recapTitle(language, recap), title) - 24;
  const x = margin + tile.width;
  write(context, input.name ?? '', { ...head, x, size: sizes.label, align: 'right', room });
  for (const [index, each] of tiles.entries())
    drawTile(context, each, top + index * (tile.height + tile.gap), accent);
  for (const [index, note] of notes.entries()) {
    const y = bottom + 26 + index * noteHeight;
    write(context, note, { x: margin, y, size: sizes.note, color: colours.label, room: tile.width });
  }
  return await canvas.encode('png');
}

/** Above, the label and what is less important. Below, who or what, and its figure. */
function drawTile(context: SKRSContext2D, shown: RecapTile, tileTop: number, accent: string): void {
  const { label, subject, value, detail, change } = shown;
  fillBox(context, { ...tile, top: tileTop }, 12, colours.tile);
  const edge = { left: tile.left, top: tileTop + 14, width: 4, height: tile.height - 28 };
  fillBox(context, edge, 0, accent);
  const x = tile.left + tile.padding;
  const right = tile.left + tile.width - tile.padding;
  const room = right - x;
  const [above, below] = [tileTop + 40, tileTop + 90];
  const compared = change === null ? 0 : drawChange(context, change, { right, bottom: above });
  const { label: grey, text: color } = colours;
  const head = { x, y: above, size: sizes.label, color: grey, room: room - compared };
  write(context, facts(label, detail), head);
  const figure = { x: right, y: below, size: sizes.figure, color, align: 'right' } as const;
  const taken = subject === null ? 0 : write(context, value, figure) + 24;
  const main = subject ?? value;
  const size = sizeFor(context, main, room - taken, sizes.names);
  write(context, main, { x, y: below, size, weight: 600, color, room: room - taken });
}

/** How much more or less than the week before, after an arrow. Returns the width that it takes, with a space before it. */
function drawChange(
  context: SKRSContext2D,
  { by, isMore }: NonNullable<RecapTile['change']>,
  { right, bottom }: { right: number; bottom: number },
): number {
  const line = { x: right, y: bottom, size: sizes.label, color: colours.label, align: 'right' } as const;
  const used = write(context, by, line);
  const x = right - used - 30;
  const [tip, base] = isMore ? [bottom - 22, bottom - 2] : [bottom - 2, bottom - 22];
  const arrow = [pointAt(x, base), pointAt(x + 22, base), pointAt(x + 11, tip)];
  fillPath(context, arrow, isMore ? trends.more : trends.less);
  return used + 30 + 20;
}
