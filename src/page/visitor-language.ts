import { defaultLocale, isSupported, languageOf, type Language } from '../locales/language.ts';

const longestHeader = 200;

/**
 * The language that an Accept-Language header (RFC 9110, section 12.5.4) prefers among those that have texts.
 * @param only the language that the visitor chose: the header may name its variant
 */
export function preferredLanguage(header: string | undefined, only = ''): Language {
  return languageOf(preferredTag((header ?? '').slice(0, longestHeader), only));
}

function preferredTag(header: string, only: string): string {
  const wanted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const q = parameters.find((piece) => /^q\s*=/i.test(piece))?.replace(/^q\s*=\s*/i, '');
    return { tag, weight: q === undefined ? 1 : Number(q) || 0 };
  });
  const best = wanted
    .toSorted((one, other) => other.weight - one.weight)
    .find(
      ({ tag, weight }) =>
        weight > 0 && isSupported(tag) && (only === '' || shortTag(tag).toLowerCase() === only),
    );
  return best?.tag ?? (only || defaultLocale);
}

/** `de`, `pt`: no two locales that have texts share a language. */
export function shortTag(locale: string): string {
  return locale.split('-')[0] ?? defaultLocale;
}
