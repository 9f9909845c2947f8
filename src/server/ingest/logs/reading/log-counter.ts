import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import type { RunCounts } from '../../../store/repositories/logs/log-runs.ts';
import type { RosterChange } from '../../../store/repositories/logs/rosters.ts';
import type { KnownRun } from '../../../store/repositories/logs/run-copies.ts';
import type { RunsOfOthers } from '../../../store/repositories/logs/runs-of-others.ts';
import type {
  GameEvent,
  IdentifiedEvent,
  LocalZone,
  LogBlock,
  LogFormat,
  LogReader,
  RestRun,
  RunRead,
  SeenPlayer,
} from 'dayz-files';
import type { Roster } from '../../counting/roster.ts';
import { Sightings } from '../../counting/sightings.ts';
import type { ForgottenList } from '../../../store/repositories/rights/forgotten-list.ts';
import { RunTally } from '../../counting/tally.ts';
import { UnreadKinds } from './unread-kinds.ts';

/** What was counted in a file. */
export interface LogChanges {
  sightings: Sightings;
  /** The runs that were read, in order. */
  runs: (RunRead & RunCounts)[];
  /** Changes of who is on; null: nothing was read about that. */
  roster: RosterChange | null;
  gestures: readonly MadeGesture[];
}

interface MadeGesture {
  gameId: string;
  gesture: string;
  at: number;
}

export interface CounterOptions {
  zone: LocalZone;
  forgotten: ForgottenList;
  /** The run of the lines before the first header; null: they count nowhere. */
  rest: RestRun | null;
  /** The stored copies of runs, to be compared with those of the file. Left out: the file is being written. */
  known?: ReadonlyMap<string, KnownRun>;
  /** The same of other servers. */
  others?: RunsOfOthers;
  /** Who is on so far; left out: the file does not say who is on. */
  roster?: Roster;
}

/**
 * Far more players than a server sees between two starts. Each poll compares the figures of all of them with those stored, in
 * a transaction for which others wait.
 */
const mostPlayers = 10_000;

/** Reads one file through its format, from its start, and counts its events run by run. */
export class LogCounter {
  readonly #options: CounterOptions;
  readonly #unread: UnreadKinds;
  readonly #reader: LogReader;
  #tally = new RunTally();
  #roster: Roster | null;
  #ended: (RunRead & RunCounts)[] = [];
  #gestures: MadeGesture[] = [];
  /** People seen outside of runs, or in ended runs, since the last `take`. */
  #seen = new Sightings();
  /** Whether a run is counted. To ask the reader costs as much as a line. */
  #isInRun = false;
  #hasRead = false;
  /** Whether parts of the current run were passed on. */
  #isPartial = false;
  /** Up to when sessions of the current run were counted; null: they were not. */
  #countedUntil: number | null = null;
  /** The pseudonyms of forgotten players in the current run. */
  #pseudonymOf: (gameId: string) => string | null;

  constructor(format: LogFormat, options: CounterOptions) {
    const { zone, forgotten, rest, known, others, roster } = options;
    this.#options = options;
    this.#unread = new UnreadKinds(forgotten);
    this.#pseudonymOf = forgotten.pseudonyms('');
    this.#roster = roster ?? null;
    this.#reader = format.open({
      zone,
      rest,
      knownBytes: (header) => known?.get(header)?.bytes ?? others?.get(header)?.[0]?.bytes ?? 0,
      onUnread: (line) => this.#unread.add(line),
    });
  }

  /** What is stored of the file as far as it was read. */
  get summary(): Pick<LogFile, 'lines' | 'unreadLines' | 'unreadKinds' | 'lastEventAt'> {
    const { lines, unreadLines, lastEventAt } = this.#reader;
    return { lines, unreadLines, unreadKinds: this.#unread.all, lastEventAt };
  }

  get lines(): number {
    return this.#reader.lines;
  }

  get lastEventAt(): number | null {
    return this.#reader.lastEventAt;
  }

  /** Such a log, nothing yet, or something else. */
  get content(): LogReader['content'] {
    return this.#reader.content;
  }

  /** Whether sessions were counted up to an earlier moment than the last one seen. */
  get isBehind(): boolean {
    const { run } = this.#reader;
    return run !== null && run.lastSeenAt !== this.#countedUntil;
  }

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
    this.#hasRead = true;
  }

  /** Ends the current run, which goes on in another file: who is on stays on. @returns who is on so far */
  endForRest(): Roster | null {
    const roster = this.#roster;
    this.#roster = null;
    this.end();
    return roster;
  }

  /**
   * Returns the changes since the last call.
   * @param whole whether to count open sessions up to the last seen moment, and not up to where they were counted before: that
   * changes the figures of everybody who is on
   */
  take(whole: boolean): LogChanges {
    const runs = this.#ended;
    const { run } = this.#reader;
    if (run !== null && (this.#hasRead || whole)) {
      if (whole || this.#countedUntil === null) this.#countedUntil = run.lastSeenAt;
      runs.push({ ...run, rows: this.#tally.rows(this.#countedUntil), ...this.#drainDeaths() });
      this.#isPartial = true;
    }
    this.#seen.merge(this.#tally.drain().all);
    const changes = {
      sightings: this.#seen,
      runs,
      roster: (this.#hasRead ? this.#roster?.take(run?.lastSeenAt ?? null) : null) ?? null,
      gestures: this.#gestures,
    };
    this.#gestures = [];
    this.#seen = new Sightings();
    this.#ended = [];
    this.#hasRead = false;
    return changes;
  }

  #count(named: GameEvent): void {
    const { forgotten } = this.#options;
    const identified = this.#identified(named);
    const countsAll = forgotten.isEmpty && this.#tally.players.size < mostPlayers;
    const event = countsAll ? identified : identified && withPlayers(identified, this.#shownAs);
    if (event === null) return;
    const { kind } = event;
    if (kind === 'run-started') this.#pseudonymOf = forgotten.pseudonyms(event.header);
    if (kind === 'identity' && !this.#isInRun) {
      this.#seen.identity(event);
      return;
    }
    if (kind === 'run-started') this.#begin();
    this.#tally.add(event);
    this.#roster?.add(event, this.#sessionOf);
    if (kind === 'gesture')
      this.#gestures.push({ gameId: event.player.id, gesture: event.gesture, at: event.at });
    if (kind === 'run-ended') this.#end();
  }

  readonly #sessionOf = (gameId: string) => this.#tally.session(gameId);

  /** Null: the event is about somebody unknown. */
  #identified(event: GameEvent): IdentifiedEvent | null {
    if (event.kind !== 'dropped') return event;
    const player = this.#tally.connectedAs(event.name);
    return player && { kind: 'disconnected', at: event.at, player };
  }

  /** A forgotten player by a pseudonym, without the name. Null: more players are counted than a run has. */
  readonly #shownAs = (player: SeenPlayer): SeenPlayer | null => {
    const pseudonym = this.#pseudonymOf(player.id);
    const shown = pseudonym === null ? player : { id: pseudonym, name: '' };
    const { players } = this.#tally;
    return players.size < mostPlayers || players.has(shown.id) ? shown : null;
  };

  #drainDeaths(): Pick<RunCounts, 'deaths' | 'hasAllDeaths'> {
    return { deaths: this.#tally.drainDeaths(), hasAllDeaths: !this.#isPartial };
  }

  #begin(): void {
    this.#isInRun = true;
    this.#isPartial = false;
    this.#tally = new RunTally();
    this.#countedUntil = null;
  }

  #end(): void {
    this.#isInRun = false;
    const { run } = this.#reader;
    if (run === null) return;
    // Of two copies of a run the longer one counts, but the people in both were seen.
    this.#seen.merge(this.#tally.drain().all);
    this.#ended.push({ ...run, rows: this.#tally.rows(), ...this.#drainDeaths() });
  }
}

/**
 * An event with its players replaced by others. Identities stay as they are.
 * @param shownAs null: the player is left out @returns null: nobody is left in it
 */
function withPlayers(
  event: IdentifiedEvent,
  shownAs: (player: SeenPlayer) => SeenPlayer | null,
): IdentifiedEvent | null {
  const orNull = (player: SeenPlayer | null): SeenPlayer | null => player && shownAs(player);
  switch (event.kind) {
    case 'run-started':
    case 'run-ended':
    case 'identity':
      return event;
    case 'player-list':
      return { ...event, players: event.players.flatMap((player) => shownAs(player) ?? []) };
    case 'hit':
      return { ...event, victim: orNull(event.victim), attacker: orNull(event.attacker) };
    case 'killed':
      return { ...event, victim: orNull(event.victim), killer: orNull(event.killer) };
    default: {
      const player = shownAs(event.player);
      return player && { ...event, player };
    }
  }
}
