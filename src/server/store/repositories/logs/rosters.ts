import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { upsert } from '../../engine/upsert.ts';
import type { RosterTable } from '../../engine/schema/roster-tables.ts';

/** A player on a server. Moments are epoch milliseconds by the log's clock. */
export interface RosterPlayer {
  name: string;
  /** Null: unknown. */
  connectedAt: number | null;
  /** The latest moment at which the player was connected and not in the game yet; null: in the game. */
  absentAt: number | null;
}

/** The players on a server in the current run of its log. */
export interface RosterState {
  /** False: lines are missing, and there has been no player list since. */
  isComplete: boolean;
  /** When the game last listed its players, by the log's clock; null: not in this run. */
  listedAt: number | null;
  /** By the game's own id. */
  players: readonly (readonly [gameId: string, player: RosterPlayer])[];
}

/** The changes in a part of a log. */
export interface RosterChange {
  /** Ended runs by header, with the latest moment of each. */
  ended: ReadonlyMap<string, number>;
  /** The current run; null: none. */
  run:
    | (Omit<RosterState, 'players'> & {
        header: string;
        /** The latest moment of any line. */
        loggedAt: number;
        /** Whether to delete what is stored of it. */
        isNew: boolean;
        on: RosterState['players'];
        gone: readonly string[];
      })
    | null;
}

/** The age of a log's information. */
export interface RosterAge {
  /** Up to when the log is known, epoch milliseconds by this machine's clock. */
  asOf: number;
  /** How often its source is polled, milliseconds. */
  pollEveryMs: number;
}

/** The stored players on a server. */
export interface StoredRoster extends RosterState, RosterAge {
  header: string;
  loggedAt: number;
  /** The game's ids of players whose names are not shown: they are hidden or forgotten. */
  unnamed: ReadonlySet<string>;
}

/**
 * Stores who is on a server, in the transaction that stores the log's position. Of several followed logs, the one
 * with the latest run counts; of several copies of a run, the one that is ahead.
 */
export async function saveRoster(
  tx: Database,
  serverId: string,
  { ended, run }: RosterChange,
  { asOf, pollEveryMs }: RosterAge,
): Promise<void> {
  let stored = await tx
    .selectFrom('roster')
    .select(['header', 'logged_at'])
    .where('server_id', '=', serverId)
    .executeTakeFirst();
  if (stored !== undefined && (ended.get(stored.header) ?? Number.NEGATIVE_INFINITY) >= stored.logged_at) {
    await deleteRoster(tx, serverId);
    stored = undefined;
  }
  if (run === null) return;
  const { header, loggedAt, isNew, isComplete, listedAt, on, gone } = run;
  if (isNew ? stored !== undefined && stored.header > header : stored?.header !== header) return;
  if (stored?.header === header && stored.logged_at > loggedAt) return;
  const row = {
    header,
    complete: isComplete ? 1 : 0,
    listed_at: listedAt,
    logged_at: loggedAt,
    as_of: asOf,
    poll_every_ms: pollEveryMs,
  };
  if (isNew) await deleteRoster(tx, serverId);
  if (isNew)
    await tx
      .insertInto('roster')
      .values({ server_id: serverId, ...row })
      .execute();
  else await tx.updateTable('roster').set(row).where('server_id', '=', serverId).execute();
  await eachChunk(gone, async (chunk) => {
    await tx
      .deleteFrom('roster_player')
      .where('server_id', '=', serverId)
      .where('game_id', 'in', valuesOf('text', chunk))
      .execute();
  });
  const rows = on.map(([id, { name, connectedAt, absentAt }]) => [id, name, connectedAt, absentAt]);
  await upsert(
    tx,
    {
      table: 'roster_player',
      fixed: { server_id: serverId },
      columns: { game_id: 'text', name: 'text', connected_at: 'integer', absent_at: 'integer' },
      key: ['server_id', 'game_id'],
    },
    rows,
  );
}

/** Nothing is known of who is on a server until its log is read again. */
export async function deleteRoster(tx: Database, serverId: string): Promise<void> {
  await tx.deleteFrom('roster_player').where('server_id', '=', serverId).execute();
  await tx.deleteFrom('roster').where('server_id', '=', serverId).execute();
}

/** Who is on each server, by server id; servers whose log has not said are left out. */
export async function readRosters(
  db: Pick<Database, 'selectFrom'>,
  serverIds: readonly string[],
): Promise<Map<string, StoredRoster>> {
  const rows = await db
    .selectFrom('roster')
    .leftJoin('roster_player', 'roster_player.server_id', 'roster.server_id')
    .selectAll('roster')
    .leftJoin('server', 'server.id', 'roster.server_id')
    .leftJoin('player', (join) =>
      join
        .onRef('player.project_id', '=', 'server.project_id')
        .onRef('player.dayz_id', '=', 'roster_player.game_id'),
    )
    .select(['game_id', 'roster_player.name', 'connected_at', 'absent_at', 'player.hidden'])
    .where('roster.server_id', 'in', valuesOf('text', serverIds))
    .execute();
  const found = new Map<
    string,
    StoredRoster & { players: (readonly [string, RosterPlayer])[]; unnamed: Set<string> }
  >();
  for (const row of rows) {
    let roster = found.get(row.server_id);
    if (roster === undefined)
      found.set(row.server_id, (roster = { ...rosterOf(row), players: [], unnamed: new Set() }));
    const { game_id, name, connected_at, absent_at, hidden } = row;
    if (game_id === null || name === null) continue;
    if (isPseudonym(game_id) || (hidden ?? visibility.shown) !== visibility.shown)
      roster.unnamed.add(game_id);
    roster.players.push([game_id, { name, connectedAt: connected_at, absentAt: absent_at }]);
  }
  return found;
}

function rosterOf(row: RosterTable): Omit<StoredRoster, 'players' | 'unnamed'> {
  return {
    header: row.header,
    isComplete: row.complete === 1,
    listedAt: row.listed_at,
    loggedAt: row.logged_at,
    asOf: row.as_of,
    pollEveryMs: row.poll_every_ms,
  };
}
