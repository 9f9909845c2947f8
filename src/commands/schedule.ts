import { ApplicationCommandType } from 'discord.js';
import { scheduleEmbed } from '../embeds/schedule.ts';
import { defaultLocale, languageOf } from '../locales/language.ts';
import { textOption, type Command, type CommandContext, type Reply } from './command.ts';
import { readBranding, reply } from './replies.ts';
import { completeServer, readServers, serverMenu, serverOption } from './servers.ts';
import { buttonRow, controlsOf, viewComponents, type View } from './view.ts';

const { t } = languageOf(defaultLocale);

const view: View = { command: 'schedule', options: { server: 'text' } };

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, now } = context;
  const asked = textOption(options, 'server');
  const [branding, found] = await Promise.all([readBranding(client), readServers(context, asked)]);
  if ('refusal' in found) return found.refusal;
  const { data: shown, ...answer } = found.answer;
  const settled = await Promise.allSettled(
    shown.map((server) => client.listSchedules({ serverId: server.id })),
  );
  // One that fails is said to; when none can be read, the reason is the answer.
  const failures = settled.filter((result) => result.status === 'rejected');
  if (failures.length === settled.length && failures[0]) throw failures[0].reason;
  const answers = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const schedules = {
    servers: shown.map((server, index) => {
      const result = settled[index];
      return { server, schedules: result?.status === 'fulfilled' ? result.value.data.schedules : null };
    }),
    receivedAt: Math.min(answer.receivedAt, ...answers.map((each) => each.receivedAt)),
    stale: answer.stale || answers.some((each) => each.stale),
  };
  const only = asked === null ? undefined : shown[0];
  const controls = controlsOf(view, context, only === undefined ? {} : { server: only.id });
  const all = controls.button({ label: 'button.allServers' }, { server: '' });
  const components = [
    ...serverMenu(controls, found.servers, only),
    ...buttonRow(...(only !== undefined && found.servers.length > 1 ? [all] : []), ...controls.share()),
  ];
  return { ...reply(scheduleEmbed(language, branding, schedules, now)), components };
}

/** `/schedule [server]`: the next times of each public schedule, of one server or of all. */
export const scheduleCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'schedule',
    description: t('command.schedule.description'),
    options: [serverOption(t('command.schedule.server'))],
  },
  visibility: () => 'public',
  run,
  autocomplete: completeServer,
  components: viewComponents(view, run),
};
