import type { RunPlayerRow } from '../../../store/engine/schema/run-figures.ts';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import type { RunCounts } from '../../../store/repositories/logs/log-runs.ts';
import type { RosterChange, RosterState } from '../../../store/repositories/logs/rosters.ts';
import { isSameCopy, type KnownRun } from '../../../store/repositories/logs/run-copies.ts';
import type { RunsOfOthers } from '../../../store/repositories/logs/runs-of-others.ts';
import type {
  GameEvent,
  HeadlessLines,
  IdentifiedEvent,
  LocalZone,
  LogBlock,
  LogFormat,
  LogReader,
  ReaderState,
  RunRead,
} from 'dayz-files';
import { Roster } from '../../counting/roster.ts';
import { amongKnown, mostPlayers } from '../../counting/crowded-run.ts';
import { withoutForgotten } from '../../counting/forgotten-players.ts';
import { Sightings } from '../../counting/sightings.ts';
import type { ForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';
import { withoutPeople } from '../../../store/repositories/rights/erase-log-state.ts';
import type { PlayerState } from '../../counting/player-tally.ts';
import { RunTally } from '../../counting/tally.ts';
import { type UnreadKind, UnreadKinds } from './unread-kinds.ts';

/** The content of a part of a file, to be stored together with the position. */
export interface LogChanges {
  sightings: Sightings;
  /** The runs that were read, in order. */
  runs: (RunRead & RunCounts)[];
  /** Number of runs that are stored identically. */
  unchangedRuns: number;
  /** The counting state of players whose figures have changed, in the current run. */
  tallies: { replace: boolean; changed: (readonly [gameId: string, state: PlayerState])[] };
  /** Changes of who is on; null: nothing was read about that. */
  roster: RosterChange | null;
  /** The gestures that players made, in the order of lines. */
  gestures: readonly MadeGesture[];
}

/** A gesture of a player, by the game's id. */
interface MadeGesture {
  gameId: string;
  gesture: string;
  at: number;
}

/** The state from which to continue in a file. */
export interface CounterState extends Pick<LogFile, 'lines' | 'unreadLines' | 'unreadKinds' | 'lastEventAt'> {
  state: ReaderState | null;
  countedUntil: number | null;
  tallies: readonly [gameId: string, state: PlayerState][];
  /** Who is on in the current run; null: unknown. */
  roster: RosterState | null;
}

interface CounterOptions {
  zone: LocalZone;
  forgotten: ForgottenList;
  left?: CounterState | null;
  /** The stored copies of runs. Used when a whole file is read, to skip runs that have not changed. */
  known?: ReadonlyMap<string, KnownRun>;
  /** Runs of other servers, to be compared with those of the file. */
  others?: RunsOfOthers;
  /** Takes identities only, and leaves runs and figures unchanged. */
  identitiesOnly?: boolean;
  /** Whether the file is being written, so that it says who is on. */
  isFollowed?: boolean;
}

/** Reads one file through its format and counts its events. */
export class LogCounter {
  readonly #format: LogFormat;
  readonly #options: CounterOptions;
  #unread: UnreadKinds;
  #reader: LogReader<ReaderState>;
  /** Lines of the file that earlier readers have read. */
  #linesBefore: number;
  #unreadBefore: number;
  #lastEventAt: number | null;
  #tally: RunTally;
  /** Null: the file does not say who is on. */
  readonly #roster: Roster | null;
  /** The row of every player in the current run, as last passed on. */
  #rows = new Map<string, RunPlayerRow>();
  #ended: (RunRead & RunCounts)[] = [];
  #unchanged = 0;
  #gestures: MadeGesture[] = [];
  /** People seen outside of runs, or in ended runs, since the last `take`. */
  #seen = new Sightings();
  /** Whether a run is counted. To ask the reader costs as much as a line. */
  #isInRun: boolean;
  #hasNewRun = false;
  #hasRead = false;
  /** Whether the file continues another one, to which lines before the first header belong. */
  #isRest = false;
  /** Whether parts of the current run were passed on, by this counter or an earlier one. */
  #isPartial: boolean;
  #countedUntil: number | null;
  /** The pseudonyms of forgotten players in the current run. */
  #pseudonymOf: (gameId: string) => string | null;

  constructor(format: LogFormat, options: CounterOptions) {
    this.#format = format;
    this.#options = options;
    const { left = null } = options;
    this.#linesBefore = left?.lines ?? 0;
    this.#unreadBefore = left?.unreadLines ?? 0;
    this.#lastEventAt = left?.lastEventAt ?? null;
    this.#unread = new UnreadKinds(options.forgotten, left?.unreadKinds);
    this.#tally = RunTally.resume(left?.tallies ?? []);
    this.#reader = this.#open(left?.state ?? null);
    const { run } = this.#reader;
    this.#pseudonymOf = options.forgotten.pseudonyms(run?.header ?? '');
    this.#isPartial = run !== null;
    this.#isInRun = run !== null;
    if (run !== null) this.#countAll(run.lastSeenAt);
    this.#roster = options.isFollowed === true ? Roster.resume(run, left?.roster ?? null) : null;
    this.#countedUntil = left?.countedUntil ?? null;
  }

  /** Lines of the file, and those that no rule matched. */
  get lines(): number {
    return this.#linesBefore + this.#reader.lines;
  }

  get unreadLines(): number {
    return this.#unreadBefore + this.#reader.unreadLines;
  }

  /** Those lines by their kind, most lines first. */
  get unreadKinds(): readonly UnreadKind[] {
    return this.#unread.all;
  }

  get lastEventAt(): number | null {
    return this.#reader.lastEventAt ?? this.#lastEventAt;
  }

  /** The content since the file's start or restart: such a log, nothing yet, or something else. */
  get content(): LogReader<ReaderState>['content'] {
    return this.#reader.content;
  }

  /** Lines since the file's start or restart that count nowhere, because no header is before them. */
  get headless(): HeadlessLines | null {
    return this.#isRest ? null : (this.#reader.headless ?? null);
  }

  /** Whether open sessions were counted up to an earlier moment than the last one seen. */
  get isBehind(): boolean {
    const { run } = this.#reader;
    if (run === null || run.lastSeenAt === this.#countedUntil) return false;
    for (const player of this.#tally.players.values()) if (player.isConnected) return true;
    return false;
  }

  /** Header of the current run. */
  get header(): string | null {
    return this.#reader.run?.header ?? null;
  }

  read(block: LogBlock): void {
    this.#reader.read(block, (event) => this.#count(event));
    this.#hasRead = true;
  }

  /** Ends the current run: no more of it will follow. */
  end(): void {
    this.#reader.end((event) => this.#count(event));
  }

  /** What follows is another file, which continues the current run. Lines between the two may be missing. */
  startRest(): void {
    this.#roster?.lose();
    this.#isRest = true;
    this.countUnreadAnew();
    this.#ended = [];
    this.#unchanged = 0;
  }

  /** The unread lines that follow are of another file than those before. */
  countUnreadAnew(): void {
    this.#unread = new UnreadKinds(this.#options.forgotten);
  }

  /** The file starts again. */
  restart(): void {
    this.end();
    this.#lastEventAt = this.lastEventAt;
    this.#linesBefore = this.lines;
    this.#unreadBefore = this.unreadLines;
    this.#reader = this.#open(null);
    this.#isRest = false;
    this.#hasNewRun = true;
    this.#tally = new RunTally();
  }

  /**
   * Returns the changes since the last call. @param whole whether to count open sessions up to the last seen moment
   */
  take(whole: boolean): LogChanges {
    const runs = this.#ended;
    const changed: (readonly [string, PlayerState])[] = [];
    const drained = this.#tally.drain();
    const { run } = this.#reader;
    if (run !== null) {
      for (const [id] of drained.all) {
        const player = this.#tally.players.get(id);
        if (player === undefined) continue;
        changed.push([id, player.state]);
        this.#rows.set(id, player.effects(run.lastSeenAt));
      }
      if (whole) this.#countAll(run.lastSeenAt);
      if (this.#hasRead || whole) {
        runs.push({ ...run, rows: this.#rows, ...this.#drainDeaths() });
        this.#isPartial = true;
      }
    }
    this.#seen.merge(drained.all);
    const roster = this.#hasRead || this.#hasNewRun ? this.#roster : null;
    const changes = {
      sightings: this.#seen,
      runs,
      unchangedRuns: this.#unchanged,
      tallies: { replace: this.#hasNewRun, changed },
      roster: roster?.take(run?.lastSeenAt ?? null) ?? null,
      gestures: this.#gestures,
    };
    this.#gestures = [];
    this.#seen = new Sightings();
    this.#ended = [];
    this.#unchanged = 0;
    this.#hasNewRun = false;
    this.#hasRead = false;
    return changes;
  }

  /** The state to continue from later; null: there is none. */
  state(): { state: ReaderState; countedUntil: number | null } | null {
    const state = this.#reader.state();
    if (state === null) return null;
    const countedUntil = this.isBehind ? this.#countedUntil : state.lastSeenAt;
    return { state: withoutPeople(state, this.#pseudonymOf), countedUntil };
  }

  #open(state: ReaderState | null): LogReader<ReaderState> {
    return this.#format.open({
      zone: this.#options.zone,
      state,
      knownBytes: (header) =>
        this.#options.known?.get(header)?.bytes ?? this.#options.others?.bytes(header) ?? 0,
      onUnread: (line) => this.#unread.add(line),
    });
  }

  #count(named: GameEvent): void {
    const { forgotten, identitiesOnly } = this.#options;
    const event = this.#bounded(this.#identified(forgotten.isEmpty ? named : this.#withoutForgotten(named)));
    if (event === null) return;
    const { kind } = event;
    if (kind === 'run-started') this.#pseudonymOf = forgotten.pseudonyms(event.header);
    if (kind === 'identity' && (!this.#isInRun || identitiesOnly === true)) this.#seen.identity(event);
    else if (identitiesOnly !== true) {
      if (kind === 'run-started') this.#begin();
      this.#tally.add(event);
      this.#roster?.add(event, this.#sessionOf);
      if (kind === 'gesture')
        this.#gestures.push({ gameId: event.player.id, gesture: event.gesture, at: event.at });
      if (kind === 'run-ended') this.#end();
    }
  }

  readonly #sessionOf = (gameId: string) => this.#tally.session(gameId);

  /** Null: the event is about somebody unknown. */
  #identified(event: GameEvent): IdentifiedEvent | null {
    if (event.kind !== 'dropped') return event;
    const player = this.#tally.connectedAs(event.name);
    return player && { kind: 'disconnected', at: event.at, player };
  }

  #bounded(event: IdentifiedEvent | null): IdentifiedEvent | null {
    const { players } = this.#tally;
    return event === null || players.size < mostPlayers ? event : amongKnown(event, (id) => players.has(id));
  }

  #withoutForgotten(event: GameEvent): GameEvent {
    return withoutForgotten(event, ({ id }) => this.#pseudonymOf(id));
  }

  #drainDeaths(): Pick<RunCounts, 'deaths' | 'hasAllDeaths'> {
    return { deaths: this.#tally.drainDeaths(), hasAllDeaths: !this.#isPartial };
  }

  #begin(): void {
    this.#isInRun = true;
    this.#isPartial = false;
    this.#tally = new RunTally();
    this.#rows = new Map();
    this.#hasNewRun = true;
    this.#countedUntil = null;
  }

  #end(): void {
    this.#isInRun = false;
    const { run } = this.#reader;
    if (run === null) return;
    const known = this.#options.known?.get(run.header);
    const seen = this.#tally.drain();
    if (known?.isCurrent === true && isSameCopy(run, known)) {
      this.#unchanged += 1;
      return;
    }
    // Of two copies of a run the longer one counts, but the people in both were seen.
    this.#seen.merge(seen.all);
    this.#ended.push({ ...run, rows: new Map(this.#tally.rows()), ...this.#drainDeaths() });
  }

  #countAll(until: number): void {
    for (const [id, player] of this.#tally.players) {
      if (player.isConnected || !this.#rows.has(id)) this.#rows.set(id, player.effects(until));
    }
    this.#countedUntil = until;
  }
}
