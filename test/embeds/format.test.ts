import { describe, expect, it } from 'vitest';
import { formatMetricValue, metricCodes, metrics } from '../../src/api/metrics.ts';
import { formatMetric, period, relativeTime } from '../../src/embeds/format.ts';
import { mapName } from '../../src/embeds/maps.ts';
import { playerBar } from '../../src/embeds/server-state.ts';
import { languageOf, locales } from '../../src/locales/language.ts';

const language = languageOf('en-US');

describe('figures', () => {
  it('read as the service writes them, but for days, which are hours', () => {
    expect(formatMetric(language, 'seconds', 13 * 86_400 + 3_599)).toBe('312h');
    const values = [0.4, 1, 45, 60, 3599, 3600, 86_399];
    for (const code of metricCodes) {
      const { unit } = metrics[code];
      for (const value of unit === 'seconds' ? values : [...values, 98_765_432.5]) {
        const whole = unit === 'meters' ? `${language.number(value, 1)} m` : formatMetricValue(unit, value);
        expect(formatMetric(language, unit, value)).toBe(whole);
      }
    }
  });

  it('have a sign of their own on each board', () => {
    expect(new Set(Object.values(metrics).map(({ sign }) => sign)).size).toBe(metricCodes.length);
  });

  it('leave nothing that is zero in what people set', () => {
    expect([60, 90, 240, 1500].map((minutes) => period(language, minutes))).toEqual([
      '1h',
      '1h 30m',
      '4h',
      '1d 1h',
    ]);
  });
});

describe('a map', () => {
  it.each([
    ['chernarusplus', 'Chernarus'],
    ['ENOCH', 'Livonia'],
    ['sakhal', 'Sakhal'],
    ['takistanplus', 'Takistan'],
    ['dayzOffline.chernarusplus', 'Chernarus'],
    ['my_own*map', 'my\\_own\\*map'],
    ['', null],
    [null, null],
  ])('%j is called %j', (map, name) => {
    expect(mapName(map)).toBe(name);
  });
});

describe('the bar of players', () => {
  it('shows one player, and is full only when the server is', () => {
    const filled = (players: number, max: number) => playerBar(players, max).replaceAll('▱', '').length;
    expect([
      filled(0, 60),
      filled(1, 60),
      filled(30, 60),
      filled(59, 60),
      filled(60, 60),
      filled(70, 60),
    ]).toEqual([0, 1, 6, 11, 12, 12]);
  });
});

describe('a language', () => {
  it('falls back to English where no texts exist', () => {
    expect(languageOf('xx').locale).toBe('en-US');
  });

  it('knows plurals', () => {
    expect(language.t('more', { count: 1 })).toBe('…and 1 more');
    expect(language.t('bans.count', { count: 1 })).toBe('**1** active ban');
    expect(language.t('bans.count', { count: 1234 })).toBe('**1,234** active bans');
  });

  it("puts other people's text in as it is, whatever it looks like", () => {
    const hostile = '$t(more) {{count}} $& <b> &amp;';
    expect(language.t('failure.unknownServer', { server: hostile })).toBe(
      `There is no server called “${hostile}” here.`,
    );
  });
});

describe('how far away a moment is', () => {
  const hourMs = 3_600_000;
  const now = Date.parse('2026-11-27T22:30:00Z');
  const of = (tag: string, ms: number): string =>
    relativeTime(languageOf(tag), now + ms, now).replaceAll('\u00a0', ' ');

  it('is in hours and minutes below a day, in the short units of the language', () => {
    const ms = 3.72 * hourMs;
    expect(locales.map((tag) => [tag, of(tag, ms), of(tag, -ms)])).toEqual([
      ['en-US', 'in 3h 43m', '3h 43m ago'],
      ['de', 'in 3 h 43 min', 'vor 3 h 43 min'],
      ['es-ES', 'dentro de 3 h 43 min', 'hace 3 h 43 min'],
      ['fr', 'dans 3 h 43 min', 'il y a 3 h 43 min'],
      ['pl', 'za 3 godz. 43 min', '3 godz. 43 min temu'],
      ['pt-BR', 'em 3h 43min', 'há 3h 43min'],
      ['ru', 'через 3 ч 43 мин', '3 ч 43 мин назад'],
      ['uk', 'через 3 год 43 хв', '3 год 43 хв тому'],
    ]);
    expect(of('en-US', 2 * hourMs)).toBe('in 2h');
    expect(of('en-US', 53.4 * 60_000)).toBe('in 53m');
  });

  it('is this minute at the end', () => {
    expect(of('en-US', 29_000)).toBe('this minute');
    expect(of('de', -29_000)).toBe('in dieser Minute');
  });

  it('is in days above, rounded as Discord does, and not tomorrow where it may be on the day after', () => {
    expect(of('en-US', 26 * hourMs)).toBe('in 1 day');
    expect(of('de', 68 * hourMs)).toBe('in 3 Tagen');
    expect(of('ru', -26 * hourMs)).toBe('1 день назад');
    expect(of('en-US', 24 * hourMs - 20_000)).toBe('in 1 day');
  });
});
