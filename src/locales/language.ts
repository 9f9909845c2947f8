import { createInstance } from 'i18next';
import { LRUCache } from 'lru-cache';
import { type Locale, locales, resolveTag, variants } from './tags.ts';
import { defaultLocale, textsOf, type TextKey } from './texts.ts';

export { isSupported, type Locale, locales } from './tags.ts';
export { defaultLocale, type TextKey } from './texts.ts';

/** Returns a text in one language. Values are inserted unescaped, so escape user-supplied text first. */
type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** Texts and formats of one locale. */
export interface Language {
  /** BCP 47 tag, for Intl. */
  locale: string;
  t: Translate;
  /** Formats a number with at most `decimals` decimals (default 0). */
  number(value: number, decimals?: number): string;
  /** `a, b and c`; as alternatives: `a, b or c`. */
  list(items: readonly string[], type?: 'conjunction' | 'disjunction'): string;
}

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

/** Cached texts per language. An answer has dozens of texts, and most of them repeat. */
const cachedTexts = 2_000;

const known = new Map<string, Language>();

/** The language of a Discord locale or any other tag; English if there are no texts for it. */
export function languageOf(locale: string): Language {
  const chosen = resolveTag(locale) ?? defaultLocale;
  let language = known.get(chosen);
  if (!language) {
    language = createLanguage(chosen);
    known.set(chosen, language);
  }
  return language;
}

/** The translations of a text that differ from English, by locale, as Discord expects them for commands. */
export function translationsOf(key: TextKey): Partial<Record<Locale, string>> {
  const original = languageOf(defaultLocale).t(key);
  const others = locales
    .map((locale) => [locale, languageOf(locale).t(key)] as const)
    .filter(([, text]) => text !== original);
  return Object.fromEntries(others);
}

export function isTextKey(key: string): key is TextKey {
  return translator.exists(key, { lng: defaultLocale });
}

function createLanguage(locale: string): Language {
  const translate = translator.getFixedT(locale) as unknown as (
    key: string,
    values?: Readonly<Record<string, string | number>>,
  ) => string;
  const texts = new LRUCache<string, string>({ max: cachedTexts });
  const formats = new Map<number, Intl.NumberFormat>();
  const lists = {
    conjunction: new Intl.ListFormat(locale, { type: 'conjunction' }),
    disjunction: new Intl.ListFormat(locale, { type: 'disjunction' }),
  };
  return {
    locale,
    t(key, values) {
      const cacheKey = values === undefined ? key : `${key} ${JSON.stringify(values)}`;
      let text = texts.get(cacheKey);
      if (text === undefined) {
        text = translate(key, values);
        texts.set(cacheKey, text);
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
