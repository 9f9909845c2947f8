import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { colours as brandColours } from '../branding.ts';
import { sizeFor, widthOf, write } from '../drawing/drawn-text.ts';
import { type Box, colours, fillBox, openCard, readable, width, within } from '../drawing/frame.ts';
import { leastFullDaySeconds, rankText, type CardContent, type Tile } from './content.ts';

interface CardLook {
  /** 0xRRGGBB; null: the bot's own. */
  accent: number | null;
  /** The community's; null: none. */
  logo: Canvas | null;
}

const margin = 28;
const columns = 3;
const gap = 10;
const inset = 14;
const columnWidth = (width - 2 * margin - (columns - 1) * gap) / columns;
const tileRoom = columnWidth - 2 * inset;
/** On a phone 9 pixels high. */
const labelSize = 25;
const labelLine = 28;
const tileHeight = (labelLines: number) => 62 + labelLines * labelLine;
const headHeight = 132;
const activityHeight = 92;

const medals = ['#f5b942', '#cfd8dc', '#d9975b'] as const;

/** Draws a card as PNG. The encoding runs off the main thread. */
export async function drawCard(content: CardContent, look: CardLook): Promise<Buffer> {
  const measure = createCanvas(1, 1).getContext('2d');
  const rows = rowsOf(measure, content.tiles);
  const tilesHeight = content.note === null ? rows.reduce((sum, { height }) => sum + height + gap, 0) : 64;
  const height = headHeight + tilesHeight + (content.activity === null ? 0 : activityHeight) + margin - gap;
  const { canvas, context } = openCard(height);
  const accent = readable(look.accent ?? brandColours.accent);
  // Within the round corners.
  context.clip();
  fillBox(context, { left: 0, top: 0, width, height: 8 }, 0, accent);
  drawHead(context, content, accent, look.logo);
  let top = headHeight;
  if (content.note !== null) {
    const line = { x: margin, y: top + 30, size: 26, color: colours.label, room: width - 2 * margin };
    write(context, content.note, line);
    top += 64;
  }
  for (const row of rows) {
    for (const [column, tile] of row.tiles.entries())
      drawTile(context, tile, {
        left: margin + column * (columnWidth + gap),
        top,
        width: columnWidth,
        height: row.height,
      });
    top += row.height + gap;
  }
  if (content.activity !== null) drawActivity(context, content.activity, accent, top);
  return await canvas.encode('png');
}

/** Name and community, each on a line of its own that nothing of it leaves. */
function drawHead(
  context: SKRSContext2D,
  { community, name }: CardContent,
  accent: string,
  logo: Canvas | null,
): void {
  const size = 84;
  const x = logo === null ? margin : margin + size + 18;
  if (logo !== null) {
    const scale = size / Math.max(logo.width, logo.height);
    const [w, h] = [logo.width * scale, logo.height * scale];
    const box = { left: margin, top: 28, width: size, height: size };
    const draw = () => context.drawImage(logo, margin + (size - w) / 2, 28 + (size - h) / 2, w, h);
    within(context, box, draw, 16);
  }
  const line = { x, weight: 600, room: width - margin - x } as const;
  if (community !== null) write(context, community, { ...line, y: 54, size: 26, color: accent });
  const nameSize = sizeFor(context, name, line.room, [46, 40, 34]);
  write(context, name, { ...line, y: community === null ? 90 : 108, size: nameSize, color: colours.text });
}

interface DrawnTile extends Tile {
  labelLines: readonly string[];
  /** Beside the rank. */
  labelRoom: number;
}

/** Tiles in rows. A label that is too long for a line makes its row higher. */
function rowsOf(context: SKRSContext2D, tiles: readonly Tile[]): { tiles: DrawnTile[]; height: number }[] {
  const rows: { tiles: DrawnTile[]; height: number }[] = [];
  for (let start = 0; start < tiles.length; start += columns) {
    const drawn = tiles.slice(start, start + columns).map((tile) => {
      const rankRoom = tile.rank === null ? 0 : widthOf(context, rankText(tile.rank), 23, 600) + 8;
      const labelRoom = tileRoom - rankRoom;
      return { ...tile, labelRoom, labelLines: wrapped(context, tile.label, labelRoom) };
    });
    rows.push({ tiles: drawn, height: tileHeight(Math.max(...drawn.map((tile) => tile.labelLines.length))) });
  }
  return rows;
}

/** A label in as many lines as it takes. The rank stands beside the first. */
function wrapped(context: SKRSContext2D, label: string, firstRoom: number): string[] {
  const lines: string[] = [];
  for (const word of label.split(' ')) {
    const last = lines.length - 1;
    const longer = `${lines[last]} ${word}`;
    if (last >= 0 && widthOf(context, longer, labelSize) <= (last === 0 ? firstRoom : tileRoom))
      lines[last] = longer;
    else lines.push(word);
  }
  return lines;
}

function drawTile(context: SKRSContext2D, tile: DrawnTile, box: Box): void {
  const { left, top, height } = box;
  fillBox(context, box, 12, colours.tile);
  const x = left + inset;
  if (tile.rank !== null) {
    const color = medals[tile.rank - 1] ?? colours.label;
    const line = { x: x + tileRoom, y: top + 31, size: 23, weight: 600, color, align: 'right' } as const;
    write(context, rankText(tile.rank), line);
  }
  for (const [line, text] of tile.labelLines.entries()) {
    const y = top + 31 + line * labelLine;
    const room = line === 0 ? tile.labelRoom : tileRoom;
    write(context, text, { x, y, size: labelSize, color: colours.label, room });
  }
  const size = sizeFor(context, tile.value, tileRoom, [32, 28, 24, 21]);
  const value = { x, y: top + height - 18, weight: 600, color: colours.text, room: tileRoom } as const;
  write(context, tile.value, { ...value, size });
}

/** A square for each day, the fuller the longer the player was on. */
function drawActivity(
  context: SKRSContext2D,
  { title, text, days }: NonNullable<CardContent['activity']>,
  accent: string,
  top: number,
): void {
  const room = width - 2 * margin;
  const line = { y: top + 26, size: labelSize, color: colours.label } as const;
  const taken = write(context, text, { ...line, x: width - margin, align: 'right', room });
  write(context, title, { ...line, x: margin, room: room - taken - 16 });
  const step = room / days.length;
  const most = Math.max(...days, leastFullDaySeconds);
  for (const [index, seconds] of days.entries()) {
    const box = { left: margin + index * step + 2, top: top + 42, width: step - 4, height: 32 };
    fillBox(context, box, 5, colours.tile);
    if (seconds <= 0) continue;
    context.globalAlpha = 0.3 + 0.7 * Math.min(seconds / most, 1);
    fillBox(context, box, 5, accent);
    context.globalAlpha = 1;
  }
}
