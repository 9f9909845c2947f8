import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { drawHeatMap } from '../../../src/embeds/map/draw.ts';
import { heatAlt, heatEmbed, heatSide, type HeatMapView } from '../../../src/embeds/map/heat-map.ts';
import { arrangeLabels } from '../../../src/embeds/map/labels.ts';
import { readMapImage } from '../../../src/embeds/drawing/owner-image.ts';
import { terrainOf } from '../../../src/embeds/maps.ts';
import { languageOf, locales } from '../../../src/locales/language.ts';
import { hostileTexts } from '../hostile-texts.ts';
import { expectSendable } from '../message-rules.ts';

const language = languageOf('en-US');
const cells = [
  { x: 51, z: 11, events: 41 },
  { x: 50, z: 11, events: 9 },
  { x: 33, z: 12, events: 12 },
  { x: 61, z: 47, events: 3 },
];
const view = (over: Partial<HeatMapView> = {}): HeatMapView => ({
  server: 'Northwood',
  kind: 'deaths',
  period: null,
  weapon: null,
  cells,
  leftOut: 0,
  terrain: terrainOf('chernarusplus'),
  since: Date.UTC(2026, 0, 1),
  delayMinutes: 1440,
  ...over,
});
const unknown = { terrain: null };

/** The colour of a picture in the middle of a square: red, green, blue. */
async function colourAt(png: Buffer, { x, z }: { x: number; z: number }, side: number): Promise<number[]> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const [east, north] = [x, z].map((square) => (((square + 0.5) * 200) / side) * 748);
  return [...context.getImageData(Math.round(26 + east!), Math.round(76 + 748 - north!), 1, 1).data].slice(
    0,
    3,
  );
}

describe('a heat map', () => {
  it('has each square where it is, north up, and lighter the more there is', async () => {
    const bare = { meters: 15_360, towns: [] };
    const png = (await drawHeatMap(view({ terrain: bare }), null, language))!;
    const brightness = async (square: { x: number; z: number }) =>
      (await colourAt(png, square, 15_360)).reduce((sum, channel) => sum + channel, 0);
    const [ground, few, most] = await Promise.all([
      brightness({ x: 70, z: 5 }),
      brightness(cells[3]!),
      brightness(cells[0]!),
    ]);
    expect(ground).toBeLessThan(150);
    expect(few).toBeGreaterThan(ground + 150);
    expect(most).toBeGreaterThan(few + 150);
  });

  it('ends beyond what was seen where the size of the map is not known', async () => {
    expect(heatSide(view(unknown))).toBe(14_000);
    const png = (await drawHeatMap(view(unknown), null, language))!;
    const [red, green, blue] = await colourAt(png, cells[0]!, 14_000);
    expect(Math.max(0xfd - red!, 0xee - green!, 0x8c - blue!)).toBeLessThan(6);
  });

  it('fades out between squares and around them, instead of showing their edges', async () => {
    const bare = { meters: 15_360, towns: [] };
    const lone = [{ x: 40, z: 40, events: 41 }];
    const png = (await drawHeatMap(view({ terrain: bare, cells: lone }), null, language))!;
    const east = [0, 1, 2, 3].map(async (away) => await colourAt(png, { x: 40 + away, z: 40 }, 15_360));
    const brightness = (await Promise.all(east)).map(([red, green]) => red! + green!);
    for (const [index, one] of brightness.entries()) expect(one).toBeGreaterThan(brightness[index + 1] ?? 0);
  });

  it('tells sea from land, with towns and nothing written over them while there is nothing to show', async () => {
    const png = (await drawHeatMap(view({ cells: [], leftOut: 9 }), null, language))!;
    const [middle, south] = await Promise.all(
      [
        { x: 49, z: 38 },
        { x: 60, z: 4 },
      ].map(async (square) => await colourAt(png, square, 15_360)),
    );
    expect(middle).toEqual([0x33, 0x38, 0x3d]);
    expect(south![2]).toBeGreaterThan(south![0]! + 20);
  });

  it('is not drawn from nothing', async () => {
    expect(await drawHeatMap(view({ cells: [], ...unknown }), null, language)).toBeNull();
  });

  it('has the picture of the owner below', async () => {
    const canvas = createCanvas(400, 400);
    const context = canvas.getContext('2d');
    context.fillStyle = '#00ff00';
    context.fillRect(0, 0, 400, 400);
    const image = await readMapImage(await canvas.encode('png'));
    const png = (await drawHeatMap(view(), image, language))!;
    const [red, green] = await colourAt(png, { x: 70, z: 5 }, 15_360);
    expect(green).toBeGreaterThan(red! + 50);
  });

  it('can be sent whatever the server is called, in every language', async () => {
    for (const [index, server] of hostileTexts(8).slice(0, 12).entries()) {
      const shown = view({
        server,
        weapon: server,
        kind: (['deaths', 'kills', 'shots'] as const)[index % 3]!,
      });
      const spoken = languageOf(locales[index % locales.length]!);
      const data = (await drawHeatMap(shown, null, spoken))!;
      const alt = heatAlt(spoken, shown);
      expect(alt.length).toBeLessThanOrEqual(1024);
      expectSendable([heatEmbed(spoken, shown)], [{ name: 'heat-map.png', data, alt }] as never);
    }
  });
});

it('says where most of it is, by the nearest town or else by kilometres', () => {
  expect(heatAlt(language, view())).toBe(
    'Heat map · Northwood · Deaths · All time. 65 deaths. Most near Elektrozavodsk (50), Chernogorsk (12), and Berezino (3)',
  );
  expect(heatAlt(language, view({ ...unknown, cells: cells.slice(0, 1) }))).toContain(
    'Most near 10.3 km east, 2.3 km north (41)',
  );
  expect(heatAlt(language, view({ cells: [], leftOut: 9 }))).toContain(
    'Not enough to show here yet · Not shown: 9 deaths (too few in a square)',
  );
  const few = heatEmbed(language, view({ leftOut: 1 })).description!;
  expect(few).toContain('Not shown: 1 death (too few in a square)');
  const text = heatEmbed(language, view()).description!;
  expect(text).toContain('📍 **Elektrozavodsk** · 50');
  expect(text).toContain('The last 24 hours are left out.');
  expect(heatEmbed(language, view({ delayMinutes: 5 })).description).toContain('The last 5 minutes');
});

it('writes no two names over each other, and those of the largest towns', () => {
  const context = createCanvas(1, 1).getContext('2d');
  const within = { left: 26, top: 76, width: 748, height: 748 };
  for (const map of ['chernarusplus', 'enoch', 'sakhal']) {
    const { towns, meters } = terrainOf(map)!;
    const all = towns.map(({ name, east, north }) => ({
      name,
      x: 26 + (east / meters) * 748,
      y: 824 - (north / meters) * 748,
    }));
    const placed = arrangeLabels(context, all, within, []);
    expect(placed.length).toBeGreaterThanOrEqual(20);
    expect(placed.slice(0, 6).map(({ name }) => name)).toEqual(towns.slice(0, 6).map(({ name }) => name));
    const boxes = placed.map(({ name, size, left, baseline }) => {
      context.font = `600 ${size}px "Outpost latin", "Outpost latin-ext"`;
      return {
        left,
        right: left + context.measureText(name).width,
        top: baseline - size * 0.86,
        bottom: baseline + size * 0.14,
      };
    });
    for (const [index, one] of boxes.entries()) {
      expect(one.left >= 26 && one.right <= 774 && one.top >= 76 && one.bottom <= 824).toBe(true);
      const over = boxes.filter(
        (other, place) =>
          place !== index &&
          one.left < other.right &&
          other.left < one.right &&
          one.top < other.bottom &&
          other.top < one.bottom,
      );
      expect(over).toEqual([]);
    }
  }
});

describe('a picture of a map', () => {
  const picture = async (width: number, height: number, type: 'png' | 'jpeg') => {
    const canvas = createCanvas(width, height);
    return type === 'png' ? await canvas.encode('png') : await canvas.encode('jpeg');
  };

  it('is a square PNG or JPEG', async () => {
    for (const type of ['png', 'jpeg'] as const) {
      expect((await readMapImage(await picture(2_000, 2_000, type))).width).toBe(1_496);
      await expect(readMapImage(await picture(400, 399, type))).rejects.toThrow(
        '400 × 399 pixels, and has to be square',
      );
      await expect(readMapImage(await picture(100, 100, type))).rejects.toThrow('200 to 4096');
    }
  });

  it('is refused before it is decoded when it is too large, and when it is something else or cut off', async () => {
    const bomb = await picture(300, 300, 'png');
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    await expect(readMapImage(bomb)).rejects.toThrow('60000 × 60000');
    const jpeg = await picture(300, 300, 'jpeg');
    for (const file of [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      jpeg.subarray(0, 20),
      Buffer.alloc(100, 0xff),
    ])
      await expect(readMapImage(file)).rejects.toThrow('it is no PNG and no JPEG');
    const png = await picture(300, 300, 'png');
    await expect(readMapImage(png.subarray(0, 40))).rejects.toThrow();
  });
});
