import { flag, id, integer, json, moment, orNull, real, table, text, withDefault } from './columns.ts';
import type { DeathCause } from '../../../../api/death-causes.ts';
import { runFigureDefinitions } from './run-figures.ts';

/** What logs say of runs, deaths and stays, and how far they were read. */
export const logTables = {
  /**
   * One run of a game server's admin log: from a header (`AdminLog started on …`) to the next header or the end. The
   * header's local time identifies the run, not the file's name, so a rotated or copied file is the same run.
   */
  log_run: table(
    {
      id: id(),
      server_id: text('REFERENCES server'),
      /** The time in the header as written, `2021-03-31 21:12:34`, in the server's local time; of a rest, that of its first line. */
      header: text(),
      started_at: moment(),
      bytes: integer(),
      /** A `RunDigest` of the run's bytes, hex; empty: unknown. */
      digest: text(),
      imported_at: moment(),
      /** By which copies of a run without a header are recognised (`LogRest`); NULL: it has one. */
      rest: orNull(text()),
      /** The local time from which its lines count, as in `header`; NULL: all do. */
      counts_from: orNull(text()),
      /** 1: its lines show that the machine's clock is not in the server's zone. */
      off_zone: withDefault(flag(), 0),
    },
    {
      unique: ['server_id', 'header'],
      indexes: {
        log_run_off_zone: '(server_id, header) WHERE off_zone = 1',
        log_run_by_start: '(server_id, started_at)',
      },
    },
  ),

  /** The figures of one player in one run. */
  log_run_player: table(
    {
      run_id: integer('REFERENCES log_run ON DELETE CASCADE'),
      player_id: integer('REFERENCES player'),
      ...runFigureDefinitions,
      /** For how long the player had lived on the server when the run began; NULL: not computed, as in all but the latest run. */
      life_before_seconds: orNull(integer()),
    },
    { key: ['player_id', 'run_id'], indexes: { log_run_player_by_run: '(run_id)' } },
  ),

  /** A file of a server's logs, as it was read last. */
  log_file: table(
    {
      server_id: text('REFERENCES server'),
      path: text(),
      /** The file's size and time when all of it was counted; empty: there is more, so that a start reads it again. */
      stamp: text(),
      /** Offset in bytes up to which it was read. */
      position: integer(),
      /** The digests that identify the file; NULL: it has no bytes. */
      marks: orNull(json()),
      lines: integer(),
      unread_lines: integer(),
      /** An array of the kinds of those lines: `{ kind, lines }`. */
      unread_kinds: json(),
      /** The time of the latest line. */
      last_event_at: orNull(moment()),
    },
    { key: ['server_id', 'path'] },
  ),

  /** The result of the last check of a source of the config, written when it changes. */
  source_state: table(
    {
      /** `logs`, `playersDb`, `bans`, … */
      kind: text(),
      /** Of the server or ban list. */
      owner_id: text(),
      path: text(),
      /** The last report. */
      report: orNull(json()),
      read_at: orNull(moment()),
      /** Why it cannot be read; NULL: it can. */
      error: orNull(text()),
    },
    { key: ['kind', 'owner_id', 'path'] },
  ),

  /** A host of remote files and the key or certificate that it was trusted by. */
  trusted_host: table(
    {
      /** Such as `sftp://host:22`. */
      address: text(),
      /** `SHA256:…` */
      fingerprint: text(),
    },
    { key: ['address'] },
  ),

  /**
   * A death in a run, with who killed whom and how. It is identified by its run, the game's id of the victim and the number of
   * the victim's death in the run, so that reading the run again finds the same row.
   */
  death: table(
    {
      id: id(),
      server_id: text('REFERENCES server'),
      run_id: integer('REFERENCES log_run ON DELETE CASCADE'),
      /** Of a forgotten player a pseudonym, see `ForgottenList`. */
      game_id: text(),
      number: integer(),
      at: moment(),
      victim_id: integer('REFERENCES player'),
      killer_id: orNull(integer('REFERENCES player')),
      cause: text<DeathCause>(),
      weapon: orNull(text()),
      body_part: orNull(text()),
      ammo: orNull(text()),
      meters: orNull(real()),
      /** Metres on the terrain's map, to the east and north; NULL unless the project keeps positions. */
      victim_x: orNull(real()),
      victim_z: orNull(real()),
      killer_x: orNull(real()),
      killer_z: orNull(real()),
      stored_at: moment(),
      /**
       * 1: read while the log grew; 2: also written just then, although its time says something else; 0: history, of which
       * nobody is notified.
       */
      live: integer(),
    },
    {
      unique: ['run_id', 'game_id', 'number'],
      indexes: {
        // Has every column that boards of kills count, so that they read nothing but the index.
        death_by_server: '(server_id, at, killer_id, weapon)',
        // For kill feeds, which read what is stored after a death.
        death_in_order: '(server_id, id)',
        death_by_victim: '(victim_id, at)',
        death_by_killer: '(killer_id, at) WHERE killer_id IS NOT NULL',
        death_with_position: '(server_id) WHERE victim_x IS NOT NULL OR killer_x IS NOT NULL',
        // Few of a server's deaths, among which its record is; see `longShotMeters`.
        death_long_shot: '(server_id, meters DESC, at) WHERE meters >= 300',
      },
    },
  ),

  /** Who is on a server, as its log says: a row for each server whose log is followed and has a run under way. */
  roster: table(
    {
      server_id: text('REFERENCES server'),
      /** Of the run under way, see `log_run`. */
      header: text(),
      /** 0: lines of the run are missing, and there was no list of players since. */
      complete: flag(),
      /** When the game last listed its players, by the log's clock; NULL: not in this run. */
      listed_at: orNull(moment()),
      /** The latest moment of any line, by the log's clock. */
      logged_at: moment(),
      /** Up to when the log says who is on, by the clock of the machine that reads it. */
      as_of: moment(),
      poll_every_ms: integer(),
      /** An array of the players by the game's id, see `RosterPlayer`. */
      people: json(),
    },
    { key: ['server_id'] },
  ),

  /**
   * A stay of a player on a server, from coming on to leaving, as a log said while it grew. Moments are by the log's clock.
   * Kept for two days.
   */
  stay: table(
    {
      id: id(),
      project_id: text('REFERENCES project'),
      server_id: text('REFERENCES server'),
      player_id: integer('REFERENCES player'),
      /** The game's own id. */
      game_id: text(),
      name: text(),
      at: moment(),
      /** NULL: is on. */
      left_at: orNull(moment()),
      /** 1: the player was away for a moment only, and came back under another name. */
      continued: flag(),
      /** 1: it began just before it was stored, although its time says something else. */
      just_now: flag(),
      stored_at: moment(),
    },
    {
      indexes: {
        stay_by_project: '(project_id, id)',
        stay_by_game_id: '(server_id, game_id)',
        stay_by_player: '(player_id)',
        stay_open: '(server_id) WHERE left_at IS NULL',
      },
    },
  ),
};
