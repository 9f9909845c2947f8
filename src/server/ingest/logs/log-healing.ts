import type { Database } from '../../store/engine/database.ts';
import type { Derivation } from '../../store/repositories/logs/derivations.ts';
import {
  readStaleFiles,
  saveIdentitiesRead,
  type ServerOfProject,
} from '../../store/repositories/logs/log-files.ts';

/** How much is read again at a time, so that new lines are still read within seconds. */
const stepBytes = 16 * 1024 * 1024;
const stepFiles = 200;

/** What healing needs from a server's folder. */
interface HealingContext {
  /** Whether a file still exists and can be read. */
  isLeft(path: string): boolean;
  holdsRuns(path: string): boolean;
  /** How much of a file was read, bytes. */
  sizeOf(path: string): number;
  /** A followed file is counted again by its follower. */
  isFollowed(path: string): boolean;
  /** Counts finished files again. */
  count(paths: readonly string[]): Promise<string[]>;
  /** Reads files to their ends for identities only. @returns the paths of those that could be read */
  identify(paths: readonly string[]): Promise<string[]>;
  signal: AbortSignal | undefined;
}

/**
 * After an update, reads the files of a server's logs again that an earlier version has read (`derivations`), some at
 * each poll: the same pipeline with a narrower effect. Figures follow the rule for copies of runs, by which the
 * longest copy counts. Identities are read separately and cannot change figures. A kill loses nothing: the new
 * version is stored with each file.
 */
export class LogHealing {
  readonly #db: Database;
  /** Files that could not be read again; another process may be able to. */
  readonly #failed = new Set<string>();
  #files = 0;
  #isDone = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether no file is to be read again. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Searches again for files that an earlier version has read. */
  restart(): void {
    this.#isDone = false;
  }

  /** Reads some files again. @returns messages for the owner */
  async step(server: ServerOfProject, context: HealingContext): Promise<string[]> {
    if (this.#isDone) return [];
    const stale = await readStaleFiles(this.#db, server.serverId);
    const isWaiting = (path: string): boolean => context.isLeft(path) && !this.#failed.has(path);
    const pathsOf = (derivation: Derivation): string[] =>
      stale.filter((file) => file.stale.includes(derivation) && isWaiting(file.path)).map(({ path }) => path);
    const counts = pathsOf('counts').filter((path) => context.holdsRuns(path) && !context.isFollowed(path));
    const batch = firstOf(counts.length > 0 ? counts : pathsOf('identities'), context);
    if (batch.length === 0) return this.#end();
    const remarks = this.#files === 0 ? [startRemark] : [];
    this.#files += batch.length;
    const read = new Set(
      counts.length > 0 ? await context.count(batch) : await this.#identify(server, batch, context),
    );
    if (context.signal?.aborted === true) return remarks;
    for (const path of batch) if (!read.has(path)) this.#failed.add(path);
    return remarks;
  }

  async #identify(
    server: ServerOfProject,
    batch: readonly string[],
    { identify }: HealingContext,
  ): Promise<string[]> {
    const read = await identify(batch);
    await saveIdentitiesRead(this.#db, server, read);
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
