import { defaultLocale, isSupported, languageOf, type Language } from '../locales/language.ts';

export interface Visitor {
  language: Language;
  /** The language that the address names in `?lang=`; null: it names none, and the browser's counts. */
  chosen: string | null;
  query: URLSearchParams;
}

const longestQuery = 500;
const longestHeader = 200;

/** Reads who asks from a request. @param query what follows the `?` of the address */
export function visitorOf(acceptLanguage: string | undefined, query: string): Visitor {
  const parameters = new URLSearchParams(query.length > longestQuery ? '' : query);
  const asked = parameters.get('lang') ?? '';
  if (!isSupported(asked)) {
    return { language: preferredLanguage(acceptLanguage), chosen: null, query: parameters };
  }
  const named = languageOf(asked);
  const chosen = shortTag(named.locale);
  // `?lang=en` means any English: the one that the browser prefers, such as that of Britain.
  const language = asked === chosen ? preferredLanguage(acceptLanguage, chosen) : named;
  return { language, chosen, query: parameters };
}

/**
 * The language that an Accept-Language header (RFC 9110, section 12.5.4) prefers among those that have texts.
 * @param only tag of a language such as `en`: the choice is among its variants; empty: among all
 */
function preferredLanguage(header = '', only = ''): Language {
  const best = header
    .slice(0, longestHeader)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const q = parameters.find((piece) => /^q\s*=/i.test(piece))?.replace(/^q\s*=\s*/i, '');
      return { tag, weight: q === undefined ? 1 : Number(q) || 0 };
    })
    .filter(({ tag, weight }) => weight > 0 && isSupported(tag))
    .filter(({ tag }) => only === '' || shortTag(tag).toLowerCase() === only)
    .toSorted((one, other) => other.weight - one.weight)[0];
  return languageOf(best?.tag ?? (only || defaultLocale));
}

/** A locale's language, such as `pt` of `pt-BR`. It tells the locales that have texts apart. */
export function shortTag(locale: string): string {
  return locale.split('-')[0] ?? defaultLocale;
}
