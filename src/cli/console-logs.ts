import type { FilePort } from '../server/files/file-port.ts';
import { gameOf } from '../server/games/index.ts';
import { fileNamesOf } from '../server/ingest/logs/formats/log-format.ts';
import { newestLogs } from './log-clock.ts';

/** Whether the newest log of a server is one of a console: such servers answer no query. */
export async function isOnConsole(game: string, logs: string | null, port: FilePort): Promise<boolean> {
  const formats = gameOf(game)?.logs ?? [];
  if (logs === null || formats.length === 0) return false;
  const entries = await port.list(logs, { matching: fileNamesOf(formats), stat: 'all' }).catch(() => []);
  const [newest] = newestLogs(entries, formats);
  return newest?.format.withoutSteamIds?.test(newest.name) === true;
}
