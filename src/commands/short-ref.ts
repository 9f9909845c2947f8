import { createHash, randomBytes } from 'node:crypto';
import { playerRef } from '../api/player-ref.ts';
import type { Ports } from './ports/ports.ts';

/*
 * Ids of the owner's config (servers, ban lists) and names of weapons are no secrets: their digests have no key. Those of
 * players have one.
 */

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

/** A digest of an id with a leading `~`, 17 characters. */
function digestRef(id: string): string {
  return `~${createHash('sha256').update(id).digest('base64url').slice(0, 16)}`;
}

const processKey = randomBytes(32);

/** What names a player in place of the identifier, or of the name of a player without one, with a leading `~`. */
export function refOfPlayer({ playerRef: refOf }: Pick<Ports, 'playerRef'>, who: string): string {
  return `~${refOf?.(who) ?? playerRef(processKey, 'bot', who)}`;
}
