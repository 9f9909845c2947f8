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
import { Sessions } from './session.ts';
import type { Sighting } from './sightings.ts';

/** Lines about one death (`died.`, `killed by`, `bled out`, `committed suicide`) follow each other this closely. */
const oneDeathMs = 10_000;

const nowhere: DeathPositions = { position: null, killerPosition: null };

/** Counts what concerns one player of a run. Times in milliseconds, distances in metres; 0: none. */
export class PlayerTally {
  /** The player's names and times; null: not seen since the tally's sightings were last taken. */
  sighting: Sighting | null = null;
  /** The name under which the player has connected; null: has not. */
  name: string | null = null;
  readonly sessions = new Sessions();
  #kills = 0;
  #deaths = 0;
  #suicides = 0;
  #longestHit = 0;
  #longestKill = 0;
  /** When the latest line described the latest death; null after a respawn or connect. */
  #deathAt: number | null = null;
  #deathIsSuicide = false;
  /** The latest death, while more lines about it may follow; null: no death, or the player is back. */
  #death: DeathDetails | null = null;
  /** The hit that killed, of the latest death or of one whose line is yet to come. */
  #deadlyHit: DeadlyHit | null = null;
  /** Positions of the latest death. */
  #positions = nowhere;

  connect({ at, player, inGame }: Extract<GameEvent, { kind: 'connected' }>): void {
    this.#completeDeath();
    this.name = boundedName(player.name);
    this.sessions.mark(inGame === true ? 'entered' : 'connected', at);
  }

  respawn(at: number): void {
    this.#completeDeath();
    this.sessions.mark('respawn', at);
  }

  /**
   * Keeps the hit that kills; of several in a second, the first.
   * @returns whether it adds details to a death that was already described
   */
  keepDeadlyHit(hit: Extract<GameEvent, { kind: 'hit' }>): boolean {
    const { at, attacker, cause = null, weapon = null, bodyPart = null, ammo = null } = hit;
    const previous = this.#deadlyHit;
    const death = this.#death;
    if (previous !== null && isSameSecond(previous.at, at)) return false;
    const isOfDeath = death !== null && isSameSecond(death.at, at);
    const isSoonAfterDeath = this.#deathAt !== null && at - this.#deathAt <= oneDeathMs;
    // It hit the body: it comes after the death, and did not kill.
    if (isSoonAfterDeath && !isOfDeath) return false;
    this.#deadlyHit = { at, cause, attacker: attacker?.id ?? null, weapon, bodyPart, ammo };
    return isOfDeath;
  }

  die(details: DeathDetails, positions: DeathPositions): void {
    const { at } = details;
    const isAnother = this.#deathAt === null || Math.abs(at - this.#deathAt) > oneDeathMs;
    if (isAnother) {
      this.#death = details;
      this.#positions = nowhere;
      this.sessions.mark('died', at);
      this.#deaths += 1;
      this.#deathIsSuicide = false;
    } else if (this.#death !== null) this.#death = joinDeaths(this.#death, details);
    const isOfKiller = details.killer !== null && details.killer === this.#death?.killer;
    this.#positions = {
      position: this.#positions.position ?? positions.position,
      killerPosition: this.#positions.killerPosition ?? (isOfKiller ? positions.killerPosition : null),
    };
    this.#deathAt = at;
    if (details.cause === 'suicide' && !this.#deathIsSuicide) {
      this.#deathIsSuicide = true;
      this.#suicides += 1;
    }
  }

  /** The latest death so far; null: the player has respawned since. */
  death(victim: string): RunDeath | null {
    const death = this.#death;
    if (death === null) return null;
    return { victim, number: this.#deaths, ...withHit(victim, death, this.#deadlyHit), ...this.#positions };
  }

  kill(meters: number | null): void {
    this.#kills += 1;
    if (meters === null) return;
    this.#longestKill = Math.max(this.#longestKill, meters);
    this.noteHit(meters);
  }

  /** A hit that counts for the longest one. @param meters null: the line does not say */
  noteHit(meters: number | null): void {
    if (meters !== null && meters > this.#longestHit) this.#longestHit = meters;
  }

  /** The player's figures in the run. @param until when an open session is considered to end; left out: the run has ended */
  figures(until = Number.NEGATIVE_INFINITY): RunPlayerRow {
    // The session of one who has left is counted up to that disconnect, even where the others are not counted yet.
    const to = Math.max(until, this.sessions.current.disconnectedAt ?? until);
    const { playMs, headMs, bestMs, lifeMs } = this.sessions.until(to);
    return {
      playerKills: this.#kills,
      deaths: this.#deaths,
      suicides: this.#suicides,
      totalPlaySeconds: seconds(playMs),
      longestHitMeters: this.#longestHit,
      longestKillMeters: this.#longestKill,
      lifeHeadSeconds: seconds(headMs ?? lifeMs),
      lifeBestSeconds: seconds(bestMs),
      lifeTailSeconds: headMs === null ? 0 : seconds(lifeMs),
    };
  }

  /** Lines from here on are about another death: the player is back, in a new life or the same one. */
  #completeDeath(): void {
    this.#deathAt = null;
    this.#death = null;
    this.#deadlyHit = null;
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
