import type { Json } from '../discord-types.ts';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; of anything else, none. */
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Scheme of a well formed address, without its colon; empty: it is none. */
export function schemeOf(address: unknown): string {
  const text = String(address);
  return URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
}
