import { ApplicationCommandType } from 'discord.js';
import { scheduleEmbed } from '../embeds/schedule.ts';
import { defaultLocale, languageOf } from '../locales/language.ts';
import { textOption, type Command } from './command.ts';
import { readBranding, reply } from './replies.ts';
import { completeServer, readServers, serverOption } from './servers.ts';

const { t } = languageOf(defaultLocale);

/** `/schedule [server]`: the next times of each public schedule, of one server or of all. */
export const scheduleCommand: Command = {
  definition: {
    type: ApplicationCommandType.ChatInput,
    name: 'schedule',
    description: t('command.schedule.description'),
    options: [serverOption(t('command.schedule.server'))],
  },
  visibility: () => 'public',
  async run({ client, options, language, now }) {
    const asked = textOption(options, 'server');
    const [branding, found] = await Promise.all([readBranding(client), readServers(client, language, asked)]);
    if ('refusal' in found) return found.refusal;
    const { data: servers, ...answer } = found.answer;
    const settled = await Promise.allSettled(
      servers.map((server) => client.listSchedules({ serverId: server.id })),
    );
    // One that fails is said to; when none can be read, the reason is the answer.
    const failures = settled.filter((result) => result.status === 'rejected');
    if (failures.length === settled.length && failures[0]) throw failures[0].reason;
    const answers = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const view = {
      servers: servers.map((server, index) => {
        const result = settled[index];
        return { server, schedules: result?.status === 'fulfilled' ? result.value.data.schedules : null };
      }),
      receivedAt: Math.min(answer.receivedAt, ...answers.map((each) => each.receivedAt)),
      stale: answer.stale || answers.some((each) => each.stale),
    };
    return reply(scheduleEmbed(language, branding, view, now));
  },
  autocomplete: completeServer,
};
