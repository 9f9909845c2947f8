import { createCanvas, type Image, type SKRSContext2D } from '@napi-rs/canvas';
import { colours as brandColours } from '../branding.ts';
import { drawable, fontFor, shortened } from '../chart/drawn-text.ts';
import { font } from '../chart/fonts.ts';
import { rankText, type CardContent, type Tile } from './content.ts';

export interface CardLook {
  /** 0xRRGGBB; null: the bot's own. */
  accent: number | null;
  /** The community's; null: none. */
  logo: Image | null;
}

/** Discord shows pictures about 400 pixels wide, and 340 on a phone, so text has to be large. */
const width = 800;
const margin = 28;
const columns = 3;
const gap = 10;
const inset = 14;
const columnWidth = (width - 2 * margin - (columns - 1) * gap) / columns;
const labelLine = 25;
const tileHeight = (labelLines: number) => 62 + labelLines * labelLine;
const headHeight = 132;
const activityHeight = 92;

/** The card has its own background, so that it looks the same in Discord's light and dark themes. */
const colours = {
  card: '#232428',
  tile: '#2f3136',
  text: '#f2f3f5',
  label: '#b5bac1',
  medals: ['#f5b942', '#cfd8dc', '#d9975b'],
} as const;

/** Draws a card as PNG. The encoding runs off the main thread. */
export async function drawCard(content: CardContent, look: CardLook): Promise<Buffer> {
  const measure = createCanvas(1, 1).getContext('2d');
  const rows = rowsOf(measure, content.tiles);
  const tilesHeight = content.note === null ? rows.reduce((sum, { height }) => sum + height + gap, 0) : 64;
  const height = headHeight + tilesHeight + (content.activity === null ? 0 : activityHeight) + margin - gap;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const accent = readable(look.accent ?? brandColours.accent);
  context.beginPath();
  context.roundRect(0, 0, width, height, 18);
  context.clip();
  context.fillStyle = colours.card;
  context.fillRect(0, 0, width, height);
  context.fillStyle = accent;
  context.fillRect(0, 0, width, 8);
  drawHead(context, content, accent, look.logo);
  let top = headHeight;
  if (content.note !== null) {
    context.font = font(26);
    context.fillStyle = colours.label;
    context.fillText(shortened(context, content.note, width - 2 * margin), margin, top + 30);
    top += 64;
  }
  for (const row of rows) {
    for (const [column, tile] of row.tiles.entries())
      drawTile(context, tile, { left: margin + column * (columnWidth + gap), top, height: row.height });
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
  logo: Image | null,
): void {
  const size = 84;
  const left = logo === null ? margin : margin + size + 18;
  if (logo !== null) {
    context.save();
    context.beginPath();
    context.roundRect(margin, 28, size, size, 16);
    context.clip();
    const scale = size / Math.max(logo.width, logo.height);
    const [w, h] = [logo.width * scale, logo.height * scale];
    context.drawImage(logo, margin + (size - w) / 2, 28 + (size - h) / 2, w, h);
    context.restore();
  }
  const room = width - margin - left;
  context.fillStyle = accent;
  if (community !== null) {
    const text = drawable(community);
    context.font = fontFor(text, 26, 600);
    within(context, { left, top: 26, width: room, height: 36 }, text, 54);
  }
  const top = community === null ? 46 : 64;
  const drawn = drawable(name);
  setLargestFont(context, drawn, room, [46, 40, 34]);
  context.fillStyle = colours.text;
  within(context, { left, top, width: room, height: 60 }, drawn, top + 44);
}

/** Draws one line into a box; letters that are wider or higher, as a hostile name has, are cut off. */
function within(
  context: SKRSContext2D,
  box: { left: number; top: number; width: number; height: number },
  text: string,
  baseline: number,
): void {
  context.save();
  context.beginPath();
  context.rect(box.left, box.top, box.width, box.height);
  context.clip();
  context.fillText(shortened(context, text, box.width), box.left, baseline);
  context.restore();
}

/** Sets the largest of these sizes in which the text fits, or the last one. */
function setLargestFont(context: SKRSContext2D, text: string, room: number, sizes: readonly number[]): void {
  for (const size of sizes) {
    context.font = fontFor(text, size, 600);
    if (context.measureText(text).width <= room) return;
  }
}

interface DrawnTile extends Tile {
  labelLines: readonly string[];
}

/** Tiles in rows. A label that is too long for a line makes its row higher. */
function rowsOf(context: SKRSContext2D, tiles: readonly Tile[]): { tiles: DrawnTile[]; height: number }[] {
  const rows: { tiles: DrawnTile[]; height: number }[] = [];
  for (let start = 0; start < tiles.length; start += columns) {
    const drawn = tiles.slice(start, start + columns).map((tile) => {
      const room = columnWidth - 2 * inset - rankWidth(context, tile);
      context.font = font(21);
      return { ...tile, labelLines: wrapped(context, tile.label, room) };
    });
    rows.push({ tiles: drawn, height: tileHeight(Math.max(...drawn.map((tile) => tile.labelLines.length))) });
  }
  return rows;
}

function rankWidth(context: SKRSContext2D, { rank }: Tile): number {
  context.font = font(23, 600);
  return rank === null ? 0 : context.measureText(rankText(rank)).width + 8;
}

/** A label in one line or two. */
function wrapped(context: SKRSContext2D, label: string, room: number): string[] {
  const words = label.split(' ');
  let first = words.shift() ?? '';
  while (words[0] !== undefined && context.measureText(`${first} ${words[0]}`).width <= room)
    first += ` ${words.shift()}`;
  return [first, ...(words.length > 0 ? [words.join(' ')] : [])].map((line) =>
    shortened(context, line, room),
  );
}

function drawTile(
  context: SKRSContext2D,
  tile: DrawnTile,
  { left, top, height }: { left: number; top: number; height: number },
): void {
  context.fillStyle = colours.tile;
  context.beginPath();
  context.roundRect(left, top, columnWidth, height, 12);
  context.fill();
  if (tile.rank !== null) {
    context.font = font(23, 600);
    context.fillStyle = colours.medals[tile.rank - 1] ?? colours.label;
    context.textAlign = 'right';
    context.fillText(rankText(tile.rank), left + columnWidth - inset, top + 31);
    context.textAlign = 'left';
  }
  context.font = font(21);
  context.fillStyle = colours.label;
  for (const [line, text] of tile.labelLines.entries())
    context.fillText(text, left + inset, top + 31 + line * labelLine);
  const room = columnWidth - 2 * inset;
  const value = drawable(tile.value);
  setLargestFont(context, value, room, [32, 28, 24, 21]);
  context.fillStyle = colours.text;
  within(
    context,
    { left: left + inset, top: top + height - 52, width: room, height: 46 },
    value,
    top + height - 18,
  );
}

/** A square for each day, the fuller the longer the player was on. */
function drawActivity(
  context: SKRSContext2D,
  { title, text, days }: NonNullable<CardContent['activity']>,
  accent: string,
  top: number,
): void {
  context.font = font(21);
  context.fillStyle = colours.label;
  const line = top + 26;
  const room = width - 2 * margin;
  context.textAlign = 'right';
  context.fillText(text, width - margin, line);
  const textWidth = context.measureText(text).width + 16;
  context.textAlign = 'left';
  context.fillText(shortened(context, title, room - textWidth), margin, line);
  const step = room / days.length;
  const most = Math.max(...days, leastFullDaySeconds);
  for (const [index, seconds] of days.entries()) {
    context.beginPath();
    context.roundRect(margin + index * step + 2, top + 42, step - 4, 32, 5);
    context.fillStyle = colours.tile;
    context.fill();
    if (seconds <= 0) continue;
    context.globalAlpha = 0.3 + 0.7 * Math.min(seconds / most, 1);
    context.fillStyle = accent;
    context.fill();
    context.globalAlpha = 1;
  }
}

/** A few minutes are no full day, even if they were the longest. */
const leastFullDaySeconds = 2 * 3600;

/** The colour, made lighter until it stands out from the dark card. */
function readable(color: number): string {
  let channels = [(color >> 16) & 255, (color >> 8) & 255, color & 255];
  const brightness = () => 0.2126 * channels[0]! + 0.7152 * channels[1]! + 0.0722 * channels[2]!;
  while (brightness() < leastBrightness)
    channels = channels.map((each) => Math.ceil(each + (255 - each) * 0.15));
  return `rgb(${channels.join(', ')})`;
}

const leastBrightness = 115;
