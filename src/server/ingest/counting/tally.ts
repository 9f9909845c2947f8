import type { RunPlayerRow } from '../../store/engine/schema/run-figures.ts';
import type { RunDeath } from '../../store/repositories/kills/save-deaths.ts';
import { boundedName } from '../../store/repositories/players/sightings.ts';
import { deathByKill, type DeathDetails, type DeathPositions, positionsOf, simpleDeath } from './deaths.ts';
import type { GameEvent, IdentifiedEvent, SeenPlayer } from 'dayz-files';
import { PlayerTally } from './player-tally.ts';
import type { Session } from './session.ts';
import { see, Sightings } from './sightings.ts';

/**
 * Counts the events of one run, from `run-started` to `run-ended`, per player. It knows neither files nor the store,
 * and counts the events of all games alike:
 * - a kill counts for the killer, unless the killer is unknown or is the victim
 * - lines that follow each other within ten seconds, without a respawn or connect between them, describe one death;
 *   it is a suicide if one of them says so
 * - a hit counts by its distance if the victim was alive; the killing hit by the distance of its kill
 * - a session lasts from connect to disconnect, or to the last moment seen in the run (`session.ts`)
 * - in a run without a header (`LogRest`), whom a list or a later line shows without a connect was on since its first line
 */
export class RunTally {
  /** By the game's own id. */
  readonly players = new Map<string, PlayerTally>();
  /** The ids of those players of whom a list may settle when they left. */
  readonly #inDoubt = new Set<string>();
  #sightings = new Sightings();
  /** Deaths that changed since the last `drainDeaths`, by victim and number. */
  #deaths = new Map<string, RunDeath>();
  /** The first moment of a run without a header; null: it has one. */
  #restSince: number | null = null;

  /** The figures of each player in the run. @param until when open sessions are considered to end; left out: the run has ended */
  rows(until?: number): Map<string, RunPlayerRow> {
    return new Map(Array.from(this.players, ([id, player]) => [id, player.figures(until)]));
  }

  /** Returns the sightings since the last call. */
  drainSightings(): Sightings {
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

  /**
   * The one player who is connected under this name, or else was: the line of the connect may come later. Null: nobody, or
   * several.
   */
  connectedAs(name: string): SeenPlayer | null {
    const bounded = boundedName(name);
    if (bounded === '') return null;
    const named = [...this.players].filter(([, player]) => player.name === bounded);
    const connected = named.filter(([, player]) => player.sessions.current.state === 'on');
    const [one, other] = connected.length > 0 ? connected : named;
    return one === undefined || other !== undefined ? null : { id: one[0], name };
  }

  /** The player's session so far; null: nothing is known of the player. */
  readonly session = (gameId: string): Session | null => this.players.get(gameId)?.sessions.current ?? null;

  add(event: IdentifiedEvent): void {
    switch (event.kind) {
      case 'run-started':
        this.#restSince = event.isRest ? event.at : null;
        return;
      case 'run-ended':
        for (const player of this.players.values()) player.sessions.end(event.at);
        return;
      case 'player-list':
        this.#settleDoubts(event);
        return;
      case 'identity':
        this.#sightings.addIdentity(event);
        return;
      case 'hit': {
        if (event.victim !== null) {
          const victim = this.#see(event.victim, event.at, !event.corpse);
          // `corpse`: the victim was dead already, or dies of this hit, which `keepDeadlyHit` tells apart. A corpse lies there
          // after its player has left.
          if (!event.corpse) victim.sessions.show(event.at);
          else if (victim.keepDeadlyHit(event)) this.#noteDeath(event.victim.id, victim);
        }
        if (event.attacker === null) return;
        const attacker = this.#see(event.attacker, event.at);
        attacker.sessions.show(event.at);
        // The hit that kills is counted with the kill, which has its distance.
        if (event.corpse || event.victim === null || event.victim.id === event.attacker.id) return;
        attacker.noteHit(event.meters);
        return;
      }
      case 'killed': {
        if (event.victim !== null)
          this.#die(event.victim, deathByKill(event), positionsOf(event.victim, event, event));
        if (event.killer === null) return;
        const killer = this.#see(event.killer, event.at);
        killer.sessions.show(event.at);
        if (event.victim?.id !== event.killer.id) killer.kill(event.meters);
        return;
      }
      case 'died':
      case 'suicide': {
        const cause = event.kind === 'died' ? event.cause : 'suicide';
        this.#die(event.player, simpleDeath(event.at, cause), positionsOf(event.player, event));
        return;
      }
      default: {
        const { kind, at } = event;
        const player = this.#see(event.player, at, kind !== 'connected' && kind !== 'connecting');
        if (kind === 'connected') player.connect(event);
        else if (kind === 'respawn') player.respawn(at);
        else if (kind === 'connecting' || kind === 'disconnected') player.sessions.mark(kind, at);
        else player.sessions.show(at);
        if (kind === 'disconnected') this.#inDoubt.add(event.player.id);
      }
    }
  }

  /** Tells the sessions in doubt whether a list has their player, which shows whether the disconnect was an older session's. */
  #settleDoubts({ players, at }: Extract<GameEvent, { kind: 'player-list' }>): void {
    if (this.#inDoubt.size === 0) return;
    const listed = new Set(players.map(({ id }) => id));
    for (const id of this.#inDoubt) {
      const player = this.players.get(id);
      if (player?.sessions.isInDoubt !== true) {
        this.#inDoubt.delete(id);
        continue;
      }
      player.sessions.mark(listed.has(id) ? 'listed' : 'unlisted', at);
    }
  }

  #die(victim: SeenPlayer, details: DeathDetails, positions: DeathPositions): void {
    const player = this.#see(victim, details.at);
    player.die(details, positions);
    this.#noteDeath(victim.id, player);
  }

  #noteDeath(victim: string, player: PlayerTally): void {
    const death = player.death(victim);
    if (death !== null) this.#deaths.set(`${victim} ${death.number}`, death);
  }

  /** @param hasCome whether the line shows that the player had connected before it */
  #see(seen: SeenPlayer, at: number, hasCome = true): PlayerTally {
    let player = this.players.get(seen.id);
    if (player === undefined) {
      player = new PlayerTally();
      this.players.set(seen.id, player);
      if (hasCome && this.#restSince !== null) {
        player.name = boundedName(seen.name);
        player.sessions.startBefore(this.#restSince);
        this.#inDoubt.add(seen.id);
      }
    }
    player.sighting ??= this.#sightings.ofPlayer(seen.id);
    see(player.sighting, seen.name, at);
    return player;
  }
}
