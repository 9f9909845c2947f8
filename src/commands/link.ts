import { parseIdentifier } from '../api/identifiers.ts';
import { linkedEmbed, unlinkedEmbed } from '../embeds/link.ts';
import type { ComponentContext, Reply } from './command.ts';
import { privateReply } from './replies.ts';

/*
 * A member says which player they are. Nobody checks it, and nothing but their own rank on a board hangs on it.
 */

/** Null: the component names no player. */
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
