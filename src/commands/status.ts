import { ApplicationCommandType } from 'discord.js';
import { statusEmbed } from '../embeds/status.ts';
import { readStatus } from './read-status.ts';
import { textOption, type Command } from './command.ts';
import { readBranding, reply } from './replies.ts';
import { completeServer, readServers, serverOption } from './servers.ts';
import { languageOf, defaultLocale } from '../locales/language.ts';

const { t } = languageOf(defaultLocale);

/** `/status [server]`: state, players, map and next restart of one server or of all. */
export const statusCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'status',
    description: t('command.status.description'),
    options: [serverOption(t('command.status.server'))],
  },
  visibility: () => 'public',
  async run({ client, options, language, now }) {
    const asked = textOption(options, 'server');
    const [branding, found] = await Promise.all([readBranding(client), readServers(client, language, asked)]);
    if ('refusal' in found) return found.refusal;
    return reply(statusEmbed(language, branding, await readStatus(client, found.answer), now));
  },
  autocomplete: completeServer,
};
