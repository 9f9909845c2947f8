import { isPseudonym } from '../../store/repositories/rights/forgotten-list.ts';
import type { GameEvent, SeenPlayer } from 'dayz-files';

/**
 * An event with pseudonyms in place of forgotten players, and without their names and positions. Identities stay as they
 * are: a new form of a forgotten player's identifiers must become known.
 * @param pseudonymOf null: the player is not forgotten
 */
export function withoutForgotten(
  event: GameEvent,
  pseudonymOf: (player: SeenPlayer) => string | null,
): GameEvent {
  const of = (player: SeenPlayer): SeenPlayer => {
    const pseudonym = pseudonymOf(player);
    return pseudonym === null ? player : { id: pseudonym, name: '' };
  };
  const orNull = (player: SeenPlayer | null): SeenPlayer | null => player && of(player);
  switch (event.kind) {
    case 'run-started':
    case 'run-ended':
    case 'dropped':
    case 'identity':
      return event;
    case 'player-list':
      return { ...event, players: event.players.map(of) };
    case 'hit': {
      const [victim, attacker] = [orNull(event.victim), orNull(event.attacker)];
      return {
        ...event,
        victim,
        attacker,
        ...(isForgotten(victim) && { position: null }),
        ...(isForgotten(attacker) && { attackerPosition: null }),
      };
    }
    case 'killed': {
      const [victim, killer] = [orNull(event.victim), orNull(event.killer)];
      return {
        ...event,
        victim,
        killer,
        ...(isForgotten(victim) && { position: null }),
        ...(isForgotten(killer) && { killerPosition: null }),
      };
    }
    case 'died':
    case 'suicide': {
      const player = of(event.player);
      return { ...event, player, ...(isForgotten(player) && { position: null }) };
    }
    default:
      return { ...event, player: of(event.player) };
  }
}

const isForgotten = (player: SeenPlayer | null): boolean => player !== null && isPseudonym(player.id);
