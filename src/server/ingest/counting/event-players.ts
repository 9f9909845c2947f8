import type { IdentifiedEvent, SeenPlayer } from 'dayz-files';

/**
 * An event with its players replaced by others. Identities stay as they are.
 * @param shownAs null: the player is left out @returns null: nobody is left in it
 */
export function withPlayers(
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
