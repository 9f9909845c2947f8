import { createHash } from 'node:crypto';

/* Discord limits a custom_id to 100 characters, so long ids and names stand in it as digests. They keep nothing secret. */

/** An id for a custom_id: unchanged if it is short and plain, or a digest already; otherwise a digest. */
export function shortRef(id: string): string {
  return /^~?[A-Za-z0-9._-]{1,32}$/.test(id) ? id : digestRef(id);
}

const digestLength = 17;

/** A ref that is short enough to share a custom_id with others. */
export const shorterRef = (ref: string): string => (ref.length > digestLength ? digestRef(ref) : ref);

/** Whether a ref of a custom_id is that of an id. */
export const isRefOf = (ref: string, id: string): boolean =>
  ref === shortRef(id) || (ref.startsWith('~') && ref === digestRef(id));

/** A digest of an id or name with a leading `~`, 17 characters. */
export function digestRef(id: string): string {
  return `~${createHash('sha256').update(id).digest('base64url').slice(0, 16)}`;
}
