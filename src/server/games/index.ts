import type { LogFormats } from '../ingest/logs/log-format.ts';
import { dayz } from './dayz/index.ts';
import type { Game } from './game.ts';

/** The games of which Outpost knows more than how to query them. The others have live status only. */
export const games: readonly Game[] = [dayz];

export const gameOf = (type: string): Game | null => games.find((game) => game.type === type) ?? null;

/** The game of a server of which nothing says another. */
export const usualGame: Game = dayz;

export const logFormats: LogFormats = (type) => gameOf(type)?.logs ?? [];

/** The games whose logs can be read. */
export const gamesWithLogs = games.filter(({ logs }) => logs.length > 0).map(({ type }) => type);

/** What keys of the config name in the same way for every game: only DayZ has such files so far. */
export const {
  characters: characterFiles,
  readRestart: readMessagesXml,
  banFormats: banFormatsOfGames,
} = dayz;
