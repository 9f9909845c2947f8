import { ApplicationCommandOptionType } from 'discord.js';
import { isLogMetric, type BoardMetric } from '../api/log-metrics.ts';
import { metrics, type MetricCode } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Leaderboard } from '../api/resources.ts';
import { escaped } from '../embeds/text.ts';
import { topEmbed } from '../embeds/top.ts';
import type { Language } from '../locales/language.ts';
import { choicesFor, resolve } from './choices.ts';
import { numberOption, textOption, type Command, type CommandContext, type Reply } from './command.ts';
import { linkedPlayer, ownRankAmong } from './linked-player.ts';
import {
  allTime,
  atMost,
  findPeriod,
  findWeaponBoard,
  idOfBoard,
  logBoardOf,
  metricCandidates,
  metricChoices,
  type Offered,
  pageOfRows,
  periodCandidates,
  periodChoices,
  readOffered,
  showLogBoard,
  type ShownBoard,
  unknownPeriod,
  weaponCandidates,
} from './log-boards.ts';
import { cardMenu } from './player-answer.ts';
import { demandOpenProject, failureReply, readBranding, reply } from './replies.ts';
import { buttonRow, controlsOf, viewComponents, type View } from './view.ts';

const { String, Integer } = ApplicationCommandOptionType;
const defaultRows = 10;
const view: View = {
  command: 'top',
  options: { metric: 'text', limit: 'number', page: 'number', period: 'text' },
  added: 1,
};

/** Finds a metric by its code, ignoring case and with spaces or underscores, or by its title. */
function findMetric(language: Language, offered: Offered, text: string): BoardMetric | null {
  const all = metricCandidates(language, offered);
  const asCode = text
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
  const match = all.find(({ id }) => id === asCode);
  if (match !== undefined) return match.id;
  const named = resolve(all, text);
  return 'found' in named ? named.found.id : null;
}

function unknownMetric(language: Language, offered: Offered, asked: string): Reply {
  const names = metricCandidates(language, offered).map(({ name }) => name);
  return failureReply(
    language,
    'inputTitle',
    language.t('failure.unknownMetric', { metric: escaped(asked) }),
    language.t('failure.available', { names: language.list(names) }),
  );
}

async function run(context: CommandContext): Promise<Reply> {
  const { options, language, pressed } = context;
  const offered = await readOffered(context);
  const asked = textOption(options, 'metric') ?? '';
  const askedPeriod = textOption(options, 'period') ?? '';
  const metric = findMetric(language, offered, asked);
  const period = findPeriod(language, offered, askedPeriod, pressed);
  const weapon = metric === null ? findWeaponBoard(language, offered, asked, pressed) : null;
  if ((metric === null && weapon === null) || period === undefined) await demandOpenProject(context.client);
  if (metric === null && weapon === null) return unknownMetric(language, offered, asked);
  if (period === undefined) return unknownPeriod(language, offered, askedPeriod);
  const limit = atMost(numberOption(options, 'limit') ?? defaultRows, leaderboardMaxRows);
  const board = weapon ?? (metric === null ? null : logBoardOf(metric, period));
  const {
    reply: shown,
    rows,
    page,
    pages,
  } = board === null
    ? await showLeaderboard(context, metric as MetricCode, limit)
    : await showLogBoard(context, board, limit);
  const controls = controlsOf(view, context, {
    metric: board === null ? (metric ?? '') : idOfBoard(board),
    limit,
    page,
    ...(period !== null && { period: period.id }),
  });
  // A metric that no log reports keeps the period for the next one that is chosen.
  const hasPeriods = metric !== null && isLogMetric(metric);
  const components = [
    ...controls.menu('metric', 'placeholder.metric', metricChoices(language, offered), metric),
    ...(hasPeriods
      ? controls.menu('period', 'placeholder.period', periodChoices(language, offered), period?.id ?? allTime)
      : []),
    ...cardMenu(context, rows),
    ...buttonRow(...controls.pager(page, pages), ...controls.share()),
  ];
  return { ...shown, components };
}

/** A leaderboard of the service, which is over all time. */
async function showLeaderboard(
  context: CommandContext,
  metric: MetricCode,
  limit: number,
): Promise<ShownBoard> {
  const { client, options, language, community } = context;
  // Always all rows: pages and the own rank need them, and all members share one cached answer.
  const [branding, answer, own, changes] = await Promise.all([
    readBranding(client),
    client.listLeaderboards({ metric, limit: leaderboardMaxRows }),
    linkedPlayer(context),
    isLogMetric(metric) ? community.kills.changes(metric).catch(() => undefined) : undefined,
  ]);
  const board: Leaderboard = answer.data.leaderboards[0] ?? { metric, unit: metrics[metric].unit, rows: [] };
  const { rows, total, page, pages } = pageOfRows(board.rows, limit, options);
  const { receivedAt, stale } = answer;
  const embed = topEmbed(language, branding, {
    board: { ...board, rows },
    page,
    pages,
    total,
    own: own && ownRankAmong(board.rows, own, own.player?.stats[metrics[metric].stat]),
    changes,
    receivedAt,
    stale,
  });
  return { reply: reply(embed), rows, page, pages };
}

/** `/top metric [period] [limit]`: a leaderboard with `limit` players per page. */
export const topCommand: Command = {
  definition: {
    name: 'top',
    options: [
      { type: String, name: 'metric', required: true, autocomplete: true },
      { type: String, name: 'period', autocomplete: true },
      { type: Integer, name: 'limit', min_value: 1, max_value: leaderboardMaxRows },
    ],
  },
  visibility: () => 'public',
  run,
  async autocomplete(context) {
    const { language, focused } = context;
    const offered = await readOffered(context);
    if (focused.name === 'period') return choicesFor(periodCandidates(language, offered), focused.value);
    const boards = [...metricCandidates(language, offered), ...weaponCandidates(language, offered)];
    const byTitle = choicesFor(boards, focused.value.replaceAll('_', ' '));
    return byTitle.length > 0 ? byTitle : choicesFor(boards, focused.value);
  },
  components: viewComponents(view, run),
};
