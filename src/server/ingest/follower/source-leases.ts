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

interface LocalFolder {
  lease: string;
  folder: string;
}

/** The folders on this machine with files of sources. A lease that has some belongs where one of them exists. */
export const localFolders = ({ files }: Sources): LocalFolder[] =>
  files
    .filter(({ place }) => place === undefined)
    .map((source) => ({
      lease: leaseOf(source),
      folder: source.kind === 'logs' ? source.file : dirname(source.file),
    }));

/** A listing without entries: it only shows that the folder exists. */
const noEntries = { matching: /(?!)/, stat: [] };

/** Those leases of which a folder exists on this machine. @param filesOf the files of each folder */
export async function presentHere(
  folders: readonly LocalFolder[],
  filesOf: (folder: string) => FileAccess,
): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async ({ lease, folder }) => {
      const listed = filesOf(folder).list(folder, noEntries);
      return await listed.then(
        () => [lease],
        () => [],
      );
    }),
  );
  return [...new Set(found.flat())];
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
    const local = new Set(localFolders(sources).map(({ lease }) => lease));
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
