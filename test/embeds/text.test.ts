import { describe, expect, it } from 'vitest';
import { clean, code, cutMarkdown, escaped, linesWithin, plain } from '../../src/embeds/text.ts';
import { languageOf } from '../../src/locales/language.ts';
import { readMarkdown } from './discord-markdown.ts';
import { hostileTexts } from './hostile-texts.ts';

describe("other people's text", () => {
  it.each([
    ['**bold**', '\\*\\*bold\\*\\*'],
    ['# heading', '\\# heading'],
    ['-# small', '\\-# small'],
    ['> quote', '\\> quote'],
    ['1. item', '1\\. item'],
    ['[a](https://b)', '\\[a\\](https\\://b)'],
    ['<@123>', '\\<@\u200b123\\>'],
    ['@everyone', '@\u200beveryone'],
    ['<t:1:R>', '\\<t\\:1\\:R\\>'],
    ['||spoiler||', '\\|\\|spoiler\\|\\|'],
    [':skull: :thumbs_up:', '\\:skull: \\:thumbs\\_up:'],
    ['Team: North', 'Team: North'],
    ['discord.gg/nitro', 'discord\\.gg/nitro'],
    ['(DISCORD.COM/invite/nitro)', '(DISCORD\\.COM/invite/nitro)'],
    ['www.evil.example/x', 'www\\.evil\\.example/x'],
    ['v1.2 Mr. X ... 127.0.0.1', 'v1.2 Mr. X ... 127.0.0.1'],
    ['\\*', '\\\\\\*'],
    ['Northwood | Chernarus #1', 'Northwood | Chernarus #1'],
  ])('shows %j as it is written', (text, shown) => {
    expect(escaped(text)).toBe(shown);
  });

  it('keeps nothing that Discord would give a meaning', () => {
    for (const text of hostileTexts(600)) {
      const shown = escaped(text, 64);
      expect(shown.length).toBeLessThanOrEqual(64);
      expect(readMarkdown(shown).constructs).toEqual([]);
      expect(shown).not.toMatch(/@[^\u200b]|\n/);
      expect(shown).not.toMatch(/(?<!\\)(\\\\)*\\$/);
    }
  });

  it('shows that it was cut, and cuts no character in two', () => {
    const family = '👨‍👩‍👧‍👦';
    const shown = escaped(family.repeat(10), 40);
    expect(shown.endsWith('…')).toBe(true);
    expect(shown.slice(0, -1).replaceAll(family, '')).toBe('');
    expect(escaped('*'.repeat(50), 20)).toBe(`${'\\*'.repeat(9)}…`);
    expect(plain('a'.repeat(101), 100)).toBe(`${'a'.repeat(99)}…`);
  });

  it('does not let direction marks reorder what stands around a name', () => {
    expect(escaped('\u202eevil')).toBe('evil');
    expect(escaped('שלום')).toBe('\u2068שלום\u2069');
  });

  it('counts a name of invisible characters as none', () => {
    for (const text of ['', ' \t', '\u200b\u2060', '\u3164\u3164', '\u2800', '\u200d', '\u00ad']) {
      expect(escaped(text)).toBe('');
    }
  });

  it('takes time in proportion to its length, also where it is all joiners', () => {
    // By the square of its length it would take minutes, longer than a test may.
    expect(clean(`a${'\u200d'.repeat(200_000)}b \u200d`)).toHaveLength(200_002);
  });

  it('is one line with single spaces, in whatever script', () => {
    expect([' a  b   c ', ' ж  б\n\tв ', 'a\nb'].map(clean)).toEqual(['a b c', 'ж б в', 'a b']);
  });

  it('takes the towers of marks off letters', () => {
    expect(clean(`a${'\u0301'.repeat(50)}b`)).toBe(`a${'\u0301'.repeat(3)}b`);
  });

  it('does not let a name leave inline code', () => {
    expect(code('a`b``c')).toBe("`a'b''c`");
    expect(code('')).toBe('` `');
  });
});

describe('a list that is too long', () => {
  const english = languageOf('en-US');

  it('ends at a whole line and says how many are missing', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    const text = linesWithin(english, lines, 60);
    expect(text.length).toBeLessThanOrEqual(60);
    const kept = text.split('\n').slice(0, -1);
    expect(kept).toEqual(lines.slice(0, kept.length));
    expect(text.endsWith(`…and ${50 - kept.length} more`)).toBe(true);
  });

  it('counts what was left off before', () => {
    expect(linesWithin(english, ['a'], 100, 7)).toBe('a\n…and 7 more');
    expect(linesWithin(english, ['a'], 100)).toBe('a');
  });

  it('is cut outside of escapes and tags', () => {
    expect(cutMarkdown('abc\\*def', 5)).toBe('abc…');
    expect(cutMarkdown('at <t:1234567890:R>', 10)).toBe('at …');
  });
});
