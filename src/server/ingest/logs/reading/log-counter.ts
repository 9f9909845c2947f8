import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import type { RunCounts } from '../../../store/repositories/logs/log-runs.ts';
import type { RosterChange } from '../../../store/repositories/logs/rosters.ts';
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

interface CounterOptions {
  zone: LocalZone;
  forgotten: ForgottenList;
  /** The run of the lines before the first header; null: they count nowhere. */
  rest: RestRun | null;
  /** Length of the stored copy of a run, with which that of the file is compared. Left out: the file is being written. */
  knownBytes?: (header: string) => number;
  /** Who is on so far; left out: the file does not say who is on. */
  roster?: Roster;
}

/**
 * Far more players than a server sees between two starts. Each poll compares the figures of all of them with those stored, in
 * a transaction for which others wait.
 */
const mostPlayers = 10_000;

/** The run that is being counted. */
interface CountedRun {
  tally: RunTally;
  /** The pseudonyms of forgotten players in it. */
  pseudonymOf: (gameId: string) => string | null;
  /** Whether `take` has returned a part of it, so that later ones have only the deaths since. */
  isPartial: boolean;
  /** Up to when its sessions were counted; null: they were not. */
  countedUntil: number | null;
}

/** Reads one file through its format, from its start, and counts its events run by run. */
export class LogCounter {
  readonly #options: CounterOptions;
  readonly #unread: UnreadKinds;
  readonly #reader: LogReader;
  /** Null: no run is open. Kept beside the reader's, because asking the reader costs as much as a line. */
  #run: CountedRun | null = null;
  /** Null: the file does not say who is on, or its roster went to the next file (`endForRest`). */
  #roster: Roster | null;
  /** Runs that have ended since the last `take`. */
  #ended: (RunRead & RunCounts)[] = [];
  #gestures: MadeGesture[] = [];
  /** People seen outside of runs, or in ended runs, since the last `take`. */
  #seen = new Sightings();
  /** Whether anything was read since the last `take`. */
  #hasRead = false;

  constructor(format: LogFormat, options: CounterOptions) {
    const { forgotten, roster = null } = options;
    this.#options = options;
    this.#unread = new UnreadKinds(forgotten);
    this.#roster = roster;
    this.#reader = format.open({ ...options, onUnread: (line) => this.#unread.add(line) });
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

  /** The content so far: such a log, only blank lines that may precede one, or something else. */
  get content(): LogReader['content'] {
    return this.#reader.content;
  }

  /** Whether sessions were counted up to an earlier moment than the last one seen. */
  get isBehind(): boolean {
    const { run } = this.#reader;
    return run !== null && run.lastSeenAt !== this.#run?.countedUntil;
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
   * @param withOpenSessions whether to count these up to the last seen moment, and not up to where they were counted before: that
   * changes the figures of everybody who is on
   */
  take(withOpenSessions = true): LogChanges {
    const runs = this.#ended;
    const { run } = this.#reader;
    const counted = this.#run;
    if (run !== null && counted !== null && (this.#hasRead || withOpenSessions)) {
      if (withOpenSessions || counted.countedUntil === null) counted.countedUntil = run.lastSeenAt;
      runs.push(this.#countsOf(run, counted, counted.countedUntil));
      counted.isPartial = true;
    }
    const changedRoster = this.#hasRead ? this.#roster : null;
    const roster = changedRoster?.take(run?.lastSeenAt ?? null) ?? null;
    const changes = { sightings: this.#seen, runs, roster, gestures: this.#gestures };
    this.#gestures = [];
    this.#seen = new Sightings();
    this.#ended = [];
    this.#hasRead = false;
    return changes;
  }

  #count(logged: GameEvent): void {
    const { forgotten } = this.#options;
    if (logged.kind === 'run-started') {
      const pseudonymOf = forgotten.pseudonyms(logged.header);
      this.#run = { tally: new RunTally(), pseudonymOf, isPartial: false, countedUntil: null };
    }
    const run = this.#run;
    if (run === null) {
      if (logged.kind === 'identity') this.#seen.addIdentity(logged);
      return;
    }
    const { tally } = run;
    const identified = identifiedBy(tally, logged);
    const keepsPlayers = forgotten.isEmpty && tally.players.size < mostPlayers;
    const event = keepsPlayers
      ? identified
      : identified && withPlayers(identified, (player) => countedAs(player, run));
    if (event === null) return;
    tally.add(event);
    this.#roster?.add(event, tally.session);
    if (event.kind === 'gesture')
      this.#gestures.push({ gameId: event.player.id, gesture: event.gesture, at: event.at });
    if (event.kind !== 'run-ended') return;
    // Of two copies of a run the longer one counts, but the people in both were seen.
    this.#ended.push(this.#countsOf(this.#reader.run as RunRead, run));
    this.#run = null;
  }

  /** @param until when open sessions are considered to end; left out: the run has ended */
  #countsOf(run: RunRead, { tally, isPartial }: CountedRun, until?: number): RunRead & RunCounts {
    this.#seen.merge(tally.drainSightings().all);
    return { ...run, rows: tally.rows(until), deaths: tally.drainDeaths(), hasAllDeaths: !isPartial };
  }
}

/** A player who was dropped is known by name only. Null: nobody, or several, are connected under it. */
function identifiedBy(tally: RunTally, event: GameEvent): IdentifiedEvent | null {
  if (event.kind !== 'dropped') return event;
  const player = tally.connectedAs(event.name);
  return player && { kind: 'disconnected', at: event.at, player };
}

/** A forgotten player counts under a pseudonym, without the name. Null: the run has `mostPlayers` others already. */
function countedAs(player: SeenPlayer, { tally, pseudonymOf }: CountedRun): SeenPlayer | null {
  const pseudonym = pseudonymOf(player.id);
  const counted = pseudonym === null ? player : { id: pseudonym, name: '' };
  return tally.players.size < mostPlayers || tally.players.has(counted.id) ? counted : null;
}

/**
 * An event with its players replaced by others. Identities stay as they are.
 * @param replace returns null for a player who is left out @returns null: nobody is left in it
 */
function withPlayers(
  event: IdentifiedEvent,
  replace: (player: SeenPlayer) => SeenPlayer | null,
): IdentifiedEvent | null {
  const replaceKnown = (player: SeenPlayer | null): SeenPlayer | null => player && replace(player);
  switch (event.kind) {
    case 'run-started':
    case 'run-ended':
    case 'identity':
      return event;
    case 'player-list':
      return { ...event, players: event.players.flatMap((player) => replace(player) ?? []) };
    case 'hit':
      return { ...event, victim: replaceKnown(event.victim), attacker: replaceKnown(event.attacker) };
    case 'killed':
      return { ...event, victim: replaceKnown(event.victim), killer: replaceKnown(event.killer) };
    default: {
      const player = replace(event.player);
      return player && { ...event, player };
    }
  }
}
