import { ApplicationCommandOptionType, type APIApplicationCommandBasicOption } from 'discord.js';
import { metricCodes, type MetricCode } from '../../api/metrics.ts';
import { failureEmbed } from '../../embeds/failure.ts';
import type { ChartRange } from '../../embeds/chart/axis.ts';
import { defaultLocale, isSupported, languageOf, translationsOf } from '../../locales/language.ts';
import {
  numberOption,
  textOption,
  type CommandContext,
  type ComponentContext,
  type Reply,
} from '../command.ts';
import type { PostContent } from '../placements.ts';
import { privateReply } from '../replies.ts';
import {
  menuMessage,
  place,
  placedReply,
  placementTarget,
  type PlacingContext,
  type PlacementTarget,
} from './placing.ts';
import { deathChoices, delayBounds, isDelay, placeFeed, pressFeed } from './feed.ts';
import { withServers } from './server-choice.ts';
import { languageOption, type Subcommand } from './subcommand.ts';

const { t } = languageOf(defaultLocale);
const { Boolean, Integer, String, Subcommand: subcommand } = ApplicationCommandOptionType;

const postKinds = ['status', 'leaderboard', 'schedule', 'feed'] as const;
const chartChoices = ['24h', '7d', 'none'] as const satisfies (ChartRange | 'none')[];

const rows = 10;
const namesArg = 'names';

/** The requested post, before the servers are chosen. */
interface Wanted {
  kind: 'status' | 'schedule';
  chart: ChartRange | 'none';
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
  const { language } = context;
  const outcome = await place(target, language, { content, locale, askedOn: menuMessage(context) });
  return 'refusal' in outcome ? outcome.refusal : placedReply(language, target, outcome.placed);
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
  if (!isOneOf<MetricCode>(metricCodes, metric)) {
    return privateReply(failureEmbed(language, 'inputTitle', [language.t('setup.metricMissing')]));
  }
  const target = placementTarget(context);
  if ('refusal' in target) return target.refusal;
  return await placePost(context, target, { kind, metric, limit: rows }, locale);
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

const setupOptions: APIApplicationCommandBasicOption[] = [
  {
    type: String,
    name: 'kind',
    description: t('command.outpost.setup.kind'),
    required: true,
    choices: postKinds.map((value) => ({ name: t(`choice.kind.${value}`), value })),
  },
  {
    type: String,
    name: 'metric',
    description: t('command.outpost.setup.metric'),
    choices: metricCodes.map((value) => ({
      name: t(`metric.${value}`),
      name_localizations: translationsOf(`metric.${value}`),
      value,
    })),
  },
  {
    type: String,
    name: 'chart',
    description: t('command.outpost.setup.chart'),
    choices: chartChoices.map((value) => ({ name: t(`choice.chart.${value}`), value })),
  },
  { type: Boolean, name: 'names', description: t('command.outpost.setup.names') },
  {
    type: String,
    name: 'deaths',
    description: t('command.outpost.setup.deaths'),
    choices: deathChoices.map((value) => ({ name: t(`choice.deaths.${value}`), value })),
  },
  { type: Integer, name: 'delay', description: t('command.outpost.setup.delay'), ...delayBounds },
  { type: Boolean, name: 'positions', description: t('command.outpost.setup.positions') },
  languageOption(t('command.outpost.setup.language')),
];

export const setupSubcommand: Subcommand = {
  definition: {
    type: subcommand,
    name: 'setup',
    description: t('command.outpost.setup.description'),
    options: setupOptions,
  },
  runs: { setup: setupCommand },
  presses: { setup: pressSetup, feed: pressFeed },
};
