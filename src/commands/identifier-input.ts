import { parseIdentifier, type Identifier } from '../api/identifiers.ts';
import { failureEmbed } from '../embeds/failure.ts';
import { code } from '../embeds/text.ts';
import type { Language } from '../locales/language.ts';
import type { Reply } from './command.ts';
import { privateReply } from './replies.ts';

const profileAddress = /^(?:https?:\/\/)?(?:www\.)?steamcommunity\.com\/profiles\/([0-9]{17})\/?$/i;
const knownPrefix = /^(?:steam(?:id)?(?:64)?|guid|be|battleye|cftools)\s*[:=]\s*/i;

/**
 * The identifier in what a member pasted. The service takes bare ones only; people paste them with the name of the tool
 * in front, or a Steam profile's address.
 */
export function readIdentifier(text: string): Identifier | null {
  const trimmed = text.trim();
  const bare = profileAddress.exec(trimmed)?.[1] ?? trimmed.replace(knownPrefix, '');
  return parseIdentifier(bare);
}

/** The answer to a text that is no identifier. */
export function badIdentifier(language: Language, text: string): Reply {
  return privateReply(
    failureEmbed(language, 'inputTitle', [
      language.t('failure.badIdentifier', { identifier: code(text, 60) }),
      language.t('failure.badIdentifierNext'),
    ]),
  );
}
