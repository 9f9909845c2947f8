import type { BanlistConfig } from '../config/schema.ts';
import { placedFile } from '../server/store/repositories/projects/placed-file.ts';
import { readSourceStates } from '../server/store/repositories/logs/source-states.ts';
import type { StoredProject } from './stored-project.ts';

/** The ids of ban lists with a file that has not been read yet, or that could not be read the last time. */
export function createUnreadBanlists({ project, reader }: StoredProject): () => Promise<Set<string>> {
  return async () => {
    const states = await readSourceStates(reader, 'bans');
    const readStates = states.filter(({ read_at, error }) => read_at !== null && error === null);
    const isRead = (id: string, file: string): boolean =>
      readStates.some(({ owner_id, path }) => owner_id === id && path === file);
    const lists = project()?.banlists ?? [];
    const unread = lists.filter((list) => banFilesOf(list).some((file) => !isRead(list.id, file)));
    return new Set(unread.map(({ id }) => id));
  };
}

/** The files that the config names now. The store may also have states of paths that it named before. */
const banFilesOf = ({ sources }: BanlistConfig): string[] =>
  sources.map(({ file, filesOf }) => placedFile(file, filesOf));
