import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCanvas } from '@napi-rs/canvas';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCards } from '../../../src/bot/pictures/pictures.ts';
import type { CardContent } from '../../../src/embeds/card/content.ts';

/** Serves a file, and says how often it was asked for. */
async function serve(file: Buffer) {
  let times = 0;
  const server = createServer((_, answer) => {
    times += 1;
    answer.end(file);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logo.png`;
  return { url, times: () => times, close: () => server.close() };
}

it("has the community's logo, loaded once for all cards", async () => {
  const canvas = createCanvas(300, 100);
  canvas.getContext('2d').fillRect(0, 0, 300, 100);
  const site = await serve(canvas.toBuffer('image/png'));
  const log = pino({ level: 'silent' });
  const draw = createCards(log, true);
  const logoUrl = site.url;
  const without = await draw(content('Ann'), look);
  const withLogo = async () => (await draw(content('Ann'), { ...look, logoUrl }))!.data;
  // The first cards do not wait for long.
  await expect.poll(async () => (await withLogo()).equals(without!.data)).toBe(false);
  await draw(content('Bob'), { ...look, logoUrl });
  expect(site.times()).toBe(1);
  site.close();
});

it('has none of a file that is too large, no PNG, or a picture of gigabytes, and says so once', async () => {
  const huge = createCanvas(1, 1).toBuffer('image/png');
  huge.writeUInt32BE(60_000, 16);
  for (const file of [Buffer.alloc(1_000_001), Buffer.from('<svg/>'), huge]) {
    const site = await serve(file);
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const draw = createCards(log, true);
    const plain = await draw(content('Ann'), look);
    for (let asked = 0; asked < 2; asked += 1)
      expect(await draw(content('Ann'), { ...look, logoUrl: site.url })).toBe(plain);
    await expect
      .poll(() => lines.filter((line) => line.includes('player cards have no logo')).length)
      .toBe(1);
    site.close();
  }
});

const look = { accentColor: null, logoUrl: null };
const content = (name: string): CardContent => ({
  community: 'Northwood',
  name,
  tiles: [{ code: 'PLAYER_KILLS', label: 'Player kills', value: '12', rank: 3 }],
  note: null,
  activity: null,
  alt: `${name} · Northwood. Player kills: 12 (#3)`,
});
const draw = createCards(pino({ level: 'silent' }), false);

it('draws the same card once, and another one for other words', async () => {
  const [one, again] = await Promise.all([draw(content('Ann'), look), draw(content('Ann'), look)]);
  expect(one).toBe(again);
  expect(one).toMatchObject({ name: 'player.png', alt: 'Ann · Northwood. Player kills: 12 (#3)' });
  expect(await draw(content('Bob'), look)).not.toBe(one);
  expect(await draw(content('Ann'), { ...look, accentColor: 1 })).not.toBe(one);
});

it('lets others work between two cards', async () => {
  await draw(content('first'), look);
  let turns = 0;
  const drawn: number[] = [];
  const all = Array.from({ length: 10 }, (_, index) =>
    draw(content(`Player ${index}`), look).then(() => drawn.push(turns)),
  );
  const turn = (): void => {
    turns += 1;
    if (drawn.length < all.length) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(all);
  expect(new Set(drawn).size).toBe(all.length);
});
