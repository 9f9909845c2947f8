import { hash } from 'node:crypto';

/** A strong entity tag of a body's bytes. */
export function entityTag(body: Buffer, suffix = ''): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}${suffix}"`;
}

/**
 * Whether an If-None-Match header (RFC 9110, section 13.1.2) names a tag: `*`, or a list of tags, compared weakly.
 */
export function noneMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag || header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
  return tags.some((one) => one === tag || one === `W/${tag}`);
}
