import * as z from 'zod';
import type { RunPlayerRow } from '../../store/run-figures.ts';
import type { GameEvent, SeenPlayer } from './events.ts';
import { see, type Sighting, Sightings } from './sightings.ts';

/** Lines about one death (`died.`, `killed by`, `bled out`, `committed suicide`) follow each other this closely. */
const oneDeathMs = 10_000;

/**
 * Counts the events of one run, from `run-started` to `run-ended`, player by player. It knows neither files nor the
 * store, and any game's events are counted alike:
 * - a kill is the killer's, unless nobody knows the killer or it is the victim
 * - lines that follow each other within ten seconds, with no respawn or connect between, tell of one death; it is a
 *   suicide when one of them says so
 * - a hit counts by its distance when the victim lived; the killing one by that of its kill
 * - a session lasts from connect to disconnect or the last time seen in the run
 */
export class RunTally {
  /** By the game's own id. */
  readonly players = new Map<string, PlayerTally>();
  #sightings = new Sightings();

  /** Goes on where an earlier tally stood. */
  static resume(players: Iterable<[id: string, state: PlayerState]>): RunTally {
    const tally = new RunTally();
    for (const [id, state] of players) tally.players.set(id, new PlayerTally(state));
    return tally;
  }

  /** Who was seen since the last `drain`. */
  get sightings(): Sightings {
    return this.#sightings;
  }

  /** What the run says of each player. */
  rows(): [gameId: string, row: RunPlayerRow][] {
    return Array.from(this.players, ([id, player]) => [id, player.effects()]);
  }

  /** Hands over who was seen since the last time: the players whose figures may have changed are among them. */
  drain(): Sightings {
    const drained = this.#sightings;
    this.#sightings = new Sightings();
    for (const [id] of drained.all) {
      const player = this.players.get(id);
      if (player !== undefined) player.sighting = null;
    }
    return drained;
  }

  add(event: GameEvent): void {
    switch (event.kind) {
      case 'run-started':
        return;
      case 'run-ended':
        for (const player of this.players.values()) player.disconnect(event.at);
        return;
      case 'identity':
        this.#sightings.identity(event);
        return;
      case 'hit': {
        if (event.victim !== null) this.#see(event.victim, event.at);
        if (event.attacker === null) return;
        const attacker = this.#see(event.attacker, event.at);
        // The hit that kills is counted with the kill, which carries its distance.
        if (event.corpse || event.victim === null || event.victim.id === event.attacker.id) return;
        attacker.reachHit(event.meters);
        return;
      }
      case 'killed': {
        if (event.victim !== null) this.#see(event.victim, event.at).die(event.at, false);
        if (event.killer === null) return;
        const killer = this.#see(event.killer, event.at);
        if (event.victim?.id !== event.killer.id) killer.kill(event.meters);
        return;
      }
      default: {
        const player = this.#see(event.player, event.at);
        if (event.kind === 'connected') player.connect(event.at);
        else if (event.kind === 'disconnected') player.disconnect(event.at);
        else if (event.kind === 'respawn') player.respawn();
        else if (event.kind !== 'seen') player.die(event.at, event.kind === 'suicide');
      }
    }
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

/** What is counted of a player in a run so far: plain data, enough to go on with. Times in milliseconds. */
export const playerState = z.object({
  kills: z.number(),
  suicides: z.number(),
  playMs: z.number(),
  /** Meters; 0: none. */
  hit: z.number(),
  kill: z.number(),
  /** Connected time before the first death; null: none yet. */
  head: z.number().nullable(),
  /** Longest connected time between two deaths. */
  best: z.number(),
  /** Connected time of the running life. */
  lifeMs: z.number(),
  deaths: z.number(),
  connectedAt: z.number().nullable(),
  /** Up to when the session is in `lifeMs`. */
  livedUntil: z.number(),
  /** When the latest line told of the latest death; null once a respawn or a connect came after it. */
  deathAt: z.number().nullable(),
  deathIsSuicide: z.boolean(),
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
  livedUntil: 0,
  deathAt: null,
  deathIsSuicide: false,
};

export class PlayerTally {
  /** Where the tally notes under which names the player was seen; null: not seen since it was last drained. */
  sighting: Sighting | null = null;
  readonly state: PlayerState;

  constructor(state: PlayerState = nothingYet) {
    this.state = { ...state };
  }

  get isConnected(): boolean {
    return this.state.connectedAt !== null;
  }

  connect(at: number): void {
    this.state.deathAt = null;
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
  }

  respawn(): void {
    this.state.deathAt = null;
  }

  die(at: number, suicide: boolean): void {
    const { state } = this;
    if (state.deathAt === null || at - state.deathAt > oneDeathMs) {
      this.#live(at);
      if (state.head === null) state.head = state.lifeMs;
      else state.best = Math.max(state.best, state.lifeMs);
      state.lifeMs = 0;
      state.deaths += 1;
      state.deathIsSuicide = false;
    }
    state.deathAt = at;
    if (suicide && !state.deathIsSuicide) {
      state.deathIsSuicide = true;
      state.suicides += 1;
    }
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

  /** What the run says of the player. @param until where a session that is still open is taken to end */
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
