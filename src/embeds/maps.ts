import type { GameFacts, Terrain } from '../server/games/facts.ts';
import { gameTable } from '../server/games/table.ts';
import { escaped } from './text.ts';

/** A page with a spot on a map, in metres from its south-west corner. Null: the map is unknown, or no page shows it. */
export function mapUrl(map: string | null, spot: { east: number; north: number }): string | null {
  return map === null ? null : firstOf(({ maps }) => maps?.pageOf(map, spot));
}

/** The terrain of a map. Null: the map is unknown, or its size. */
export function terrainOf(map: string | null): Terrain | null {
  return map === null ? null : firstOf(({ maps }) => maps?.terrainOf(map));
}

/**
 * Display name of a map, safe in markdown. Unlisted maps keep the server's name. Null: the map is unknown.
 * @param safe makes that name safe elsewhere
 */
export function mapName(
  map: string | null,
  safe = (name: string): string => escaped(name, 60),
): string | null {
  if (map === null) return null;
  const shown = firstOf(({ maps }) => maps?.nameOf(map)) ?? safe(map);
  return shown === '' ? null : shown;
}

/** What the first game answers that knows the map: the contract says the map of a server, but not its game. */
function firstOf<Answer>(answerOf: (game: GameFacts) => Answer | null | undefined): Answer | null {
  for (const game of gameTable) {
    const answer = answerOf(game);
    if (answer != null) return answer;
  }
  return null;
}
