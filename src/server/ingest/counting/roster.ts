import type { RosterChange, RosterPlayer, Visit } from '../../store/repositories/logs/rosters.ts';
import type { GameEvent, SeenPlayer } from 'dayz-files';
import { longestLoadMs, type Session } from './session.ts';
import { boundedName } from '../../store/repositories/players/sightings.ts';

/** In real logs no player is in a player list sooner than this after connecting. */
const shortestLoadMs = 38_000;
/** While somebody is on, the game lists its players every five minutes, so a longer gap means that lines are missing. */
const longestGapMs = 6 * 60_000;

/**
 * The players on a server according to its log: those whose sessions are open (`session.ts`), corrected by the player
 * lists. A server start empties it. It knows neither files nor the store: its caller takes the changes from it (`take`).
 */
export class Roster {
  /** Of the present run; null: none. */
  #header: string | null = null;
  /** The header of the run from which the present one goes on; null: none. */
  #follows: string | null = null;
  #players = new Map<string, RosterPlayer>();
  #isComplete = false;
  /** The latest player list; null: none since the run began or lines were missing. */
  #listedAt: number | null = null;
  /** The latest moment of the run; infinite: no line has come, so that no gap lies before the first. */
  #latest = Number.POSITIVE_INFINITY;
  // What has changed since the last `take` (`RosterChange`).
  #isNew = true;
  #ended = new Map<string, number>();
  #visits: Visit[] = [];
  /** The latest visit of each player who has come since, by the game's own id. */
  #visitOf = new Map<string, Visit>();
  /** When those left who had come before. */
  #left = new Map<string, number>();

  /** By the game's own id. */
  get players(): ReadonlyMap<string, RosterPlayer> {
    return this.#players;
  }

  /** Whether all players who are on are known. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** @param sessionOf the session of a player of the run after the event; null: there is none */
  add(event: GameEvent, sessionOf: (gameId: string) => Session | null): void {
    const before = this.#latest;
    if (event.at !== null && event.kind !== 'run-ended') this.#advance(event.at);
    switch (event.kind) {
      case 'run-started':
        if (event.isRest && this.#header !== null) {
          // A tool has emptied the log. Who was on stays on, but lines may be missing.
          this.#follows = this.#header;
          this.#isComplete = false;
        } else this.#empty(!event.isRest, before);
        this.#header = event.header;
        return;
      case 'run-ended':
        if (this.#header !== null) this.#ended.set(this.#header, event.at);
        this.#header = null;
        this.#follows = null;
        this.#empty(true);
        return;
      case 'connected':
        this.#connect(event, sessionOf(event.player.id));
        return;
      case 'disconnected':
        // A disconnect may be an older session's: then the player is still on.
        if (sessionOf(event.player.id)?.state !== 'on') this.#remove(event.player.id, event.at);
        return;
      case 'player-list':
        this.#correct(event.players, event.at);
        return;
      default:
    }
  }

  /** Returns who is on, and the changes since the last call. @param loggedAt the latest moment of the run */
  take(loggedAt: number | null): RosterChange {
    const run = this.#runUntil(loggedAt);
    const change = { ended: this.#ended, visits: this.#visits, left: this.#left, run };
    this.#ended = new Map();
    this.#visits = [];
    this.#visitOf = new Map();
    this.#left = new Map();
    this.#isNew = false;
    return change;
  }

  /** Null: no run has begun, or no line of it has a time. */
  #runUntil(loggedAt: number | null): RosterChange['run'] {
    if (this.#header === null || loggedAt === null) return null;
    return {
      header: this.#header,
      follows: this.#follows,
      loggedAt,
      isNew: this.#isNew,
      isComplete: this.#isComplete,
      listedAt: this.#listedAt,
      players: [...this.#players],
    };
  }

  #advance(at: number): void {
    const hasGap = at - this.#latest > longestGapMs && this.#listedAt !== null && this.#players.size > 0;
    // Lines are missing, so who is on is uncertain until the next list.
    if (hasGap) this.#empty(false);
    this.#latest = at;
  }

  /** Removes everybody. @param until the latest moment at which they were on */
  #empty(isComplete: boolean, until = this.#latest): void {
    for (const id of this.#players.keys()) this.#leave(id, until);
    this.#players = new Map();
    this.#isComplete = isComplete;
    this.#listedAt = null;
    this.#isNew = true;
  }

  #connect(
    { player: { id, name }, at, inGame }: Extract<GameEvent, { kind: 'connected' }>,
    session: Session | null,
  ): void {
    // The line is late: a disconnect of a later time came before it.
    if (session !== null && session.state !== 'on') return;
    const isOn = this.#players.has(id);
    // 2026 repeats `is connected` at every respawn.
    if (isOn && session?.replacedAt.at(-1) !== at) return;
    const bounded = boundedName(name);
    this.#players.set(id, { name: bounded, connectedAt: at, absentAt: inGame === true ? null : at });
    if (!isOn) this.#come(id, bounded, at);
  }

  #correct(listed: readonly SeenPlayer[], at: number): void {
    const ids = new Set(listed.map(({ id }) => id));
    for (const { id, name } of listed) {
      const known = this.#players.get(id);
      const now = { name: boundedName(name), connectedAt: known?.connectedAt ?? null, absentAt: null };
      this.#players.set(id, now);
      // The line of the connect is missing.
      if (known === undefined) this.#come(id, now.name, at);
    }
    for (const [id, player] of this.#players) {
      if (ids.has(id)) continue;
      const { connectedAt, absentAt } = player;
      const mayLoad = connectedAt !== null && absentAt !== null && at - connectedAt <= longestLoadMs;
      if (mayLoad) this.#players.set(id, { ...player, absentAt: at });
      else this.#remove(id, at);
    }
    this.#isComplete = true;
    this.#listedAt = at;
  }

  #remove(id: string, at: number): void {
    if (this.#players.delete(id)) this.#leave(id, at);
  }

  #come(gameId: string, name: string, at: number): void {
    const visit = { gameId, name, at, leftAt: null };
    this.#visits.push(visit);
    this.#visitOf.set(gameId, visit);
  }

  #leave(id: string, at: number): void {
    const visit = this.#visitOf.get(id);
    if (visit === undefined) this.#left.set(id, at);
    else visit.leftAt = at;
  }
}

/** Whether a player is connected and probably still loading. @param at a moment by the log's clock */
export function isLoading({ absentAt }: RosterPlayer, at: number): boolean {
  return absentAt !== null && at - absentAt < shortestLoadMs;
}
