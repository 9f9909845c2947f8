import { parseIdentifier } from '../api/identifiers.ts';
import { linkedEmbed, unlinkedEmbed } from '../embeds/link.ts';
import type { ComponentContext, Reply } from './command.ts';
import { privateReply } from './replies.ts';

/*
 * Members link themselves to a player. The link is not verified and only affects the own rank that `/top` shows.
 */

/** Null: the text is not an identifier, or links are not available. */
export function link({ ports, asker, language }: ComponentContext, text: string): Promise<Reply> | null {
  const identifier = parseIdentifier(text)?.value;
  const { links } = ports;
  if (identifier === undefined || links === undefined) return null;
  const replied = async (): Promise<Reply> => {
    await links.set(asker.userId, identifier);
    return privateReply(linkedEmbed(language, identifier));
  };
  return replied();
}

export async function unlink({ ports, asker, language }: ComponentContext): Promise<Reply> {
  await ports.links?.remove(asker.userId);
  return privateReply(unlinkedEmbed(language));
}
