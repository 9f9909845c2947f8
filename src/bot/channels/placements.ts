import { randomBytes } from 'node:crypto';
import type { NewPlacement, Placed, PlaceOutcome, Placements } from '../../commands/interfaces/placements.ts';
import { mostMenuOptions } from '../../commands/rows.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { loggable } from '../loggable.ts';
import { configuredEntries, jobsOf, keyed } from './configured-jobs.ts';
import type { JobConfig } from './job.ts';
import type { SharedByJobs } from './job-messages.ts';
import type { Jobs } from './jobs.ts';
import { placementsKey, type StoredPlacement } from './placement-store.ts';

/** An entry of the config (no id), or one that a member placed, with its jobs. */
interface RunningEntry extends Pick<Placed, 'id' | 'channelId' | 'content'> {
  jobs: readonly JobConfig[];
}

function entryOf({ id, ...placement }: StoredPlacement): RunningEntry {
  const { channelId, content } = placement;
  return { id, channelId, content, jobs: jobsOf(placement, `placed:${id}`) };
}

/**
 * What runs in guilds: the entries of the config, and those that members placed. These are read each time, since a reload of the
 * config may change them.
 */
export class GuildPlacements implements Placements {
  readonly #shared: SharedByJobs;
  readonly #jobs: Jobs;
  readonly #configured: readonly RunningEntry[];
  readonly #changes = limitConcurrency(1);

  constructor(shared: SharedByJobs, jobs: Jobs) {
    this.#shared = shared;
    this.#jobs = jobs;
    this.#configured = keyed(configuredEntries(shared.settings().config)).map(({ entry, key }) => {
      return { id: null, channelId: entry.channelId, content: entry.content, jobs: jobsOf(entry, key) };
    });
    for (const entry of this.#configured) this.#start(entry);
  }

  /**
   * Starts what members placed in guilds that the bot is still in, and deletes the rest. If they cannot be
   * read, it retries in the background. Never rejects.
   */
  async start({ isRetry = false } = {}): Promise<void> {
    const { log, signal, gateway, readPlacementsMs } = this.#shared;
    const joined = new Set(gateway.guilds().map(({ id }) => id));
    try {
      const all = await this.#stored();
      await this.#forget(all.filter(({ guildId }) => !joined.has(guildId)));
      for (const stored of all) if (joined.has(stored.guildId)) this.#start(entryOf(stored));
    } catch (error) {
      if (signal.aborted) return;
      const text = 'could not read the placements of members, and tries again until it can';
      if (!isRetry) log.warn({ error: loggable(error) }, text);
      setTimeout(() => void this.start({ isRetry: true }), readPlacementsMs).unref();
    }
  }

  /** Deletes what members placed in a guild that the bot has left. Never rejects. */
  async forgetGuild(id: string): Promise<void> {
    const { log } = this.#shared;
    const left = `the bot left the guild ${id}; what members placed there`;
    try {
      await this.#forget(await this.#stored(id));
      log.info(`${left} is removed`);
    } catch (error) {
      log.warn({ error: loggable(error) }, `${left} could not be removed`);
    }
  }

  async list(guildId: string): Promise<Placed[]> {
    const { contexts } = this.#shared;
    const stored = await this.#stored(guildId);
    const configured = this.#configured.filter((entry) => contexts.guildIdOf(entry) === guildId);
    return [...stored.map(entryOf), ...configured].map((entry) => this.#placedOf(entry));
  }

  async place(placement: NewPlacement): Promise<PlaceOutcome> {
    // The menu that removes placements offers no more.
    if ((await this.#stored(placement.guildId)).length >= mostMenuOptions) return { full: mostMenuOptions };
    let stored: StoredPlacement = { ...placement, id: randomBytes(6).toString('hex') };
    await this.#change((before) => {
      const same = before.find(({ askedOn }) => askedOn !== undefined && askedOn === placement.askedOn);
      if (same === undefined) return [...before, stored];
      // The menu was used twice.
      stored = same;
      return before;
    });
    const entry = entryOf(stored);
    this.#start(entry);
    await Promise.all(entry.jobs.map(({ key }) => this.#jobs.run(key)));
    const placed = this.#placedOf(entry);
    if (placed.status?.state !== 'failing') return { placed };
    await this.#removeStored([stored]);
    await this.#end(entry, { deleting: true });
    return { failed: placed.status.reason };
  }

  async remove(guildId: string, id: string): Promise<Placed | null> {
    const stored = (await this.#stored(guildId)).find((placement) => placement.id === id);
    if (stored === undefined) return null;
    const entry = entryOf(stored);
    const placed = this.#placedOf(entry);
    try {
      await this.#end(entry, { deleting: true });
      await this.#removeStored([stored]);
    } catch (error) {
      // Otherwise its message would stay for good.
      this.#start(entry);
      throw error;
    }
    return placed;
  }

  #start({ jobs }: RunningEntry): void {
    for (const job of jobs) this.#jobs.start(job);
  }

  async #end({ jobs }: RunningEntry, how: { deleting: boolean }): Promise<void> {
    for (const { key } of jobs) await this.#jobs.remove(key, how);
  }

  /** Of two jobs, the status is that of the one that does not work. */
  #placedOf({ jobs, ...entry }: RunningEntry): Placed {
    const statuses = jobs.map(({ key }) => this.#jobs.status(key));
    return { ...entry, status: statuses.find((status) => status !== null) ?? null };
  }

  async #forget(placements: readonly StoredPlacement[]): Promise<void> {
    for (const stored of placements) await this.#end(entryOf(stored), { deleting: false });
    if (placements.length > 0) await this.#removeStored(placements);
  }

  /** What members placed, in a guild or in all. @throws where the store fails */
  async #stored(guildId?: string): Promise<readonly StoredPlacement[]> {
    const all = (await this.#shared.keyv.get<readonly StoredPlacement[]>(placementsKey)) ?? [];
    return guildId === undefined ? all : all.filter((placement) => placement.guildId === guildId);
  }

  /** Changes what is stored, one change after another. @throws where the store fails */
  async #change(change: (before: readonly StoredPlacement[]) => readonly StoredPlacement[]): Promise<void> {
    const { keyv } = this.#shared;
    await this.#changes.run(async () => await keyv.set(placementsKey, change(await this.#stored())));
  }

  async #removeStored(placements: readonly StoredPlacement[]): Promise<void> {
    const ids = new Set(placements.map(({ id }) => id));
    await this.#change((before) => before.filter(({ id }) => !ids.has(id)));
  }
}
