import { followBanFile } from '../bans/file-reader.ts';
import { liftRemovedFiles } from '../bans/removed-files.ts';
import { LogFolder } from '../logs/following/log-folder.ts';
import { followPlayersDb } from '../players/import-players-db.ts';
import { followMessages } from '../schedules/messages-file.ts';
import type { ReaderContext, SourcePlan, SourceReader } from './polled-source.ts';
import type { BanListFile, ServerFile, Sources } from './sources.ts';

/** The path of the plan that lifts a list's bans of files that the config no longer names: it reads no file. */
export const removedFiles = 'removed files';

/** The sources of the config, and what reads each. */
export function plansOf({ files, banlists }: Sources): SourcePlan[] {
  return [
    ...files.map((file): SourcePlan => {
      // A file that only moves in the config's list is not opened again.
      const { index: _, ...settings } = file;
      const { kind, id, path, place } = file;
      return { kind, id, path, place, settings, open: (at) => readerOf(file, at) };
    }),
    ...banlists.map((list): SourcePlan => {
      const open = (at: ReaderContext): SourceReader => liftRemovedFiles(list, at);
      return { kind: 'bans', id: list.id, path: removedFiles, settings: list, open };
    }),
  ];
}

function readerOf(source: ServerFile | BanListFile, at: ReaderContext): SourceReader {
  switch (source.kind) {
    case 'logs': {
      const folder = new LogFolder({ ...at, serverId: source.id, folder: source.file });
      return async (full, signal) => await folder.poll(full, signal);
    }
    case 'playersDb':
      return followPlayersDb(source, at);
    case 'messages':
      return followMessages(source, at);
    case 'bans':
      return followBanFile(source, at);
  }
}
