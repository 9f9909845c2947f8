import { games } from 'gamedig';

/** Whether GameDig can query servers of a type. */
export function isGameType(type: string): boolean {
  return Object.hasOwn(games, type);
}

/** Types by all names of their games, in lower case: the type, GameDig's earlier type, and the game's own name. */
export function typesByName(): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const [type, game] of Object.entries(games)) {
    for (const name of [type, earlierType(game), game.name]) {
      if (name !== undefined) types.set(name.toLowerCase(), type);
    }
  }
  return types;
}

const earlierType = (game: object): string | undefined =>
  (game as { extra?: { old_id?: string } }).extra?.old_id;
