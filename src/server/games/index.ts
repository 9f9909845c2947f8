import type { LogFormat, LogFormats } from '../ingest/logs/log-format.ts';
import { dayzLogs } from './dayz/index.ts';

/** The log formats of each game, by its GameDig type. A game without a row here has live status only. */
const logs: Record<string, readonly LogFormat[]> = {
  dayz: dayzLogs,
};

export const logFormats: LogFormats = (game) => logs[game] ?? [];

/** The games whose logs can be read. */
export const gamesWithLogs = Object.keys(logs);
