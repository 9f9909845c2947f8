import type { RunPlayerRow } from '../store/log-runs.ts';
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
  readonly sightings = new Sightings();

  add(event: GameEvent): void {
    switch (event.kind) {
      case 'run-started':
        return;
      case 'run-ended':
        for (const player of this.players.values()) player.disconnect(event.at);
        return;
      case 'identity':
        this.sightings.identity(event);
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
      player = new PlayerTally(this.sightings.player(seen.id));
      this.players.set(seen.id, player);
    }
    see(player.sighting, seen.name, at);
    return player;
  }
}

class PlayerTally {
  readonly sighting: Sighting;
  #kills = 0;
  #suicides = 0;
  #playMs = 0;
  #hit = 0;
  #kill = 0;
  /** Connected time of each life so far, the running one last. */
  #head: number | null = null;
  #best = 0;
  #lifeMs = 0;
  #deaths = 0;
  #connectedAt: number | null = null;
  /** Up to when the session is in `#lifeMs`. */
  #livedUntil = 0;
  #deathAt: number | null = null;
  #deathIsSuicide = false;

  constructor(sighting: Sighting) {
    this.sighting = sighting;
  }

  connect(at: number): void {
    this.#deathAt = null;
    // 2026 repeats `is connected` at every respawn.
    if (this.#connectedAt !== null) return;
    this.#connectedAt = at;
    this.#livedUntil = at;
  }

  disconnect(at: number): void {
    if (this.#connectedAt === null) return;
    this.#live(at);
    this.#playMs += Math.max(0, at - this.#connectedAt);
    this.#connectedAt = null;
  }

  respawn(): void {
    this.#deathAt = null;
  }

  die(at: number, suicide: boolean): void {
    if (this.#deathAt === null || at - this.#deathAt > oneDeathMs) {
      this.#live(at);
      if (this.#head === null) this.#head = this.#lifeMs;
      else this.#best = Math.max(this.#best, this.#lifeMs);
      this.#lifeMs = 0;
      this.#deaths += 1;
      this.#deathIsSuicide = false;
    }
    this.#deathAt = at;
    if (suicide && !this.#deathIsSuicide) {
      this.#deathIsSuicide = true;
      this.#suicides += 1;
    }
  }

  kill(meters: number | null): void {
    this.#kills += 1;
    if (meters === null) return;
    this.#kill = Math.max(this.#kill, meters);
    this.reachHit(meters);
  }

  reachHit(meters: number | null): void {
    if (meters !== null && meters > this.#hit) this.#hit = meters;
  }

  effects(): RunPlayerRow {
    return {
      playerKills: this.#kills,
      deaths: this.#deaths,
      suicides: this.#suicides,
      playSeconds: seconds(this.#playMs),
      longestHitMeters: this.#hit > 0 ? this.#hit : null,
      longestKillMeters: this.#kill > 0 ? this.#kill : null,
      lifeHeadSeconds: seconds(this.#head ?? this.#lifeMs),
      lifeBestSeconds: seconds(this.#best),
      lifeTailSeconds: this.#head === null ? 0 : seconds(this.#lifeMs),
    };
  }

  #live(at: number): void {
    if (this.#connectedAt === null || at <= this.#livedUntil) return;
    this.#lifeMs += at - this.#livedUntil;
    this.#livedUntil = at;
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
