import { sql } from 'kysely';
import { joinByIndex } from '../../engine/dialect.ts';
import { chunksOf } from '../../engine/each-chunk.ts';
import type { RunPlayerRow } from '../../engine/schema/run-figures.ts';
import type { Write } from '../../engine/send-together.ts';
import { upsertOf } from '../../engine/table-rows.ts';
import { deathWrites, type PlayerOf, type RunDeath, type RunDeaths } from '../kills/save-deaths.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import { derivations } from './derivations.ts';
import { type LogAge, olderOf } from './log-age.ts';
import {
  compareCopies,
  keyOfRun,
  knownRun,
  type KnownRun,
  type RunCopy,
  type RunKey,
  type RunOutcome,
  runsAs,
} from './run-copies.ts';
import { runPlayerWrites, storedRunPlayers, type StoredRunPlayer } from './run-players.ts';

/** What was counted in a run. */
export interface RunCounts {
  /** Of every player in it, by the game's id; two rows of one player are joined. */
  rows: ReadonlyMap<string, RunPlayerRow>;
  /** Those that changed since the run was last passed on; `hasAllDeaths`: all of the run. */
  deaths: readonly RunDeath[];
  hasAllDeaths: boolean;
}

/** A run as far as it was read. */
export interface RunToSave extends RunCopy, RunKey, RunCounts {
  startedAt: number;
  fileName: string;
  lines: number;
  unreadLines: number;
  /** Whether its lines show that the machine's clock is not in the server's zone. */
  isOffZone?: boolean;
  age: LogAge;
}

export interface SaveOptions {
  now: number;
  /** Whether the project keeps positions of deaths. */
  keepsPositions: boolean;
}

interface StoredRun {
  id: number;
  server_id: string;
  header: string;
  bytes: number;
  digest: string;
  counts_version: number;
}

/** What is stored of runs: themselves and their players. */
export const storedRuns = (runs: readonly RunKey[]) =>
  [
    sql<StoredRun>`
      SELECT id, log_run.server_id, log_run.header, bytes, digest, counts_version FROM ${runsAs('wanted', runs)}
      ${joinByIndex('log_run', sql`log_run.server_id = wanted.server_id AND log_run.header = wanted.header`)}
    `,
    storedRunPlayers(runs),
  ] as const;

/**
 * Stores copies of runs, except where a better copy is stored already (`compareCopies`), perhaps by another process. Writes
 * only the player rows that differ. In steps, so that its statements can be sent together with others: in one transaction,
 * the writes of `runs` come before those of `content`.
 */
export class RunsToSave {
  /** What becomes of each run, in their order. */
  readonly outcomes: RunOutcome[];
  /** The players whose figures change, by server; complete when `content` was called. */
  readonly changed = new Map<string, Set<number>>();
  readonly #options: SaveOptions;
  readonly #copies: { run: RunToSave; wins: boolean }[] = [];
  readonly #winners = new Map<string, RunToSave>();
  /** The ids of stored runs, by `keyOfRun`. */
  readonly #ids: Map<string, number>;

  /** @param known as `storedRuns` has read them in this transaction */
  constructor(runs: readonly RunToSave[], known: readonly StoredRun[], options: SaveOptions) {
    this.#options = options;
    const keyOf = (row: StoredRun) => keyOfRun({ serverId: row.server_id, header: row.header });
    this.#ids = new Map(known.map((row) => [keyOf(row), row.id]));
    const best = new Map<string, KnownRun>(known.map((row) => [keyOf(row), knownRun(row)]));
    this.outcomes = runs.map((run) => {
      const key = keyOfRun(run);
      const stored = best.get(key);
      const { outcome, wins } = compareCopies(run, stored);
      // A followed log that is read again is the longer copy only with its last part; its deaths are stored with each.
      if (wins || stored?.isCurrent === false) this.#copies.push({ run, wins });
      if (wins) {
        best.set(key, { bytes: run.bytes, digest: run.digest, isCurrent: true });
        this.#winners.set(key, run);
      }
      return outcome;
    });
  }

  /** Whether `content` needs the ids that the writes of `runs` return. */
  get hasNew(): boolean {
    return [...this.#winners.keys()].some((key) => !this.#ids.has(key));
  }

  /** Stores the runs themselves. */
  runs(): Write[] {
    return chunksOf([...this.#winners.values()]).map((runs) => this.#saveRows(runs));
  }

  /** Stores players and deaths. @param players as `storedRuns` has read them in this transaction */
  content(playerOf: PlayerOf, players: readonly StoredRunPlayer[]): Write[] {
    const winners = Array.from(this.#winners, ([key, { serverId, rows }]) => ({
      serverId,
      runId: this.#idOf(key),
      players: [...rows].flatMap(([gameId, row]) =>
        isPseudonym(gameId) ? [] : [[playerOf(serverId, gameId), row] as const],
      ),
    }));
    return [
      ...deathWrites(this.#deaths(), { ...this.#options, playerOf }),
      ...runPlayerWrites(winners, players, (serverId, playerId) => this.#change(serverId, playerId)),
    ];
  }

  #change(serverId: string, playerId: number): void {
    const players = this.changed.get(serverId);
    if (players === undefined) this.changed.set(serverId, new Set([playerId]));
    else players.add(playerId);
  }

  #idOf(key: string): number {
    const id = this.#ids.get(key);
    if (id === undefined) throw new Error('expected the run to be stored');
    return id;
  }

  /** The deaths in parts of runs. */
  #deaths(): RunDeaths[] {
    const joined = new Map<string, RunDeaths>();
    for (const { run, wins } of this.#copies) {
      const key = keyOfRun(run);
      const isWhole = wins && run.hasAllDeaths;
      const before = isWhole ? undefined : joined.get(key);
      joined.set(key, {
        serverId: run.serverId,
        runId: this.#idOf(key),
        isWhole: isWhole || before?.isWhole === true,
        age: before === undefined ? run.age : olderOf(run.age, before.age),
        deaths: [...(before?.deaths ?? []), ...run.deaths],
      });
    }
    return [...joined.values()];
  }

  #saveRows(runs: readonly RunToSave[]): Write {
    const rows = runs.map((run) => ({
      server_id: run.serverId,
      header: run.header,
      started_at: run.startedAt,
      file_name: run.fileName,
      bytes: run.bytes,
      digest: run.digest,
      lines: run.lines,
      unread_lines: run.unreadLines,
      imported_at: this.#options.now,
      counts_version: derivations.counts,
      off_zone: run.isOffZone === true ? 1 : 0,
    }));
    const saved = upsertOf({ table: 'log_run', key: ['server_id', 'header'] }, rows);
    return {
      statement: sql`${saved} RETURNING id, server_id, header`,
      onResult: ({ rows }) => {
        for (const { id, server_id, header } of rows as Pick<StoredRun, 'id' | 'server_id' | 'header'>[])
          this.#ids.set(keyOfRun({ serverId: server_id, header }), id);
      },
    };
  }
}
