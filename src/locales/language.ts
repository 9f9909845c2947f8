import { createInstance } from 'i18next';
import enUS from './en-US.json' with { type: 'json' };

type PluralSuffix = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type WithoutPlural<Key extends string> = Key extends `${infer Base}_${PluralSuffix}` ? Base : Key;
type KeysOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? WithoutPlural<Key>
    : `${Key}.${KeysOf<Texts[Key]>}`;
}[keyof Texts & string];

/** Name of a text, such as `status.title`; plural forms go by their common name and take a `count`. */
export type TextKey = KeysOf<typeof enUS>;

/** A text in one language. Values are put in as they are: escape other people's text first. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** How one locale says things. */
export interface Language {
  /** BCP 47 tag. */
  locale: string;
  t: Translate;
  /** Grouped as the locale does it, at most `decimals` digits after the point (default 0). */
  number(value: number, decimals?: number): string;
}

export const defaultLocale = 'en-US';

const texts = { 'en-US': enUS } as const satisfies Record<string, typeof enUS>;

/** The locales that have texts. */
export const locales = Object.keys(texts) as (keyof typeof texts)[];

const translator = createInstance({
  fallbackLng: defaultLocale,
  initAsync: false,
  interpolation: { escapeValue: false },
  resources: Object.fromEntries(locales.map((locale) => [locale, { translation: texts[locale] }])),
});
void translator.init();

const known = new Map<string, Language>();

/** The language of a locale as Discord names it; English where no texts exist for it. */
export function languageOf(locale: string): Language {
  const chosen = locales.find((candidate) => candidate === locale) ?? defaultLocale;
  let language = known.get(chosen);
  if (!language) {
    language = createLanguage(chosen);
    known.set(chosen, language);
  }
  return language;
}

function createLanguage(locale: string): Language {
  const translate = translator.getFixedT(locale) as unknown as (
    key: string,
    values?: Readonly<Record<string, string | number>>,
  ) => string;
  const formats = new Map<number, Intl.NumberFormat>();
  return {
    locale,
    t: (key, values) => translate(key, values),
    number(value, decimals = 0) {
      let format = formats.get(decimals);
      if (!format) {
        format = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
        formats.set(decimals, format);
      }
      return format.format(value);
    },
  };
}
