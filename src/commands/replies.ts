import type { APIEmbed } from 'discord.js';
import type { Client } from '../api/client-types.ts';
import { brandingOf, type Branding } from '../embeds/branding.ts';
import { fit } from '../embeds/limits.ts';
import type { Reply } from './command.ts';

/** An answer within Discord's limits. */
export function reply(...embeds: APIEmbed[]): Reply {
  return { embeds: fit(embeds) };
}

/** An answer that only the asker sees, such as an error. */
export function privateReply(...embeds: APIEmbed[]): Reply {
  return { embeds: fit(embeds), visibility: 'private' };
}

/** The project's branding; null if it cannot be read, since answers work without it. */
export async function readBranding(client: Client): Promise<Branding | null> {
  try {
    return brandingOf((await client.getProject()).data);
  } catch {
    return null;
  }
}
