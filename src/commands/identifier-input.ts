import { parseIdentifier, type Identifier } from '../api/identifiers.ts';
import { failureEmbed } from '../embeds/failure.ts';
import { foreign } from '../embeds/text.ts';
import type { Language } from '../locales/language.ts';
import type { Reply } from './command.ts';
import { privateReply } from './replies.ts';

/** A SteamID64 is this and an account's number. */
const firstSteamId64 = 76_561_197_960_265_728n;
/** The older ways in which Steam and its tools write an account: `STEAM_0:1:28429162`, `[U:1:56858325]`. */
const steamId2 = /^STEAM_[01]:([01]):([0-9]{1,10})$/i;
const steamId3 = /^\[?U:1:([0-9]{1,10})\]?$/i;
const profileAddress = /^(?:https?:\/\/)?(?:www\.)?steamcommunity\.com\/profiles\/([0-9]{17})\/?$/i;
const knownPrefix = /^(?:steam(?:id)?(?:64)?|guid|be|battleye|cftools)\s*[:=]\s*/i;

/**
 * The identifier in what a member pasted. The service takes bare ones only; people paste them with the name of the tool
 * in front, a Steam profile's address, or an account in Steam's older ways.
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

/** The answer to a text that is no identifier. */
export function badIdentifier(language: Language, text: string): Reply {
  return privateReply(
    failureEmbed(language, 'inputTitle', [
      language.t('failure.badIdentifier', { identifier: foreign(text, 60) }),
      language.t('failure.badIdentifierNext'),
    ]),
  );
}
