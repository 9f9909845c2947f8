import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Server } from '../../api/resources.ts';
import { drawable, fontFor, shortened } from '../../embeds/chart/drawn-text.ts';
import { pictureSize, type Picture } from './picture.ts';

const { width, height } = pictureSize;
const left = 64;
const right = width - left;

const colours = {
  card: '#1b1d22',
  track: '#34373f',
  text: '#f2f3f5',
  label: '#b5bac1',
  ONLINE: '#57c98a',
  OFFLINE: '#f2716b',
  UNKNOWN: '#9aa3ad',
} as const satisfies Record<Server['status'] | 'card' | 'track' | 'text' | 'label', string>;

/** Draws the picture of a link as PNG. The encoding runs off the main thread. */
export async function drawPicture(picture: Picture): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = colours.card;
  context.fillRect(0, 0, width, height);
  context.fillStyle = picture.accentColor;
  context.fillRect(0, 0, width, 12);
  context.textBaseline = 'alphabetic';
  drawHead(context, picture);
  if (picture.server === null) drawRows(context, picture);
  else drawServer(context, picture, picture.server);
  return await canvas.encode('png');
}

interface Written {
  x?: number;
  y: number;
  size: number;
  weight?: 400 | 600;
  color?: string;
  align?: 'left' | 'right';
  max: number;
}

/** Writes one line, cut to its width and to the height of its letters. Returns how wide it became. */
function write(context: SKRSContext2D, written: string, at: Written): number {
  const { x = left, align = 'left' } = at;
  const text = drawable(written);
  context.save();
  context.font = fontFor(text, at.size, at.weight ?? 400);
  const shown = shortened(context, text, at.max);
  const taken = Math.min(context.measureText(shown).width, at.max);
  context.beginPath();
  context.rect(align === 'left' ? x : x - taken, at.y - at.size * 1.1, taken, at.size * 1.5);
  context.clip();
  context.fillStyle = at.color ?? colours.text;
  context.textAlign = align;
  context.fillText(shown, x, at.y);
  context.restore();
  return taken;
}

/** The largest of the sizes in which a text has room; else the smallest. */
function sizeFor(context: SKRSContext2D, text: string, max: number, sizes: readonly number[]): number {
  const drawn = drawable(text);
  const fitting = sizes.find((size) => {
    context.font = fontFor(drawn, size, 600);
    return context.measureText(drawn).width <= max;
  });
  return fitting ?? sizes.at(-1)!;
}

function dot(context: SKRSContext2D, status: Server['status'], x: number, y: number, radius: number): void {
  context.fillStyle = colours[status];
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function drawHead(context: SKRSContext2D, { site, title, asOf }: Picture): void {
  const time = { x: right, y: 92, size: 30, color: colours.label, align: 'right', max: 420 } as const;
  const taken = asOf === null ? 0 : write(context, asOf, time) + 40;
  if (site === '') {
    write(context, title, { y: 100, size: 60, weight: 600, max: right - left - taken });
    return;
  }
  write(context, site, { y: 92, size: 34, color: colours.label, max: right - left - taken });
  const size = sizeFor(context, title, right - left, [76, 64, 54, 46, 40]);
  write(context, title, { y: 188, size, weight: 600, max: right - left });
}

function drawServer(
  context: SKRSContext2D,
  { facts }: Picture,
  { status, players, day }: NonNullable<Picture['server']>,
): void {
  dot(context, status, left + 14, 252, 14);
  // The state is written large where there is no number.
  const small = players === null && facts.length > 1 ? facts.slice(1) : facts;
  write(context, small.join(' · '), { x: left + 46, y: 265, size: 36, color: colours.label, max: 1_020 });
  const room = day === null ? right - left : 500;
  if (players === null) {
    const [state = ''] = facts;
    write(context, state, { y: 470, size: 110, weight: 600, color: colours[status], max: room });
  } else {
    const taken = write(context, players.count, { y: 470, size: 150, weight: 600, max: room });
    const of = { x: left + taken + 20, y: 470, color: colours.label, max: room - taken - 20 };
    write(context, players.of, { ...of, size: sizeFor(context, players.of, of.max, [46, 36, 30]) });
    if (players.share !== null) drawBar(context, players.share, room);
  }
  if (day !== null) drawDay(context, day);
}

function drawBar(context: SKRSContext2D, share: number, room: number): void {
  const bar = (length: number, color: string) => {
    context.fillStyle = color;
    context.beginPath();
    context.roundRect(left, 520, length, 26, 13);
    context.fill();
  };
  bar(room, colours.track);
  if (share > 0) bar(Math.max(26, room * share), colours.ONLINE);
}

/** The players of the last day as an area, with gaps where nothing is known. */
function drawDay(
  context: SKRSContext2D,
  { caption, values }: { caption: string; values: readonly (number | null)[] },
): void {
  const [from, top, bottom] = [640, 350, 546];
  write(context, caption, { x: from, y: 590, size: 26, color: colours.label, max: right - from });
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const step = (right - from) / (values.length - 1);
  const place = (index: number, value: number) =>
    [from + index * step, bottom - (value / most) * (bottom - top)] as const;
  context.strokeStyle = colours.track;
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(from, bottom);
  context.lineTo(right, bottom);
  context.stroke();
  let line: (readonly [number, number])[] = [];
  const finish = () => {
    if (line.length > 1) {
      context.beginPath();
      for (const [x, y] of line) context.lineTo(x, y);
      context.strokeStyle = colours.ONLINE;
      context.lineWidth = 5;
      context.lineJoin = 'round';
      context.stroke();
      context.lineTo(line.at(-1)![0], bottom);
      context.lineTo(line[0]![0], bottom);
      context.fillStyle = `${colours.ONLINE}40`;
      context.fill();
    }
    line = [];
  };
  for (const [index, value] of values.entries()) {
    if (value === null) finish();
    else line.push(place(index, value));
  }
  finish();
}

function drawRows(context: SKRSContext2D, { facts, rows, more }: Picture): void {
  write(context, facts.join(' · '), { y: 168, size: 38, color: colours.label, max: right - left });
  let y = 246;
  for (const { name, status, fact } of rows) {
    dot(context, status, left + 14, y - 14, 14);
    const taken = write(context, fact, { x: right, y, size: 42, weight: 600, align: 'right', max: 400 });
    write(context, name, { x: left + 50, y, size: 42, max: right - left - taken - 90 });
    y += 66;
  }
  if (more !== null)
    write(context, more, { x: left + 50, y: y - 4, size: 34, color: colours.label, max: 400 });
}
