const longestSlug = 24;

/** Letters that are no others with a mark. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** A name as an id of the config: `[EU] Café North` becomes `eu-cafe-north`. Null: nothing of it can be kept. */
export function slugOf(name: string): string | null {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđı]/g, (letter) => spelled[letter] as string)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  if (slug.length <= longestSlug) return slug || null;
  const endOfWord = slug.lastIndexOf('-', longestSlug);
  return slug.slice(0, endOfWord > 0 ? endOfWord : longestSlug);
}

/** The name of a variable in `.env` for a secret of a server. */
export const variableOf = (id: string, secret: string): string =>
  `${/^[0-9]/.test(id) ? '_' : ''}${id}_${secret}`.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');

/** A display name for the config: one line, at most 100 characters, never empty. */
export function displayName(name: string, fallback: string): string {
  const line = name.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  // The cut may leave one half of a pair of UTF-16.
  return (
    line
      .slice(0, 100)
      .replace(/\p{Cs}$/u, '')
      .trim() || fallback
  );
}
