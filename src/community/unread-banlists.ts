import type { BanlistConfig } from '../config/schema.ts';
import type { ConfiguredProject } from '../config/config-index.ts';
import type { Reader } from '../server/store/engine/database.ts';
import { placedFile } from '../server/store/repositories/projects/placed-file.ts';
import { readSourceStates } from '../server/store/repositories/logs/source-states.ts';

/** The ids of ban lists with a file that has not been read yet, or could not be the last time. */
export function createUnreadBanlists({ project }: ConfiguredProject, db: Reader): () => Promise<Set<string>> {
  return async () => {
    const states = await readSourceStates(db, 'bans');
    const read = states.filter(({ read_at, error }) => read_at !== null && error === null);
    const isRead = (id: string, file: string): boolean =>
      read.some(({ owner_id, path }) => owner_id === id && path === file);
    const lists = project()?.banlists ?? [];
    const unread = lists.filter((list) => banFilesOf(list).some((file) => !isRead(list.id, file)));
    return new Set(unread.map(({ id }) => id));
  };
}

/** Those of the config: what failed under an earlier path says nothing any more. */
const banFilesOf = ({ sources }: BanlistConfig): string[] =>
  sources.map(({ file, filesOf }) => placedFile(file, filesOf));
