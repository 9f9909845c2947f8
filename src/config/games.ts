import { entries, type Issue } from './references.ts';
import { defaultGame } from './schema/server.ts';
import { suggestion } from './suggestion.ts';

/** The games that can be queried; the config has no list of its own. */
export interface KnownGames {
  has(type: string): boolean;
  /** Types by every name of their games, in lower case. */
  typesByName(): ReadonlyMap<string, string>;
}

/** The type that was probably meant: by another spelling, an earlier type or the game's own name. */
export function suggestGame(text: string, games: KnownGames): string | null {
  const types = games.typesByName();
  const name = suggestion(text, [...types.keys()]);
  return name === null ? null : (types.get(name) ?? null);
}

/** Servers of a config, as read from YAML, whose game is not known. */
export function unknownGames(raw: unknown, games: KnownGames): Issue[] {
  const servers = entries(raw, 'projects').flatMap(([project, at]) => entries(project, 'servers', at));
  return servers.flatMap(([{ game }, at]) => {
    if (typeof game !== 'string' || game === defaultGame || games.has(game)) return [];
    const meant = suggestGame(game, games);
    const hint = meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`;
    const message = `expected a GameDig game type such as ${defaultGame} ("outpost games" lists all), got ${JSON.stringify(game)}${hint}`;
    return [{ path: [...at, 'game'], message }];
  });
}
