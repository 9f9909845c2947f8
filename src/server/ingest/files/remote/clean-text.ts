/** Longer messages are cut; a hostile server may send any length. */
const maxCharacters = 500;

/** A message that quotes a server: on one line, of bounded length, and without secrets. */
export function cleanText(text: string, secrets: readonly (string | undefined)[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== undefined && secret !== '') clean = clean.replaceAll(secret, '…');
  }
  clean = clean.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return clean.length > maxCharacters ? `${clean.slice(0, maxCharacters)}…` : clean;
}
