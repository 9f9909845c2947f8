import type { Freshness } from '../api/client-types.ts';
import type { Server } from '../api/resources.ts';
import { branded } from '../embeds/branding.ts';
import { scheduleEmbed, type ScheduleView } from '../embeds/schedule.ts';
import { type Command, type CommandContext, type Reply } from './command.ts';
import { mayManage } from './permission.ts';
import { optional, readBranding } from './reads.ts';
import { reply } from './replies.ts';
import { buttonRow } from './rows.ts';
import { completeServer, readServers, serverMenu, serverOption } from './servers.ts';
import { controlsOf, screenComponents, type Screen } from './screen.ts';

const screen: Screen = { command: 'schedule', options: { server: 'text', page: 'number' } };

async function run(context: CommandContext): Promise<Reply> {
  const { client, language, now } = context;
  const [branding, found] = await Promise.all([readBranding(client), readServers(context)]);
  if ('refusal' in found) return found.refusal;
  const { answer, only, all, items, page, pages } = found;
  const read = await readTimes(context, only === undefined ? items : [only], answer);
  const ofAll = only === undefined ? { page: { number: page, of: pages } } : {};
  const times = { ...read, ...ofAll, forManagers: mayManage(context.asker) };
  const embed = scheduleEmbed(language, times, now);
  const controls = controlsOf(screen, context, {
    ...(only !== undefined && { server: only.id }),
    ...(pages > 1 && { page }),
  });
  const showAll = controls.button({ label: 'button.allServers' }, { server: '' });
  const navigation = only === undefined ? controls.pager(page, pages) : all.length > 1 && showAll;
  const components = [...serverMenu(controls, found), ...buttonRow(navigation, controls.share())];
  return { ...reply(branded(branding, embed)), components };
}

/** Stored schedules, else those of the service; null where it fails. @throws its first error if it fails for all servers */
async function readTimes(
  { client, community }: CommandContext,
  servers: readonly Server[],
  listed: Freshness,
): Promise<ScheduleView> {
  const stored = await optional(community.schedules(servers.map(({ id }) => id)), new Map());
  const readOne = async (server: Server) => {
    const schedules = stored.get(server.id);
    if (schedules !== undefined) return { server, schedules };
    try {
      const answer = await client.listSchedules({ serverId: server.id });
      return { server, schedules: answer.data.schedules, answer };
    } catch (error) {
      return { server, schedules: null, error };
    }
  };
  const times = await Promise.all(servers.map(readOne));
  if (times[0] && times.every(({ schedules }) => schedules === null)) throw times[0].error;
  const answers = [listed, ...times.flatMap(({ answer }) => answer ?? [])];
  return {
    servers: times,
    receivedAt: Math.min(...answers.map(({ receivedAt }) => receivedAt)),
    stale: answers.some(({ stale }) => stale),
  };
}

/** `/schedule [server]`: the next times of each public schedule of one server or of all. */
export const scheduleCommand: Command = {
  definition: { name: 'schedule', options: [serverOption] },
  run,
  autocomplete: completeServer,
  components: screenComponents(screen, run),
};
