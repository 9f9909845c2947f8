import type { Database } from '../../store/database.ts';
import type { Derivation } from '../../store/derivations.ts';
import { readStaleFiles, saveIdentitiesRead } from '../../store/log-files.ts';
import { importAdminLogs } from './admin-log-import.ts';
import type { FilePort } from '../files/file-port.ts';
import { isIdentityLog } from './log-files.ts';

/** So much is read again at a time: what grows meanwhile is to be read within seconds. */
const stepBytes = 16 * 1024 * 1024;
const stepFiles = 200;

/** What healing needs to know of a server's folder. */
export interface HealingContext {
  /** Whether a file still lies there and can be read. */
  isLeft(path: string): boolean;
  /** How much of a file was read, bytes. */
  sizeOf(path: string): number;
  /** A file that is followed is counted again by its follower. */
  isFollowed(path: string): boolean;
  /** Counts finished admin logs again. */
  readAgain(paths: readonly string[]): Promise<void>;
}

/**
 * Reads those files of a server's logs again that an earlier version has read (`derivations`), some at each look, for
 * what that version missed. Figures follow the rule of runs, by which the longest copy counts; who is who is read
 * apart from them and cannot change them. A kill loses nothing: what was read is noted with each file, once it is stored.
 */
export class LogHealing {
  readonly #db: Database;
  readonly #port: FilePort;
  readonly #serverId: string;
  readonly #now: () => number;
  /** Files that could not be read again; another process may be able to. */
  readonly #failed = new Set<string>();
  #files = 0;
  #isDone = false;

  constructor(db: Database, port: FilePort, { serverId, now }: { serverId: string; now: () => number }) {
    this.#db = db;
    this.#port = port;
    this.#serverId = serverId;
    this.#now = now;
  }

  /** Looks again for files that an earlier version has read. */
  restart(): void {
    this.#isDone = false;
  }

  /** Reads some files again. Returns what their owner may want to know. */
  async step(context: HealingContext, signal?: AbortSignal): Promise<string[]> {
    if (this.#isDone || signal?.aborted === true) return [];
    const stale = await readStaleFiles(this.#db, this.#serverId);
    const isWaiting = (path: string): boolean => context.isLeft(path) && !this.#failed.has(path);
    const pathsOf = (derivation: Derivation): string[] =>
      stale.filter((file) => file.stale.includes(derivation) && isWaiting(file.path)).map(({ path }) => path);
    const counts = pathsOf('counts').filter((path) => !isIdentityLog(path) && !context.isFollowed(path));
    const batch = firstOf(counts.length > 0 ? counts : pathsOf('identities'), context);
    if (batch.length === 0) return this.#end();
    const remarks = this.#files === 0 ? [startRemark] : [];
    this.#files += batch.length;
    if (counts.length > 0) await this.#count(batch, context);
    else await this.#identify(batch, signal);
    return remarks;
  }

  async #count(batch: readonly string[], { readAgain }: HealingContext): Promise<void> {
    await readAgain(batch);
    const left = new Map(
      (await readStaleFiles(this.#db, this.#serverId)).map((file) => [file.path, file.stale]),
    );
    for (const path of batch) if (left.get(path)?.includes('counts') === true) this.#failed.add(path);
  }

  async #identify(batch: readonly string[], signal?: AbortSignal): Promise<void> {
    const { files } = await importAdminLogs(this.#db, {
      serverId: this.#serverId,
      files: batch,
      port: this.#port,
      beside: false,
      identitiesOnly: true,
      now: this.#now,
      ...(signal && { signal }),
    });
    const read = new Set(files.map(({ file }) => file));
    await saveIdentitiesRead(this.#db, this.#serverId, [...read]);
    if (signal?.aborted === true) return;
    for (const path of batch) if (!read.has(path)) this.#failed.add(path);
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
