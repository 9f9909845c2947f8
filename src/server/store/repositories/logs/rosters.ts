import { valuesOf } from '../../engine/dialect.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { deleteRows, upsert } from '../../engine/table-rows.ts';
import type { Stored } from '../../engine/schema/schema.ts';

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

/** How recent the information from a log is. */
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

/** What a part of a server's log says about who is on the server. */
export interface RosterPart extends RosterAge {
  serverId: string;
  change: RosterChange;
}

/** The runs of these servers' stored rosters. */
export async function readRosterRuns(tx: Database, serverIds: readonly string[]): Promise<StoredRun[]> {
  return await tx
    .selectFrom('roster')
    .select(['server_id', 'header', 'logged_at'])
    .where('server_id', 'in', valuesOf('text', serverIds))
    .execute();
}

/** The run of a stored roster. */
export interface StoredRun {
  server_id: string;
  header: string;
  logged_at: number;
}

/**
 * Stores who is on servers, in the transaction that stores the positions of their logs. Of several followed logs of a
 * server, the one with the latest run counts; of several copies of a run, the one that is ahead.
 * @param stored as `readRosterRuns` has read it in this transaction
 */
export async function saveRosters(
  tx: Database,
  parts: readonly RosterPart[],
  stored: readonly StoredRun[],
): Promise<void> {
  const rosters = new Map(stored.map((row) => [row.server_id, new NextRoster(row)]));
  for (const part of parts) {
    const { serverId } = part;
    let roster = rosters.get(serverId);
    if (roster === undefined) rosters.set(serverId, (roster = new NextRoster(null)));
    roster.apply(part);
  }
  const all = [...rosters];
  const emptied = all.flatMap(([server_id, { isEmptied }]) => (isEmptied ? [{ server_id }] : []));
  const ended = all.flatMap(([server_id, { isEmptied, row }]) =>
    isEmptied && row === null ? [{ server_id }] : [],
  );
  const players = all.flatMap(([server_id, roster]) =>
    Array.from(roster.players, ([game_id, player]) => ({ key: { server_id, game_id }, player })),
  );
  const gone = players.flatMap(({ key, player }) => (player === null ? [key] : []));
  const on = players.flatMap(({ key, player }) =>
    player === null
      ? []
      : [{ ...key, name: player.name, connected_at: player.connectedAt, absent_at: player.absentAt }],
  );
  const rows = all.flatMap(([server_id, { row }]) => (row === null ? [] : [{ server_id, ...row }]));
  await deleteRows(tx, 'roster_player', emptied);
  await deleteRows(tx, 'roster', ended);
  await upsert(tx, { table: 'roster', key: ['server_id'] }, rows);
  await deleteRows(tx, 'roster_player', gone);
  await upsert(tx, { table: 'roster_player', key: ['server_id', 'game_id'] }, on);
}

/** Whether a stored roster is of the run that has changed, or of the one from which that goes on. */
const isOf = (run: NonNullable<RosterChange['run']>, header: string | undefined): boolean =>
  header !== undefined && (header === run.header || header === run.follows);

/** The changes to a server's stored roster. */
class NextRoster {
  /** Whether its stored players are to be deleted. */
  isEmptied = false;
  /** Null: none. */
  row: Omit<Stored<'roster'>, 'server_id'> | null = null;
  /** The players to be stored, and those to be deleted (null), by the game's id. */
  readonly players = new Map<string, RosterPlayer | null>();
  #current: Pick<StoredRun, 'header' | 'logged_at'> | null;

  constructor(stored: StoredRun | null) {
    this.#current = stored;
  }

  apply({ change: { ended, run }, asOf, pollEveryMs }: RosterPart): void {
    const current = this.#current;
    if (current !== null && (ended.get(current.header) ?? Number.NEGATIVE_INFINITY) >= current.logged_at)
      this.#empty();
    if (run === null) return;
    const { header, loggedAt, isNew, isComplete, listedAt, on, gone } = run;
    const stored = this.#current;
    if (isNew ? stored !== null && stored.header > header : !isOf(run, stored?.header)) return;
    if (stored?.header === header && stored.logged_at > loggedAt) return;
    if (isNew) this.#empty();
    this.#current = { header, logged_at: loggedAt };
    this.row = {
      header,
      complete: isComplete ? 1 : 0,
      listed_at: listedAt,
      logged_at: loggedAt,
      as_of: asOf,
      poll_every_ms: pollEveryMs,
    };
    for (const id of gone) this.players.set(id, null);
    for (const [id, player] of on) this.players.set(id, player);
  }

  #empty(): void {
    this.isEmptied = true;
    this.row = null;
    this.players.clear();
    this.#current = null;
  }
}

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
