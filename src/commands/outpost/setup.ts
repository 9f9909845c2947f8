import { ApplicationCommandOptionType } from 'discord.js';
import type { Server } from '../../api/resources.ts';
import { boardMetrics, periodKinds } from '../../api/log-metrics.ts';
import type { ChartKind } from '../../embeds/chart/axis.ts';
import { textOption, type Reply } from '../command.ts';
import type { PostContent, RecapContent } from '../ports/placements.ts';
import { failureReply } from '../replies.ts';
import { place, placedReply, placementTarget, type PlacingContext } from './placing.ts';
import { deathChoices, delayBounds, placeFeed } from './feed.ts';
import { afterChoice, refuseDoubled, withServers } from './server-choice.ts';
import { languageOption, localeOf, type Subcommand } from './subcommand.ts';

const { Boolean, Integer, String, Subcommand: subcommand } = ApplicationCommandOptionType;

const postKinds = ['status', 'leaderboard', 'schedule', 'feed', 'recap'] as const;
const chartChoices = ['24h', '7d', 'week', 'none'] as const satisfies (ChartKind | 'none')[];

const rows = 10;

/** What the menus of servers hold. */
const view = {
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

/** `/outpost setup`: adds a post, a kill feed or recaps to this channel. */
async function setupCommand(context: PlacingContext): Promise<Reply> {
  const { options, language } = context;
  const kind = textOption(options, 'kind');
  if (kind === 'feed') return await placeFeed(context, view);
  const isRecap = kind === 'recap';
  const metric = textOption(options, 'metric');
  const target = placementTarget(context);
  if ('refusal' in target) return target.refusal;
  const placePost = async (content: PostContent | RecapContent): Promise<Reply> =>
    await place(context, target, { content, locale: localeOf(options) }, (placed) =>
      placedReply(language, target, placed),
    );
  if (kind === 'leaderboard') {
    if (!isOneOf(boardMetrics, metric)) {
      return failureReply(language, 'inputTitle', language.t('setup.metricMissing'));
    }
    const period = textOption(options, 'period');
    const counted = isOneOf(periodKinds, period) ? { period } : {};
    return await placePost({ kind, metric, limit: rows, ...counted });
  }
  if (kind !== 'status' && kind !== 'schedule' && !isRecap) {
    return failureReply(language, 'inputTitle', language.t('failure.invalid_parameters'));
  }
  const asked = textOption(options, 'chart');
  const chart = isOneOf(chartChoices, asked) ? asked : '24h';
  const names = options['names'] === true;
  const proceed = async (chosen: readonly Server[]): Promise<Reply> => {
    const servers = chosen.map(({ id }) => id);
    const doubled = isRecap ? await refuseDoubled(context, target, kind, chosen) : null;
    if (doubled !== null) return doubled;
    return await placePost(kind === 'status' ? { kind, servers, chart, names } : { kind, servers });
  };
  return await withServers(context, view, proceed, { ofLogs: isRecap });
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
  presses: { setup: afterChoice(view, setupCommand) },
};
