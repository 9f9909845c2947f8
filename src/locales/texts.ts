import de from './de.json' with { type: 'json' };
import enUS from './en-US.json' with { type: 'json' };
import esES from './es-ES.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import ptBR from './pt-BR.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import uk from './uk.json' with { type: 'json' };
import type { Locale } from './tags.ts';

type PluralSuffix = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type WithoutPlural<Key extends string> = Key extends `${infer Base}_${PluralSuffix}` ? Base : Key;
type KeysOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? WithoutPlural<Key>
    : `${Key}.${KeysOf<Texts[Key]>}`;
}[keyof Texts & string];

/** Key of a text, such as `status.title`. Plural forms share one key and take a `count`. */
export type TextKey = KeysOf<typeof enUS>;

/** The nested texts of a locale's file. */
export interface Texts {
  readonly [name: string]: string | Texts;
}

export const defaultLocale = 'en-US' satisfies Locale;

/** All texts by Discord locale. English is complete; a test compares the others with it. */
const files = {
  'en-US': enUS,
  de,
  'es-ES': esES,
  fr,
  pl,
  'pt-BR': ptBR,
  ru,
  uk,
} as const satisfies Record<Locale, Texts>;

function find(texts: Texts, key: string): string {
  const found = key.split('.').reduce<string | Texts | undefined>((within, name) => {
    return typeof within === 'object' && Object.hasOwn(within, name) ? within[name] : undefined;
  }, texts);
  if (typeof found !== 'string') throw new Error(`a text refers to ${key}, which does not exist`);
  return found;
}

function expand(texts: Texts, all: Texts): Texts {
  const entries = Object.entries(texts).map(([name, text]) => {
    if (typeof text !== 'string') return [name, expand(text, all)] as const;
    return [name, text.replace(/\$t\(([\w.]+)\)/g, (_, key: string) => find(all, key))] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * The texts of a locale with every `$t(other.key)` replaced. This happens once and before values are inserted, so that a name
 * of a member or server is never treated as a reference.
 */
export function textsOf(locale: Locale): Texts {
  return expand(files[locale], files[locale]);
}
