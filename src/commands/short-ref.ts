import { createHash } from 'node:crypto';

/** An id as it stands in a custom_id: itself where it is short and plain, otherwise a digest of it behind `~`. */
export function shortRef(id: string): string {
  if (/^[A-Za-z0-9._-]{1,32}$/.test(id)) return id;
  return `~${createHash('sha256').update(id).digest('base64url').slice(0, 16)}`;
}
