import { sql } from 'kysely';
import { valuesOf } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/database.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import type { Stored } from '../../engine/schema/schema.ts';
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
  header: string;
  /** The latest moment of any line, by the log's clock. */
  loggedAt: number;
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
    | (RosterState & {
        /** The header of the run from which it goes on, whose players stay; null: none. */
        follows: string | null;
        /** Whether the part has its beginning, or what follows a gap. */
        isNew: boolean;
      })
    | null;
}

/** The stored players on a server. */
export interface StoredRoster extends RosterState, RosterAge {
  /** The game's ids of players whose names are not shown: they are hidden or forgotten. */
  unnamed: ReadonlySet<string>;
}

/** What a part of a server's log says about who is on the server. */
export interface RosterPart extends RosterAge {
  serverId: string;
  change: RosterChange;
  age: LogAge;
}

/** The players of a row of `roster`. */
export const rosterPlayers = ({ people }: Pick<Stored<'roster'>, 'people'>): RosterState['players'] =>
  JSON.parse(people) as RosterState['players'];

/** Who is on each server, by server id; servers of which nothing is stored are left out. */
export async function readRosters(
  db: Reader,
  serverIds: readonly string[],
): Promise<Map<string, StoredRoster>> {
  const rows = await db
    .selectFrom('roster')
    .selectAll()
    .where('server_id', 'in', valuesOf('text', serverIds))
    .execute();
  const unlisted = await db
    .selectFrom('server')
    .innerJoin('player', 'player.project_id', 'server.project_id')
    .select(['server.id', 'dayz_id'])
    .where('server.id', 'in', valuesOf('text', serverIds))
    .where('hidden', '<>', sql.lit(visibility.shown))
    .execute();
  return new Map(
    rows.map((row) => {
      const players = rosterPlayers(row);
      const hidden = new Set(unlisted.flatMap(({ id, dayz_id }) => (id === row.server_id ? dayz_id : [])));
      const ids = players.map(([gameId]) => gameId);
      const roster = {
        header: row.header,
        loggedAt: row.logged_at,
        isComplete: row.complete === 1,
        listedAt: row.listed_at,
        players,
        asOf: row.as_of,
        pollEveryMs: row.poll_every_ms,
        unnamed: new Set(ids.filter((id) => isPseudonym(id) || hidden.has(id))),
      };
      return [row.server_id, roster];
    }),
  );
}
