import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { cardContent, type CardContent, type PlayerCard } from '../../../src/embeds/card/content.ts';
import { drawCard } from '../../../src/embeds/card/draw.ts';
import { drawable } from '../../../src/embeds/drawing/drawn-text.ts';
import { languageOf, locales } from '../../../src/locales/language.ts';
import * as data from '../contract-data.ts';
import { hostileTexts } from '../hostile-texts.ts';

const english = languageOf('en-US');
const branding = { name: 'Northwood', url: null, logoUrl: null, bannerUrl: null, accentColor: 0x2e7d32 };
const days = Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? 3_600 : 0));
const killsWith = (weapon: string): PlayerCard['kills'] => ({ favouriteWeapon: { name: weapon, kills: 40 } });
const champion: PlayerCard = {
  player: {
    name: 'Survivor',
    stats: {
      ...data.noStats,
      playerKills: 1_234,
      deaths: 321,
      longestKillMeters: 812.4,
      totalPlaySeconds: 1_043_520,
      longestLifeSeconds: 193_520,
      suicides: 0,
    },
  },
  branding,
  kills: killsWith('KA-M'),
  ranks: { PLAYER_KILLS: 1, DEATHS: 1, PLAYTIME: 100 },
  activity: days,
};

/** The pixels of a card, and how wide and high it is. */
async function pixelsOf(content: CardContent, accent: number | null = branding.accentColor) {
  const { width, height, ...image } = await loadImage(await drawCard(content, { accent, logo: null })).then(
    (image) => ({ width: image.width, height: image.height, image }),
  );
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image.image, 0, 0);
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}

type Box = { left: number; top: number; right: number; bottom: number };

/** How many pixels outside a box differ between two cards. */
function differences(
  one: Awaited<ReturnType<typeof pixelsOf>>,
  other: Awaited<ReturnType<typeof pixelsOf>>,
  { left, top, right, bottom }: Box,
): number {
  expect([other.width, other.height]).toEqual([one.width, one.height]);
  let count = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    const [x, y] = [(at / 4) % one.width, Math.floor(at / 4 / one.width)];
    if (x >= left && x < right && y >= top && y < bottom) continue;
    if ([0, 1, 2].some((channel) => one.data[at + channel] !== other.data[at + channel])) count += 1;
  }
  return count;
}

describe('the words of a card', () => {
  it('are figures with ranks, the weapon and the days played', () => {
    expect(cardContent(english, champion).alt).toBe(
      'Survivor · Northwood. Player kills: 1,234 (#1); Deaths: 321; K/D ratio: 3.84; Longest kill: 812.4 m; ' +
        'Play time: 289h (#100); Longest life: 53h; Favorite weapon: KA-M; Kills per hour: 4.26. ' +
        'Last 30 days: played on 10 days · 10h 0m',
    );
  });

  it('have the space that French sets before a colon', () => {
    expect(cardContent(languageOf('fr'), champion).alt).toMatch(/Morts\s: 321.*30 derniers jours\s: /);
  });

  it('say of a player of whom nothing is known just that', () => {
    const empty = { player: { name: null, stats: data.noStats }, branding: null, kills: null };
    const content = cardContent(english, { ...empty, ranks: {}, activity: null });
    expect(content.alt).toBe('(no name). There are no stats for this player yet.');
  });

  it.each(locales)('fit into an alternative text in %s, whatever the names', (locale) => {
    for (const name of [...hostileTexts(20), 'W'.repeat(128)]) {
      const card = { ...champion, player: { ...champion.player, name }, kills: killsWith(name) };
      const { alt } = cardContent(languageOf(locale), { ...card, branding: { ...branding, name } });
      expect(alt.length).toBeLessThanOrEqual(1024);
      expect(alt).not.toMatch(/[\u202a-\u202e\u2066\u2067]|@everyone|\n/);
    }
  });
});

describe('the picture of a card', () => {
  it('is a PNG, higher the more there is to show', async () => {
    const png = await drawCard(cardContent(english, champion), { accent: null, logo: null });
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    const { width, height } = await loadImage(png);
    expect(width).toBe(800);
    const few = { ...champion, player: { ...champion.player, stats: { ...data.noStats, playerKills: 1 } } };
    const small = await pixelsOf(cardContent(english, { ...few, activity: null }));
    expect(small.height).toBeLessThan(height);
  });

  const boxes = {
    name: { left: 28, top: 64, right: 772, bottom: 124 },
    community: { left: 28, top: 26, right: 772, bottom: 62 },
    weapon: { left: 28 + 14, top: 0, right: 28 + 241, bottom: 1000 },
  } as const;
  const names = {
    wide: 'W'.repeat(128),
    'one wide letter': '﷽'.repeat(128),
    'letters of mathematics': '𝕏'.repeat(64),
    'marks upon marks': 'Z\u0335\u0301\u0302\u0303\u0304\u0316\u0317'.repeat(9),
    'right to left': '\u202eمرحبا שלום\u202c 1',
    emoji: '👨‍👩‍👧‍👦😀🇩🇪'.repeat(20),
    'markup and mentions': '<b>@everyone</b> \u0000\u001b[31mred\n\n# heading',
    'half a character': 'lone \ud83d',
    'nothing visible': '\u200b\u3164\u2066',
  };

  it.each(Object.entries(names))(
    'keeps each name within its place, whatever it is: %s',
    async (_, hostile) => {
      const plain = await pixelsOf(cardContent(english, champion));
      const named = { ...champion, player: { ...champion.player, name: hostile } };
      expect(differences(plain, await pixelsOf(cardContent(english, named)), boxes.name)).toBe(0);
      // A community without a visible name has no line for it.
      if (drawable(hostile) === '') return;
      const community = { ...champion, branding: { ...branding, name: hostile } };
      expect(differences(plain, await pixelsOf(cardContent(english, community)), boxes.community)).toBe(0);
      const weapon = { ...champion, kills: killsWith(hostile) };
      expect(differences(plain, await pixelsOf(cardContent(english, weapon)), boxes.weapon)).toBe(0);
    },
  );

  it('shows each label to its last letter, also beside a rank', async () => {
    const content = cardContent(languageOf('ru'), { ...champion, ranks: { LONGEST_KILL: 14 } });
    const tiles = content.tiles.map((tile) => ({
      ...tile,
      label: tile.label.replace(/убийство$/, 'убийства'),
    }));
    expect(tiles).not.toEqual(content.tiles);
    const nowhere = { left: 0, top: 0, right: 0, bottom: 0 };
    const [one, other] = [await pixelsOf(content), await pixelsOf({ ...content, tiles })];
    expect(differences(one, other, nowhere)).toBeGreaterThan(0);
  });

  it('shows a colour that is too dark for it lighter', async () => {
    const { data, width } = await pixelsOf(cardContent(english, champion), 0x000000);
    const at = 4 * (3 * width + 400);
    expect(data[at]).toBeGreaterThan(90);
  });
});

it('stands for what no font has with one question mark', () => {
  expect(drawable('Ann \u{10fffd}\u{10fffd} Bob')).toBe('Ann ? Bob');
  expect(drawable('Ангел Ñandú')).toBe('Ангел Ñandú');
});
