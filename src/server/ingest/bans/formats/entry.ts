import { latestBanEnd } from '../../../store/repositories/bans/bans.ts';
import type { PersonIdentity } from '../../../store/repositories/players/person-identity.ts';
import { dayzIdPattern, steamIdPattern } from '../../counting/game-ids.ts';

export type { BanByHand } from '../../../store/repositories/bans/ban-writes.ts';
export type { PersonIdentity } from '../../../store/repositories/players/person-identity.ts';

export interface BanEntry {
  /** Identifies the entry within its file by the player. */
  key: string;
  /** NULL: a bare name is banned. */
  identity: PersonIdentity | null;
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

/**
 * A ban file in which single lines or records are changed; everything else stays the same, byte for byte. A line's or
 * record's place is its number, from 0.
 */
export interface EditableBanFile {
  /** Parses each line or record in turn. To be used before a change. */
  read(): Iterable<BanLine>;
  /** Parses a line or record in the form that the format's `format` returns. */
  parse(text: string): BanLine;
  /** Null removes what is there. */
  put(place: number, text: string | null): void;
  /** Appends a line or record. @returns its place */
  push(text: string): number;
  bytes(): Buffer;
}

/** Parses one at a time, so that a long list is not held twice. */
export function* eachLine<Part>(
  parts: readonly Part[],
  parse: (part: Part) => BanLine,
): Generator<BanLine, void, void> {
  for (const part of parts) yield parse(part);
}

/** A ban cannot be written in that format; the message says what is missing. */
export class UnwritableBan extends Error {
  override name = 'UnwritableBan';
}

/**
 * @param id the identifier that the format requires; @param remedy the format in which the player can be banned
 * instead
 */
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

/** A ban whose end is beyond the range of dates is permanent. */
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

/** A line of dashes or similar, which owners write between bans. */
export const isRuler = (line: string): boolean => /[-=*_#]{5}/.test(line);

/** The first word, and the rest. */
export function splitOnce(text: string): string[] {
  const at = text.search(/\s/);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at).trim()];
}

/** A reason can contain any text; in a file of lines it must stay on its line. The store has U+FFFD for U+0000. */
export function oneLine(reason: string | null): string {
  return (reason ?? '').replaceAll(/[\s\p{Cc}\u2028\u2029\uFFFD]+/gu, ' ').trim();
}
