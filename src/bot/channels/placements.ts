import { setTimeout as delay } from 'node:timers/promises';
import type {
  NewPlacement,
  Placed,
  PlacedContent,
  PlaceOutcome,
  Placements,
  PostStatus,
} from '../../commands/ports/placements.ts';
import { loggable } from '../loggable.ts';
import type { JobOptions } from './background-options.ts';
import { configuredEntries, jobsOf, keyed } from './configured-jobs.ts';
import type { GuildContexts } from './guild-contexts.ts';
import type { JobConfig } from './job.ts';
import type { Jobs } from './jobs.ts';
import type { PlacementStore, StoredPlacement } from './placement-store.ts';

/** The options of the menu that removes them. */
const mostPerGuild = 25;

type PlacementsOptions = JobOptions & { store: PlacementStore; jobs: Jobs; contexts: GuildContexts };

const jobsOfPlacement = ({ id, ...placement }: StoredPlacement): JobConfig[] =>
  jobsOf(placement, `placed:${id}`);

/** What runs in guilds: the entries of the config, and those that members placed. */
export class GuildPlacements implements Placements {
  readonly #options: PlacementsOptions;
  readonly #configured: readonly { channelId: string; content: PlacedContent; jobs: JobConfig[] }[];

  constructor(options: PlacementsOptions) {
    this.#options = options;
    this.#configured = keyed(configuredEntries(options.config())).map(({ entry, key }) => {
      return { channelId: entry.channelId, content: entry.content, jobs: jobsOf(entry, key) };
    });
    for (const { jobs } of this.#configured) for (const job of jobs) options.jobs.start(job);
  }

  /**
   * Starts what members placed in guilds that the bot is still in, and deletes the rest. If they cannot be
   * read, it retries in the background. Never rejects.
   */
  async start(): Promise<void> {
    try {
      await this.#startStored();
    } catch (error) {
      this.#options.log.warn(
        { error: loggable(error) },
        'could not read the placements of members, and tries again until it can',
      );
      void this.#startLater();
    }
  }

  /** Deletes what members placed in a guild that the bot has left. Never rejects. */
  async forgetGuild(id: string): Promise<void> {
    const { log, store } = this.#options;
    try {
      await this.#forget((await store.list()).filter(({ guildId }) => guildId === id));
      log.info(`the bot left the guild ${id}; what members placed there is removed`);
    } catch (error) {
      log.warn(
        { error: loggable(error) },
        `the bot left the guild ${id}; what members placed there could not be removed`,
      );
    }
  }

  async list(guildId: string): Promise<Placed[]> {
    const { contexts } = this.#options;
    const stored = await this.#storedIn(guildId);
    const configured = this.#configured.filter((entry) => contexts.guildIdOf(entry) === guildId);
    return [
      ...stored.map((each) => this.#placedOf(each)),
      ...configured.map(({ channelId, content, jobs }) => {
        return { id: null, channelId, content, status: this.#statusOf(jobs) };
      }),
    ];
  }

  async place(placement: NewPlacement): Promise<PlaceOutcome> {
    const { store, jobs } = this.#options;
    if ((await this.#storedIn(placement.guildId)).length >= mostPerGuild) return { full: mostPerGuild };
    const stored = await store.add(placement);
    this.#start(stored);
    await Promise.all(jobsOfPlacement(stored).map(({ key }) => jobs.runOne(key)));
    const placed = this.#placedOf(stored);
    if (placed.status?.state !== 'failing') return { placed };
    await store.remove([stored.id]);
    await this.#end(stored, true);
    return { failed: placed.status.reason };
  }

  async remove(guildId: string, id: string): Promise<Placed | null> {
    const stored = (await this.#storedIn(guildId)).find((each) => each.id === id);
    if (stored === undefined) return null;
    const placed = this.#placedOf(stored);
    try {
      await this.#end(stored, true);
      await this.#options.store.remove([id]);
    } catch (error) {
      // Otherwise its message would stay for good.
      this.#start(stored);
      throw error;
    }
    return placed;
  }

  async #storedIn(guildId: string): Promise<StoredPlacement[]> {
    return (await this.#options.store.list()).filter((each) => each.guildId === guildId);
  }

  #start(stored: StoredPlacement): void {
    for (const job of jobsOfPlacement(stored)) this.#options.jobs.start(job);
  }

  async #end(stored: StoredPlacement, deleting: boolean): Promise<void> {
    for (const { key } of jobsOfPlacement(stored)) await this.#options.jobs.remove(key, { deleting });
  }

  #placedOf(stored: StoredPlacement): Placed {
    const { id, channelId, content } = stored;
    return { id, channelId, content, status: this.#statusOf(jobsOfPlacement(stored)) };
  }

  /** Of two jobs, the one that does not work. */
  #statusOf(entryJobs: readonly JobConfig[]): PostStatus | null {
    const statuses = entryJobs.map(({ key }) => this.#options.jobs.status(key));
    return statuses.find((status) => status !== null) ?? null;
  }

  /** @throws when the store does not answer */
  async #forget(left: readonly StoredPlacement[]): Promise<void> {
    for (const stored of left) await this.#end(stored, false);
    if (left.length > 0) await this.#options.store.remove(left.map(({ id }) => id));
  }

  /** @throws when the placements cannot be read */
  async #startStored(): Promise<void> {
    const { store, gateway } = this.#options;
    const joined = new Set(gateway.guilds().map(({ id }) => id));
    const all = await store.list();
    await this.#forget(all.filter(({ guildId }) => !joined.has(guildId)));
    for (const stored of all) if (joined.has(stored.guildId)) this.#start(stored);
  }

  async #startLater(): Promise<void> {
    const { log, signal, readPlacementsMs } = this.#options;
    for (let isRead = false; !isRead;) {
      await delay(readPlacementsMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      isRead = await this.#startStored().then(
        () => true,
        () => false,
      );
    }
    log.info('the placements of members could be read');
  }
}
