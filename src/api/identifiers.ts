import { createHash } from 'node:crypto';

/** The kinds of identifier by which the service finds a player. */
export const identifierKinds = ['steamId64', 'battleyeGuid', 'cftoolsId'] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

export interface Identifier {
  kind: IdentifierKind;
  /** Canonical spelling: digits, or hex in lower case. */
  value: string;
}

const patterns: Readonly<Record<IdentifierKind, RegExp>> = {
  steamId64: /^[0-9]{17}$/,
  battleyeGuid: /^[0-9a-f]{32}$/i,
  cftoolsId: /^[0-9a-f]{24}$/i,
};

/** All identifiers as one pattern of JSON Schema (no flags there, so both cases are spelled out). */
export const identifierPattern = Object.values(patterns)
  .map(({ source }) => source.replace('[0-9a-f]', '[0-9A-Fa-f]'))
  .join('|');

/** The accepted forms of an identifier, for error messages. */
export const identifierExpectation =
  'a SteamID64 (17 digits), a BattlEye GUID (32 hex digits) or a CFTools id (24 hex digits), without a prefix';

/** The kind and canonical spelling of an identifier without a prefix; null when the text is none of the three. */
export function parseIdentifier(text: string): Identifier | null {
  const kind = identifierKinds.find((each) => patterns[each].test(text));
  return kind === undefined ? null : { kind, value: text.toLowerCase() };
}

/** The first identifier that is known of a player; null: none is, as for players of consoles. */
export function identifierOf(player: Readonly<Record<IdentifierKind, string | null>>): Identifier | null {
  const kind = identifierKinds.find((each) => player[each] !== null);
  return kind === undefined ? null : { kind, value: player[kind]! };
}

/**
 * BattlEye GUID of a SteamID64: md5 of "BE" followed by the id as eight bytes, little-endian; 32 hex digits.
 * BattlEye documents no more than the result; the formula is right for all pairs found in real server logs.
 */
export function battleyeGuidOf(steamId64: string): string {
  const bytes = Buffer.alloc(10);
  bytes.write('BE', 'latin1');
  bytes.writeBigUInt64LE(BigInt(steamId64), 2);
  return createHash('md5').update(bytes).digest('hex');
}

/** DayZ's own player id (the `id=` of an admin log): base64url of sha256 over the SteamID64's digits, 44 characters. */
export function dayzIdOf(steamId64: string): string {
  return `${createHash('sha256').update(steamId64, 'latin1').digest('base64url')}=`;
}
