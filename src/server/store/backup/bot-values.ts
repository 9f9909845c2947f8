import { existsSync } from 'node:fs';
import { SQLite } from '../engine/driver.ts';

/** A value of the bot in Keyv: the id of a message, the position of a kill feed, what members placed. */
export interface BotValue {
  /** Without the namespace. */
  key: string;
  value: unknown;
  /** Epoch milliseconds; left out: never. */
  expires?: number | undefined;
}

/** The bot's namespace. The others hold tokens and the key that marks them; they never leave the data folder. */
const namespace = 'bot';
const busyTimeoutMs = 10_000;

/**
 * Reads the bot's values in one transaction. None where there is no file. Never to be called in a process that has the file
 * open by Keyv: that is another copy of SQLite, and the locks of two copies in one process do not know each other.
 * @throws SQLite's errors
 */
export function readBotValues(keyvFile: string): BotValue[] {
  if (!existsSync(keyvFile)) return [];
  // Not for reading only: a process that was killed may have left a journal that has to be rolled back.
  const sqlite = new SQLite(keyvFile, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    const hasTable = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'keyv'").get() !== undefined;
    if (!hasTable) return [];
    const rows = sqlite
      .prepare('SELECT key, value FROM keyv WHERE key GLOB ? ORDER BY key')
      .all(`${namespace}:*`) as { key: string; value: string }[];
    return rows.flatMap(({ key, value }) => {
      const stored = parseStored(value);
      return stored === null ? [] : [{ key: key.slice(namespace.length + 1), ...stored }];
    });
  } finally {
    sqlite.close();
  }
}

/** Keyv stores an object with the value and its expiry. */
function parseStored(text: string): Omit<BotValue, 'key'> | null {
  try {
    const { value, expires } = JSON.parse(text) as { value?: unknown; expires?: number | null };
    return value === undefined ? null : { value, ...(typeof expires === 'number' && { expires }) };
  } catch {
    // A value that Keyv could not read either.
    return null;
  }
}

/** A row of Keyv's table. */
export function rowOf({ key, value, expires }: BotValue): { key: string; value: string } {
  return { key: `${namespace}:${key}`, value: JSON.stringify({ value, expires: expires ?? null }) };
}

/** @returns null when the text holds no values of the bot */
export function parseBotValues(text: string): BotValue[] | null {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) && values.every(isBotValue) ? values : null;
  } catch {
    return null;
  }
}

function isBotValue(each: unknown): each is BotValue {
  const { key, value, expires } = Object(each) as Record<string, unknown>;
  return (
    typeof key === 'string' && value !== undefined && (expires === undefined || typeof expires === 'number')
  );
}
