import { leaderboardMaxRows } from '../api/operations.ts';
import { killBoardEmbed, killBoardName, type KillBoard } from '../embeds/kill-board.ts';
import type { Language } from '../locales/language.ts';
import { resolve, type Candidate } from './choices.ts';
import type { CommandContext, Reply } from './command.ts';
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

/** The embed of a board, and how many pages it has. */
export async function showKillBoard(
  context: CommandContext,
  board: KillBoard,
  { limit, page: asked }: { limit: number; page: number },
): Promise<{ reply: Reply; page: number; pages: number }> {
  const { client, language, ports } = context;
  const [branding, counted, own] = await Promise.all([
    readBranding(client),
    ports.kills?.board(board, leaderboardMaxRows) ?? { rows: [], since: board.from },
    linkedPlayer(context),
  ]);
  const { rows, since } = counted;
  const ranks = rows.map(({ kills }) => 1 + rows.filter((other) => other.kills > kills).length);
  const pages = Math.max(Math.ceil(rows.length / limit), 1);
  const page = Math.min(Math.max(asked, 1), pages);
  const row = own === null ? -1 : rows.findIndex(({ player }) => isSame(player, own.identities));
  const place = own && {
    identifier: own.identifier,
    name: rows[row]?.player.name ?? own.player?.name ?? null,
    row: row < 0 ? null : row,
  };
  const embed = killBoardEmbed(language, branding, {
    board,
    rows,
    since,
    ranks,
    page,
    pages,
    limit,
    own: place,
  });
  return { reply: reply(embed), page, pages };
}

const isSame = (...[player, identities]: Parameters<typeof comparePlayer>): boolean =>
  comparePlayer(player, identities) === 'same';
