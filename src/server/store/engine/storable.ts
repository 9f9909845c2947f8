/**
 * PostgreSQL stores no U+0000 in text, and UTF-8 has no half of a surrogate pair. Both are replaced by U+FFFD, on either
 * engine.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string')
    return isStorable(value) ? value : value.replaceAll('\0', '\uFFFD').toWellFormed();
  return Array.isArray(value) ? value.map(storable) : value;
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** JSON without such characters. */
export function jsonOf(values: readonly unknown[]): string {
  const json = JSON.stringify(values);
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json;
  return JSON.stringify(values, (_, value: unknown) => storable(value));
}
