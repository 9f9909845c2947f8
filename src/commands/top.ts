import { ApplicationCommandOptionType } from 'discord.js';
import { metricCodes, metrics, type MetricCode } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Leaderboard } from '../api/resources.ts';
import { failureEmbed } from '../embeds/failure.ts';
import { escaped } from '../embeds/text.ts';
import { topEmbed, type OwnPlace } from '../embeds/top.ts';
import type { Language } from '../locales/language.ts';
import { choicesFor, resolve } from './choices.ts';
import { numberOption, textOption, type Command, type CommandContext, type Reply } from './command.ts';
import {
  atMost,
  boardCandidates,
  boardChoices,
  findKillBoard,
  pageOfRows,
  readKillBoards,
  showKillBoard,
} from './kill-boards.ts';
import { linkedPlayer, type LinkedPlayer } from './linked-player.ts';
import type { MenuChoice } from './menu-pages.ts';
import { comparePlayer } from './player-identity.ts';
import { privateReply, readBranding, reply } from './replies.ts';
import { buttonRow, controlsOf, viewComponents, type View } from './view.ts';

const { String, Integer } = ApplicationCommandOptionType;
const defaultRows = 10;

const view: View = { command: 'top', options: { metric: 'text', limit: 'number', page: 'number' } };

interface MetricCandidate {
  id: MetricCode;
  name: string;
}

function candidates(language: Language): MetricCandidate[] {
  return metricCodes.map((id) => ({ id, name: language.t(`metric.${id}`) }));
}

const metricChoices = (language: Language): MenuChoice[] =>
  candidates(language).map(({ id, name }) => ({ label: name, value: id, emoji: metrics[id].sign }));

/** Finds a metric by its code, ignoring case and with spaces or underscores, or by its title. */
function findMetric(language: Language, text: string): MetricCode | null {
  const asCode = text
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
  const code = metricCodes.find((candidate) => candidate === asCode);
  if (code !== undefined) return code;
  const match = resolve(candidates(language), text);
  return 'found' in match ? match.found.id : null;
}

function unknownMetric(language: Language, asked: string): Reply {
  const names = candidates(language).map((candidate) => candidate.name);
  return privateReply(
    failureEmbed(language, 'inputTitle', [
      language.t('failure.unknownMetric', { metric: escaped(asked) }),
      language.t('failure.unknownMetricNext', { metrics: language.list(names) }),
    ]),
  );
}

/** A player's rank: from the rows, or without a rank from the player's own stats. */
function placeOf(board: Leaderboard, { identifier, identities, player }: LinkedPlayer): OwnPlace {
  const row = board.rows.find((row) => comparePlayer(row.player, identities) === 'same');
  const name = row?.player.name ?? player?.name ?? null;
  const value = row?.value ?? player?.stats[metrics[board.metric].stat] ?? null;
  return { identifier, name, rank: row?.rank ?? null, value };
}

async function run(context: CommandContext): Promise<Reply> {
  const { client, options, language } = context;
  const asked = textOption(options, 'metric') ?? '';
  const metric = findMetric(language, asked);
  const boards = await readKillBoards(context);
  const killBoard = metric === null ? findKillBoard(language, boards, asked, context.pressed) : null;
  const limit = atMost(numberOption(options, 'limit') ?? defaultRows, leaderboardMaxRows);
  const menu = [...metricChoices(language), ...boardChoices(language, boards)];
  if (killBoard !== null) {
    const { reply: shown, page, pages } = await showKillBoard(context, killBoard, limit);
    const controls = controlsOf(view, context, { metric: killBoard.id, limit, page });
    const current = menu.some(({ value }) => value === killBoard.id) ? killBoard.id : null;
    const components = [
      ...controls.menu('metric', 'placeholder.metric', menu, current),
      ...buttonRow(...controls.pager(page, pages), ...controls.share()),
    ];
    return { ...shown, components };
  }
  if (metric === null) return unknownMetric(language, asked);
  // Always all rows: pages and the own rank need them, and all members share one cached answer.
  const [branding, answer, own] = await Promise.all([
    readBranding(client),
    client.listLeaderboards({ metric, limit: leaderboardMaxRows }),
    linkedPlayer(context),
  ]);
  const board: Leaderboard = answer.data.leaderboards[0] ?? { metric, unit: metrics[metric].unit, rows: [] };
  const { rows, total, page, pages } = pageOfRows(board.rows, limit, options);
  const { receivedAt, stale } = answer;
  const embed = topEmbed(language, branding, {
    board: { ...board, rows },
    page,
    pages,
    total,
    best: board.rows[0]?.value,
    own: own === null ? null : placeOf(board, own),
    receivedAt,
    stale,
  });
  const controls = controlsOf(view, context, { metric, limit, page });
  const components = [
    ...controls.menu('metric', 'placeholder.metric', menu, metric),
    ...buttonRow(...controls.pager(page, pages), ...controls.share()),
  ];
  return { ...reply(embed), components };
}

/** `/top metric [limit]`: a leaderboard with `limit` players per page. */
export const topCommand: Command = {
  definition: {
    name: 'top',
    options: [
      { type: String, name: 'metric', required: true, autocomplete: true },
      { type: Integer, name: 'limit', min_value: 1, max_value: leaderboardMaxRows },
    ],
  },
  visibility: () => 'public',
  run,
  async autocomplete(context) {
    const { language, focused } = context;
    const boards = await readKillBoards(context);
    const metrics = [...candidates(language), ...boardCandidates(language, boards)];
    const byTitle = choicesFor(metrics, focused.value.replaceAll('_', ' '));
    return byTitle.length > 0 ? byTitle : choicesFor(metrics, focused.value);
  },
  components: viewComponents(view, run),
};
