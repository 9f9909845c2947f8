import { followBanFile } from '../bans/file-reader.ts';
import { liftRemovedFiles } from '../bans/removed-files.ts';
import { LogFolder } from '../logs/following/log-folder.ts';
import { followPlayersDb } from '../players/import-players-db.ts';
import { followMessages } from '../schedules/messages-file.ts';
import type { ReaderContext, SourcePlan, SourceReader } from './polled-source.ts';
import type { BanListFile, ServerFile, Sources } from './sources.ts';

/** The path of the plan that lifts a list's bans of removed files: no file is read for it. */
export const noFile = '';

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
      return { kind: 'bans', id: list.id, path: noFile, settings: list, open };
    }),
  ];
}

function readerOf(source: ServerFile | BanListFile, at: ReaderContext): SourceReader {
  const { attempt } = at;
  switch (source.kind) {
    case 'logs': {
      const folder = new LogFolder({ ...at, serverId: source.id, folder: source.file });
      return async (full, signal) => await attempt(() => folder.poll(full, signal));
    }
    case 'playersDb': {
      const poll = followPlayersDb(source, at);
      return async () => await attempt(poll);
    }
    case 'messages': {
      const poll = followMessages(source, at);
      return async () => await attempt(poll);
    }
    case 'bans':
      return readBans(source, at);
  }
}

function readBans(source: BanListFile, { attempt, ...at }: ReaderContext): SourceReader {
  const poll = followBanFile(source, at);
  return async () => {
    let keepsBans = false;
    const read = await attempt(async () => {
      const result = await poll();
      keepsBans = result?.problem !== undefined;
      return result;
    });
    return keepsBans ? read.map((one) => ({ ...one, keptBans: true as const })) : read;
  };
}
