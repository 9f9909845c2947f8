import { createInstance } from 'i18next';
import { LRUCache } from 'lru-cache';
import { defaultLocale, locales, textsOf, type Locale, type TextKey } from './texts.ts';

export { defaultLocale, locales, type Locale, type TextKey } from './texts.ts';

/** A text in one language. Values are put in as they are: escape other people's text first. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** How one locale says things. */
export interface Language {
  /** BCP 47 tag, for Intl. */
  locale: string;
  t: Translate;
  /** Grouped as the locale does it, at most `decimals` digits after the point (default 0). */
  number(value: number, decimals?: number): string;
  /** `a, b and c`; as alternatives: `a, b or c`. */
  list(items: readonly string[], type?: 'conjunction' | 'disjunction'): string;
}

/** Locales of Discord that read another's texts but write numbers, lists and days their own way. */
const variants: ReadonlyMap<string, Locale> = new Map([
  ['en-GB', 'en-US'],
  ['es-419', 'es-ES'],
]);

const translator = createInstance({
  fallbackLng: {
    ...Object.fromEntries([...variants].map(([variant, locale]) => [variant, [locale, defaultLocale]])),
    default: [defaultLocale],
  },
  load: 'currentOnly',
  initAsync: false,
  interpolation: { escapeValue: false },
  resources: Object.fromEntries(locales.map((locale) => [locale, { translation: textsOf(locale) }])),
});
void translator.init();

/** Sentences of a language that are kept: an answer holds dozens, most of them the same as in the one before. */
const mostSaid = 2_000;

const known = new Map<string, Language>();

/** The locale that stands in for any tag: itself, else one of the same language, else null. */
function resolve(locale: string): string | null {
  if (variants.has(locale)) return locale;
  const [language = ''] = locale.toLowerCase().split('-');
  return (
    locales.find((candidate) => candidate === locale) ??
    locales.find((candidate) => candidate.split('-')[0] === language) ??
    null
  );
}

/** Whether the bot speaks the language of this tag, in whatever variant. */
export function isSpoken(locale: string): boolean {
  return resolve(locale) !== null;
}

/** The language of a locale as Discord names it, or of any other tag; English where no texts exist for it. */
export function languageOf(locale: string): Language {
  const chosen = resolve(locale) ?? defaultLocale;
  let language = known.get(chosen);
  if (!language) {
    language = createLanguage(chosen);
    known.set(chosen, language);
  }
  return language;
}

/** One text in every language that says it in its own way, by locale, as Discord takes the names of commands. */
export function translationsOf(key: TextKey): Partial<Record<Locale, string>> {
  const original = languageOf(defaultLocale).t(key);
  const others = locales
    .map((locale) => [locale, languageOf(locale).t(key)] as const)
    .filter(([, text]) => text !== original);
  return Object.fromEntries(others);
}

/** Whether there is a text of this name. */
export function isTextKey(key: string): key is TextKey {
  return translator.exists(key, { lng: defaultLocale });
}

function createLanguage(locale: string): Language {
  const translate = translator.getFixedT(locale) as unknown as (
    key: string,
    values?: Readonly<Record<string, string | number>>,
  ) => string;
  const said = new LRUCache<string, string>({ max: mostSaid });
  const formats = new Map<number, Intl.NumberFormat>();
  const lists = {
    conjunction: new Intl.ListFormat(locale, { type: 'conjunction' }),
    disjunction: new Intl.ListFormat(locale, { type: 'disjunction' }),
  };
  return {
    locale,
    t(key, values) {
      const sentence = values === undefined ? key : `${key} ${JSON.stringify(values)}`;
      let text = said.get(sentence);
      if (text === undefined) {
        text = translate(key, values);
        said.set(sentence, text);
      }
      return text;
    },
    number(value, decimals = 0) {
      let format = formats.get(decimals);
      if (!format) {
        format = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
        formats.set(decimals, format);
      }
      return format.format(value);
    },
    list: (items, type = 'conjunction') => lists[type].format(items),
  };
}
