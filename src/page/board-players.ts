import { createHmac } from 'node:crypto';
import { identifierOf } from '../api/identifiers.ts';
import { logMetrics } from '../api/log-metrics.ts';
import { leaderboardMaxRows } from '../api/operations.ts';
import type { Leaderboard, LeaderboardRow, PlayerReference } from '../api/resources.ts';
import type { Board, BoardRow } from '../embeds/top.ts';
import type { RouteContext } from './route.ts';

/** Which leaderboard, and its rows. */
export interface ListedBoard extends Pick<Board, 'metric' | 'period'> {
  rows: readonly ListedRow[];
  /** Null: what is counted has no known start. */
  since: number | null;
}

export interface ListedRow extends BoardRow {
  /** Of the player's page; null: players without an identifier who share a name cannot be distinguished, and have none. */
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

type Place = Pick<Board, 'metric' | 'period'>;

/** A leaderboard; over all time, its rows do not say how they changed. @param boards all over all time, as `readBoards` has them */
export async function readBoard(
  context: RouteContext,
  boards: readonly Leaderboard[],
  { metric, period }: Place,
): Promise<ListedBoard> {
  const { project } = context;
  if (metric !== 'KD' && period === null) {
    const rows = boards.find((one) => one.metric === metric)?.rows ?? [];
    return { metric, period, rows: withKeys(context, rows), since: null };
  }
  return await project.remember(['board', metric, period], async () => {
    // Without the period before, whose first three the page does not show.
    const counted = { metric, period: period && { ...period, previous: null }, weapon: null };
    const { rows, since } = await project.boards.read(counted, leaderboardMaxRows);
    return { metric, period, rows: withKeys(context, rows), since };
  });
}

function withKeys(context: RouteContext, rows: readonly (LeaderboardRow | BoardRow)[]): ListedRow[] {
  const keys = rows.map(({ player }) => pageKey(context, player));
  return rows.map((row, index) => {
    const key = keys[index] ?? null;
    return { change: null, ...row, key: keys.indexOf(key) === keys.lastIndexOf(key) ? key : null };
  });
}

/** The player with a key: on a leaderboard over all time, else on one of a period. @param boards all over all time */
export async function findListed(
  context: RouteContext,
  boards: readonly Leaderboard[],
  wanted: string,
): Promise<PlayerReference | null> {
  // Others would be searched for on every board.
  if (wanted.length !== keyLength) return null;
  const { periods } = await context.project.boards.offered();
  const places: Place[] = [
    ...boards.map(({ metric }) => ({ metric, period: null })),
    { metric: 'KD', period: null },
    ...periods.flatMap((period) => logMetrics.map((metric) => ({ metric, period }))),
  ];
  for (const place of places) {
    const { rows } = await readBoard(context, boards, place);
    const found = rows.find(({ key }) => key === wanted);
    if (found !== undefined) return found.player;
  }
  return null;
}
