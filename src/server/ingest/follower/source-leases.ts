import { dirname } from 'node:path';
import type { FileAccess } from 'game-files';
import type { Claim, HeldLease, Leases } from '../../../process/leases.ts';
import type { Source, Sources } from './sources.ts';

/** The lease under which a source is read: `follow:<server>`, or `bans:<list>` for ban files. */
const leaseOf = ({ kind, id }: Pick<Source, 'kind' | 'id'>): string =>
  `${kind === 'bans' ? 'bans' : 'follow'}:${id}`;

const leaseOfList = ({ id }: { id: string }): string => leaseOf({ kind: 'bans', id });

export const sourcesOfLease = ({ files, banlists }: Sources, lease: string): Sources => ({
  files: files.filter((file) => leaseOf(file) === lease),
  banlists: banlists.filter((list) => leaseOfList(list) === lease),
});

/** The folders on this machine of each lease that has some. Such a lease belongs where one of them exists. */
export function localFolders({ files }: Sources): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const source of files.filter(({ place }) => place === undefined)) {
    const lease = leaseOf(source);
    const folder = source.kind === 'logs' ? source.file : dirname(source.file);
    folders.set(lease, [...(folders.get(lease) ?? []), folder]);
  }
  return folders;
}

/** Those leases of which a folder exists on this machine. @param filesOf the files of each folder */
export async function presentHere(
  folders: ReadonlyMap<string, readonly string[]>,
  filesOf: (folder: string) => FileAccess,
): Promise<string[]> {
  const exists = async (folder: string): Promise<boolean> => {
    try {
      await filesOf(folder).list(folder, { matching: /(?!)/, stat: [] });
      return true;
    } catch {
      return false;
    }
  };
  const found = await Promise.all(
    Array.from(folders, async ([lease, itsFolders]) =>
      (await Promise.all(itsFolders.map(exists))).includes(true) ? [lease] : [],
    ),
  );
  return found.flat();
}

/**
 * The leases of sources that this process wants and holds. Those on this machine are a claim of their own: they are shared by
 * the processes that see the same folders.
 */
export class SourceClaims {
  readonly #remote: Claim;
  readonly #onThisMachine: Claim;

  /**
   * @param onChange called after what is held has changed. A lease that is gone is free at once: whoever still reads its sources
   * can store nothing any more
   */
  constructor(leases: Leases, onChange: () => void) {
    this.#remote = leases.claim({ onChange });
    this.#onThisMachine = leases.claim({ onChange });
  }

  /** @param present those of the leases with folders on some machine that this one has */
  want(sources: Sources, present: readonly string[]): void {
    const local = localFolders(sources);
    const names = [...sources.files.map(leaseOf), ...sources.banlists.map(leaseOfList)];
    this.#remote.want(names.filter((name) => !local.has(name)));
    this.#onThisMachine.want(names.filter((name) => local.has(name) && present.includes(name)));
  }

  held(): HeldLease[] {
    const held = [...this.#remote.held(), ...this.#onThisMachine.held()];
    return held.map(([name, epoch]) => ({ name, epoch }));
  }

  async close(): Promise<void> {
    await Promise.all([this.#remote.close(), this.#onThisMachine.close()]);
  }
}
