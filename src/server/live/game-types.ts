import { suggestion } from '../../config/suggestion.ts';
import { loadGameDig } from './gamedig.ts';

export const defaultGameType = 'dayz';

/** A game that GameDig can query. */
export interface GameType {
  /** What stands at `game:` in the config. */
  type: string;
  name: string;
  /** When the game came out. */
  year: number | null;
}

/** Whether GameDig can query servers of a type; of the usual one it is known without loading GameDig. */
export function isGameType(type: string): boolean {
  return type === defaultGameType || Object.hasOwn(loadGameDig().games, type);
}

/** Every game of which a text names the type, the former type or a part of the name, by name; all without a text. */
export function findGameTypes(text = ''): GameType[] {
  const wanted = plain(text);
  return Object.entries(loadGameDig().games)
    .filter(([type, game]) =>
      [type, game.name, formerType(game) ?? ''].some((word) => plain(word).includes(wanted)),
    )
    .map(([type, { name, release_year: year }]) => ({ type, name, year: year ?? null }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The type that was probably meant: by another way of writing it, its former name at GameDig, or the game's own name. */
export function suggestGameType(text: string): string | null {
  const { games } = loadGameDig();
  const types = new Map<string, string>();
  for (const [type, game] of Object.entries(games)) {
    for (const word of [type, formerType(game), game.name])
      if (word !== undefined) types.set(word.toLowerCase(), type);
  }
  const word = suggestion(text, [...types.keys()]);
  return word === null ? null : (types.get(word) ?? null);
}

const formerType = (game: object): string | undefined =>
  (game as { extra?: { old_id?: string } }).extra?.old_id;

/** Letters and digits alone: nobody remembers where a game's name has its blanks and colons. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
