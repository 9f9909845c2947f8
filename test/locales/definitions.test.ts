import * as spec from 'discord-api-spec/zod';
import { commandFaults } from 'local-discord';
import { describe, expect, it } from 'vitest';
import { commandDefinitions } from '../../src/commands/index.ts';
import { languageOf, locales, type Locale } from '../../src/locales/language.ts';
import { textsOf, type Texts } from '../../src/locales/texts.ts';

/** A command, subcommand or option as it is registered. */
interface DefinitionPart {
  name: string;
  name_localizations?: Record<string, string> | null;
  description?: string | undefined;
  description_localizations?: Record<string, string> | null;
  type?: number;
  required?: boolean;
  autocomplete?: boolean;
  options?: readonly DefinitionPart[] | undefined;
  choices?:
    | readonly { name: string; value: string | number; name_localizations?: Record<string, string> | null }[]
    | undefined;
}

/** A part of a command as members of one locale see it. */
function seenIn(locale: Locale, part: DefinitionPart): DefinitionPart {
  return {
    ...part,
    name: part.name_localizations?.[locale] ?? part.name,
    description: part.description_localizations?.[locale] ?? part.description,
    options: part.options?.map((option) => seenIn(locale, option)),
    choices: part.choices?.map((choice) => ({
      ...choice,
      name: choice.name_localizations?.[locale] ?? choice.name,
    })),
  };
}

/** Texts in a folder of a locale, by name. */
function folder(locale: Locale, name: string): [string, string][] {
  const found = textsOf(locale)[name] as Texts | undefined;
  return Object.entries(found ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** What Discord's schema refuses of a command, whose permissions the bot sends as a number. */
function issuesOf(command: object): unknown[] {
  const { default_member_permissions: permissions } = command as { default_member_permissions?: string };
  const body = { ...command, default_member_permissions: permissions ? Number(permissions) : null };
  return spec.ApplicationCommandUpdateRequestSchema.safeParse(body).error?.issues ?? [];
}

describe('commands', () => {
  it('are what Discord takes', () => {
    for (const definition of commandDefinitions) {
      expect(issuesOf(definition)).toEqual([]);
    }
  });

  it.each(locales)('have names, descriptions and choices within the limits in %s', (locale) => {
    const seen = commandDefinitions.map((definition) => seenIn(locale, definition as DefinitionPart));
    const issues = seen.flatMap(issuesOf);
    expect([...issues, ...commandFaults(seen)]).toEqual([]);
  });

  it('are described in every language', () => {
    const described = (part: DefinitionPart): number[] => [
      Object.keys(part.description_localizations ?? {}).length,
      ...(part.options ?? []).flatMap(described),
    ];
    const counts = commandDefinitions.flatMap((definition) => described(definition as DefinitionPart));
    expect(new Set(counts)).toEqual(new Set([locales.length - 1]));
  });
});

describe.each(locales)('labels in %s', (locale) => {
  it.each([
    ['button', 80],
    ['placeholder', 150],
    ['choice', 100],
    ['metric', 100],
    ['kind', 100],
  ])('of %s fit into %i characters', (name, max) => {
    expect(folder(locale, name).filter(([, text]) => text.length > max)).toEqual([]);
  });
});

describe('a locale', () => {
  it.each([
    ['de', 'de'],
    ['es-419', 'es-419'],
    ['en-GB', 'en-GB'],
    ['pt-PT', 'pt-BR'],
    ['uk-UA', 'uk'],
    ['ja', 'en-US'],
    ['', 'en-US'],
    ['__proto__', 'en-US'],
  ])('%j is answered in %s', (asked, spoken) => {
    expect(languageOf(asked).locale).toBe(spoken);
  });

  it('that shares the texts of another writes numbers its own way', () => {
    const values = { count: 1234567 };
    expect(languageOf('es-ES').t('online.count', values)).toBe('**1.234.567** jugadores conectados');
    expect(languageOf('es-419').t('online.count', values)).toBe('**1,234,567** jugadores conectados');
  });

  it.each([
    ['ru', ['1 игрок', '3 игрока', '5 игроков', '21 игрок', '112 игроков']],
    ['uk', ['1 гравець', '3 гравці', '5 гравців', '21 гравець', '112 гравців']],
    ['pl', ['1 gracz', '3 graczy', '5 graczy', '21 graczy', '112 graczy']],
    ['fr', ['1 joueur', '3 joueurs', '5 joueurs', '21 joueurs', '112 joueurs']],
  ])('%s counts as its grammar does', (locale, expected) => {
    const { t } = languageOf(locale);
    const said = [1, 3, 5, 21, 112].map((count) => `${count} ${t('status.playersWord', { count })}`);
    expect(said).toEqual(expected);
  });

  it('joins lists in its own way', () => {
    const said = locales.map((locale) => languageOf(locale).list(['A', 'B', 'C'], 'disjunction'));
    expect(said).toEqual([
      'A, B, or C',
      'A, B oder C',
      'A, B o C',
      'A, B ou C',
      'A, B lub C',
      'A, B ou C',
      'A, B или C',
      'A, B або C',
    ]);
  });
});
