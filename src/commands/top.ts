import { boardMetrics, isLogMetric, signOf, type BoardMetric } from '../api/log-metrics.ts';
import { metrics } from '../api/metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import { branded, colours } from '../embeds/branding.ts';
import { escaped } from '../embeds/text.ts';
import { boardEmbed, boardName, type Board, type BoardRow, type OwnRank } from '../embeds/top.ts';
import type { Language } from '../locales/language.ts';
import { readBoard, servedMetric } from './boards.ts';
import { choicesFor, resolve, type Candidate } from './choices.ts';
import { numberOption, textOption, type Command, type CommandContext, type Reply } from './command.ts';
import type { Offered } from './interfaces/community.ts';
import { linkedPlayer, ownRankAmong, type LinkedPlayer } from './linked-player.ts';
import { pageOf } from './pages.ts';
import { allTime, findPeriod, periodCandidates, readOffered, unknownPeriod } from './periods.ts';
import { cardMenu } from './player-answer.ts';
import { demandOpenProject, readBranding } from './reads.ts';
import { failureReply, reply } from './replies.ts';
import { buttonRow } from './rows.ts';
import { controlsOf, screenComponents, type Screen } from './screen.ts';

const defaultRows = 10;
const screen: Screen = {
  command: 'top',
  options: { metric: 'text', limit: 'number', page: 'number', period: 'text' },
};

/** The leaderboards by metric. Without logs there are no periods, and the only metric that is missing is kills per death. */
function metricCandidates(language: Language, { periods }: Offered): (Candidate & { id: BoardMetric })[] {
  return boardMetrics
    .filter((metric) => metric !== 'KD' || periods.length > 0)
    .map((id) => ({ id, name: language.t(`metric.${id}`), emoji: signOf(id) }));
}

const boardOfWeapon = (weapon: string): Board => ({ metric: 'PLAYER_KILLS', period: null, weapon });
const weaponId = (weapon: string): string => `weapon.${weapon}`;

function weaponCandidates(language: Language, { weapons }: Offered): (Candidate & { weapon: string })[] {
  return weapons.map((weapon) => ({
    id: weaponId(weapon),
    name: boardName(language, boardOfWeapon(weapon)),
    weapon,
  }));
}

/** A metric by its code, ignoring case and with spaces or underscores, or by its title; or a weapon. Null: neither. */
function findBoard(
  { language, pressed }: CommandContext,
  offered: Offered,
  text: string,
): Pick<Board, 'metric' | 'weapon'> | null {
  const candidates = metricCandidates(language, offered);
  const code = text
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
  const byMetric = resolve(candidates, candidates.some(({ id }) => id === code) ? code : text);
  if ('found' in byMetric) return { metric: byMetric.found.id, weapon: null };
  const ofWeapon = resolve(weaponCandidates(language, offered), text, pressed);
  return 'found' in ofWeapon ? boardOfWeapon(ofWeapon.found.weapon) : null;
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
  const { client, options, language } = context;
  const offered = await readOffered(context);
  const asked = textOption(options, 'metric') ?? '';
  const askedPeriod = textOption(options, 'period') ?? '';
  const found = findBoard(context, offered, asked);
  const period = findPeriod(context, offered, askedPeriod);
  if (found === null || period === undefined) await demandOpenProject(client);
  if (found === null) return unknownMetric(language, offered, asked);
  if (period === undefined) return unknownPeriod(language, offered, askedPeriod);

  const { metric, weapon } = found;
  const hasPeriods = weapon === null && isLogMetric(metric);
  const board: Board = { ...found, period: hasPeriods ? period : null };
  const limit = Math.min(
    Math.max(Math.trunc(numberOption(options, 'limit') ?? defaultRows), 1),
    leaderboardMaxRows,
  );
  // Always all rows: pages and the own rank need them, and all members share one cached answer.
  const [branding, read, own] = await Promise.all([
    readBranding(client),
    readBoard(context, board, leaderboardMaxRows),
    linkedPlayer(context),
  ]);
  const { items: rows, page, pages } = pageOf(read.rows, limit, numberOption(options, 'page'));
  const embed = boardEmbed(language, {
    ...read,
    board,
    rows,
    total: read.rows.length,
    page,
    pages,
    own: own && (await ownRankOn(context, board, own, read.rows)),
    updatedAt: null,
  });
  const controls = controlsOf(screen, context, {
    metric: weapon === null ? metric : weaponId(weapon),
    limit,
    page,
    // A metric that no log reports keeps the period for the next one that is chosen.
    ...(period !== null && { period: period.id }),
  });
  const metricsOffered = metricCandidates(language, offered);
  const periods = hasPeriods ? periodCandidates(language, offered) : [];
  const components = [
    ...controls.menu('metric', 'placeholder.metric', metricsOffered, weapon === null ? metric : undefined),
    ...controls.menu('period', 'placeholder.period', periods, period?.id ?? allTime),
    ...cardMenu(context, rows),
    ...buttonRow(controls.pager(page, pages), controls.share()),
  ];
  return { ...reply(branded(branding, embed, colours.gold)), components };
}

/** So many rows of a board that the bot counts are searched for a member who is not on the board. */
const mostSearched = 1_000;

async function ownRankOn(
  { community }: CommandContext,
  board: Board,
  own: LinkedPlayer,
  rows: readonly BoardRow[],
): Promise<OwnRank> {
  const metric = servedMetric(board);
  if (metric !== null) return ownRankAmong(rows, own, own.player?.stats[metrics[metric].stat] || null);
  const ownRank = ownRankAmong(rows, own);
  if (ownRank.rank !== null || rows.length < leaderboardMaxRows) return ownRank;
  const more = await community.boards.read(board, mostSearched);
  return { ...ownRank, value: ownRankAmong(more.rows, own).value };
}

/** `/top metric [period] [limit]`: a leaderboard with `limit` players per page. */
export const topCommand: Command = {
  definition: {
    name: 'top',
    options: [
      { type: 'String', name: 'metric', required: true, autocomplete: true },
      { type: 'String', name: 'period', autocomplete: true },
      { type: 'Integer', name: 'limit', min_value: 1, max_value: leaderboardMaxRows },
    ],
  },
  run,
  async autocomplete(context) {
    const { language, focused } = context;
    const offered = await readOffered(context);
    if (focused.name === 'period') return choicesFor(periodCandidates(language, offered), focused.value);
    const boards = [...metricCandidates(language, offered), ...weaponCandidates(language, offered)];
    const byTitle = choicesFor(boards, focused.value.replaceAll('_', ' '));
    return byTitle.length > 0 ? byTitle : choicesFor(boards, focused.value);
  },
  components: screenComponents(screen, run),
};
