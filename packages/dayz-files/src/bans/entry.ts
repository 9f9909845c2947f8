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

/** Reads one at a time, so that a long list is not held twice. */
export function* eachLine<Part>(
  parts: readonly Part[],
  read: (part: Part) => BanLine,
): Generator<BanLine, void, void> {
  for (const part of parts) yield read(part);
}

export const guidPattern = /^[0-9a-f]{32}$/i;

/** The player of a DayZ id or SteamID64. */
export function identityOf(id: string): PlayerIds | null {
  if (dayzIdPattern.test(id)) return { dayzId: id };
  return steamIdPattern.test(id) ? { steamId64: id } : null;
}

/** The end of the year 9999, the latest that a date of RFC 3339 can say. */
const latestEnd = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A ban whose end is beyond the range of dates is permanent. */
export function endOrNever(end: number): number | null {
  return end > latestEnd ? null : end;
}

const maxReasonLength = 1000;

export function textOrNull(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return trimmed.length > maxReasonLength
    ? Buffer.from(trimmed.slice(0, maxReasonLength)).toString()
    : trimmed;
}

/** The content of a line; empty for a comment. */
export function contentOf(line: string): string {
  const content = line.replace(/^\uFEFF/, '').trim();
  return content.startsWith('//') ? '' : content;
}

/** A line of dashes or similar, which owners write between bans. */
export const isRuler = (line: string): boolean => /[-=*_#]{5}/.test(line);

/** The first word, and the rest. */
export function splitOnce(text: string): string[] {
  const at = text.search(/\s/);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at).trim()];
}
