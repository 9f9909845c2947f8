import { describe, expect, it } from 'vitest';
import { locales, type Locale } from '../../src/locales/language.ts';
import { textsOf, type Texts } from '../../src/locales/texts.ts';
import { sourceTexts, unusedKeys } from './source-texts.ts';

const pluralForm = /_(zero|one|two|few|many|other)$/;

/** Every text of a locale by its whole name, plural form included. */
function flat(texts: Texts, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, text]) =>
      typeof text === 'string' ? [[`${path}${name}`, text] as const] : [...flat(text, `${path}${name}.`)],
    ),
  );
}

const english = flat(textsOf('en-US'));
const others = locales.filter((locale) => locale !== 'en-US');
const keyOf = (name: string) => name.replace(pluralForm, '');
const pluralKeys = new Set([...english.keys()].filter((name) => pluralForm.test(name)).map(keyOf));

/** The names that a locale needs: those of English, with the plural forms of its own grammar. */
function wanted(locale: Locale): string[] {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  return [...new Set([...english.keys()].map(keyOf))]
    .flatMap((key) => (pluralKeys.has(key) ? pluralCategories.map((form) => `${key}_${form}`) : [key]))
    .toSorted();
}

/** Whether a plural form of a locale stands for one number only, so that the number may be said in words. */
function isOneNumber(locale: Locale, name: string): boolean {
  const form = pluralForm.exec(name)?.[1];
  const rules = new Intl.PluralRules(locale);
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  return numbers.filter((number) => rules.select(number) === form).length === 1;
}

/** The English text that tells what a text has to hold. */
function original(locale: Locale, name: string): string {
  const many = english.get(`${keyOf(name)}_other`);
  return (isOneNumber(locale, name) ? english.get(name) : many) ?? many ?? english.get(name) ?? '';
}

/** What a text holds besides words: values and how they are written, and marks of Discord's markdown. */
function marks(text: string): string[] {
  return (text.match(/\{\{.*?\}\}|\*\*|`|\n|\(/g) ?? []).toSorted();
}

describe.each(locales)('texts in %s', (locale) => {
  const texts = flat(textsOf(locale));

  it('are complete, with every plural form of the language and none besides', () => {
    const expected = wanted(locale);
    const missing = expected.filter((name) => !texts.has(name));
    const besides = [...texts.keys()].filter((name) => !expected.includes(name));
    expect({ missing, besides }).toEqual({ missing: [], besides: [] });
  });

  it('say something', () => {
    expect([...texts].filter(([, text]) => text.trim() !== text || text === '')).toEqual([]);
  });

  it('hold the same values and marks as the English ones', () => {
    const wrong = [...texts].filter(([name, text]) => {
      const inWords = isOneNumber(locale, name);
      const relevant = (mark: string) => !(inWords && mark === '{{count, number}}');
      const expected = marks(original(locale, name)).filter(relevant);
      return marks(text).filter(relevant).join() !== expected.join();
    });
    expect(wrong).toEqual([]);
  });
});

describe('no text', () => {
  it('is left in English', () => {
    const words = (text: string) => text.replace(/\{\{[^}]*\}\}/g, '').match(/\p{L}{2,}/gu) ?? [];
    const left = others.flatMap((locale) =>
      [...flat(textsOf(locale))]
        .filter(([name, text]) => english.get(name) === text && words(text).length > 2)
        .map(([name]) => `${locale} ${name}`),
    );
    expect(left).toEqual([]);
  });

  it('is there for nobody', () => {
    expect(unusedKeys([...new Set([...english.keys()].map(keyOf))], sourceTexts())).toEqual([]);
  });
});
