import type { FileEntry, FileAccess } from 'game-files';
import { gameOf } from '../server/games/index.ts';
import { fileNamesOf, formatOf, type LogFormat } from 'dayz-files';
import { isNewer } from '../server/ingest/logs/reading/folder-listing.ts';

/** The logs of a game, those that changed last first. */
export function newestLogs(entries: readonly FileEntry[], formats: readonly LogFormat[]) {
  const logs = entries.flatMap(({ name, stat }) => {
    const format = formatOf(formats, name);
    if (stat === null || format?.holds !== 'runs') return [];
    return [{ name, path: name, changedAt: stat.changedAt, format }];
  });
  return logs.toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
}

/** Whether the newest log of a server is one of a console: such servers answer no query. */
export async function isOnConsole(game: string, logs: string | null, files: FileAccess): Promise<boolean> {
  const formats = gameOf(game)?.logs ?? [];
  if (logs === null || formats.length === 0) return false;
  const entries = await files.list(logs, { matching: fileNamesOf(formats), stat: 'all' }).catch(() => []);
  const [newest] = newestLogs(entries, formats);
  return newest?.format.withoutSteamIds?.test(newest.name) === true;
}
