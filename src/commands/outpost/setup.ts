import { ApplicationCommandOptionType } from 'discord.js';
import { boardMetrics, periodKinds } from '../../api/log-metrics.ts';
import type { ChartKind } from '../../embeds/chart/axis.ts';
import { isSupported } from '../../locales/language.ts';
import {
  numberOption,
  textOption,
  type CommandContext,
  type ComponentContext,
  type Reply,
} from '../command.ts';
import type { PostContent } from '../placements.ts';
import { failureReply } from '../replies.ts';
import { place, placedReply, placementTarget, type PlacingContext, type PlacementTarget } from './placing.ts';
import { deathChoices, delayBounds, isDelay, placeFeed, pressFeed } from './feed.ts';
import { withServers } from './server-choice.ts';
import { languageOption, type Subcommand } from './subcommand.ts';

const { Boolean, Integer, String, Subcommand: subcommand } = ApplicationCommandOptionType;

const postKinds = ['status', 'leaderboard', 'schedule', 'feed'] as const;
const chartChoices = ['24h', '7d', 'week', 'none'] as const satisfies (ChartKind | 'none')[];

const rows = 10;
const namesArg = 'names';

/** The requested post, before the servers are chosen. */
interface Wanted {
  kind: 'status' | 'schedule';
  chart: ChartKind | 'none';
  /** Whether a status post names players. */
  names: boolean;
  locale: string | undefined;
}

function isOneOf<T extends string>(values: readonly T[], text: string | null): text is T {
  return (values as readonly (string | null)[]).includes(text);
}

async function placePost(
  context: PlacingContext,
  target: PlacementTarget,
  content: PostContent,
  locale: string | undefined,
): Promise<Reply> {
  return await place(context, target, { content, locale }, (placed) =>
    placedReply(context.language, target, placed),
  );
}

async function placeOfServers(
  context: PlacingContext,
  { kind, chart, names, locale }: Wanted,
): Promise<Reply> {
  const target = placementTarget(context);
  if ('refusal' in target) return target.refusal;
  const args = [kind, chart, locale ?? '', ...(names ? [namesArg] : [])];
  return await withServers(context, { action: 'setup', args }, async (chosen) => {
    const servers = chosen.map(({ id }) => id);
    const content: PostContent = kind === 'status' ? { kind, servers, chart, names } : { kind, servers };
    return await placePost(context, target, content, locale);
  });
}

/** `/outpost setup`: adds a post or a kill feed to this channel. */
async function setupCommand(context: CommandContext): Promise<Reply> {
  const { options, language } = context;
  const kind = textOption(options, 'kind');
  const chart = textOption(options, 'chart');
  const metric = textOption(options, 'metric');
  const locale = textOption(options, 'language') ?? undefined;
  if (kind === 'feed') {
    const delay = numberOption(options, 'delay') ?? 0;
    return await placeFeed(context, {
      deaths: textOption(options, 'deaths') === 'all' ? 'all' : 'kills',
      delayMinutes: isDelay(delay) ? delay : 0,
      positions: options['positions'] === true,
      locale,
    });
  }
  if (kind !== 'leaderboard') {
    const names = options['names'] === true;
    const wanted = { kind: kind === 'schedule' ? kind : 'status', names, locale } as const;
    return await placeOfServers(context, { ...wanted, chart: isOneOf(chartChoices, chart) ? chart : '24h' });
  }
  if (!isOneOf(boardMetrics, metric)) {
    return failureReply(language, 'inputTitle', language.t('setup.metricMissing'));
  }
  const target = placementTarget(context);
  if ('refusal' in target) return target.refusal;
  const period = textOption(options, 'period');
  const counted = isOneOf(periodKinds, period) ? { period } : {};
  return await placePost(context, target, { kind, metric, limit: rows, ...counted }, locale);
}

/** Handles the menu of servers. Null: the arguments are invalid. */
function pressSetup(context: ComponentContext): Promise<Reply> | null {
  const [kind = '', chart = '', locale = '', names = '', ...rest] = context.args;
  if ((kind !== 'status' && kind !== 'schedule') || !isOneOf(chartChoices, chart) || rest.length > 0)
    return null;
  if ((locale !== '' && !isSupported(locale)) || (names !== '' && names !== namesArg)) return null;
  return placeOfServers(context, {
    kind,
    chart,
    names: names === namesArg,
    locale: locale === '' ? undefined : locale,
  });
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
  runs: { setup: setupCommand },
  presses: { setup: pressSetup, feed: pressFeed },
};
