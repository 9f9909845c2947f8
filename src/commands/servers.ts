import { ApplicationCommandOptionType, type APIApplicationCommandStringOption } from 'discord.js';
import type { Answer, Client } from '../api/client-types.ts';
import type { Schedule, Server } from '../api/resources.ts';
import { failureEmbed } from '../embeds/failure.ts';
import { serverName } from '../embeds/status.ts';
import { foreign } from '../embeds/text.ts';
import type { Language } from '../locales/language.ts';
import { choicesFor, resolve } from './choices.ts';
import type { AutocompleteContext, Choice, Reply } from './command.ts';
import { privateReply } from './replies.ts';

/** The option by which a command is told a server. */
export function serverOption(description: string, required = false): APIApplicationCommandStringOption {
  const type = ApplicationCommandOptionType.String;
  return { type, name: 'server', description, autocomplete: true, ...(required && { required }) };
}

/** Servers to choose from while typing; none when the service cannot be asked. */
export async function completeServer({ client, focused }: AutocompleteContext): Promise<Choice[]> {
  try {
    return choicesFor((await client.listServers()).data.servers, focused.value);
  } catch {
    return [];
  }
}

/** The server that a member means, or the answer that tells why there is none. */
export function findServer(
  language: Language,
  servers: readonly Server[],
  text: string,
): { server: Server } | { refusal: Reply } {
  const match = resolve(servers, text);
  if ('found' in match) return { server: match.found };
  const names = (list: readonly Server[]) =>
    list
      .slice(0, 10)
      .map((server) => serverName(server))
      .join(', ');
  const asked = foreign(text);
  if ('ambiguous' in match) {
    const sentence = language.t('failure.ambiguousServer', {
      server: asked,
      servers: names(match.ambiguous),
    });
    return { refusal: privateReply(failureEmbed(language, 'inputTitle', [sentence])) };
  }
  const next =
    servers.length === 0
      ? language.t('failure.noServers')
      : language.t('failure.unknownServerNext', { servers: names(servers) });
  const sentences = [language.t('failure.unknownServer', { server: asked }), next];
  return { refusal: privateReply(failureEmbed(language, 'notFoundTitle', sentences)) };
}

/** All servers, or the one that a member asked for: as the service's answer, or the answer that tells why there is none. */
export async function readServers(
  client: Client,
  language: Language,
  asked: string | null,
): Promise<{ answer: Answer<readonly Server[]> } | { refusal: Reply }> {
  const answer = await client.listServers();
  const { servers } = answer.data;
  if (asked === null) return { answer: { ...answer, data: servers } };
  const found = findServer(language, servers, asked);
  return 'refusal' in found ? found : { answer: { ...answer, data: [found.server] } };
}

/** Public schedules of one server; null when they cannot be read or the plan has none. */
export async function readSchedules(
  client: Client,
  serverId: string,
): Promise<Answer<readonly Schedule[]> | null> {
  try {
    const answer = await client.listSchedules({ serverId });
    return { ...answer, data: answer.data.schedules };
  } catch {
    return null;
  }
}
