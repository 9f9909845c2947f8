import type { LogFormat } from 'dayz-files';
import type { Game } from './game.ts';
import { gameRows } from './table.ts';

/** The games of the table, with the code that reads their files. */
export const games: readonly Game[] = await Promise.all(
  gameRows.map(async ({ code, ...facts }): Promise<Game> => ({ ...facts, ...(await code()).game })),
);

export const gameOf = (type: string): Game | null => games.find((game) => game.type === type) ?? null;

/** The game of a server of which nothing says another. */
export const usualGame = games[0] as Game;

/** The games whose logs can be read. */
export const gamesWithLogs = games.filter(({ logs }) => logs.length > 0).map(({ type }) => type);

/** Empty: the logs of the game cannot be read. */
export const logFormatsOf = (game: string): readonly LogFormat[] => gameOf(game)?.logs ?? [];

/** @throws if the logs of the game cannot be read */
export function requireLogFormats(game: string): readonly [LogFormat, ...LogFormat[]] {
  const [first, ...others] = logFormatsOf(game);
  if (first === undefined) throw new Error(noLogFormats(game));
  return [first, ...others];
}

export const noLogFormats = (game: string): string =>
  `Outpost cannot read the logs of the game "${game}": it shows the live status of its servers only`;
