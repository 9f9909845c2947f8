import type { LogFormats } from '../ingest/logs/log-formats.ts';
import type { Game } from './game.ts';
import { gameRows } from './table.ts';

/** The games of the table, with the code that reads their files. */
export const games: readonly Game[] = await Promise.all(
  gameRows.map(async ({ code, ...facts }): Promise<Game> => ({ ...facts, ...(await code()).game })),
);

export const gameOf = (type: string): Game | null => games.find((game) => game.type === type) ?? null;

/** The game of a server of which nothing says another. */
export const usualGame = games[0] as Game;

export const logFormats: LogFormats = (type) => gameOf(type)?.logs ?? [];

/** The games whose logs can be read. */
export const gamesWithLogs = games.filter(({ logs }) => logs.length > 0).map(({ type }) => type);
