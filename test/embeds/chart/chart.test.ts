import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { ranges, timeTicks, valueTicks } from '../../../src/embeds/chart/axis.ts';
import { drawPlayerChart, type ChartInput } from '../../../src/embeds/chart/draw.ts';
import { drawWeekChart } from '../../../src/embeds/chart/draw-week.ts';
import {
  gapsOf,
  type HistoryBucket,
  roomsOf,
  segmentsOf,
  shortNames,
} from '../../../src/embeds/chart/series.ts';
import { fullestHour, weekHours } from '../../../src/embeds/chart/week.ts';
import { languageOf } from '../../../src/locales/language.ts';

const hour = 3_600_000;
const to = Date.UTC(2026, 10, 21, 16);
const { stepMs, spanMs } = ranges['24h'];

/** A day at one count; nothing is stored from `gap.from` to `gap.to`, in hours before the end. */
function day(players: number, gap = { from: 0, to: 0 }): HistoryBucket[] {
  return Array.from({ length: spanMs / stepMs }, (_, index) => to - spanMs + index * stepMs)
    .filter((at) => at < to - gap.from * hour || at >= to - gap.to * hour)
    .map((at) => ({ at, players, peak: players, maxPlayers: 60 }));
}

function input(...series: HistoryBucket[][]): ChartInput {
  return {
    series: series.map((buckets, index) => ({ name: `Server ${index}`, buckets })),
    range: '24h',
    to,
    timezone: 'UTC',
    language: languageOf('en-US'),
  };
}

/** How many pixels of a column of the picture are as green as the line. */
async function greenAt(png: Buffer, hoursAgo: number): Promise<number> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const [left, right] = [70, 774];
  const x = Math.round(right - ((right - left) * hoursAgo) / 24);
  const { data } = context.getImageData(x, 0, 1, image.height);
  let green = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green_ = 0, blue = 0] = data.subarray(at, at + 3);
    if (green_ > 150 && red < 130 && blue < 170) green += 1;
  }
  return green;
}

describe('a player chart', () => {
  it('is a PNG that Discord shows', async () => {
    const png = await drawPlayerChart(input(day(30)));
    expect(png?.subarray(1, 4).toString()).toBe('PNG');
    const image = await loadImage(png!);
    expect([image.width, image.height]).toEqual([800, 346]);
  });

  it('leads no line over a time of which nothing is known', async () => {
    const png = await drawPlayerChart(input(day(30, { from: 10, to: 6 })));
    expect(await greenAt(png!, 12)).toBeGreaterThan(0);
    expect(await greenAt(png!, 8)).toBe(0);
    expect(await greenAt(png!, 3)).toBeGreaterThan(0);
  });

  it('draws an empty server as zero, which is no gap', async () => {
    const png = await drawPlayerChart(input(day(0)));
    expect(await greenAt(png!, 8)).toBeGreaterThan(0);
  });

  it('is not drawn from nothing', async () => {
    expect(await drawPlayerChart(input([]))).toBeNull();
    const unknown = day(1).map((bucket) => ({ ...bucket, players: null, peak: null }));
    expect(await drawPlayerChart(input(unknown))).toBeNull();
  });

  it('holds several servers, with a legend below', async () => {
    const png = await drawPlayerChart(input(day(30), day(12), day(5)));
    expect((await loadImage(png!)).height).toBeGreaterThan(346);
  });
});

describe('the legend', () => {
  it.each([
    [
      ['Northwood | Chernarus', 'Northwood | Livonia'],
      ['Chernarus', 'Livonia'],
    ],
    [
      ['Chernarus', 'Chernobyl Zone'],
      ['Chernarus', 'Chernobyl Zone'],
    ],
    [
      ['Northwood', 'Northwood hardcore'],
      ['Northwood', 'Northwood hardcore'],
    ],
    [['The only one'], ['The only one']],
  ])('tells %j apart by %j', (names, expected) => {
    expect(shortNames(names)).toEqual(expected);
  });

  it('gives a long name what short ones leave, and long ones equal parts', () => {
    expect(roomsOf([50, 400, 60], 600)).toEqual([50, 400, 60]);
    expect(roomsOf([50, 700, 60], 600)).toEqual([50, 490, 60]);
    expect(roomsOf([400, 100, 500], 600)).toEqual([250, 100, 250]);
  });
});

describe('what is known', () => {
  const bucket = (at: number, players: number | null): HistoryBucket => ({
    at: at * stepMs,
    players,
    peak: players,
    maxPlayers: null,
  });

  it('is cut where a step is missing or holds no count', () => {
    const segments = segmentsOf(
      [bucket(0, 1), bucket(1, 2), bucket(2, null), bucket(3, 4), bucket(6, 5)],
      stepMs,
    );
    expect(segments.map((segment) => segment.map(({ players }) => players))).toEqual([[1, 2], [4], [5]]);
  });

  it('leaves gaps at both ends and between', () => {
    const segments = segmentsOf([bucket(2, 1), bucket(3, 1), bucket(6, 1)], stepMs);
    const gaps = gapsOf(segments, { from: 0, to: 9 * stepMs }, stepMs);
    expect(gaps.map((gap) => [gap.from / stepMs, gap.to / stepMs])).toEqual([
      [0, 2],
      [4, 6],
      [7, 9],
    ]);
  });
});

describe('the axes', () => {
  it.each([
    [0, [0, 1, 2, 3, 4]],
    [8, [0, 2, 4, 6, 8]],
    [60, [0, 20, 40, 60]],
    [101, [0, 25, 50, 75, 100, 125]],
  ])('count up to %i in round steps', (highest, expected) => {
    expect(valueTicks(highest)).toEqual(expected);
  });

  it('keep local clock times over the end of summer time', () => {
    const at = { from: Date.UTC(2026, 9, 24, 20), to: Date.UTC(2026, 9, 25, 20) };
    const ticks = timeTicks('24h', at, { locale: 'de', timezone: 'Europe/Berlin' });
    expect(ticks.map((tick) => tick.label)).toEqual(['00:00', '04:00', '08:00', '12:00', '16:00', '20:00']);
    expect(ticks.map((tick) => (tick.at - ticks[0]!.at) / hour)).toEqual([0, 5, 9, 13, 17, 21]);
  });

  it('name the days of a week in the language, at local midnight', () => {
    const at = { from: Date.UTC(2026, 10, 14, 12), to: Date.UTC(2026, 10, 21, 12) };
    const ticks = timeTicks('7d', at, { locale: 'fr', timezone: 'America/New_York' });
    expect(ticks.map((tick) => tick.label)).toEqual(['dim.', 'lun.', 'mar.', 'mer.', 'jeu.', 'ven.', 'sam.']);
    expect(ticks[0]!.at).toBe(Date.UTC(2026, 10, 15, 5));
  });
});

describe('a chart by weekday and hour', () => {
  const quarter = hour / 4;
  /** Four quarters of an hour with so many players. */
  const hourOf = (at: number, players: number | null): HistoryBucket[] =>
    [0, 1, 2, 3].map((index) => ({ at: at + index * quarter, players, peak: players, maxPlayers: null }));

  it('keeps local hours when the clocks change', () => {
    // Berlin: 20:00 is 18:00 UTC until 25 October 2026, then 19:00.
    const buckets = [...hourOf(Date.UTC(2026, 9, 24, 18), 10), ...hourOf(Date.UTC(2026, 9, 31, 19), 30)];
    const hours = weekHours([buckets], 'Europe/Berlin');
    expect(hours.filter(({ players }) => players !== null)).toEqual([{ weekday: 5, hour: 20, players: 20 }]);
  });

  it('leaves out hours in which the server did not answer', () => {
    const hours = weekHours([[...hourOf(to, null), ...hourOf(to - 7 * 24 * hour, 12)]], 'UTC');
    expect(hours.filter(({ players }) => players !== null)).toEqual([{ weekday: 5, hour: 16, players: 12 }]);
    expect(hours).toHaveLength(7 * 24);
  });

  it('is drawn of a single hour and of an empty server, and not without any count', async () => {
    const language = languageOf('en-US');
    const drawn = async (buckets: HistoryBucket[]) =>
      await drawWeekChart({ hours: weekHours([buckets], 'UTC'), to, timezone: 'UTC', language });
    expect((await drawn(hourOf(to, 3)))?.subarray(1, 4).toString()).toBe('PNG');
    expect((await drawn(hourOf(to, 0)))?.subarray(1, 4).toString()).toBe('PNG');
    expect(await drawn(hourOf(to, null))).toBeNull();
    expect(fullestHour(weekHours([hourOf(to, 0)], 'UTC'))).toBeNull();
  });
});
