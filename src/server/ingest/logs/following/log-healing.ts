import type { Derivation } from '../../../store/repositories/logs/derivations.ts';
import { readStaleFiles, saveIdentitiesRead } from '../../../store/repositories/logs/log-files.ts';
import type { FollowContext } from './follow-context.ts';

/** How much is read again at a time, so that new lines are still read within seconds. */
const stepBytes = 16 * 1024 * 1024;
const stepFiles = 200;

/** What healing needs from a server's folder. */
interface HealedFolder {
  /** Whether a file still exists, and was not refused since the last full poll. */
  isLeft(path: string): boolean;
  /** Whether a finished file holds runs. A followed one is counted again by its follower. */
  isToCount(path: string): boolean;
  /** How much of a file was read, bytes. */
  sizeOf(path: string): number;
  /** Reads finished files to their ends. @returns the paths of those that could be read */
  read(paths: readonly string[], options: { identitiesOnly: boolean }): Promise<string[]>;
}

/**
 * After an update, reads the files of a server's logs again that an earlier version has read (`derivations`), some at
 * each poll: the same pipeline with a narrower effect. Figures follow the rule for copies of runs, by which the
 * longest copy counts. Identities are read separately and cannot change figures. A kill loses nothing: the new
 * version is stored with each file.
 */
export class LogHealing {
  /** Whether no file is to be read again; false: to search for such files. */
  isDone = false;
  /** How many files were read again; null: none is to be. */
  #files: number | null = null;

  /** Reads some files again. @returns messages for the owner */
  async step(context: FollowContext, folder: HealedFolder): Promise<string[]> {
    if (this.isDone) return [];
    const { db, serverId } = context;
    const stale = await readStaleFiles(db, serverId);
    const pathsOf = (derivation: Derivation): string[] =>
      stale.flatMap((file) => (file.stale.includes(derivation) && folder.isLeft(file.path) ? file.path : []));
    const counts = pathsOf('counts').filter((path) => folder.isToCount(path));
    const identitiesOnly = counts.length === 0;
    const batch = firstOf(identitiesOnly ? pathsOf('identities') : counts, folder);
    if (batch.length === 0) return this.#end();
    const remarks = this.#files === null ? [startRemark] : [];
    // What a host that went away did not answer for is read at a later step.
    const read = await folder.read(batch, { identitiesOnly });
    this.#files = (this.#files ?? 0) + read.length;
    if (identitiesOnly) await saveIdentitiesRead(db, context.serverId, read);
    return remarks;
  }

  #end(): string[] {
    this.isDone = true;
    const files = this.#files;
    this.#files = null;
    return files === null ? [] : [`${files} logs were read again`];
  }
}

const startRemark =
  'reading logs again that were read by an earlier version of Outpost or in another time zone';

function firstOf(paths: readonly string[], { sizeOf }: HealedFolder): string[] {
  const batch: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    if (bytes >= stepBytes || batch.length >= stepFiles) break;
    batch.push(path);
    bytes += sizeOf(path);
  }
  return batch;
}
