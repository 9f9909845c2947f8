import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord.js';
import { statusEmbed } from '../embeds/status.ts';
import { readStatus } from './read-status.ts';
import { textOption, type Command } from './command.ts';
import { readBranding, reply } from './replies.ts';
import { completeServer, findServer } from './servers.ts';
import { languageOf, defaultLocale } from '../locales/language.ts';

const { t } = languageOf(defaultLocale);

/** `/status [server]`: state, players, map and next restart of one server or of all. */
export const statusCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'status',
    description: t('command.status.description'),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'server',
        description: t('command.status.server'),
        autocomplete: true,
      },
    ],
  },
  visibility: () => 'public',
  async run({ client, options, language, now }) {
    const asked = textOption(options, 'server');
    const [branding, answer] = await Promise.all([readBranding(client), client.listServers()]);
    let { servers } = answer.data;
    if (asked !== null) {
      const found = findServer(language, servers, asked);
      if ('refusal' in found) return found.refusal;
      servers = [found.server];
    }
    return reply(
      statusEmbed(language, branding, await readStatus(client, { ...answer, data: servers }), now),
    );
  },
  autocomplete: completeServer,
};
