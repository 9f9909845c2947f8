import type { APIEmbed } from 'discord.js';
import { ServiceError, type Client } from '../api/client-types.ts';
import { brandingOf, type Branding } from '../embeds/branding.ts';
import { failureEmbed, type FailureTitle } from '../embeds/failure.ts';
import { fit } from '../embeds/limits.ts';
import type { Language } from '../locales/language.ts';
import type { Reply } from './command.ts';

/** An answer within Discord's limits. */
export function reply(...embeds: APIEmbed[]): Reply {
  return { embeds: fit(embeds) };
}

/** An answer that only the asker sees. */
export function privateReply(...embeds: APIEmbed[]): Reply {
  return { embeds: fit(embeds), visibility: 'private' };
}

/** An error: what went wrong and what to do next, one sentence each. */
export function failureReply(language: Language, title: FailureTitle, ...sentences: string[]): Reply {
  return privateReply(failureEmbed(language, title, sentences));
}

/** For what the bot has besides the service, which says so itself. @throws ServiceError while the project is suspended */
export async function demandOpenProject(client: Client): Promise<void> {
  await client.getProject().catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'project_suspended') throw error;
  });
}

/** The project's branding; null if it cannot be read, since answers work without it. */
export async function readBranding(client: Client): Promise<Branding | null> {
  try {
    return brandingOf((await client.getProject()).data);
  } catch {
    return null;
  }
}
