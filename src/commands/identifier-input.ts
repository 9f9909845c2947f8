import { parseIdentifier, type Identifier } from '../api/identifiers.ts';
import { escaped } from '../embeds/text.ts';
import type { Language } from '../locales/language.ts';
import { choicesFor, type Choice } from './choices.ts';
import type { AutocompleteContext, Reply } from './command.ts';
import type { CommandOption } from './definition.ts';
import { readKnownPlayers } from './known-players.ts';
import { failureReply } from './replies.ts';

export const identifierOption = {
  type: 'String',
  name: 'identifier',
  min_length: 1,
  max_length: 100,
} as const satisfies CommandOption;

/** For commands of moderators: the choices have identifiers as their values, which only moderators may see. */
export async function completeIdentifier({ client, focused }: AutocompleteContext): Promise<Choice[]> {
  const known = await readKnownPlayers(client);
  return choicesFor(
    known.map(({ identifier, name }) => ({ id: identifier?.value ?? name, name })),
    focused.value,
  );
}

/** A SteamID64 is this number plus the account number. */
const firstSteamId64 = 76_561_197_960_265_728n;
/** Older notations of a Steam account: `STEAM_0:1:28429162`, `[U:1:56858325]`. */
const steamId2 = /^STEAM_[01]:([01]):([0-9]{1,10})$/i;
const steamId3 = /^\[?U:1:([0-9]{1,10})\]?$/i;
const profileAddress = /^(?:https?:\/\/)?(?:www\.)?steamcommunity\.com\/profiles\/([0-9]{17})(?:[/?#].*)?$/i;
const knownPrefix = /^(?:steam(?:id)?(?:64)?|guid|be|battleye|cftools)\s*[:=]\s*/i;

/**
 * Parses an identifier as members paste it: with a tool's prefix, as a Steam profile URL, or in an older Steam notation.
 * The service accepts bare identifiers only.
 */
export function readIdentifier(text: string): Identifier | null {
  const trimmed = text.trim();
  const account = accountOf(trimmed);
  if (account !== null) return parseIdentifier(String(firstSteamId64 + account));
  const bare = profileAddress.exec(trimmed)?.[1] ?? trimmed.replace(knownPrefix, '');
  return parseIdentifier(bare);
}

function accountOf(text: string): bigint | null {
  const [, low, high] = steamId2.exec(text) ?? [];
  if (low !== undefined && high !== undefined) return BigInt(high) * 2n + BigInt(low);
  const [, account] = steamId3.exec(text) ?? [];
  return account === undefined ? null : BigInt(account);
}

/** What members take for an identifier: many digits, an older notation of Steam, an address or a tool's prefix. */
const likeIdentifier = /^(?:[0-9]{8,}|[0-9a-f]{16,}|STEAM_.*|\[U:.*|.*steamcommunity\.com.*)$/i;

/** The answer to a text that is neither an identifier nor the name of a known player. */
export function unknownNameOrIdentifier(language: Language, text: string): Reply {
  const trimmed = text.trim();
  if (likeIdentifier.test(trimmed) || knownPrefix.test(trimmed)) return badIdentifier(language, text);
  return failureReply(
    language,
    'notFoundTitle',
    language.t('failure.unknownName', { name: escaped(text, 60) }),
    language.t('failure.unknownNameNext'),
  );
}

export function badIdentifier(language: Language, text: string): Reply {
  return failureReply(
    language,
    'inputTitle',
    language.t('failure.badIdentifier', { identifier: escaped(text, 60) }),
    language.t('failure.badIdentifierNext'),
  );
}
