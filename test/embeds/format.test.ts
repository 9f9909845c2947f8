import { describe, expect, it } from 'vitest';
import { formatMetricValue, metricCodes, metrics } from '../../src/api/metrics.ts';
import { formatMetric, period } from '../../src/embeds/format.ts';
import { mapName } from '../../src/embeds/maps.ts';
import { playerBar } from '../../src/embeds/server-state.ts';
import { languageOf } from '../../src/locales/language.ts';

const language = languageOf('en-US');

describe('figures', () => {
  it('read as the service writes them', () => {
    const values = [0.4, 1, 45, 60, 3599, 3600, 86_400, 274_320, 1234, 98_765_432.5];
    for (const code of metricCodes) {
      const { unit } = metrics[code];
      for (const value of values) {
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
      '1d 1h 0m',
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
