import type { Database } from '../../store/engine/database.ts';
import { isOfStore } from '../../store/engine/error.ts';
import { connectionsOf } from '../../store/engine/scopes.ts';
import { SliceSize } from '../../store/engine/slice-size.ts';
import { bytesOf } from './part-slices.ts';
import { type ServerParts, type StoredParts, storeParts } from './store-parts.ts';

/**
 * Time between two transactions of a project that store other servers, so that what many servers write within it is stored
 * together. A server whose last part was stored in the latest transaction is not kept waiting: its backlog goes on, and a
 * project's only server is stored as soon as it was read.
 */
const spacingMs = 500;

interface Waiting {
  server: ServerParts;
  resolve: (stored: StoredParts) => void;
  reject: (error: unknown) => void;
}

/** Stores what is read of the logs of a project's servers, one transaction at a time. */
export class ProjectWriter {
  readonly #projectId: string;
  #waiting: Waiting[] = [];
  #isStoring = false;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  /** The servers in the latest transaction. */
  #latest: ReadonlySet<string> = new Set();
  /** Whether another server waited for which the latest transaction had no room. */
  #isFull = false;
  /** Of a transaction. */
  readonly #rows = new SliceSize({ first: 500, most: 20_000 });
  /** Of the files that are followed. */
  readonly #bytes = new SliceSize({ first: 512 * 1024, most: 4 * 1024 * 1024 });

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** How many rows fill a transaction. */
  get fullRows(): number {
    return this.#rows.current;
  }

  /** How much of a file that is followed to read between two transactions. */
  get partBytes(): number {
    return this.#bytes.current;
  }

  /** Stores parts of a server's logs. What is wrong with those of another server does not fail them. */
  async store(server: ServerParts): Promise<StoredParts> {
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ server, resolve, reject });
      this.#schedule();
    });
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
    this.#startedAt = performance.now();
    const group = this.#takeGroup();
    this.#latest = new Set(group.map(({ server }) => server.serverId));
    await this.#storeGroup(group);
    this.#isStoring = false;
    this.#schedule();
  }

  /** What waits, up to what fills a transaction, and of each server once. */
  #takeGroup(): Waiting[] {
    const group = new Map<string, Waiting>();
    let rows = 0;
    this.#isFull = false;
    for (const one of this.#waiting) {
      const { server } = one;
      if (group.has(server.serverId)) continue;
      if (group.size > 0 && rows + server.rows > this.fullRows) {
        this.#isFull = true;
        continue;
      }
      group.set(server.serverId, one);
      rows += server.rows;
    }
    const taken = new Set(group.values());
    this.#waiting = this.#waiting.filter((one) => !taken.has(one));
    return [...taken];
  }

  async #storeGroup(group: readonly Waiting[]): Promise<void> {
    const [first, ...others] = group.map(({ server }) => server);
    if (first === undefined) return;
    try {
      const { stored, ms } = await storeParts(this.#projectId, [first, ...others]);
      this.#learn(group, ms);
      for (const [i, { resolve }] of group.entries()) resolve(stored[i] as StoredParts);
    } catch (error) {
      if (others.length === 0 || isOfStore(error)) for (const { reject } of group) reject(error);
      // Only what is wrong itself is to fail.
      else for (const one of group) await this.#storeGroup([one]);
    }
  }

  #learn(group: readonly Waiting[], ms: number): void {
    const rows = group.reduce((sum, { server }) => sum + server.rows, 0);
    const parts = group.flatMap(({ server }) => server.parts);
    this.#rows.took(this.#isFull ? Math.max(rows, this.fullRows) : rows, ms);
    this.#bytes.took(
      parts.reduce((sum, part) => sum + bytesOf(part), 0),
      ms,
    );
  }
}

const writers = new WeakMap<object, Map<string, ProjectWriter>>();

/** The writer of a project: one for all databases of the same connections. */
export function projectWriter(db: Database, projectId: string): ProjectWriter {
  const connections = connectionsOf(db);
  let ofProjects = writers.get(connections);
  if (ofProjects === undefined) writers.set(connections, (ofProjects = new Map()));
  let writer = ofProjects.get(projectId);
  if (writer === undefined) ofProjects.set(projectId, (writer = new ProjectWriter(projectId)));
  return writer;
}
