import { type BanLine, banOf, identityOf } from './entry.ts';

/** No platform has names as long as this. */
const maxNameLength = 64;

/**
 * A line of the banned names in the settings of a server at Nitrado: the name of a player on the server's platform, without
 * comments. Names hold blanks and signs; some owners enter the player's id instead.
 */
export function readNitradoLine(line: string): BanLine {
  const name = line.trim();
  if (name === '') return 'empty';
  if (name.length > maxNameLength || /[\p{Cc}{}<>]/u.test(name)) return 'foreign';
  const identity = identityOf(name);
  return identity === null ? banOf(null, { playerName: name }) : banOf(identity);
}
