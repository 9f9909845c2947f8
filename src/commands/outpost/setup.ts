import { boardMetrics, periodKinds } from '../../api/log-metrics.ts';
import {
  channelKinds,
  contentOf,
  feedDeaths,
  hasPicture,
  type ChannelKind,
} from '../../config/schema/channel-jobs.ts';
import { feedNotes, placedEmbed } from '../../embeds/placements.ts';
import { textOption, type CommandOptions, type Reply } from '../command.ts';
import { failureReply, reply } from '../replies.ts';
import { messageUrl, place, placementTarget, type PlacingContext } from './placing.ts';
import { boldName, chooseServers, refuseDoubled, runWithChoice } from './server-choice.ts';
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

/** What the menus of servers keep in their custom_id. Without `metric` and `period`: leaderboards have no servers to choose. */
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

const kindOf = (options: CommandOptions) => setupKinds.find((kind) => kind === options['kind']);
const hasOption = (kind: SetupKind, name: string): boolean => name in channelKinds[kind].options.shape;
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
  const kind = kindOf(options);
  if (kind === undefined) return refuse(language.t('failure.invalid_parameters'));
  if (hasOption(kind, 'metric') && textOption(options, 'metric') === null)
    return refuse(language.t('setup.metricMissing'));
  const choice = hasOption(kind, 'servers')
    ? await chooseServers(context, screen, channelKinds[kind].needsLogs)
    : { chosen: [] };
  if ('answer' in choice) return choice.answer;
  const { chosen } = choice;
  const content = contentOf(kind, { ...configOptions(options), servers: chosen.map(({ id }) => id) });
  const doubled = isPost(kind) ? null : await refuseDoubled(context, target, kind, chosen);
  if (doubled !== null) return doubled;
  return await place(context, target, { content, locale: localeOf(options) }, (placed) =>
    reply(
      placedEmbed(language, {
        ...placedTexts(kind),
        url: messageUrl(target.guildId, placed),
        servers: chosen.map(boldName),
        withoutPicture: hasPicture(content) && target.withoutFiles,
        notes: content.kind === 'feed' ? feedNotes(language, content) : [],
      }),
    ),
  );
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
  // Some kinds, and kills per death (`KD`), are counted from logs, which only the store has.
  needsStore(options) {
    const kind = kindOf(options);
    if (kind === undefined) return null;
    const isRatio = hasOption(kind, 'metric') && options['metric'] === 'KD';
    return channelKinds[kind].needsLogs || isRatio ? 'setup.needsLogs' : null;
  },
  runs: { setup: setupCommand },
  presses: { setup: (context) => runWithChoice(context, screen, setupCommand) },
};
