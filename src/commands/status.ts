import type { Server } from '../api/resources.ts';
import { bannerOf } from '../embeds/branding.ts';
import { statusEmbed } from '../embeds/status.ts';
import {
  numberOption,
  textOption,
  type Command,
  type CommandContext,
  type Reply,
  type Row,
} from './command.ts';
import { joinButton } from './join-button.ts';
import type { Picture } from './ports.ts';
import { readStatus } from './read-status.ts';
import { readBranding, reply } from './replies.ts';
import { completeServer, readServers, serverMenu, serverOption, serverPage } from './servers.ts';
import { buttonRow, controlsOf, viewComponents, type View } from './view.ts';

/**
 * `days` is the time span of the chart: 1 or 7. Default: 1 for one server, no chart for several. `page` is the page of both
 * the list of servers and its menu.
 */
const view: View = {
  command: 'status',
  options: { server: 'text', days: 'number', page: 'number' },
  added: 1,
};

/** The chart is optional, so errors leave it out. */
async function chartOf(
  { ports, language, now }: CommandContext,
  servers: readonly Server[],
  days: number,
): Promise<Picture | null> {
  try {
    const range = days === 7 ? '7d' : '24h';
    return (await ports.charts?.players({ servers, range, language, now })) ?? null;
  } catch {
    return null;
  }
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, now, ports } = context;
  const asked = textOption(options, 'server');
  const [branding, found] = await Promise.all([readBranding(client), readServers(context, asked)]);
  if ('refusal' in found) return found.refusal;
  const { answer, servers } = found;
  const [only] = asked !== null || servers.length === 1 ? answer.data : [];
  const days = numberOption(options, 'days') ?? (only === undefined ? null : 1);
  const { items, page, pages } = serverPage(servers, options, only);
  const shown = only === undefined ? items : [only];
  const [status, chart] = await Promise.all([
    readStatus(client, { ...answer, data: shown }, ports),
    days === null ? null : chartOf(context, shown, days),
  ]);
  const ofAll = only === undefined ? { page: { number: page, of: pages, all: servers } } : {};
  const embed = statusEmbed(language, branding, { ...status, ...ofAll }, now);
  const state = {
    ...(only !== undefined && { server: only.id }),
    ...(days !== null && { days }),
    ...(pages > 1 && { page }),
  };
  const controls = controlsOf(view, context, state);
  const all = controls.button({ label: 'button.allServers' }, { server: undefined, days: undefined });
  const other =
    days === 1
      ? controls.button({ label: 'button.week', emoji: '📈' }, { days: 7 })
      : controls.button({ label: 'button.day', emoji: '📈' }, { days: 1 });
  const refresh = controls.button({ label: 'button.refresh', emoji: '🔄' }, {});
  const components: Row[] = [
    ...serverMenu(controls, servers, only, page),
    ...(only === undefined ? buttonRow(...controls.pager(page, pages)) : []),
    ...buttonRow(
      ...(only === undefined ? [] : joinButton(language, ports.joinUrl?.(only.id))),
      ...(only !== undefined && servers.length > 1 ? [all] : []),
      ...(ports.charts !== undefined && servers.length > 0 ? [other] : []),
      refresh,
      ...controls.share(),
    ),
  ];
  if (chart === null) return { ...reply({ ...embed, ...bannerOf(branding) }), components };
  const image = { url: `attachment://${chart.name}` };
  return { ...reply({ ...embed, image }), components, files: [chart] };
}

/** `/status [server]`: state, players, map and next restart of one server or of all. */
export const statusCommand: Command = {
  definition: { name: 'status', options: [serverOption] },
  visibility: () => 'public',
  run,
  autocomplete: completeServer,
  components: viewComponents(view, run),
};
