import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** The supported content codings, best first. */
const contentCodings = ['br', 'gzip'] as const;

export type ContentCoding = (typeof contentCodings)[number];

/** Smaller bodies fit into one packet uncompressed. */
export const compressFromBytes = 1024;

/** Pictures but for SVG. */
export const isCompressed = (contentType: string): boolean => /^image\/(?!svg)/.test(contentType);

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

export async function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'gzip') return await deflate(body);
  // Quality 5 is as fast as gzip and a fifth smaller; the default of 11 takes forty times as long.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return await brotli(body, { params });
}

const preferences = new LRUCache<string, readonly ContentCoding[]>({ max: 200 });

/**
 * The codings that an Accept-Encoding header (RFC 9110, section 12.5.3) prefers to an uncompressed body, best first.
 * None without the header.
 */
export function wantedCodings(header: string | undefined): readonly ContentCoding[] {
  if (header === undefined) return [];
  let wanted = preferences.get(header);
  if (wanted === undefined) preferences.set(header, (wanted = readPreference(header)));
  return wanted;
}

function readPreference(header: string): readonly ContentCoding[] {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((text) => /^q\s*=/.test(text))?.replace(/^q\s*=\s*/, '');
    const weight = q === undefined ? 1 : Number(q);
    if (coding !== '') weights.set(coding, weight >= 0 && weight <= 1 ? weight : 0);
  }
  const other = weights.get('*') ?? 0;
  const weightOf = (coding: string): number =>
    weights.get(coding) ?? (coding === 'gzip' ? weights.get('x-gzip') : undefined) ?? other;
  // Uncompressed is acceptable without being listed; it is the last choice, unless it has a weight.
  const identity = weights.get('identity') ?? 0;
  return contentCodings
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= identity)
    .toSorted((a, b) => weightOf(b) - weightOf(a));
}
