import { describe, expect, it } from 'vitest';
import { offsetOf, offsetText, zonesWith } from '../../src/cli/time-zones.ts';

const hourMs = 3_600_000;
const winter = Date.UTC(2026, 0, 15, 12);
const summer = Date.UTC(2026, 6, 15, 12);

describe('the zones that a clock fits', () => {
  it.each([
    [1, winter, 'Europe/Berlin', 'Europe/Berlin'],
    [1, winter, 'America/New_York', 'Europe/Berlin'],
    [1, summer, 'America/New_York', 'Europe/London'],
    [0, winter, 'Europe/London', 'Europe/London'],
    [0, winter, 'Europe/Berlin', 'UTC'],
    [-5, winter, 'UTC', 'America/New_York'],
    [5.5, winter, 'UTC', 'Asia/Kolkata'],
  ])('of %d hours begin with the likeliest', (hours, at, own, likely) => {
    expect(zonesWith(hours * hourMs, at, own)[0]).toBe(likely);
  });

  it('are named places, never offsets, whose daylight saving would be missing', () => {
    for (const hours of [-11, -3, 3, 5.75, 13]) {
      const zones = zonesWith(hours * hourMs, winter, 'Etc/GMT+3');
      expect(zones.length).toBeGreaterThan(0);
      expect(zones.filter((zone) => zone.startsWith('Etc/'))).toEqual([]);
      for (const zone of zones) expect(offsetOf(zone, winter)).toBe(hours * hourMs);
    }
  });
});

it('words how far a clock is from UTC', () => {
  expect([0, hourMs, -5 * hourMs, 5.5 * hourMs].map(offsetText)).toEqual([
    'that of UTC',
    '1 hour ahead of UTC',
    '5 hours behind UTC',
    '5.5 hours ahead of UTC',
  ]);
});
