import { ApplicationCommandOptionType } from 'discord.js';
import type { Server } from '../../api/resources.ts';
import { boardMetrics, periodKinds } from '../../api/log-metrics.ts';
import type { ChartKind } from '../../embeds/chart/axis.ts';
import { feedPlacedEmbed, placedEmbed } from '../../embeds/placements.ts';
import { numberOption, textOption, type CommandOptions, type Reply } from '../command.ts';
import { shownDeaths, type PlacedContent } from '../interfaces/placements.ts';
import { failureReply, reply } from '../replies.ts';
import { messageUrl, place, placementTarget, type PlacingContext } from './placing.ts';
import { afterChoice, boldName, refuseDoubled, withServers } from './server-choice.ts';
import { languageOption, localeOf, type Subcommand } from './subcommand.ts';

const { Boolean, Integer, String, Subcommand: subcommand } = ApplicationCommandOptionType;

const postKinds = ['status', 'leaderboard', 'schedule', 'feed', 'recap'] as const;
const chartChoices = ['24h', '7d', 'week', 'none'] as const satisfies (ChartKind | 'none')[];
/** Which deaths a feed posts: kills by players, or every death. */
const deathChoices = ['kills', 'all'] as const;

const boardRows = 10;
/** Minutes. Discord enforces the limits in the client. */
const delayBounds = { min_value: 0, max_value: 60 } as const;
/** The config's default. */
const maxAgeMinutes = 10;

/** What the menus of servers hold. */
const screen = {
  command: 'outpost',
  action: 'setup',
  options: {
    kind: 'text',
    chart: 'text',
    names: 'flag',
    deaths: 'text',
    delay: 'number',
    positions: 'flag',
    language: 'text',
    menu: 'number',
  },
} as const;

function isOneOf<T extends string>(values: readonly T[], text: string | null): text is T {
  return (values as readonly (string | null)[]).includes(text);
}

/** What is placed about these servers. */
function contentOf(
  kind: 'status' | 'schedule' | 'feed' | 'recap',
  options: CommandOptions,
  servers: readonly string[],
): PlacedContent {
  if (kind === 'status') {
    const asked = textOption(options, 'chart');
    const chart = isOneOf(chartChoices, asked) ? asked : '24h';
    return { kind, servers, chart, names: options['names'] === true };
  }
  if (kind !== 'feed') return { kind, servers };
  const delay = numberOption(options, 'delay') ?? 0;
  return {
    kind,
    servers,
    show: textOption(options, 'deaths') === 'all' ? shownDeaths : [],
    delaySeconds: delay <= delayBounds.max_value ? delay * 60 : 0,
    positions: options['positions'] === true,
    maxAgeMinutes,
  };
}

/** `/outpost setup`: adds a post, a kill feed or recaps to this channel. */
async function setupCommand(context: PlacingContext): Promise<Reply> {
  const { options, language } = context;
  const kind = textOption(options, 'kind');
  const target = placementTarget(context);
  if ('refusal' in target) return target.refusal;
  const refuse = (text: string) => failureReply(language, 'inputTitle', text);
  if (!isOneOf(postKinds, kind)) return refuse(language.t('failure.invalid_parameters'));
  const placing = async (content: PlacedContent, chosen: readonly Server[]): Promise<Reply> =>
    await place(context, target, { content, locale: localeOf(options) }, (placed) => {
      if (content.kind === 'feed') {
        return reply(feedPlacedEmbed(language, content, chosen.map(boldName)));
      }
      const isRecap = content.kind === 'recap';
      const hasChart = isRecap || (content.kind === 'status' && content.chart !== 'none');
      const url = isRecap ? null : messageUrl(target.guildId, placed);
      return reply(placedEmbed(language, url, hasChart && target.withoutFiles));
    });
  if (kind === 'leaderboard') {
    const metric = textOption(options, 'metric');
    if (!isOneOf(boardMetrics, metric)) return refuse(language.t('setup.metricMissing'));
    const period = textOption(options, 'period');
    const counted = isOneOf(periodKinds, period) ? { period } : {};
    return await placing({ kind, metric, limit: boardRows, ...counted }, []);
  }
  const ofLogs = kind === 'feed' || kind === 'recap';
  const proceed = async (chosen: readonly Server[]): Promise<Reply> => {
    const content = contentOf(
      kind,
      options,
      chosen.map(({ id }) => id),
    );
    const doubled = ofLogs ? await refuseDoubled(context, target, kind, chosen) : null;
    return doubled ?? (await placing(content, chosen));
  };
  return await withServers(context, screen, proceed, ofLogs);
}

export const setupSubcommand: Subcommand = {
  definition: {
    type: subcommand,
    name: 'setup',
    options: [
      { type: String, name: 'kind', required: true, choices: postKinds },
      { type: String, name: 'metric', choices: boardMetrics, choiceTexts: 'metric' },
      { type: String, name: 'period', choices: periodKinds, choiceTexts: 'top.period' },
      { type: String, name: 'chart', choices: chartChoices },
      { type: Boolean, name: 'names' },
      { type: String, name: 'deaths', choices: deathChoices },
      { type: Integer, name: 'delay', ...delayBounds },
      { type: Boolean, name: 'positions' },
      languageOption,
    ],
  },
  // Only logs have them.
  needsStore: ({ kind, metric }) =>
    kind === 'feed' || kind === 'recap' || (kind === 'leaderboard' && metric === 'KD')
      ? 'setup.needsLogs'
      : null,
  runs: { setup: setupCommand },
  presses: { setup: afterChoice(screen, setupCommand) },
};
