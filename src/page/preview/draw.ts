import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Server } from '../../api/resources.ts';
import {
  type Box,
  colours as textColours,
  fillBox,
  fillDot,
  fillPath,
  pointAt,
  strokePath,
} from '../../embeds/drawing/frame.ts';
import { sizeFor, write as writeLine, type Line } from '../../embeds/drawing/drawn-text.ts';
import { daySteps, pictureSize, type Day, type Picture } from './picture.ts';

export { drawCard } from '../../embeds/card/draw.ts';
export { readLogo } from '../../embeds/drawing/owner-image.ts';

const { width, height } = pictureSize;
const left = 64;
const right = width - left;

const colours = {
  card: '#1b1d22',
  track: '#34373f',
  text: textColours.text,
  label: textColours.label,
  ONLINE: '#57c98a',
  OFFLINE: '#f2716b',
  UNKNOWN: '#9aa3ad',
} as const satisfies Record<Server['status'] | 'card' | 'track' | 'text' | 'label', string>;

/** Draws the picture of a link as PNG. The encoding runs off the main thread. */
export async function drawPicture(picture: Picture): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  fillBox(context, { left: 0, top: 0, width, height }, 0, colours.card);
  fillBox(context, { left: 0, top: 0, width, height: 12 }, 0, picture.accentColor);
  drawHead(context, picture);
  if (picture.server === null) drawRows(context, picture);
  else drawServer(context, picture, picture.server);
  return await canvas.encode('png');
}

/** Writes a line, by default from the left margin and in the colour of text. Returns its width. */
const write = (
  context: SKRSContext2D,
  text: string,
  line: Partial<Line> & Pick<Line, 'y' | 'size' | 'room'>,
) => writeLine(context, text, { x: left, color: colours.text, ...line });

function drawHead(context: SKRSContext2D, { site, title, asOf }: Picture): void {
  const time = { x: right, y: 92, size: 30, color: colours.label, align: 'right', room: 420 } as const;
  const taken = asOf === null ? 0 : write(context, asOf, time) + 40;
  if (site === '') {
    write(context, title, { y: 100, size: 60, weight: 600, room: right - left - taken });
    return;
  }
  write(context, site, { y: 92, size: 34, color: colours.label, room: right - left - taken });
  const size = sizeFor(context, title, right - left, [76, 64, 54, 46, 40]);
  write(context, title, { y: 188, size, weight: 600, room: right - left });
}

function drawServer(
  context: SKRSContext2D,
  { facts }: Picture,
  { status, players, day }: NonNullable<Picture['server']>,
): void {
  const [state = '', ...otherFacts] = facts;
  // Without a number of players, the state is written large in its place.
  const smallText = (players === null ? otherFacts : facts).join(' · ');
  if (smallText !== '') fillDot(context, [left + 14, 252], 14, colours[status]);
  write(context, smallText, { x: left + 46, y: 265, size: 36, color: colours.label, room: 1_020 });
  const room = day === null ? right - left : 500;
  if (players === null) {
    write(context, state, { y: 470, size: 110, weight: 600, color: colours[status], room });
  } else {
    const taken = write(context, players.count, { y: 470, size: 150, weight: 600, room });
    const of = { x: left + taken + 20, y: 470, color: colours.label, room: room - taken - 20 };
    write(context, players.of, { ...of, size: sizeFor(context, players.of, of.room, [46, 36, 30]) });
    if (players.share !== null) drawBar(context, players.share, { left, top: 520, width: room, height: 26 });
  }
  if (day !== null) drawDay(context, day);
}

function drawBar(context: SKRSContext2D, share: number, bar: Box): void {
  const { width, height } = bar;
  fillBox(context, bar, height / 2, colours.track);
  if (share > 0)
    fillBox(context, { ...bar, width: Math.max(height, width * share) }, height / 2, colours.ONLINE);
}

/** The players of the last day as areas, with gaps where nothing is known. */
function drawDay(context: SKRSContext2D, { caption, segments }: Day): void {
  const [from, top, bottom] = [640, 350, 546];
  write(context, caption, { x: from, y: 590, size: 26, color: colours.label, room: right - from });
  const ground = [pointAt(from, bottom), pointAt(right, bottom)];
  strokePath(context, ground, { color: colours.track, width: 3 });
  const most = Math.max(1, ...segments.flat().map(([, players]) => players));
  const x = (step: number): number => from + (step * (right - from)) / (daySteps - 1);
  for (const segment of segments) {
    const line = segment.map(([step, players]) =>
      pointAt(x(step), bottom - (players / most) * (bottom - top)),
    );
    strokePath(context, line, { color: colours.ONLINE, width: 5 });
    const [start, end] = [line[0]![0], line.at(-1)![0]];
    fillPath(context, [...line, [end, bottom], [start, bottom]], `${colours.ONLINE}40`);
  }
}

function drawRows(context: SKRSContext2D, { facts, rows, more }: Picture): void {
  write(context, facts.join(' · '), { y: 168, size: 38, color: colours.label, room: right - left });
  // Four or more leave no room for bars.
  const withBars = rows.length < 4;
  let y = withBars ? 268 : 246;
  for (const { name, status, fact, share } of rows) {
    fillDot(context, [left + 14, y - 14], 14, colours[status]);
    const taken = write(context, fact, { x: right, y, size: 42, weight: 600, align: 'right', room: 400 });
    write(context, name, { x: left + 50, y, size: 42, room: right - left - taken - 90 });
    if (withBars && share !== null)
      drawBar(context, share, { left: left + 50, top: y + 26, width: right - left - 50, height: 16 });
    y += withBars ? 122 : 66;
  }
  if (more !== null)
    write(context, more, { x: left + 50, y: y - 4, size: 34, color: colours.label, room: 400 });
}
