import type { APIEmbed } from 'discord.js';
import type { Client } from '../api/client-types.ts';
import { brandingOf, type Branding } from '../embeds/branding.ts';
import { fit } from '../embeds/limits.ts';
import type { Reply } from './command.ts';

/** An answer, kept within Discord's limits. */
export function reply(...embeds: APIEmbed[]): Reply {
  return { embeds: fit(embeds) };
}

/** An answer that only who asked sees, such as what is wrong with an option. */
export function privateReply(...embeds: APIEmbed[]): Reply {
  return { embeds: fit(embeds), visibility: 'private' };
}

/** The project's looks. Null when they cannot be read: an answer without them is still an answer. */
export async function readBranding(client: Client): Promise<Branding | null> {
  try {
    return brandingOf((await client.getProject()).data);
  } catch {
    return null;
  }
}
