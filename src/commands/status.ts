import { bannerOf, branded } from '../embeds/branding.ts';
import { statusEmbed } from '../embeds/status.ts';
import { numberOption, type Command, type CommandContext, type Reply, type Row } from './command.ts';
import { readStatusDetails } from './status-details.ts';
import { readBranding } from './reads.ts';
import { pictured } from './replies.ts';
import { buttonRow, joinButton } from './rows.ts';
import { completeServer, readServers, serverMenu, serverOption } from './servers.ts';
import { controlsOf, screenComponents, type Screen } from './screen.ts';

/** `days` is the time span of the chart: 1, 7, or 28 for the one by weekday and hour. Default: 1 for one server, no chart for several. */
const screen: Screen = {
  command: 'status',
  options: { server: 'text', days: 'number', page: 'number' },
};

const charts = [
  { days: 1, range: '24h', label: 'button.day', emoji: '📈' },
  { days: 7, range: '7d', label: 'button.week', emoji: '📈' },
  { days: 28, range: 'week', label: 'button.hours', emoji: '🗓️' },
] as const;

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language, now, community, pictures } = context;
  const [branding, found] = await Promise.all([readBranding(client), readServers(context)]);
  if ('refusal' in found) return found.refusal;
  const { answer, only, all: servers, items, page, pages } = found;
  const days = numberOption(options, 'days') ?? (only === undefined ? null : 1);
  const shown = only === undefined ? items : [only];
  const { range } = charts.find((each) => each.days === days) ?? charts[0];
  const [status, chart] = await Promise.all([
    readStatusDetails({ ...answer, data: shown }, community),
    days === null ? null : pictures.players({ servers: shown, range, language, now }),
  ]);
  const ofAll = only === undefined ? { page: { number: page, of: pages, all: servers } } : {};
  const embed = statusEmbed(language, { ...status, ...ofAll }, now);
  const state = {
    ...(only !== undefined && { server: only.id }),
    ...(days !== null && { days }),
    ...(pages > 1 && { page }),
  };
  const controls = controlsOf(screen, context, state);
  const all = controls.button({ label: 'button.allServers' }, { server: undefined, days: undefined });
  const others = (days === null ? charts.slice(0, 1) : charts.filter((each) => each.days !== days)).map(
    ({ label, emoji, days: wanted }) => controls.button({ label, emoji }, { days: wanted }),
  );
  const refresh = controls.button({ label: 'button.refresh', emoji: '🔄' }, {});
  const components: Row[] = [
    ...serverMenu(controls, found),
    ...buttonRow(only === undefined && controls.pager(page, pages)),
    ...buttonRow(
      only !== undefined && joinButton(language, community.joinUrl(only.id)),
      only !== undefined && servers.length > 1 && all,
      refresh,
      controls.share(),
    ),
    ...buttonRow(community.hasStore && servers.length > 0 && others),
  ];
  return { ...pictured({ ...branded(branding, embed), ...bannerOf(branding) }, chart), components };
}

/** `/status [server]`: state, players, map and next restart of one server or of all. */
export const statusCommand: Command = {
  definition: { name: 'status', options: [serverOption] },
  run,
  autocomplete: completeServer,
  components: screenComponents(screen, run),
};
