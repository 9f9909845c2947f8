import { leaderboardMaxRows } from '../api/operations.ts';
import { killBoardEmbed, killBoardName, type KillBoard } from '../embeds/kill-board.ts';
import type { Language } from '../locales/language.ts';
import { resolve, type Candidate } from './choices.ts';
import { numberOption, type CommandContext, type CommandOptions, type Reply } from './command.ts';
import { linkedPlayer } from './linked-player.ts';
import type { MenuChoice } from './menu-pages.ts';
import { comparePlayer } from './player-identity.ts';
import { readBranding, reply } from './replies.ts';

/** The leaderboards that the bot counts from kills. They hold names from logs, so only home guilds have them. */
export async function readKillBoards({
  ports,
  asker,
}: Pick<CommandContext, 'ports' | 'asker'>): Promise<readonly KillBoard[]> {
  if (!asker.isHome || ports.kills === undefined) return [];
  return await ports.kills.boards().catch(() => []);
}

/** For autocompletion. */
export function boardCandidates(language: Language, boards: readonly KillBoard[]): Candidate[] {
  return boards.map((board) => ({ id: board.id, name: killBoardName(language, board) }));
}

/** More seasons have no place in a menu beside the metrics. */
const menuBoards = 12;

/** For a menu: without those of single weapons, of which there are many. */
export function boardChoices(language: Language, boards: readonly KillBoard[]): MenuChoice[] {
  return boards
    .filter(({ kind }) => kind !== 'weapon')
    .slice(0, menuBoards)
    .map((board) => ({ label: killBoardName(language, board), value: board.id, emoji: '⚔️' }));
}

/** A board by its id, or by its name as it is shown. */
export function findKillBoard(
  language: Language,
  boards: readonly KillBoard[],
  asked: string,
  pressed: boolean,
): KillBoard | null {
  const match = resolve(boardCandidates(language, boards), asked, pressed);
  return 'found' in match ? (boards.find(({ id }) => id === match.found.id) ?? null) : null;
}

/** A page of a board, and how many there are. */
export async function showKillBoard(
  context: CommandContext,
  board: KillBoard,
  limit: number,
): Promise<{ reply: Reply; page: number; pages: number }> {
  const { client, language, ports, options } = context;
  const [branding, counted, own] = await Promise.all([
    readBranding(client),
    ports.kills?.board(board, leaderboardMaxRows) ?? { rows: [], since: board.from },
    linkedPlayer(context),
  ]);
  const all = counted.rows.map((row) => ({
    ...row,
    rank: 1 + counted.rows.filter(({ kills }) => kills > row.kills).length,
  }));
  const { rows, ...pages } = pageOfRows(all, limit, options);
  const row = own && all.find(({ player }) => comparePlayer(player, own.identities) === 'same');
  const place = own && {
    identifier: own.identifier,
    name: row?.player.name ?? own.player?.name ?? null,
    rank: row?.rank ?? null,
    value: row?.kills ?? null,
  };
  const shown = { board, since: counted.since, rows, ...pages, best: all[0]?.kills ?? 0, own: place };
  return { reply: reply(killBoardEmbed(language, branding, shown)), ...pages };
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
