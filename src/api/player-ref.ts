import { createHmac } from 'node:crypto';

/** 96 bits. */
const refLength = 16;

/**
 * Names a player to people who must not learn the identifier. There are only about 2^31 SteamID64s, so a plain hash could be
 * reversed by trying all of them: the key of the store prevents that.
 * @param purpose what the reference is for; those of two purposes have nothing in common
 * @param who the identifier, or the name of a player without one
 */
export function playerRef(key: Buffer, purpose: string, who: string): string {
  return createHmac('sha256', key).update(`${purpose}\n${who}`).digest('base64url').slice(0, refLength);
}
