import { dayzIdPattern, type PlayerIds, steamIdPattern } from '../ids.ts';

/** A ban of one player. */
export interface BanEntry {
  /** Identifies the player within the file: the id, or `name:` and the name. */
  key: string;
  /** NULL: a bare name is banned. */
  identity: PlayerIds | null;
  playerName: string | null;
  reason: string | null;
  /** Epoch milliseconds; NULL: permanent. */
  expiresAt: number | null;
}

/**
 * The content of a line or record of a ban file: the ban of a player or of an address; `nobody`: a line of the format
 * that bans nobody, such as an example; `foreign`: something that the format never contains.
 */
export type BanLine = BanEntry | 'address' | 'nobody' | 'foreign' | 'empty';

export const guidPattern = /^[0-9a-f]{32}$/i;

/** A ban of a player by an id or, without one, by the name; permanent and without a reason unless it has more. */
export function banOf(
  identity: PlayerIds | null,
  more: Partial<Pick<BanEntry, 'playerName' | 'reason' | 'expiresAt'>> = {},
): BanEntry {
  const { playerName = null, reason = null, expiresAt = null } = more;
  const [id] = Object.values(identity ?? {}) as string[];
  return { key: id ?? `name:${playerName}`, identity, playerName, reason, expiresAt };
}

/** The player of a DayZ id or SteamID64. */
export function identityOf(id: string): PlayerIds | null {
  if (dayzIdPattern.test(id)) return { dayzId: id };
  return steamIdPattern.test(id) ? { steamId64: id } : null;
}

/** The end of the year 9999: RFC 3339 has no later date. */
const latestEnd = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A ban whose end is beyond the range of dates is permanent. */
export function endOrNever(end: number): number | null {
  return end > latestEnd ? null : end;
}

/** Characters of a reason or a name that are kept. */
const maxTextLength = 1000;

/** A reason or a name, trimmed and cut to a bounded length; NULL: it is empty. */
export function boundedText(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (trimmed.length <= maxTextLength) return trimmed;
  // A character of two UTF-16 units that was cut in half becomes U+FFFD, which every store takes.
  return Buffer.from(trimmed.slice(0, maxTextLength)).toString();
}
