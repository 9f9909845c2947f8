import { entries, type Issue } from './raw-config.ts';
import { usualGameType } from '../server/games/table.ts';
import { suggestion } from './suggestion.ts';

/** The games that can be queried. They are passed in, because the config itself has no list of games. */
export interface KnownGames {
  has(type: string): boolean;
  /** Types by all names of their games, in lower case. */
  typesByName(): ReadonlyMap<string, string>;
}

/** The type that was probably meant: the text may be another spelling, an old type or the game's name. */
export function suggestGame(text: string, games: KnownGames): string | null {
  const types = games.typesByName();
  const name = suggestion(text, [...types.keys()]);
  return name === null ? null : (types.get(name) ?? null);
}

/** The servers of a config, as read from YAML, whose game is unknown. */
export function unknownGames(raw: unknown, games: KnownGames): Issue[] {
  const servers = entries(raw, 'projects').flatMap(([project, at]) => entries(project, 'servers', at));
  return servers.flatMap(([{ game }, at]) => {
    if (typeof game !== 'string' || game === usualGameType || games.has(game)) return [];
    const meant = suggestGame(game, games);
    const hint = meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`;
    const message = `expected a GameDig game type such as ${usualGameType} (all: https://github.com/gamedig/node-gamedig/blob/master/GAMES_LIST.md), got ${JSON.stringify(game)}${hint}`;
    return [{ path: [...at, 'game'], message }];
  });
}
