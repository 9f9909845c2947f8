import { valuesOf } from '../../engine/dialect.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { deleteRows, upsert } from '../../engine/table-rows.ts';
import type { LogAge, RosterAge } from './log-age.ts';

/** A player on a server. Moments are epoch milliseconds by the log's clock. */
export interface RosterPlayer {
  name: string;
  /** Null: unknown. */
  connectedAt: number | null;
  /** The latest moment at which the player was connected and not in the game yet; null: in the game. */
  absentAt: number | null;
}

/** The players on a server in the current run of its log. */
interface RosterState {
  /** False: lines are missing, and there has been no player list since. */
  isComplete: boolean;
  /** When the game last listed its players, by the log's clock; null: not in this run. */
  listedAt: number | null;
  /** By the game's own id. */
  players: readonly (readonly [gameId: string, player: RosterPlayer])[];
}

/** Somebody came on. Moments are epoch milliseconds by the log's clock. */
export interface Visit {
  gameId: string;
  name: string;
  at: number;
  /** Null: is still on. */
  leftAt: number | null;
}

/** The changes in a part of a log. */
export interface RosterChange {
  /** Ended runs by header, with the latest moment of each. */
  ended: ReadonlyMap<string, number>;
  /** Who came on, in order. */
  visits: readonly Visit[];
  /** Those who were on before the part and left in it, by the game's own id, with the moment. */
  left: ReadonlyMap<string, number>;
  /** The current run; null: none. */
  run:
    | (Omit<RosterState, 'players'> & {
        header: string;
        /** The header of the run from which it goes on, whose players stay; null: none. */
        follows: string | null;
        /** The latest moment of any line. */
        loggedAt: number;
        /** Whether to delete what is stored of it. */
        isNew: boolean;
        on: RosterState['players'];
        gone: readonly string[];
      })
    | null;
}

/** The stored players on a server. */
export interface StoredRoster extends RosterState, RosterAge {
  header: string;
  loggedAt: number;
  /** The game's ids of players whose names are not shown: they are hidden or forgotten. */
  unnamed: ReadonlySet<string>;
}

/** What a part of a server's log says about who is on the server. */
export interface RosterPart extends RosterAge {
  serverId: string;
  age: LogAge;
  change: RosterChange;
}

/** The run of a stored roster. */
export interface RosterRun {
  header: string;
  logged_at: number;
}

/** The run of a server's stored roster; null: there is none. */
export async function readRosterRun(tx: Database, serverId: string): Promise<RosterRun | null> {
  const roster = tx.selectFrom('roster').select(['header', 'logged_at']);
  return (await roster.where('server_id', '=', serverId).executeTakeFirst()) ?? null;
}

/**
 * Stores who is on a server, in the transaction that stores the position of its log. Of several followed logs of a
 * server, the one with the latest run counts; of several copies of a run, the one that is ahead.
 * @param stored as `readRosterRun` has read it in this transaction
 */
export async function saveRoster(
  tx: Database,
  { serverId: server_id, change: { ended, run }, asOf, pollEveryMs }: RosterPart,
  stored: RosterRun | null,
): Promise<void> {
  const hasEnded =
    stored !== null && (ended.get(stored.header) ?? Number.NEGATIVE_INFINITY) >= stored.logged_at;
  const next = run !== null && isNext(run, hasEnded ? null : stored) ? run : null;
  if (hasEnded && next === null) return await deleteRoster(tx, server_id);
  if (next === null) return;
  if (hasEnded || next.isNew)
    await tx.deleteFrom('roster_player').where('server_id', '=', server_id).execute();
  const roster = {
    server_id,
    header: next.header,
    complete: next.isComplete ? 1 : 0,
    listed_at: next.listedAt,
    logged_at: next.loggedAt,
    as_of: asOf,
    poll_every_ms: pollEveryMs,
  };
  const gone = next.gone.map((game_id) => ({ server_id, game_id }));
  const on = next.on.map(([game_id, { name, connectedAt, absentAt }]) => {
    return { server_id, game_id, name, connected_at: connectedAt, absent_at: absentAt };
  });
  await upsert(tx, { table: 'roster', key: ['server_id'] }, [roster]);
  await deleteRows(tx, 'roster_player', gone);
  await upsert(tx, { table: 'roster_player', key: ['server_id', 'game_id'] }, on);
}

/** Whether a run, as far as it was read, comes after what is stored. */
function isNext(run: NonNullable<RosterChange['run']>, stored: RosterRun | null): boolean {
  const isLater = run.isNew ? stored === null || stored.header <= run.header : isOf(run, stored);
  return isLater && (stored?.header !== run.header || stored.logged_at <= run.loggedAt);
}

/** Whether a stored roster is of the run that has changed, or of the one from which that goes on. */
const isOf = (run: NonNullable<RosterChange['run']>, stored: RosterRun | null): boolean =>
  stored !== null && (stored.header === run.header || stored.header === run.follows);

/** Deletes who is on a server: that is unknown until its log is read again. */
export async function deleteRoster(tx: Database, serverId: string): Promise<void> {
  await tx.deleteFrom('roster_player').where('server_id', '=', serverId).execute();
  await tx.deleteFrom('roster').where('server_id', '=', serverId).execute();
}

/** Who is on each server, by server id; servers of which nothing is stored are left out. */
export async function readRosters(
  db: Reader,
  serverIds: readonly string[],
): Promise<Map<string, StoredRoster>> {
  const rows = await db
    .selectFrom('roster')
    .leftJoin('roster_player', 'roster_player.server_id', 'roster.server_id')
    .leftJoin('server', 'server.id', 'roster.server_id')
    .leftJoin('player', (join) =>
      join
        .onRef('player.project_id', '=', 'server.project_id')
        .onRef('player.dayz_id', '=', 'roster_player.game_id'),
    )
    .select(['roster.server_id', 'header', 'complete', 'listed_at as listedAt', 'logged_at as loggedAt'])
    .select(['as_of as asOf', 'poll_every_ms as pollEveryMs', 'player.hidden'])
    .select(['game_id', 'roster_player.name', 'connected_at as connectedAt', 'absent_at as absentAt'])
    .where('roster.server_id', 'in', valuesOf('text', serverIds))
    .execute();
  const found = new Map<
    string,
    StoredRoster & { players: (readonly [string, RosterPlayer])[]; unnamed: Set<string> }
  >();
  for (const row of rows) {
    const { server_id, complete, game_id, name, connectedAt, absentAt, hidden, ...ages } = row;
    let roster = found.get(server_id);
    if (roster === undefined)
      found.set(
        server_id,
        (roster = { ...ages, isComplete: complete === 1, players: [], unnamed: new Set() }),
      );
    if (game_id === null || name === null) continue;
    if (isPseudonym(game_id) || (hidden ?? visibility.shown) !== visibility.shown)
      roster.unnamed.add(game_id);
    roster.players.push([game_id, { name, connectedAt, absentAt }]);
  }
  return found;
}
