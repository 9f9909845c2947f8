import type { IdentifiedEvent, SeenPlayer } from 'dayz-files';

/**
 * Far more players than a server sees between two starts. Each poll compares the figures of all of them with those stored, in
 * a transaction for which others wait.
 */
export const mostPlayers = 10_000;

/** An event of a run with that many players, without those who are not known; null: it is about nobody else. */
export function amongKnown(
  event: IdentifiedEvent,
  isKnown: (gameId: string) => boolean,
): IdentifiedEvent | null {
  const known = (player: SeenPlayer | null): SeenPlayer | null =>
    player !== null && isKnown(player.id) ? player : null;
  switch (event.kind) {
    case 'run-started':
    case 'run-ended':
    case 'identity':
      return event;
    case 'player-list':
      return { ...event, players: event.players.filter(({ id }) => isKnown(id)) };
    case 'hit':
      return { ...event, victim: known(event.victim), attacker: known(event.attacker) };
    case 'killed':
      return { ...event, victim: known(event.victim), killer: known(event.killer) };
    default:
      return isKnown(event.player.id) ? event : null;
  }
}
