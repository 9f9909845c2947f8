import type { RunPlayerRow } from '../../store/run-figures.ts';
import { isSameCopy, type KnownRun } from '../../store/run-copies.ts';
import type { GameEvent } from '../counting/events.ts';
import { Sightings } from '../counting/sightings.ts';
import { type PlayerState, RunTally } from '../counting/tally.ts';
import type { LocalZone } from './local-clock.ts';
import type { LogBlock, LogFormat, LogReader, ReaderState, RunRead } from './log-format.ts';
import { UnreadExamples } from './unread-examples.ts';

/** What a part of a file says, to be stored together with how far it was read. */
export interface LogChanges {
  sightings: Sightings;
  /** The runs of which something was read, in their order. */
  runs: CountedRun[];
  /** Runs that the store has exactly so. */
  unchangedRuns: number;
  /** Where counting stands of the players whose figures have changed, in the run under way. */
  tallies: { replace: boolean; changed: (readonly [gameId: string, state: PlayerState])[] };
}

/** A run with the row of every player in it, by the game's own id. */
export interface CountedRun extends RunRead {
  rows: ReadonlyMap<string, RunPlayerRow>;
}

/** How a file was left. */
export interface ReadingState {
  lines: number;
  unreadLines: number;
  examples: readonly string[];
  lastEventAt: number | null;
  state: ReaderState | null;
  countedUntil: number | null;
  tallies: readonly [gameId: string, state: PlayerState][];
  /** Under which names those players are known. */
  names: readonly string[];
}

export interface ReadingOptions {
  zone: LocalZone;
  left?: ReadingState | null;
  /** The copies of runs that are in the store: of a file that is read whole, what is in already is passed over. */
  known?: ReadonlyMap<string, KnownRun>;
  /** Takes only who is who, and leaves runs and figures as they are. */
  identitiesOnly?: boolean;
}

/** Reads one file through its format and counts what it says. */
export class LogReading {
  readonly #format: LogFormat;
  readonly #options: ReadingOptions;
  readonly #examples: UnreadExamples;
  #reader: LogReader<ReaderState>;
  /** Lines that earlier readers of the file have read. */
  #linesBefore: number;
  #unreadBefore: number;
  #lastEventAt: number | null;
  #tally: RunTally;
  /** The row of every player of the run under way, as it was handed over last. */
  #rows = new Map<string, RunPlayerRow>();
  #ended: CountedRun[] = [];
  #unchanged = 0;
  /** Who was seen outside of runs, or in runs that have ended, since the last `take`. */
  #seen = new Sightings();
  #hasNewRun = false;
  #hasRead = false;
  #countedUntil: number | null;
  /** Of the players of the run, to be masked in examples. */
  #names: Set<string>;

  constructor(format: LogFormat, options: ReadingOptions) {
    this.#format = format;
    this.#options = options;
    const { left = null } = options;
    this.#linesBefore = left?.lines ?? 0;
    this.#unreadBefore = left?.unreadLines ?? 0;
    this.#lastEventAt = left?.lastEventAt ?? null;
    this.#examples = new UnreadExamples(left?.examples);
    this.#names = new Set(left?.names);
    this.#tally = RunTally.resume(left?.tallies ?? []);
    this.#reader = this.#open(left?.state ?? null);
    const { run } = this.#reader;
    if (run !== null) this.#countAll(run.lastSeenAt);
    this.#countedUntil = left?.countedUntil ?? null;
  }

  /** Lines of the file, and those of them that no rule knows. */
  get lines(): number {
    return this.#linesBefore + this.#reader.lines;
  }

  get unreadLines(): number {
    return this.#unreadBefore + this.#reader.unreadLines;
  }

  get examples(): readonly string[] {
    return this.#examples.all;
  }

  get lastEventAt(): number | null {
    return this.#reader.lastEventAt ?? this.#lastEventAt;
  }

  /** What was read since the file began (anew): such a log, nothing yet, or something else. */
  get content(): LogReader<ReaderState>['content'] {
    return this.#reader.content;
  }

  /** Whether sessions that go on were counted up to an earlier moment than the last one seen. */
  get isBehind(): boolean {
    const { run } = this.#reader;
    if (run === null || run.lastSeenAt === this.#countedUntil) return false;
    for (const player of this.#tally.players.values()) if (player.isConnected) return true;
    return false;
  }

  /** Header of the run under way. */
  get header(): string | null {
    return this.#reader.run?.header ?? null;
  }

  read(block: LogBlock): void {
    for (const event of this.#reader.read(block)) this.#count(event);
    this.#maskExamples();
    this.#hasRead = true;
  }

  /** Ends the run under way: nothing more of it will come. */
  end(): void {
    for (const event of this.#reader.end()) this.#count(event);
  }

  /** The file begins anew. */
  restart(): void {
    this.end();
    this.#lastEventAt = this.lastEventAt;
    this.#linesBefore = this.lines;
    this.#unreadBefore = this.unreadLines;
    this.#reader = this.#open(null);
    this.#hasNewRun = true;
    this.#tally = new RunTally();
  }

  /** Hands over what has changed. @param whole whether sessions that go on are counted up to the last moment seen */
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
      if (this.#hasRead || whole) runs.push({ ...run, rows: this.#rows });
    }
    for (const [, { names }] of drained.all) for (const name of names.keys()) this.#names.add(name);
    this.#seen.merge(drained.all);
    const changes = {
      sightings: this.#seen,
      runs,
      unchangedRuns: this.#unchanged,
      tallies: { replace: this.#hasNewRun, changed },
    };
    this.#seen = new Sightings();
    this.#ended = [];
    this.#unchanged = 0;
    this.#hasNewRun = false;
    this.#hasRead = false;
    return changes;
  }

  /** Where to go on later; null: there is nothing to go on with. */
  state(): { state: ReaderState; countedUntil: number | null } | null {
    const state = this.#reader.state();
    if (state === null) return null;
    return { state, countedUntil: this.isBehind ? this.#countedUntil : state.lastSeenAt };
  }

  #open(state: ReaderState | null): LogReader<ReaderState> {
    return this.#format.open({
      zone: this.#options.zone,
      state,
      knownBytes: (header) => this.#options.known?.get(header)?.bytes ?? 0,
      onUnread: (line) => this.#examples.add(line),
    });
  }

  #count(event: GameEvent): void {
    if (event.kind === 'identity' && this.#reader.run === null) this.#seen.identity(event);
    else if (this.#options.identitiesOnly === true) {
      if (event.kind === 'identity') this.#seen.identity(event);
    } else {
      if (event.kind === 'run-started') this.#begin();
      this.#tally.add(event);
      if (event.kind === 'run-ended' && this.#reader.run !== null) this.#end(this.#reader.run);
    }
  }

  #begin(): void {
    this.#tally = new RunTally();
    this.#rows = new Map();
    this.#names = new Set();
    this.#hasNewRun = true;
    this.#countedUntil = null;
  }

  #end(run: RunRead): void {
    this.#maskExamples();
    const known = this.#options.known?.get(run.header);
    const seen = this.#tally.drain();
    if (known?.isCurrent === true && isSameCopy(run, known)) {
      this.#unchanged += 1;
      return;
    }
    // Of two copies of a run the longer one counts, but whoever either names was there.
    this.#seen.merge(seen.all);
    this.#ended.push({ ...run, rows: new Map(this.#tally.rows()) });
  }

  #countAll(until: number): void {
    for (const [id, player] of this.#tally.players) {
      if (player.isConnected || !this.#rows.has(id)) this.#rows.set(id, player.effects(until));
    }
    this.#countedUntil = until;
  }

  #maskExamples(): void {
    this.#examples.mask(() => this.#namesOfRun());
  }

  *#namesOfRun(): Generator<string> {
    yield* this.#names;
    yield* this.#tally.sightings.names();
  }
}
