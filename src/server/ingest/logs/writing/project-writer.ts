import { limitConcurrency } from '../../../../process/concurrency-limit.ts';
import type { Database } from '../../../store/engine/database.ts';
import { isOfStore, StoreUnavailable } from '../../../store/engine/error.ts';
import { connectionsOf } from '../../../store/engine/scopes.ts';
import { letOthersWrite } from '../../../store/engine/in-steps.ts';
import { rowsOf } from './read-parts.ts';
import { type ServerParts, type StoredParts, storeParts } from './server-parts.ts';

/**
 * Time between two transactions of a project that store other servers, so that what many servers write within it is stored
 * together. A server whose last part was stored in the latest transaction is not kept waiting: its backlog goes on, and a
 * project's only server is stored as soon as it was read.
 */
const spacingMs = 250;

/**
 * The most rows of people and players of runs from several servers in one transaction, which is to hold its locks for 200 ms
 * at most beside an import. Few rows of a followed log differ from what is stored.
 */
const groupRows = 2_000;

/**
 * Transactions of several projects at once, each of which waits for its round trips most of the time. Others wait here, where
 * more of their lines come together, since a statement that waits for a connection fails after five seconds.
 */
export const transactionsAtOnce = 8;

interface Waiting {
  server: ServerParts;
  resolve: (stored: StoredParts) => void;
  reject: (error: unknown) => void;
}

/** Stores what is read of the logs of a project's servers, one transaction at a time. */
export class ProjectWriter {
  readonly #projectId: string;
  readonly #all: ProjectWriters;
  #waiting: Waiting[] = [];
  #isStoring = false;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  /** The servers in the latest transaction. */
  #latest: ReadonlySet<string> = new Set();

  constructor(projectId: string, all: ProjectWriters) {
    this.#projectId = projectId;
    this.#all = all;
  }

  /** Stores parts of a server's logs. What is wrong with those of another server does not fail them. */
  async store(server: ServerParts): Promise<StoredParts> {
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ server, resolve, reject });
      this.#schedule();
    });
  }

  fail(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #schedule(): void {
    if (this.#isStoring || this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    const isNext = this.#waiting.some(({ server }) => this.#latest.has(server.serverId));
    const waitMs = isNext ? 0 : this.#startedAt + spacingMs - performance.now();
    if (waitMs <= 0) void this.#storeNext();
    else this.#timer = setTimeout(() => void this.#storeNext(), waitMs);
  }

  async #storeNext(): Promise<void> {
    this.#isStoring = true;
    const release = await this.#all.limit.acquire();
    this.#startedAt = performance.now();
    const group = this.#takeGroup();
    this.#latest = new Set(group.map(({ server }) => server.serverId));
    const hasMore = this.#waiting.length > 0;
    await this.#storeGroup(group);
    release();
    if (hasMore) {
      await letOthersWrite();
      // What did not fit waits no longer.
      this.#startedAt = Number.NEGATIVE_INFINITY;
    }
    this.#isStoring = false;
    this.#schedule();
  }

  /** What waits, up to what fills a transaction, and of each server once. */
  #takeGroup(): Waiting[] {
    const group = new Map<string, Waiting>();
    let rows = 0;
    for (const one of this.#waiting) {
      const { serverId, parts } = one.server;
      const own = rowsOf(parts);
      if (group.has(serverId) || (group.size > 0 && rows + own > groupRows)) continue;
      group.set(serverId, one);
      rows += own;
    }
    const taken = new Set(group.values());
    this.#waiting = this.#waiting.filter((one) => !taken.has(one));
    return [...taken];
  }

  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    const [first, ...others] = group.map(({ server }) => server);
    if (first === undefined) return;
    try {
      const stored = await storeParts(this.#projectId, [first, ...others]);
      for (const [i, { resolve }] of group.entries()) resolve(stored[i] as StoredParts);
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#all.fail(error);
      if (others.length === 0 || isOfStore(error)) for (const { reject } of group) reject(error);
      // Only what is wrong itself is to fail.
      else for (const one of group) await this.#storeGroup([one]);
    }
  }
}

/** Those of all projects, for all databases of the same connections. */
class ProjectWriters {
  readonly limit = limitConcurrency(transactionsAtOnce);
  readonly #writers = new Map<string, ProjectWriter>();

  of(projectId: string): ProjectWriter {
    const known = this.#writers.get(projectId);
    if (known !== undefined) return known;
    const writer = new ProjectWriter(projectId, this);
    this.#writers.set(projectId, writer);
    return writer;
  }

  /** The store is away: what waits would find that out one after the other, each after seconds. */
  fail(error: StoreUnavailable): void {
    for (const writer of this.#writers.values()) writer.fail(error);
  }
}

const allWriters = new WeakMap<object, ProjectWriters>();

/** The writer of a project: one for all databases of the same connections. */
export function projectWriter(db: Database, projectId: string): ProjectWriter {
  const connections = connectionsOf(db);
  const all = allWriters.get(connections) ?? new ProjectWriters();
  allWriters.set(connections, all);
  return all.of(projectId);
}
