/** The locales that have texts, by their Discord tags. In a file of its own: the config names them, and texts take memory. */
export const locales = ['en-US', 'de', 'es-ES', 'fr', 'pl', 'pt-BR', 'ru', 'uk'] as const;

export type Locale = (typeof locales)[number];

/** Discord locales that use the texts of another locale but their own formats for numbers, lists and days. */
export const variants: ReadonlyMap<string, Locale> = new Map([
  ['en-GB', 'en-US'],
  ['es-419', 'es-ES'],
]);

/** The locale for a tag: the same, else one of the same language, else null. */
export function resolveTag(tag: string): string | null {
  if (variants.has(tag)) return tag;
  const [language = ''] = tag.toLowerCase().split('-');
  return (
    locales.find((candidate) => candidate === tag) ??
    locales.find((candidate) => candidate.split('-')[0] === language) ??
    null
  );
}

/** Whether the bot has texts in the language of this tag, in any variant. */
export function isSupported(tag: string): boolean {
  return resolveTag(tag) !== null;
}
