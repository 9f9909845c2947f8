import { describe, expect, it } from 'vitest';
import { modalOf } from '../../src/bot/answers/form.ts';
import type { FormContext } from '../../src/commands/command.ts';
import { readServerForm, serverForm } from '../../src/commands/outpost/server-form.ts';
import { languageOf, locales } from '../../src/locales/language.ts';
import { findDirectGames } from '../../src/server/live/direct-games.ts';
import { modalFaults } from 'local-discord';

const ownerId = '11000000000000003030';

describe('the form for a server', () => {
  it.each(locales)('keeps within the limits of Discord for every game in %s', (locale) => {
    const language = languageOf(locale);
    const forms = findDirectGames().map((game) => modalOf(serverForm(language, game, ownerId)));
    expect(forms.flatMap((form) => modalFaults({ ...form }))).toEqual([]);
    // No title is cut before the game's name begins.
    expect(forms.filter(({ title }) => title.length < 15)).toEqual([]);
  });

  it.each([
    [
      { port: '2302', queryPort: '27016' },
      { port: 2302, queryPort: 27_016 },
    ],
    [
      { port: '2302', queryPort: '' },
      { port: 2302, queryPort: null },
    ],
    [{ port: '65535' }, { port: 65_535 }],
    [{ port: '65536' }, { badPort: '65536' }],
    [{ port: '0' }, { badPort: '0' }],
    [{ port: '' }, { badPort: '' }],
    [{ port: '-1' }, { badPort: '-1' }],
    [{ port: '1e3' }, { badPort: '1e3' }],
    [{ port: '0x1' }, { badPort: '0x1' }],
    [{ port: '２３０２' }, { badPort: '２３０２' }],
    [{ port: '2302', queryPort: 'steam' }, { badPort: 'steam' }],
  ])('reads %j', (typed: Record<string, string>, expected) => {
    const fields = (name: string): string => typed[name] ?? '';
    expect(readServerForm({ fields } as FormContext)).toMatchObject(expected);
  });
});
