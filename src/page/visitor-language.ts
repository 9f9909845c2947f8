import { LRUCache } from 'lru-cache';
import { defaultLocale, isSupported, languageOf, type Language } from '../locales/language.ts';

const chosen = new LRUCache<string, Language>({ max: 500 });
const longestHeader = 200;

/** The language that an Accept-Language header (RFC 9110, section 12.5.4) prefers among those that have texts. */
export function preferredLanguage(header: string | undefined): Language {
  const text = (header ?? '').slice(0, longestHeader);
  let language = chosen.get(text);
  if (language === undefined) chosen.set(text, (language = languageOf(preferredTag(text))));
  return language;
}

function preferredTag(header: string): string {
  const wanted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((piece) => /^q\s*=/i.test(piece))?.replace(/^q\s*=\s*/i, '');
    return { tag, weight: q === undefined ? 1 : Number(q) || 0 };
  });
  const best = wanted
    .toSorted((one, other) => other.weight - one.weight)
    .find(({ tag, weight }) => weight > 0 && isSupported(tag));
  return best?.tag ?? defaultLocale;
}

/** `de`, `pt`: no two locales that have texts share a language. */
export function shortTag(locale: string): string {
  return locale.split('-')[0] ?? defaultLocale;
}
