import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/locales/language.ts';
import { relativeTime } from '../../src/page/times.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-27T22:30:00Z');
const of = (tag: string, ms: number): string => relativeTime(languageOf(tag), now + ms, now);

describe('how far away a moment is', () => {
  it('does not call tomorrow what may be on the day after', () => {
    expect(of('en-US', 26 * hourMs)).toBe('in 1 day');
    expect(of('de', 49 * hourMs)).toBe('in 2 Tagen');
    expect(of('ru', -26 * hourMs)).toBe('1 день назад');
  });

  it('is in whole hours or minutes below, and this minute at the end', () => {
    expect(of('en-US', 1.9 * hourMs)).toBe('in 1 hour');
    expect(of('en-US', 53 * 60_000)).toBe('in 53 minutes');
    expect(of('en-US', 59_000)).toBe('this minute');
    expect(of('de', 59_000)).toBe('in dieser Minute');
  });
});
