import { latestBanEnd } from '../../../store/bans.ts';
import type { PersonIdentity } from '../../../store/players.ts';
import { dayzIdPattern, steamIdPattern } from '../../counting/game-ids.ts';

/** A ban as a game's file holds it. */
export interface BanEntry {
  /** Names the entry within its file: whom it bans. */
  key: string;
  /** NULL where a bare name is banned. */
  identity: PersonIdentity | null;
  playerName: string | null;
  reason: string | null;
  /** Epoch milliseconds; NULL: permanent. */
  expiresAt: number | null;
}

/**
 * What a line or record of a ban file is: the ban of a player or of an address; `nobody`: a line of the format that bans
 * nobody, such as an example; `foreign`: something that the format never has.
 */
export type BanLine = BanEntry | 'address' | 'nobody' | 'foreign' | 'empty';

/** A ban cannot be written into a file of that format; the message says what is missing. */
export class UnwritableBan extends Error {
  override name = 'UnwritableBan';
}

/** @param id what the format needs of the player; @param remedy by what the player can be banned instead */
export function missingId(id: string, remedy: string): UnwritableBan {
  return new UnwritableBan(
    `no ${id} of the player is known: ban the player by ${remedy}, or wait until a log names it`,
  );
}

export const guidPattern = /^[0-9a-f]{32}$/i;

/** The player of a DayZ id or SteamID64. */
export function identityOf(id: string): PersonIdentity | null {
  if (dayzIdPattern.test(id)) return { dayzId: id };
  return steamIdPattern.test(id) ? { steamId64: id } : null;
}

/** An end that no calendar reaches is none. */
export function endOrNever(end: number): number | null {
  return end > latestBanEnd ? null : end;
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

/** A line of dashes or the like, as owners write between bans. */
export const isRuler = (line: string): boolean => /[-=*_#]{5}/.test(line);

/** The first word, and the rest. */
export function splitOnce(text: string): string[] {
  const at = text.search(/\s/);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at).trim()];
}

/** A reason is somebody's text: in a file of lines it must stay in its line. */
export function oneLine(reason: string | null): string {
  return (reason ?? '').replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
