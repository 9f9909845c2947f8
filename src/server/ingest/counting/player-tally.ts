import type { RunPlayerRow } from '../../store/engine/schema/run-figures.ts';
import type { RunDeath } from '../../store/repositories/kills/save-deaths.ts';
import { boundedName } from '../../store/repositories/players/sightings.ts';
import {
  type DeadlyHit,
  type DeathDetails,
  isSameSecond,
  joinDeaths,
  type DeathPositions,
  withHit,
} from './deaths.ts';
import type { GameEvent } from 'dayz-files';
import {
  counted,
  current,
  isInDoubt,
  noRecord,
  record,
  recordSince,
  type Session,
  type SessionMark,
  type SessionRecord,
  step,
} from './session.ts';
import type { Sighting } from './sightings.ts';

/** Lines about one death (`died.`, `killed by`, `bled out`, `committed suicide`) follow each other this closely. */
const oneDeathMs = 10_000;

/** What is known of a player in a run. Times in milliseconds. */
interface PlayerState {
  session: SessionRecord;
  kills: number;
  suicides: number;
  /** Meters; 0: none. */
  hit: number;
  kill: number;
  deaths: number;
  /** The name under which the player has connected; null: has not. */
  name: string | null;
  /** When the latest line described the latest death; null after a respawn or connect. */
  deathAt: number | null;
  deathIsSuicide: boolean;
  /** The details of the latest death, while more may follow; null: nothing that counts. */
  death: DeathDetails | null;
  /** The hit of the latest death, or of one whose line is yet to come. */
  deadlyHit: DeadlyHit | null;
}

const nothingYet: PlayerState = {
  session: noRecord,
  kills: 0,
  suicides: 0,
  hit: 0,
  kill: 0,
  deaths: 0,
  name: null,
  deathAt: null,
  deathIsSuicide: false,
  death: null,
  deadlyHit: null,
};

const nowhere: DeathPositions = { position: null, killerPosition: null };

/** Counts what concerns one player of a run. */
export class PlayerTally {
  /** The player's names and times; null: not seen since the last drain. */
  sighting: Sighting | null = null;
  readonly state: PlayerState = { ...nothingYet };
  /** Positions of the latest death. */
  #positions = nowhere;
  /** What the state's record comes to: lines and reports ask for it more often than it changes. */
  #session: Session = current(noRecord);

  get session(): Session {
    return this.#session;
  }

  get isConnected(): boolean {
    return this.#session.state === 'on';
  }

  get isInDoubt(): boolean {
    return isInDoubt(this.state.session);
  }

  mark(kind: SessionMark['kind'], at: number): void {
    const { session } = this.state;
    const mark = { kind, at };
    const isLatest = at >= (session.recent.at(-1)?.at ?? at);
    this.state.session = record(session, mark);
    this.#session = isLatest ? step(this.#session, mark) : current(this.state.session);
  }

  /** The player had connected before the log's first line, at this moment. */
  startBefore(since: number, name: string): void {
    this.state.name = boundedName(name);
    this.state.session = recordSince(since);
    this.#session = current(this.state.session);
  }

  /** A line shows that the player was on. */
  show(at: number): void {
    if (this.isInDoubt) this.mark('shown', at);
  }

  connect({ at, player, inGame }: Extract<GameEvent, { kind: 'connected' }>): void {
    this.#startLife();
    this.state.name = boundedName(player.name);
    this.mark(inGame === true ? 'entered' : 'connected', at);
  }

  respawn(at: number): void {
    this.#startLife();
    this.mark('respawn', at);
  }

  /** The run ends. */
  end(at: number): void {
    this.#session = { ...counted(this.#session, at), state: 'away', disconnectedAt: null };
    this.state.session = { settled: this.#session, recent: [] };
  }

  /**
   * Keeps the hit that kills; of several in a second, the first.
   * @returns whether it adds details to a death that was already described
   */
  fall({ at, attacker, cause, weapon, bodyPart, ammo }: Extract<GameEvent, { kind: 'hit' }>): boolean {
    const { deadlyHit: previous, death } = this.state;
    if (previous !== null && isSameSecond(previous.at, at)) return false;
    const isOfDeath = death !== null && isSameSecond(death.at, at);
    // Dead bodies are hit, too.
    const { deathAt } = this.state;
    if (deathAt !== null && at - deathAt <= oneDeathMs && !isOfDeath) return false;
    const hit: DeadlyHit = {
      at,
      cause: cause ?? null,
      attacker: attacker?.id ?? null,
      weapon: weapon ?? null,
      bodyPart: bodyPart ?? null,
      ammo: ammo ?? null,
    };
    this.state.deadlyHit = hit;
    return isOfDeath;
  }

  die(details: DeathDetails, positions: DeathPositions): void {
    const { state } = this;
    const { at } = details;
    if (state.deathAt === null || Math.abs(at - state.deathAt) > oneDeathMs) {
      state.death = details;
      this.#positions = nowhere;
      this.mark('died', at);
      state.deaths += 1;
      state.deathIsSuicide = false;
    } else if (state.death !== null) state.death = joinDeaths(state.death, details);
    const isOfKiller = details.killer !== null && details.killer === state.death?.killer;
    this.#positions = {
      position: this.#positions.position ?? positions.position,
      killerPosition: this.#positions.killerPosition ?? (isOfKiller ? positions.killerPosition : null),
    };
    state.deathAt = at;
    if (details.cause === 'suicide' && !state.deathIsSuicide) {
      state.deathIsSuicide = true;
      state.suicides += 1;
    }
  }

  /** The latest death so far; null: the player has respawned since. */
  death(victim: string): RunDeath | null {
    const { death, deadlyHit: hit, deaths: number } = this.state;
    return death && { victim, number, ...withHit(victim, death, hit), ...this.#positions };
  }

  kill(meters: number | null): void {
    this.state.kills += 1;
    if (meters === null) return;
    this.state.kill = Math.max(this.state.kill, meters);
    this.reachHit(meters);
  }

  reachHit(meters: number | null): void {
    if (meters !== null && meters > this.state.hit) this.state.hit = meters;
  }

  /** The player's figures in the run. @param until when an open session is considered to end; left out: the run has ended */
  figures(until = Number.NEGATIVE_INFINITY): RunPlayerRow {
    const { kills, deaths, suicides, hit, kill } = this.state;
    // Who has left is counted to the end at once.
    const to = Math.max(until, this.#session.disconnectedAt ?? until);
    const { playMs, headMs, bestMs, lifeMs } = counted(this.#session, to);
    return {
      playerKills: kills,
      deaths,
      suicides,
      totalPlaySeconds: seconds(playMs),
      longestHitMeters: hit,
      longestKillMeters: kill,
      lifeHeadSeconds: seconds(headMs ?? lifeMs),
      lifeBestSeconds: seconds(bestMs),
      lifeTailSeconds: headMs === null ? 0 : seconds(lifeMs),
    };
  }

  #startLife(): void {
    this.state.deathAt = null;
    this.state.death = null;
    this.state.deadlyHit = null;
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
