import { ApplicationCommandType } from 'discord.js';
import { ServiceError } from '../api/client-types.ts';
import { errorEmbed } from '../embeds/failure.ts';
import { onlineEmbed } from '../embeds/online.ts';
import { defaultLocale, languageOf } from '../locales/language.ts';
import { textOption, type Command } from './command.ts';
import { privateReply, readBranding, reply } from './replies.ts';
import { completeServer, findServer, serverOption } from './servers.ts';

const { t } = languageOf(defaultLocale);

/** `/online server`: who is on a server, read live. */
export const onlineCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'online',
    description: t('command.online.description'),
    options: [serverOption(t('command.online.server'), true)],
  },
  visibility: () => 'public',
  async run({ client, options, language, now }) {
    const [branding, answer] = await Promise.all([readBranding(client), client.listServers()]);
    const found = findServer(language, answer.data.servers, textOption(options, 'server') ?? '');
    if ('refusal' in found) return found.refusal;
    const { server } = found;
    try {
      const { data, receivedAt, stale } = await client.listOnlinePlayers({ serverId: server.id });
      return reply(onlineEmbed(language, branding, { server, result: data, receivedAt, stale }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return privateReply(errorEmbed(language, error, { server: server.name, now }));
    }
  },
  autocomplete: completeServer,
};
