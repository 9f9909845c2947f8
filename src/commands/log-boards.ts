import { boardMetrics, type BoardMetric, isLogMetric, signOf } from '../api/log-metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { LeaderboardRow } from '../api/resources.ts';
import {
  logBoardEmbed,
  logBoardName,
  periodName,
  type LogBoard,
  type LogBoardRows,
  type Period,
} from '../embeds/log-board.ts';
import { escaped } from '../embeds/text.ts';
import type { OwnRank } from '../embeds/top.ts';
import type { Language } from '../locales/language.ts';
import { resolve, type Candidate } from './choices.ts';
import { numberOption, type CommandContext, type CommandOptions, type Reply } from './command.ts';
import { linkedPlayer, ownRankAmong, type LinkedPlayer } from './linked-player.ts';
import type { MenuChoice } from './menu-pages.ts';
import { failureReply, readBranding, reply } from './replies.ts';

/** What the bot counts from logs itself. */
export interface Offered {
  periods: readonly Period[];
  weapons: readonly string[];
}

const nothing: Offered = { periods: [], weapons: [] };

export async function readOffered({ community }: Pick<CommandContext, 'community'>): Promise<Offered> {
  return await community.kills.offered().catch(() => nothing);
}

/** An option and a period that is none: all time. */
export const allTime = 'all';

const weaponBoard = (weapon: string): LogBoard => ({ metric: 'PLAYER_KILLS', period: null, weapon });
const weaponId = (weapon: string): string => `weapon.${weapon}`;

const isOffered = (metric: BoardMetric, { periods }: Offered): boolean =>
  metric !== 'KD' || periods.length > 0;

/** The leaderboards by metric. Those over all time need no logs, but for kills per death. */
export function metricCandidates(language: Language, offered: Offered): (Candidate & { id: BoardMetric })[] {
  return boardMetrics
    .filter((metric) => isOffered(metric, offered))
    .map((id) => ({ id, name: language.t(`metric.${id}`) }));
}

export const metricChoices = (language: Language, offered: Offered): MenuChoice[] =>
  metricCandidates(language, offered).map(({ id, name }) => ({ label: name, value: id, emoji: signOf(id) }));

/** For autocompletion: the metrics have them beside. */
export function weaponCandidates(language: Language, { weapons }: Offered): Candidate[] {
  return weapons.map((weapon) => ({
    id: weaponId(weapon),
    name: logBoardName(language, weaponBoard(weapon)),
  }));
}

/** All time first. */
export function periodCandidates(language: Language, { periods }: Offered): Candidate[] {
  if (periods.length === 0) return [];
  const names = periods.map((period) => ({ id: period.id, name: periodName(language, period) }));
  return [{ id: allTime, name: language.t('top.allTime') }, ...names];
}

export const periodChoices = (language: Language, offered: Offered): MenuChoice[] =>
  periodCandidates(language, offered).map(({ id, name }) => ({ label: name, value: id }));

/** A board by weapon, by its id or by its name as it is shown. */
export function findWeaponBoard(
  language: Language,
  offered: Offered,
  asked: string,
  pressed: boolean,
): LogBoard | null {
  const match = resolve(weaponCandidates(language, offered), asked, pressed);
  const weapon = 'found' in match && offered.weapons.find((one) => weaponId(one) === match.found.id);
  return weapon ? weaponBoard(weapon) : null;
}

/** The id of a board by weapon, as options hold it. */
export const idOfBoard = ({ metric, weapon }: LogBoard): string =>
  weapon === null ? metric : weaponId(weapon);

/** A period by its id, or by its name as it is shown; `season` is the running one. Undefined: there is none. */
export function findPeriod(
  language: Language,
  offered: Offered,
  asked: string,
  pressed: boolean,
): Period | null | undefined {
  if (asked.trim() === '' || asked === allTime) return null;
  const running = offered.periods.find(({ kind, until }) => kind === asked.trim() && until === null);
  if (running !== undefined) return running;
  const match = resolve(periodCandidates(language, offered), asked, pressed);
  if (!('found' in match)) return undefined;
  return offered.periods.find(({ id }) => id === match.found.id) ?? null;
}

/** So many periods are named to who asked for another one. */
const mostNamed = 10;

export function unknownPeriod(language: Language, offered: Offered, asked: string): Reply {
  const names = periodCandidates(language, offered).map(({ name }) => escaped(name));
  return failureReply(
    language,
    'inputTitle',
    language.t('failure.unknownPeriod', { period: escaped(asked) }),
    names.length === 0
      ? language.t('failure.noPeriods')
      : language.t('failure.available', { names: language.list(names.slice(0, mostNamed)) }),
  );
}

/** A page of a board, and how many there are. */
export interface ShownBoard {
  reply: Reply;
  rows: readonly Pick<LeaderboardRow, 'rank' | 'player'>[];
  page: number;
  pages: number;
}

export async function showLogBoard(
  context: CommandContext,
  board: LogBoard,
  limit: number,
): Promise<ShownBoard> {
  const { client, language, community, options } = context;
  const [branding, counted, own] = await Promise.all([
    readBranding(client),
    community.kills.board(board, leaderboardMaxRows),
    linkedPlayer(context),
  ]);
  const { rows: all, since, previous } = counted;
  const { rows, ...pages } = pageOfRows(all, limit, options);
  const ownRank = own && (await ownRankOn(context, board, own, all));
  const shown = { board, since, previous, rows, ...pages, own: ownRank };
  return { reply: reply(logBoardEmbed(language, branding, shown)), rows, ...pages };
}

/** The figure of a member who is beyond the board is looked for among so many. */
const mostCounted = 1_000;

async function ownRankOn(
  { community }: CommandContext,
  board: LogBoard,
  own: LinkedPlayer,
  rows: LogBoardRows['rows'],
): Promise<OwnRank> {
  const ownRank = ownRankAmong(rows, own);
  if (ownRank.rank !== null || rows.length < leaderboardMaxRows) return ownRank;
  const more = await community.kills.board(board, mostCounted);
  return { ...ownRank, value: ownRankAmong(more.rows, own).value };
}

/** Whether the bot counts a board itself, or the service has it. */
export function logBoardOf(metric: BoardMetric, period: Period | null): LogBoard | null {
  if (!isLogMetric(metric) || (period === null && metric !== 'KD')) return null;
  return { metric, period, weapon: null };
}

/** The page of a leaderboard that the options name, or the nearest one. */
export function pageOfRows<Row>(
  all: readonly Row[],
  limit: number,
  options: CommandOptions,
): { rows: Row[]; total: number; page: number; pages: number } {
  const pages = Math.max(Math.ceil(all.length / limit), 1);
  const page = atMost(numberOption(options, 'page') ?? 1, pages);
  return { rows: all.slice((page - 1) * limit, page * limit), total: all.length, page, pages };
}

/** From 1 to the most. */
export function atMost(value: number, most: number): number {
  return Math.min(Math.max(Math.trunc(value), 1), most);
}
