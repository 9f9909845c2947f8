import type { APIEmbed } from 'discord.js';
import type { Client } from '../api/client-types.ts';
import { failureEmbed, whoseBotEmbed, type FailureTitle } from '../embeds/failure.ts';
import { fit } from '../embeds/limits.ts';
import type { Language, TextKey } from '../locales/language.ts';
import type { Reply } from './command.ts';
import type { Picture } from './interfaces/community.ts';
import { readBranding } from './reads.ts';

const mostNamed = 10;

/** An answer within Discord's limits. */
export function reply(...embeds: APIEmbed[]): Reply {
  return { embeds: fit(embeds) };
}

/** The same with a picture in its embed, where it could be drawn. */
export function pictured(embed: APIEmbed, picture: Picture | null): Reply {
  if (picture === null) return reply(embed);
  return { ...reply({ ...embed, image: { url: `attachment://${picture.name}` } }), files: [picture] };
}

/** An answer that only the asker sees. */
export function privateReply(...embeds: APIEmbed[]): Reply {
  return { embeds: fit(embeds), visibility: 'private' };
}

/** An error: what went wrong and what to do next, one sentence each. */
export function failureReply(language: Language, title: FailureTitle, ...sentences: string[]): Reply {
  return privateReply(failureEmbed(language, title, sentences));
}

/** The sentence that lists what there is, after a name that was not found. @param none the text where there is nothing */
export function availableText(language: Language, names: readonly string[], none: TextKey): string {
  if (names.length === 0) return language.t(none);
  return language.t('failure.available', { names: language.list(names.slice(0, mostNamed)) });
}

/** What this bot does not have, such as a bot on a service elsewhere, which reads no logs. */
export function unavailableReply(language: Language, why: TextKey): Reply {
  return failureReply(language, 'unavailableTitle', language.t(why));
}

/** One sentence, for those outside home guilds: whose bot this is. @param client left out: there is no project */
export async function whoseBot(
  language: Language,
  client: Client | undefined,
  pageUrl: string | null,
): Promise<Reply> {
  const branding = client === undefined ? null : await readBranding(client);
  return privateReply(whoseBotEmbed(language, branding?.name ?? null, pageUrl));
}
