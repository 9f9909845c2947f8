import type { Server } from '../../api/resources.ts';
import { boardMetrics, periodKinds } from '../../api/log-metrics.ts';
import {
  channelKinds,
  contentOf,
  feedDeaths,
  hasPicture,
  type ChannelContent,
  type ChannelKind,
} from '../../config/schema/channel-jobs.ts';
import { feedNotes, placedEmbed } from '../../embeds/placements.ts';
import { textOption, type CommandOptions, type Reply } from '../command.ts';
import type { Placed } from '../interfaces/placements.ts';
import { failureReply, reply } from '../replies.ts';
import { messageUrl, place, placementTarget, type PlacingContext } from './placing.ts';
import { runWithChoice, boldName, refuseDoubled, withServers } from './server-choice.ts';
import { languageOption, localeOf, type Subcommand } from './subcommand.ts';

/** Alerts have a subcommand of their own. */
type SetupKind = Exclude<ChannelKind, 'alerts'>;
type PostKind = {
  [Kind in SetupKind]: (typeof channelKinds)[Kind]['isPost'] extends true ? Kind : never;
}[SetupKind];

const setupKinds = Object.keys(channelKinds).filter((kind): kind is SetupKind => kind !== 'alerts');
const chartChoices = ['24h', '7d', 'week', 'none'] as const;
/** Which deaths a feed posts: kills by players, or every death. */
const deathChoices = ['kills', 'all'] as const;
/** Minutes. Discord enforces the limits in the client. */
const delayBounds = { min_value: 0, max_value: 60 } as const;

/** The options that the menus of servers keep in their custom_id. */
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

/** The options as the config calls them. */
function configOptions({ deaths, delay, ...options }: CommandOptions): object {
  return {
    ...options,
    ...(deaths === 'all' && { show: feedDeaths }),
    ...(typeof delay === 'number' && { delaySeconds: delay * 60 }),
  };
}

const isPost = (kind: SetupKind): kind is PostKind => channelKinds[kind].isPost;

const placedTexts = (kind: SetupKind) =>
  isPost(kind)
    ? ({ title: 'setup.placedTitle', text: 'setup.placed' } as const)
    : ({ title: `setup.title.${kind}`, text: `setup.${kind}` } as const);

/** `/outpost setup`: adds a post, or messages that are sent once, to this channel. */
async function setupCommand(context: PlacingContext): Promise<Reply> {
  const { options, language } = context;
  const target = placementTarget(context);
  if ('refusal' in target) return target.refusal;
  const refuse = (text: string) => failureReply(language, 'inputTitle', text);
  const kind = setupKinds.find((each) => each === options['kind']);
  if (kind === undefined) return refuse(language.t('failure.invalid_parameters'));
  if (kind === 'leaderboard' && textOption(options, 'metric') === null)
    return refuse(language.t('setup.metricMissing'));
  const answer = (content: ChannelContent, placed: Placed, chosen: readonly Server[]): Reply =>
    reply(
      placedEmbed(language, {
        ...placedTexts(kind),
        url: messageUrl(target.guildId, placed),
        servers: chosen.map(boldName),
        withoutPicture: hasPicture(content) && target.withoutFiles,
        notes: content.kind === 'feed' ? feedNotes(language, content) : [],
      }),
    );
  const proceed = async (chosen: readonly Server[]): Promise<Reply> => {
    const content = contentOf(kind, { ...configOptions(options), servers: chosen.map(({ id }) => id) });
    const doubled = isPost(kind) ? null : await refuseDoubled(context, target, kind, chosen);
    if (doubled !== null) return doubled;
    return await place(context, target, { content, locale: localeOf(options) }, (placed) =>
      answer(content, placed, chosen),
    );
  };
  if (!('servers' in channelKinds[kind].options.shape)) return await proceed([]);
  return await withServers(context, screen, proceed, channelKinds[kind].needsLogs);
}

export const setupSubcommand: Subcommand = {
  definition: {
    type: 'Subcommand',
    name: 'setup',
    options: [
      { type: 'String', name: 'kind', required: true, choices: setupKinds },
      { type: 'String', name: 'metric', choices: boardMetrics, choiceTexts: 'metric' },
      { type: 'String', name: 'period', choices: periodKinds, choiceTexts: 'top.period' },
      { type: 'String', name: 'chart', choices: chartChoices },
      { type: 'Boolean', name: 'names' },
      { type: 'String', name: 'deaths', choices: deathChoices },
      { type: 'Integer', name: 'delay', ...delayBounds },
      { type: 'Boolean', name: 'positions' },
      languageOption,
    ],
  },
  // Only the store has logs, and only logs have these.
  needsStore: ({ kind, metric }) => {
    const needsLogs = setupKinds.some((each) => each === kind && channelKinds[each].needsLogs);
    return needsLogs || (kind === 'leaderboard' && metric === 'KD') ? 'setup.needsLogs' : null;
  },
  runs: { setup: setupCommand },
  presses: { setup: (context) => runWithChoice(context, screen, setupCommand) },
};
