import { createHmac } from 'node:crypto';
import { identifierOf } from '../api/identifiers.ts';
import { logMetrics } from '../api/log-metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Leaderboard, LeaderboardRow, PlayerReference } from '../api/resources.ts';
import type { Board, BoardRow } from '../embeds/top.ts';
import type { RouteContext } from './route.ts';

/** A leaderboard as a page shows it. */
export interface ListedBoard extends Pick<Board, 'metric' | 'period'> {
  rows: readonly ListedRow[];
  /** When counting began; null: that is not known. */
  since: number | null;
}

export interface ListedRow extends BoardRow {
  /** Of the player's page; null: there is none, since only a name is known and several on the board have it, or not even that. */
  key: string | null;
}

/** 16 characters of base64url: 96 bits. */
const keyLength = 16;

/**
 * The key of a player's page, which does not give the player's identifier away. There are only about 2^31 SteamID64s, so a plain
 * hash could be reversed by trying all of them; the secret prevents that. Keys of one player in two projects have nothing in common.
 * Null: the player has neither an identifier nor a name.
 */
function pageKey({ secret, project }: RouteContext, reference: PlayerReference): string | null {
  const { name } = reference;
  const who = identifierOf(reference)?.value ?? (name === null ? null : `name ${name}`);
  if (who === null) return null;
  const signed = createHmac('sha256', secret).update(`page ${project.slug}\n${who}`);
  return signed.digest('base64url').slice(0, keyLength);
}

type WantedBoard = Pick<Board, 'metric' | 'period'>;

/** @param allTime the boards of the contract, as `readBoards` returns them: those over all time, whose rows have no `change` */
export async function readBoard(
  context: RouteContext,
  allTime: readonly Leaderboard[],
  { metric, period }: WantedBoard,
): Promise<ListedBoard> {
  const { project } = context;
  if (metric !== 'KD' && period === null) {
    const rows = allTime.find((board) => board.metric === metric)?.rows ?? [];
    return { metric, period, rows: withKeys(context, rows), since: null };
  }
  return await project.remember(['board', metric, period], async () => {
    // The page does not show the first three of the period before.
    const counted = { metric, period: period && { ...period, previous: null }, weapon: null };
    const { rows, since } = await project.boards.read(counted, leaderboardMaxRows);
    return { metric, period, rows: withKeys(context, rows), since };
  });
}

function withKeys(context: RouteContext, rows: readonly (LeaderboardRow | BoardRow)[]): ListedRow[] {
  const keys = rows.map(({ player }) => pageKey(context, player));
  return rows.map((row, index) => {
    const key = keys[index] ?? null;
    const isUnique = keys.indexOf(key) === keys.lastIndexOf(key);
    return { change: null, ...row, key: isUnique ? key : null };
  });
}

/** The player with a key: on a leaderboard over all time, else on one of a period. @param allTime as of `readBoard` */
export async function findListed(
  context: RouteContext,
  allTime: readonly Leaderboard[],
  wantedKey: string,
): Promise<PlayerReference | null> {
  // It is no key: spare reading every board.
  if (wantedKey.length !== keyLength) return null;
  const { periods } = await context.project.boards.offered();
  const wantedBoards: WantedBoard[] = [
    ...allTime.map(({ metric }) => ({ metric, period: null })),
    { metric: 'KD', period: null },
    ...periods.flatMap((period) => logMetrics.map((metric) => ({ metric, period }))),
  ];
  for (const wanted of wantedBoards) {
    const { rows } = await readBoard(context, allTime, wanted);
    const found = rows.find(({ key }) => key === wantedKey);
    if (found !== undefined) return found.player;
  }
  return null;
}
