import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import { LRUCache } from 'lru-cache';
import { clean } from '../text.ts';

/*
 * Names of players and servers in pictures. The bundled font has Latin, Cyrillic and Greek letters; others are drawn with the
 * fonts of the machine, if it has any.
 */

/** The scripts of the bot's languages and of most names. */
const subsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek'];
const weights = [400, 600] as const;
const family = (subset: string) => `Outpost ${subset}`;
const ownFamilies = subsets.map((subset) => `"${family(subset)}"`).join(', ');

const require = createRequire(import.meta.url);
for (const subset of subsets) {
  for (const weight of weights) {
    const file = require.resolve(`@fontsource/inter/files/inter-${subset}-${weight}-normal.woff2`);
    GlobalFonts.registerFromPath(file, family(subset));
  }
}

/** Fonts of a machine that are tried for other scripts and emoji. More would make each text slower. */
const mostFamilies = 24;

/** Fonts without serifs look most like the bundled one; those of emoji come last, since they have digits, too. */
function rankOf(family: string): number {
  if (/emoji/i.test(family)) return 3;
  if (/serif|mono|math/i.test(family)) return 2;
  return /sans/i.test(family) ? 0 : 1;
}

const otherFamilies = GlobalFonts.families
  .map(({ family }) => family)
  .filter((family) => !family.startsWith('Outpost ') && !family.includes('"'))
  .toSorted((one, other) => rankOf(one) - rankOf(other))
  .slice(0, mostFamilies)
  .map((family) => `, "${family}"`)
  .join('');

/** What the bundled font has. */
const bundled = /^[\u0020-\u02ff\u0374-\u04ff\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac]*$/;

/** A CSS font of this size in pixels: the bundled one, and those of the machine where the text has something that it lacks. */
const fontFor = (text: string, size: number, weight: (typeof weights)[number] = 400): string =>
  `${weight} ${size}px ${ownFamilies}, sans-serif${bundled.test(text) ? '' : otherFamilies}`;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** They change how their neighbours are drawn, and have no glyphs themselves. */
const joiners: ReadonlySet<string> = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f']);
/** A name has at most 128 characters, of which a picture shows about forty. */
const longest = 128;
const missing = new LRUCache<string, boolean>({ max: 4_000 });

/** No font has a glyph for it. */
const glyphless = '\u{10fffe}';
const probe = createCanvas(1, 1).getContext('2d');
probe.font = fontFor(glyphless, 100);

/** Whether no font has a glyph for a character: it has the width of one that none can have. */
function isMissing(character: string): boolean {
  if (joiners.has(character) || bundled.test(character)) return false;
  const known = missing.get(character);
  if (known !== undefined) return known;
  const isSame = probe.measureText(character).width === probe.measureText(glyphless).width;
  missing.set(character, isSame);
  return isSame;
}

/** Other people's text as it can be drawn: one line, in which a question mark stands for what no font has. */
export function drawable(text: string): string {
  if (bundled.test(text)) return clean(text);
  const parts = Array.from(graphemes.segment(clean(text).slice(0, longest)), ({ segment }) =>
    [...segment].some(isMissing) ? '\ufffd' : segment,
  );
  return parts.join('').replaceAll(/\ufffd+/g, '?');
}

/** The text, or as much of its beginning as fits, with an ellipsis. */
function shortened(context: SKRSContext2D, text: string, width: number): string {
  const fits = (part: string): boolean => context.measureText(part).width <= width;
  if (fits(text)) return text;
  const letters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  const upTo = (count: number): string => `${letters.slice(0, count).join('').trimEnd()}…`;
  let [low, high] = [1, letters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(upTo(middle))) low = middle;
    else high = middle - 1;
  }
  return upTo(low);
}

export interface Line {
  x: number;
  /** Of the baseline. */
  y: number;
  size: number;
  weight?: 400 | 600;
  color: string;
  align?: 'left' | 'center' | 'right';
  /** How wide it may become; left out: as wide as it is. */
  room?: number;
  /** A colour around the letters. */
  outline?: string;
}

/** Writes text in a line, cut to its room and to the height of its letters. Returns how wide it became. */
export function write(
  context: SKRSContext2D,
  written: string,
  { x, y, size, weight, color, align = 'left', room = Infinity, outline }: Line,
): number {
  const text = drawable(written);
  context.save();
  context.font = fontFor(text, size, weight);
  const shown = shortened(context, text, room);
  const taken = Math.min(context.measureText(shown).width, room);
  const left = x - { left: 0, center: taken / 2, right: taken }[align];
  if (outline !== undefined) {
    context.strokeStyle = outline;
    context.lineWidth = 5;
    context.lineJoin = 'round';
    context.strokeText(shown, left, y);
  }
  context.beginPath();
  context.rect(left - 2, y - size * 0.95, taken + 4, size * 1.25);
  context.clip();
  context.fillStyle = color;
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillText(shown, left, y);
  context.restore();
  return taken;
}

/** How wide a text is without limits. */
export function widthOf(context: SKRSContext2D, written: string, size: number, weight?: 400 | 600): number {
  const text = drawable(written);
  context.font = fontFor(text, size, weight);
  return context.measureText(text).width;
}

/** The largest of the sizes in which a text in bold has room; else the last one. */
export function sizeFor(
  context: SKRSContext2D,
  written: string,
  room: number,
  sizes: readonly number[],
): number {
  return sizes.find((size) => widthOf(context, written, size, 600) <= room) ?? sizes.at(-1)!;
}
