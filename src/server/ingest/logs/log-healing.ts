import type { Database } from '../../store/database.ts';
import type { Derivation } from '../../store/derivations.ts';
import { readStaleFiles, saveIdentitiesRead } from '../../store/log-files.ts';

/** So much is read again at a time: what grows meanwhile is to be read within seconds. */
const stepBytes = 16 * 1024 * 1024;
const stepFiles = 200;

/** What healing needs to know of a server's folder. */
export interface HealingContext {
  /** Whether a file still lies there and can be read. */
  isLeft(path: string): boolean;
  holdsRuns(path: string): boolean;
  /** How much of a file was read, bytes. */
  sizeOf(path: string): number;
  /** A file that is followed is counted again by its follower. */
  isFollowed(path: string): boolean;
  /** Counts finished files again. */
  count(paths: readonly string[]): Promise<string[]>;
  /** Reads files to their ends for who is who alone. @returns the paths of those that could be read */
  identify(paths: readonly string[]): Promise<string[]>;
  signal: AbortSignal | undefined;
}

/**
 * Reads those files of a server's logs again that an earlier version has read (`derivations`), some at each poll, for
 * what that version missed: the pipeline with a narrower effect. Figures follow the rule of runs, by which the longest
 * copy counts; who is who is read apart from them and cannot change them. A kill loses nothing: what was read is noted
 * with each file, once it is stored.
 */
export class LogHealing {
  readonly #db: Database;
  readonly #serverId: string;
  /** Files that could not be read again; another process may be able to. */
  readonly #failed = new Set<string>();
  #files = 0;
  #isDone = false;

  constructor(db: Database, serverId: string) {
    this.#db = db;
    this.#serverId = serverId;
  }

  /** Looks again for files that an earlier version has read. */
  restart(): void {
    this.#isDone = false;
  }

  /** Reads some files again. Returns what their owner may want to know. */
  async step(context: HealingContext): Promise<string[]> {
    if (this.#isDone) return [];
    const stale = await readStaleFiles(this.#db, this.#serverId);
    const isWaiting = (path: string): boolean => context.isLeft(path) && !this.#failed.has(path);
    const pathsOf = (derivation: Derivation): string[] =>
      stale.filter((file) => file.stale.includes(derivation) && isWaiting(file.path)).map(({ path }) => path);
    const counts = pathsOf('counts').filter((path) => context.holdsRuns(path) && !context.isFollowed(path));
    const batch = firstOf(counts.length > 0 ? counts : pathsOf('identities'), context);
    if (batch.length === 0) return this.#end();
    const remarks = this.#files === 0 ? [startRemark] : [];
    this.#files += batch.length;
    const read = new Set(
      counts.length > 0 ? await context.count(batch) : await this.#identify(batch, context),
    );
    if (context.signal?.aborted === true) return remarks;
    for (const path of batch) if (!read.has(path)) this.#failed.add(path);
    return remarks;
  }

  async #identify(batch: readonly string[], { identify }: HealingContext): Promise<string[]> {
    const read = await identify(batch);
    await saveIdentitiesRead(this.#db, this.#serverId, read);
    return read;
  }

  #end(): string[] {
    this.#isDone = true;
    const files = this.#files;
    this.#files = 0;
    return files === 0 ? [] : [`${files} logs were read again`];
  }
}

const startRemark =
  'reading logs again that were read by an earlier version of Outpost or in another time zone';

function firstOf(paths: readonly string[], { sizeOf }: HealingContext): string[] {
  const batch: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    if (bytes >= stepBytes || batch.length >= stepFiles) break;
    batch.push(path);
    bytes += sizeOf(path);
  }
  return batch;
}
