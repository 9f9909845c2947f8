import * as z from 'zod';
import type { RunPlayerRow } from '../../store/engine/schema/run-figures.ts';
import {
  type DeadlyHit,
  deadlyHit,
  deathByKill,
  type DeathDetails,
  deathDetails,
  isSameSecond,
  joinDeaths,
  lonelyDeath,
  type Places,
  placesOf,
  withHit,
} from './deaths.ts';
import type { RunDeath } from '../../store/repositories/kills/save-deaths.ts';
import { boundedName } from '../../store/repositories/players/sightings.ts';
import type { GameEvent, IdentifiedEvent, SeenPlayer } from './events.ts';
import { see, type Sighting, Sightings } from './sightings.ts';

/** Lines about one death (`died.`, `killed by`, `bled out`, `committed suicide`) follow each other this closely. */
const oneDeathMs = 10_000;

/**
 * Counts the events of one run, from `run-started` to `run-ended`, per player. It knows neither files nor the store,
 * and counts the events of all games alike:
 * - a kill counts for the killer, unless the killer is unknown or is the victim
 * - lines that follow each other within ten seconds, without a respawn or connect between them, describe one death;
 *   it is a suicide if one of them says so
 * - a hit counts by its distance if the victim was alive; the killing hit by the distance of its kill
 * - a session lasts from connect to disconnect, or to the last moment seen in the run
 */
export class RunTally {
  /** By the game's own id. */
  readonly players = new Map<string, PlayerTally>();
  #sightings = new Sightings();
  /** Deaths that changed since the last `drainDeaths`, by victim and number. */
  #deaths = new Map<string, RunDeath>();

  /** Continues from stored player states. */
  static resume(players: Iterable<[id: string, state: PlayerState]>): RunTally {
    const tally = new RunTally();
    for (const [id, state] of players) tally.players.set(id, new PlayerTally(state));
    return tally;
  }

  /** The people seen since the last `drain`. */
  get sightings(): Sightings {
    return this.#sightings;
  }

  /** The figures of each player in the run. */
  rows(): [gameId: string, row: RunPlayerRow][] {
    return Array.from(this.players, ([id, player]) => [id, player.effects()]);
  }

  /** Returns the sightings since the last call; they include every player whose figures may have changed. */
  drain(): Sightings {
    const drained = this.#sightings;
    this.#sightings = new Sightings();
    for (const [id] of drained.all) {
      const player = this.players.get(id);
      if (player !== undefined) player.sighting = null;
    }
    return drained;
  }

  /** Returns the deaths that are new or have more details since the last call. */
  drainDeaths(): RunDeath[] {
    const drained = [...this.#deaths.values()];
    this.#deaths = new Map();
    return drained;
  }

  /** The one player who is connected under this name; null: nobody is, or several are. */
  connectedAs(name: string): SeenPlayer | null {
    const bounded = boundedName(name);
    if (bounded === '') return null;
    const ids = Array.from(this.players).flatMap(([id, { state }]) => (state.name === bounded ? [id] : []));
    const [id, other] = ids;
    return id === undefined || other !== undefined ? null : { id, name };
  }

  add(event: IdentifiedEvent): void {
    switch (event.kind) {
      case 'run-started':
      case 'player-list':
        return;
      case 'run-ended':
        for (const player of this.players.values()) player.disconnect(event.at);
        return;
      case 'identity':
        this.#sightings.identity(event);
        return;
      case 'hit': {
        if (event.victim !== null) {
          const victim = this.#see(event.victim, event.at);
          if (event.corpse && victim.fall(event)) this.#noteDeath(event.victim.id, victim);
        }
        if (event.attacker === null) return;
        const attacker = this.#see(event.attacker, event.at);
        // The hit that kills is counted with the kill, which has its distance.
        if (event.corpse || event.victim === null || event.victim.id === event.attacker.id) return;
        attacker.reachHit(event.meters);
        return;
      }
      case 'killed': {
        if (event.victim !== null) this.#die(event.victim, deathByKill(event), placesOf(event));
        if (event.killer === null) return;
        const killer = this.#see(event.killer, event.at);
        if (event.victim?.id !== event.killer.id) killer.kill(event.meters);
        return;
      }
      case 'died':
      case 'suicide': {
        const cause = event.kind === 'died' ? event.cause : 'suicide';
        this.#die(event.player, lonelyDeath(event.at, cause), placesOf(event));
        return;
      }
      default: {
        const player = this.#see(event.player, event.at);
        if (event.kind === 'connected') player.connect(event.at, event.player.name);
        else if (event.kind === 'disconnected') player.disconnect(event.at);
        else if (event.kind === 'respawn') player.respawn();
      }
    }
  }

  #die(victim: SeenPlayer, details: DeathDetails, places: Places): void {
    const player = this.#see(victim, details.at);
    player.die(details, places);
    this.#noteDeath(victim.id, player);
  }

  #noteDeath(victim: string, player: PlayerTally): void {
    const death = player.death(victim);
    if (death !== null) this.#deaths.set(`${victim} ${death.number}`, death);
  }

  #see(seen: SeenPlayer, at: number): PlayerTally {
    let player = this.players.get(seen.id);
    if (player === undefined) {
      player = new PlayerTally();
      this.players.set(seen.id, player);
    }
    player.sighting ??= this.#sightings.player(seen.id);
    see(player.sighting, seen.name, at);
    return player;
  }
}

/** The counting state of a player in a run: plain data, from which counting can continue. Times in milliseconds. */
export const playerState = z.object({
  kills: z.number(),
  suicides: z.number(),
  playMs: z.number(),
  /** Meters; 0: none. */
  hit: z.number(),
  kill: z.number(),
  /** Connected time before the first death; null: no death yet. */
  head: z.number().nullable(),
  /** Longest connected time between two deaths. */
  best: z.number(),
  /** Connected time of the current life. */
  lifeMs: z.number(),
  deaths: z.number(),
  connectedAt: z.number().nullable(),
  /** The name under which the player is connected; null: not connected. */
  name: z.string().nullable().default(null),
  /** Up to when the session is included in `lifeMs`. */
  livedUntil: z.number(),
  /** When the latest line described the latest death; null after a respawn or connect. */
  deathAt: z.number().nullable(),
  deathIsSuicide: z.boolean(),
  /** The details of the latest death, while more may follow; null: nothing that counts. */
  death: deathDetails.nullable().default(null),
  /** The hit of the latest death, or of one whose line is yet to come. */
  deadlyHit: deadlyHit.nullable().default(null),
});

export type PlayerState = z.infer<typeof playerState>;

const nothingYet: PlayerState = {
  kills: 0,
  suicides: 0,
  playMs: 0,
  hit: 0,
  kill: 0,
  head: null,
  best: 0,
  lifeMs: 0,
  deaths: 0,
  connectedAt: null,
  name: null,
  livedUntil: 0,
  deathAt: null,
  deathIsSuicide: false,
  death: null,
  deadlyHit: null,
};

const nowhere: Places = { position: null, killerPosition: null };

class PlayerTally {
  /** The player's names and times; null: not seen since the last drain. */
  sighting: Sighting | null = null;
  readonly state: PlayerState;
  /** Positions of the latest death; they are not stored with the tally. */
  #places = nowhere;

  constructor(state: PlayerState = nothingYet) {
    this.state = { ...state };
  }

  get isConnected(): boolean {
    return this.state.connectedAt !== null;
  }

  connect(at: number, name: string): void {
    this.respawn();
    this.state.name = boundedName(name);
    // 2026 repeats `is connected` at every respawn.
    if (this.state.connectedAt !== null) return;
    this.state.connectedAt = at;
    this.state.livedUntil = at;
  }

  disconnect(at: number): void {
    const { connectedAt } = this.state;
    if (connectedAt === null) return;
    this.#live(at);
    this.state.playMs += Math.max(0, at - connectedAt);
    this.state.connectedAt = null;
    this.state.name = null;
  }

  respawn(): void {
    this.state.deathAt = null;
    this.state.death = null;
    this.state.deadlyHit = null;
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

  die(details: DeathDetails, places: Places): void {
    const { state } = this;
    const { at } = details;
    if (state.deathAt === null || at - state.deathAt > oneDeathMs) {
      state.death = details;
      this.#places = nowhere;
      this.#live(at);
      if (state.head === null) state.head = state.lifeMs;
      else state.best = Math.max(state.best, state.lifeMs);
      state.lifeMs = 0;
      state.deaths += 1;
      state.deathIsSuicide = false;
    } else if (state.death !== null) state.death = joinDeaths(state.death, details);
    const isOfKiller = details.killer !== null && details.killer === state.death?.killer;
    this.#places = {
      position: this.#places.position ?? places.position,
      killerPosition: this.#places.killerPosition ?? (isOfKiller ? places.killerPosition : null),
    };
    state.deathAt = at;
    if (details.cause === 'suicide' && !state.deathIsSuicide) {
      state.deathIsSuicide = true;
      state.suicides += 1;
    }
  }

  /** The latest death so far; null: it was counted before deaths were stored. */
  death(victim: string): RunDeath | null {
    const { death, deadlyHit: hit, deaths: number } = this.state;
    return death && { victim, number, ...withHit(victim, death, hit), ...this.#places };
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

  /** The player's figures in the run. @param until when an open session is considered to end */
  effects(until?: number): RunPlayerRow {
    if (until !== undefined && this.isConnected) {
      const closed = new PlayerTally(this.state);
      closed.disconnect(until);
      return closed.effects();
    }
    const { state } = this;
    return {
      playerKills: state.kills,
      deaths: state.deaths,
      suicides: state.suicides,
      playSeconds: seconds(state.playMs),
      longestHitMeters: state.hit > 0 ? state.hit : null,
      longestKillMeters: state.kill > 0 ? state.kill : null,
      lifeHeadSeconds: seconds(state.head ?? state.lifeMs),
      lifeBestSeconds: seconds(state.best),
      lifeTailSeconds: state.head === null ? 0 : seconds(state.lifeMs),
    };
  }

  #live(at: number): void {
    const { state } = this;
    if (state.connectedAt === null || at <= state.livedUntil) return;
    state.lifeMs += at - state.livedUntil;
    state.livedUntil = at;
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
