import type { Answer } from '../api/client-types.ts';
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
  const { answer, only, all: servers, items, page, pages } = found;
  const read = await readTimes(context, only === undefined ? items : [only], answer);
  const ofAll = only === undefined ? { page: { number: page, of: pages } } : {};
  const times = { ...read, ...ofAll, forManagers: mayManage(context.asker) };
  const embed = scheduleEmbed(language, times, now);
  const controls = controlsOf(screen, context, {
    ...(only !== undefined && { server: only.id }),
    ...(pages > 1 && { page }),
  });
  const all = controls.button({ label: 'button.allServers' }, { server: '' });
  const components = [
    ...serverMenu(controls, found),
    ...buttonRow(
      only === undefined ? controls.pager(page, pages) : servers.length > 1 && all,
      controls.share(),
    ),
  ];
  return { ...reply(branded(branding, embed)), components };
}

/** Schedules that neither the store nor the service can say are null. @throws if that is so of all servers */
async function readTimes(
  { client, community }: CommandContext,
  servers: readonly Server[],
  { receivedAt, stale }: Answer<unknown>,
): Promise<ScheduleView> {
  const ids = servers.map(({ id }) => id);
  const stored = await optional(community.schedules(ids), new Map());
  const missing = ids.filter((id) => !stored.has(id));
  const results = await Promise.allSettled(missing.map((serverId) => client.listSchedules({ serverId })));
  const failures = results.filter((result) => result.status === 'rejected');
  if (stored.size === 0 && failures.length === results.length && failures[0]) throw failures[0].reason;
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const byServer = new Map(stored);
  for (const [index, id] of missing.entries()) {
    const result = results[index];
    if (result?.status === 'fulfilled') byServer.set(id, result.value.data.schedules);
  }
  return {
    servers: servers.map((server) => ({ server, schedules: byServer.get(server.id) ?? null })),
    receivedAt: Math.min(receivedAt, ...answers.map((each) => each.receivedAt)),
    stale: stale || answers.some((each) => each.stale),
  };
}

/** `/schedule [server]`: the next times of each public schedule of one server or of all. */
export const scheduleCommand: Command = {
  definition: { name: 'schedule', options: [serverOption] },
  run,
  autocomplete: completeServer,
  components: screenComponents(screen, run),
};
