import type { ConcurrencyLimit } from '../process/concurrency-limit.ts';
import type { Sources } from '../server/ingest/configured-sources.ts';
import { createSourceWatch, type SourceWatch, type SourceWatchOptions } from '../server/ingest/sources.ts';
import type { WriteDatabase } from '../server/store/database.ts';
import type { HeldLease } from '../process/leases.ts';
import { sourcesOfLease } from './source-leases.ts';

export interface SourceWatchesOptions extends Required<
  Pick<SourceWatchOptions, 'formats' | 'files' | 'remote' | 'onOutcomes'>
> {
  writer: WriteDatabase;
  /** For all watches of leases together. */
  limit: ConcurrencyLimit;
}

interface Watched {
  watch: SourceWatch;
  sources: Sources;
  stopping: AbortController;
}

/** Follows the sources that this process may follow: all of them, or those of its leases, each with a fence. */
export class SourceWatches {
  readonly #options: SourceWatchesOptions;
  /** By lease and epoch. What a watch knows of its files is void once another process may have read them. */
  readonly #watched = new Map<string, Watched>();
  readonly #ending = new Set<Promise<void>>();
  #sources: Sources | null = null;

  constructor(options: SourceWatchesOptions) {
    this.#options = options;
  }

  /**
   * @param leases null: this process has the store alone
   * @returns resolves when no poll of a source runs that this process may no longer follow
   */
  async apply(sources: Sources, leases: readonly HeldLease[] | null): Promise<void> {
    const isChanged = sources !== this.#sources;
    this.#sources = sources;
    const parts =
      leases === null
        ? [{ key: '', lease: null, sources }]
        : leases.map((lease) => ({
            key: `${lease.name} ${lease.epoch}`,
            lease,
            sources: sourcesOfLease(sources, lease.name),
          }));
    const keys = new Set(parts.map(({ key }) => key));
    const ended = [...this.#watched].filter(([key]) => !keys.has(key));
    for (const [key, { watch, stopping }] of ended) {
      this.#watched.delete(key);
      stopping.abort();
      const end = watch.settled().finally(() => this.#ending.delete(end));
      this.#ending.add(end);
    }
    for (const { key, lease, sources: part } of parts) {
      const known = this.#watched.get(key);
      if (known === undefined) this.#watched.set(key, this.#watch(part, lease));
      else if (isChanged) known.sources = part;
    }
    // A single watch does this itself.
    if (leases !== null) {
      void this.#options.remote.keep(parts.flatMap((part) => [...(part.sources.places?.values() ?? [])]));
    }
    await Promise.all(this.#ending);
  }

  /** What is followed now. */
  get sources(): Sources[] {
    return Array.from(this.#watched.values(), ({ sources }) => sources);
  }

  /** Not awaited: a source that hangs is not to hold up the others. */
  poll(full: boolean): void {
    for (const { watch, sources, stopping } of this.#watched.values()) {
      void (full ? watch.importChanged : watch.followOn)(sources, stopping.signal);
    }
  }

  /** Lets polls stop at their next block. */
  stop(): void {
    for (const { stopping } of this.#watched.values()) stopping.abort();
  }

  async settled(): Promise<void> {
    const watches = Array.from(this.#watched.values(), ({ watch }) => watch.settled());
    await Promise.all([...watches, ...this.#ending]);
  }

  #watch(sources: Sources, lease: HeldLease | null): Watched {
    const { writer, limit, onOutcomes, ...options } = this.#options;
    const stopping = new AbortController();
    const db = lease === null ? writer.db : (writer.shared?.fenced([lease]) ?? writer.db);
    const watch = createSourceWatch(db, {
      ...options,
      // What a poll finds after the lease was lost is the next holder's to report.
      onOutcomes: (outcomes) =>
        lease !== null && stopping.signal.aborted ? undefined : onOutcomes(outcomes),
      ...(lease !== null && { shared: limit }),
    });
    return { watch, sources, stopping };
  }
}
