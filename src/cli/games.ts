import { suggestGame } from '../config/games.ts';
import { findGameTypes } from '../server/live/game-types.ts';
import { knownGames } from './read-config.ts';
import { CommandFailure, printResult, type Output, type JsonOption } from './output.ts';

export async function listGames(output: Output, words: string[], options: JsonOption): Promise<void> {
  const text = words.join(' ');
  const found = findGameTypes(text);
  if (found.length === 0) throw new CommandFailure(noGame(text));
  const width = Math.max(...found.map(({ type }) => type.length));
  const lines = found.map(({ type, name, year, query }) => {
    const line = `${type.padEnd(width)}  ${name}${year === null ? '' : ` (${year})`}`;
    return query === undefined ? line : `${line}; query ${query}`;
  });
  printResult(output, options, { games: found }, lines.join('\n'));
}

function noGame(text: string): string {
  const meant = suggestGame(text, knownGames);
  const hint = meant === null ? '"outpost games" lists all' : `did you mean ${JSON.stringify(meant)}?`;
  return `GameDig knows no game like ${JSON.stringify(text)}; ${hint}`;
}
