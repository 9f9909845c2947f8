import { loadGameDig } from './gamedig.ts';

/** A game that GameDig can query. */
export interface GameType {
  /** What stands at `game:` in the config. */
  type: string;
  name: string;
  /** When the game came out. */
  year: number | null;
}

/** Whether GameDig can query servers of a type. */
export function isGameType(type: string): boolean {
  return Object.hasOwn(loadGameDig().games, type);
}

/** Every game of which a text names the type, the earlier type or a part of the name, by name; all without a text. */
export function findGameTypes(text = ''): GameType[] {
  const wanted = plain(text);
  return Object.entries(loadGameDig().games)
    .filter(([type, game]) =>
      [type, game.name, earlierType(game) ?? ''].some((word) => plain(word).includes(wanted)),
    )
    .map(([type, { name, release_year: year }]) => ({ type, name, year: year ?? null }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Types by every name of their games, in lower case: the type, its earlier one at GameDig, and the game's own name. */
export function typesByName(): ReadonlyMap<string, string> {
  const { games } = loadGameDig();
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

/** Letters and digits alone: nobody remembers where a game's name has its blanks and colons. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
