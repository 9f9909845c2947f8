/** PostgreSQL stores no U+0000 in text. It is replaced like the other characters that cannot be stored. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return Array.isArray(value) ? value.map(storable) : value;
}
