import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import type { ServerHistory } from '../../../src/embeds/chart/series.ts';
import { languageOf, locales } from '../../../src/locales/language.ts';
import { drawPicture } from '../../../src/page/preview/draw.ts';
import {
  altText,
  dayStepMs,
  pictureRows,
  pictureSize,
  projectPicture,
  serverPicture,
  type Picture,
} from '../../../src/page/preview/picture.ts';
import { drawEachOnce } from '../../../src/page/preview/draw-once.ts';
import { now, schedule, server, servers } from '../../embeds/contract-data.ts';
import { hostileTexts } from '../../embeds/hostile-texts.ts';

const project = { title: 'Northwood', accentColor: '#5865f2' };
const input = { project, language: languageOf('de'), now };
const shown = (over: Parameters<typeof server>[0] = {}) => ({
  server: server(over),
  schedules: [schedule()],
});
const last = Math.floor(now / dayStepMs) * dayStepMs;
const history = (players: readonly (number | null)[]): ServerHistory => ({
  timezone: 'Europe/Berlin',
  buckets: players.map((each, index) => ({
    at: last - (players.length - 1 - index) * dayStepMs,
    players: each,
    peak: each,
    maxPlayers: 60,
  })),
});

describe('what stands on the picture of a server', () => {
  it('is its state, map, players and next restart, in words too', () => {
    expect(altText(input.language, serverPicture(input, shown(), history([])))).toBe(
      'Northwood | Chernarus · 37 / 60 Spieler · Online · Chernarus · Nächster Neustart: 22:00 MEZ',
    );
  });

  it('has its times in the zone of the server, in one form', () => {
    const { asOf, facts } = serverPicture(input, shown(), history([]));
    expect([asOf, facts.at(-1)]).toEqual(['Stand 19:29 MEZ', 'Nächster Neustart: 22:00 MEZ']);
  });

  it('has colons as the language sets them', () => {
    const french = serverPicture({ ...input, language: languageOf('fr') }, shown(), history([]));
    expect(french.facts.at(-1)).toMatch(/^Prochain redémarrage\u00a0: /);
  });

  it('has no number where none is known', () => {
    for (const over of [
      { status: 'OFFLINE', players: null },
      { status: 'UNKNOWN', players: null },
      { players: null },
    ] as const)
      expect(serverPicture(input, shown(over), history([])).server?.players).toBeNull();
    expect(serverPicture(input, shown({ maxPlayers: null }), history([])).server?.players).toEqual({
      count: '37',
      of: 'Spieler',
      share: null,
    });
    expect(serverPicture(input, shown({ checkedAt: null }), history([])).asOf).toBeNull();
  });

  it('draws the last day with gaps, and nothing of a day without two counts', () => {
    const dayOf = (players: readonly (number | null)[]) =>
      serverPicture(input, shown(), history(players)).server?.day;
    expect(dayOf([])).toBeNull();
    expect(dayOf([null, null, 5])).toBeNull();
    expect(dayOf([4, 5, null, 6.4])?.segments).toEqual([
      [
        [44, 4],
        [45, 5],
      ],
      [[47, 6]],
    ]);
  });
});

it('lists the servers of a project, and counts those without room', () => {
  const picture = projectPicture(input, servers);
  expect(altText(input.language, picture)).toBe(
    'Northwood · 37 Spieler · 2 von 3 Servern online · Northwood | Chernarus: 37 / 60 · Northwood | Livonia: 0 / 40 · Northwood | Sakhal PvE: Offline',
  );
  expect(projectPicture(input, [server({ status: 'UNKNOWN', players: null })]).facts).toEqual([]);
  const many = projectPicture(
    input,
    Array.from({ length: pictureRows + 3 }, () => server()),
  );
  expect(many.rows).toHaveLength(pictureRows);
  expect(many.more).toBe('+3');
});

type Area = readonly [x: number, y: number, width: number, height: number];

const margins = [
  [0, 12, 60, 618],
  [1140, 12, 60, 618],
  [0, 600, 1200, 30],
] as const;

/** Fails where something is drawn. */
async function expectNothingIn(areas: readonly Area[], png: Buffer): Promise<void> {
  const image = await loadImage(png);
  expect([image.width, image.height]).toEqual([pictureSize.width, pictureSize.height]);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  for (const [x, y, width, height] of areas) {
    const { data } = context.getImageData(x, y, width, height);
    const colours = new Set<string>();
    for (let at = 0; at < data.length; at += 4) colours.add(data.slice(at, at + 3).join());
    expect([...colours]).toEqual(['27,29,34']);
  }
}

it('has the state of a server once, where nothing else is known of it', async () => {
  const unknown = { ...shown({ status: 'OFFLINE', players: null, map: null }), schedules: [] };
  await expectNothingIn([[60, 220, 1080, 80]], await drawPicture(serverPicture(input, unknown, history([]))));
});

it.each(locales)('fits in %s', async (locale) => {
  const to = { ...input, language: languageOf(locale) };
  const day = history(Array.from({ length: 48 }, (_, index) => index));
  for (const picture of [
    serverPicture(to, shown({ players: 1234, maxPlayers: 9999 }), day),
    serverPicture(to, shown({ status: 'OFFLINE', players: null }), day),
    ...[3, 9].map((length) =>
      projectPicture(
        to,
        Array.from({ length }, () => server()),
      ),
    ),
  ])
    await expectNothingIn(margins, await drawPicture(picture));
});

it('keeps hostile names within the picture', async () => {
  const names = [
    ...hostileTexts(48).filter((_, index) => index % 6 === 2),
    '﷽'.repeat(128),
    'W'.repeat(128),
    '👨‍👩‍👧‍👦'.repeat(30),
  ];
  for (const name of names) {
    const hostile = shown({ name, map: name });
    const picture = serverPicture({ ...input, project: { ...project, title: name } }, hostile, history([]));
    expect(altText(input.language, picture)).not.toMatch(/[\n\u202e]/);
    await expectNothingIn(margins, await drawPicture(picture));
    await expectNothingIn(
      margins,
      await drawPicture(projectPicture({ ...input, project: { ...project, title: name } }, [hostile.server])),
    );
  }
});

describe('drawing for strangers', () => {
  const picture = (title: string): Picture =>
    projectPicture({ ...input, project: { ...project, title } }, servers);

  const none = async () => ({}) as never;

  it('draws what is equal once', async () => {
    let calls = 0;
    const drawOnce = drawEachOnce(none);
    const draw = async () => {
      calls += 1;
      return Buffer.from('png');
    };
    const drawn = await Promise.all(['a', 'a', 'b', 'a', 'c'].map((site) => drawOnce(picture(site), draw)));
    expect(drawn).toEqual(drawn.map(() => Buffer.from('png')));
    expect(calls).toBe(3);
  });

  it('says so where the platform cannot draw, and tries again after a failure', async () => {
    const unable = drawEachOnce(() => Promise.reject(new Error('no build')));
    expect(await unable(picture('a'), async (code) => code.drawPicture(picture('a')))).toBeNull();
    const failing = drawEachOnce(none);
    await expect(failing(picture('a'), () => Promise.reject(new Error('no memory')))).rejects.toThrow(
      'no memory',
    );
    expect(await failing(picture('a'), async () => Buffer.from('png'))).toEqual(Buffer.from('png'));
  });
});
