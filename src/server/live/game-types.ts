import { games } from 'gamedig';
import { queryKeyText } from './query-keys.ts';

/** A game that GameDig can query. */
export interface GameType {
  /** The value of `game:` in the config. */
  type: string;
  name: string;
  /** When the game came out. */
  year: number | null;
  /** What its query needs or takes besides the address; left out: nothing. */
  query?: string;
}

/** Whether GameDig can query servers of a type. */
export function isGameType(type: string): boolean {
  return Object.hasOwn(games, type);
}

/** Every game whose type, earlier type or name contains a text, by name; all games without a text. */
export function findGameTypes(text = ''): GameType[] {
  const wanted = plain(text);
  return Object.entries(games)
    .filter(([type, game]) =>
      [type, game.name, earlierType(game) ?? ''].some((word) => plain(word).includes(wanted)),
    )
    .map(([type, { name, release_year: year }]) => withQuery({ type, name, year: year ?? null }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

function withQuery(game: Omit<GameType, 'query'>): GameType {
  const query = queryKeyText(game.type);
  return query === '' ? game : { ...game, query };
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

/** Letters and digits only, so that spaces and punctuation need not match. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
