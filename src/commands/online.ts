import { ApplicationCommandType } from 'discord.js';
import { ServiceError } from '../api/client-types.ts';
import { errorEmbed, unansweredEmbed } from '../embeds/failure.ts';
import { onlineEmbed } from '../embeds/online.ts';
import { defaultLocale, languageOf } from '../locales/language.ts';
import { textOption, type Command, type CommandContext, type Reply } from './command.ts';
import { readLiveList } from './live-list.ts';
import { privateReply, readBranding, reply } from './replies.ts';
import { completeServer, findServer, serverMenu, serverOption, serverPage } from './servers.ts';
import { buttonRow, controlsOf, viewComponents, type View } from './view.ts';

const { t } = languageOf(defaultLocale);

const view: View = { command: 'online', options: { server: 'text' } };

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, now, ports } = context;
  const [branding, answer] = await Promise.all([readBranding(client), client.listServers()]);
  const { servers } = answer.data;
  const found = findServer(context, servers, textOption(options, 'server') ?? '');
  if ('refusal' in found) return found.refusal;
  const { server } = found;
  try {
    const list = await readLiveList(context, server);
    if (list === null) return privateReply(unansweredEmbed(language, server.name));
    const { data: result, receivedAt, stale, countOnly } = list;
    const live = ports.live?.(server.id) ?? null;
    const embed = onlineEmbed(language, branding, { server, result, live, receivedAt, stale, countOnly });
    const controls = controlsOf(view, context, { server: server.id });
    const refresh = controls.button({ label: 'button.refresh', emoji: '🔄' }, {});
    const { page } = serverPage(servers, options, server);
    const components = [
      ...serverMenu(controls, servers, server, page),
      ...buttonRow(refresh, ...controls.share()),
    ];
    return { ...reply(embed), components };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return privateReply(errorEmbed(language, error, { server: server.name, now }));
  }
}

/** `/online server`: who is on a server, read live. */
export const onlineCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'online',
    description: t('command.online.description'),
    options: [serverOption(t('command.online.server'), true)],
  },
  visibility: () => 'public',
  run,
  autocomplete: completeServer,
  components: viewComponents(view, run),
};
