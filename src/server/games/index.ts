import type { LogFormat } from 'dayz-files';
import type { GameFacts } from './facts.ts';
import type { GameCode } from './game.ts';
import { gameTable } from './table.ts';

/** A game that Outpost knows: its row of the table, with the code that reads its files. */
type Game = GameFacts & GameCode;

const games: readonly Game[] = await Promise.all(
  gameTable.map(async ({ code, ...facts }): Promise<Game> => ({ ...facts, ...(await code()).game })),
);

export const gameOf = (type: string): Game | null => games.find((game) => game.type === type) ?? null;

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
