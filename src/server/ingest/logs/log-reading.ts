import type { RunPlayerRow } from '../../store/run-figures.ts';
import {
  AdminLogReader,
  type AdminLogVisitor,
  type RunCheckpoint,
  type RunText,
} from '../../games/dayz/admin-log.ts';
import type { Block } from '../files/blocks.ts';
import { type IdentityCheckpoint, IdentityLogReader } from '../../games/dayz/identity-log.ts';
import type { LocalZone } from './local-clock.ts';
import { Sightings } from '../counting/sightings.ts';
import { type PlayerState, RunTally } from '../counting/tally.ts';
import { UnreadExamples } from './unread-examples.ts';

/** What a part of a followed file said, to be stored together with how far it was read. */
export interface LogNews {
  sightings: Sightings;
  /** The runs of which something was read, in their order, with a row for every player. */
  runs: FollowedRun[];
  /** Where counting stands of the players whose figures have changed, in the run under way. */
  tallies: { replace: boolean; changed: (readonly [gameId: string, state: PlayerState])[] };
}

export interface FollowedRun extends RunText {
  rows: ReadonlyMap<string, RunPlayerRow>;
}

/** Reads a file of a server's logs on and on. A kind of file is one of these. */
export interface LogReading<Checkpoint> {
  /** Lines read, and lines not understood, of the file. */
  lines: number;
  unreadLines: number;
  readonly examples: readonly string[];
  readonly lastEventAt: number | null;
  /** Whether the file holds something else than such a log. */
  readonly isForeign: boolean;
  /** Whether sessions that go on were counted up to an earlier moment than the last one seen. */
  readonly isBehind: boolean;
  /** Header of the run under way. */
  readonly header: string | null;
  read(block: Omit<Block, 'end'>): void;
  /** The file begins anew; the run under way has ended. */
  restart(): void;
  /** Hands over what is new. @param whole whether sessions that go on are counted up to the last moment seen */
  take(whole: boolean): LogNews;
  /** Where to go on later. */
  checkpoint(): Checkpoint | null;
}

/** How a file was left. */
export interface ReadingState<Checkpoint> {
  lines: number;
  unreadLines: number;
  examples: readonly string[];
  lastEventAt: number | null;
  checkpoint: Checkpoint | null;
  tallies: readonly [gameId: string, state: PlayerState][];
  /** Under which names those players are known. */
  names: Iterable<string>;
}

/** `countedUntil`: up to when sessions that go on were counted; null: not known. */
export type AdminLogCheckpoint = RunCheckpoint & { countedUntil: number | null };

/** An admin log. */
export class AdminLogReading implements LogReading<AdminLogCheckpoint> {
  lines: number;
  unreadLines: number;
  readonly #zone: LocalZone;
  readonly #examples: UnreadExamples;
  #reader: AdminLogReader;
  #lastEventAt: number | null;
  #tally: RunTally;
  /** The row of every player of the run under way, as it was handed over last. */
  #rows = new Map<string, RunPlayerRow>();
  #ended: FollowedRun[] = [];
  /** Who was seen in the runs that have ended since the last `take`. */
  #seen = new Sightings();
  #runBegan = false;
  #readSince = false;
  #countedUntil: number | null = null;
  /** Of the players of the run, to be masked in examples. */
  #names: Set<string>;

  constructor(zone: LocalZone, state: ReadingState<AdminLogCheckpoint>) {
    this.#zone = zone;
    this.lines = state.lines;
    this.unreadLines = state.unreadLines;
    this.#examples = new UnreadExamples(state.examples);
    this.#lastEventAt = state.lastEventAt;
    this.#names = new Set(state.names);
    const tally = RunTally.resume(state.tallies);
    this.#tally = tally;
    const { checkpoint } = state;
    const open = checkpoint === null ? undefined : { checkpoint, sink: tally.add.bind(tally) };
    this.#reader = new AdminLogReader(zone, this.#visitor, open);
    if (checkpoint === null) return;
    this.#countAll(checkpoint.lastSeenAt);
    this.#countedUntil = checkpoint.countedUntil;
  }

  get examples(): readonly string[] {
    return this.#examples.all;
  }

  get lastEventAt(): number | null {
    return this.#reader.run?.lastSeenAt ?? this.#lastEventAt;
  }

  get isForeign(): boolean {
    const { run, summary } = this.#reader;
    return run === null && !summary.empty;
  }

  get isBehind(): boolean {
    const { run } = this.#reader;
    if (run === null || run.lastSeenAt === this.#countedUntil) return false;
    for (const player of this.#tally.players.values()) if (player.isConnected) return true;
    return false;
  }

  get header(): string | null {
    return this.#reader.run?.header ?? null;
  }

  read(block: Omit<Block, 'end'>): void {
    const { strayLines } = this.#reader.summary;
    this.lines += this.#reader.read(block);
    if (!this.#reader.summary.empty) this.unreadLines += this.#reader.summary.strayLines - strayLines;
    this.#readSince = true;
  }

  restart(): void {
    this.#reader.finish();
    this.#reader = new AdminLogReader(this.#zone, this.#visitor);
    this.#runBegan = true;
    this.#tally = new RunTally();
  }

  take(whole: boolean): LogNews {
    const seen = this.#seen;
    const drained = this.#tally.drain();
    const changed: (readonly [string, PlayerState])[] = [];
    const runs = this.#ended;
    const { run } = this.#reader;
    if (run !== null) {
      for (const [id] of drained.all) {
        const player = this.#tally.players.get(id);
        if (player === undefined) continue;
        changed.push([id, player.state]);
        this.#rows.set(id, player.effects(run.lastSeenAt));
      }
      if (whole) this.#countAll(run.lastSeenAt);
      if (this.#readSince || whole) runs.push({ ...run, rows: this.#rows });
    }
    seen.merge(drained.all);
    for (const [, { names }] of drained.all) for (const name of names.keys()) this.#names.add(name);
    const news = { sightings: seen, runs, tallies: { replace: this.#runBegan, changed } };
    this.#seen = new Sightings();
    this.#ended = [];
    this.#runBegan = false;
    this.#readSince = false;
    return news;
  }

  checkpoint(): AdminLogCheckpoint | null {
    const checkpoint = this.#reader.checkpoint();
    if (checkpoint === null) return null;
    return { ...checkpoint, countedUntil: this.isBehind ? this.#countedUntil : checkpoint.lastSeenAt };
  }

  #countAll(until: number): void {
    for (const [id, player] of this.#tally.players) {
      if (player.isConnected || !this.#rows.has(id)) this.#rows.set(id, player.effects(until));
    }
    this.#countedUntil = until;
  }

  readonly #visitor: AdminLogVisitor = {
    begin: () => {
      const tally = new RunTally();
      this.#tally = tally;
      this.#rows = new Map();
      this.#names = new Set();
      this.#runBegan = true;
      this.#countedUntil = null;
      return { sink: tally.add.bind(tally), prefixBytes: 0 };
    },
    end: (run) => {
      const rows = new Map(this.#tally.rows());
      this.#ended.push({ ...run, rows });
      this.#seen.merge(this.#tally.drain().all);
      this.#lastEventAt = run.lastSeenAt;
    },
    unread: (line) => {
      this.unreadLines += 1;
      this.#examples.add(line, this.#namesOfRun());
    },
  };

  *#namesOfRun(): Generator<string> {
    yield* this.#names;
    yield* this.#tally.sightings.names();
  }
}

/** A log of identities. Its lines are never shown: a password may stand in them. */
export class IdentityLogReading implements LogReading<NonNullable<IdentityCheckpoint>> {
  lines: number;
  readonly unreadLines = 0;
  readonly examples = [];
  readonly isForeign = false;
  readonly isBehind = false;
  readonly header = null;
  readonly #zone: LocalZone;
  #reader: IdentityLogReader;
  #seen = new Sightings();

  constructor(zone: LocalZone, state: ReadingState<NonNullable<IdentityCheckpoint>>) {
    this.#zone = zone;
    this.lines = state.lines;
    this.#reader = this.#newReader(state.checkpoint);
  }

  get lastEventAt(): number | null {
    return this.#reader.checkpoint()?.lastSeenAt ?? null;
  }

  read(block: Omit<Block, 'end'>): void {
    this.lines += this.#reader.read(block);
  }

  restart(): void {
    this.#reader = this.#newReader(null);
  }

  take(): LogNews {
    const sightings = this.#seen;
    this.#seen = new Sightings();
    return { sightings, runs: [], tallies: { replace: false, changed: [] } };
  }

  checkpoint(): IdentityCheckpoint {
    return this.#reader.checkpoint();
  }

  #newReader(checkpoint: IdentityCheckpoint): IdentityLogReader {
    return new IdentityLogReader(
      this.#zone,
      (event) => {
        if (event.kind === 'identity') this.#seen.identity(event);
      },
      checkpoint,
    );
  }
}
