import { ServiceError } from '../api/client-types.ts';
import { parseIdentifier } from '../api/identifiers.ts';
import { unknownPlayerEmbed } from '../embeds/failure.ts';
import { linkedEmbed, unlinkedEmbed } from '../embeds/link.ts';
import type { ComponentContext, Reply } from './command.ts';
import { privateReply } from './replies.ts';

/*
 * Members link themselves to a player. The link is not verified and only affects the own rank that `/top` shows.
 */

/** Null: the text is not an identifier, or links are not available. */
export function link(
  { client, ports, asker, language }: ComponentContext,
  text: string,
): Promise<Reply> | null {
  const parsed = parseIdentifier(text);
  const { links } = ports;
  if (parsed === null || links === undefined) return null;
  const identifier = parsed.value;
  const replied = async (): Promise<Reply> => {
    try {
      // The button may be older than the wish to be forgotten.
      await client.getPlayer({ identifier });
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'not_found')) throw error;
      return privateReply(unknownPlayerEmbed(language, parsed));
    }
    await links.set(asker.userId, identifier);
    return privateReply(linkedEmbed(language, identifier));
  };
  return replied();
}

export async function unlink({ ports, asker, language }: ComponentContext): Promise<Reply> {
  await ports.links?.remove(asker.userId);
  return privateReply(unlinkedEmbed(language));
}
