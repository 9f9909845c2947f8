import { randomBytes } from 'node:crypto';
import type { Placed, Placements } from '../../commands/interfaces/placements.ts';
import { mostMenuOptions } from '../../commands/rows.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { loggable } from '../loggable.ts';
import { configuredEntries, jobsOf, placementsKey, type StoredPlacement } from './job-entries.ts';
import type { JobConfig } from './job.ts';
import type { SharedByJobs } from './job-messages.ts';
import type { Jobs } from './jobs.ts';

/** An entry of the config (no id), or one that a member placed, with its jobs. */
type RunningEntry = Omit<Placed, 'status'> & { jobs: readonly JobConfig[] };

const entryOf = (stored: StoredPlacement): RunningEntry => ({
  ...stored,
  jobs: jobsOf(stored, `placed:${stored.id}`),
});

/**
 * What runs in guilds: the entries of the config, and those that members placed. These are read each time, since a reload of the
 * config may change them. Starts those of the config.
 */
export function createPlacements(shared: SharedByJobs, jobs: Jobs) {
  const { log, signal, gateway, keyv, contexts, readPlacementsMs } = shared;
  const changes = limitConcurrency(1);
  const positions = new Map<string, number>();
  const configured: readonly RunningEntry[] = configuredEntries(shared.settings().config).map((entry) => {
    // A key holds the channel and the position among those of its kind there, so that the content may change.
    const group = `${entry.content.kind}:${entry.channelId}`;
    const position = positions.get(group) ?? 0;
    positions.set(group, position + 1);
    return { ...entry, id: null, jobs: jobsOf(entry, `${entry.channelId}:${position}`) };
  });
  for (const entry of configured) startJobs(entry);

  function startJobs(entry: RunningEntry): void {
    for (const job of entry.jobs) jobs.start(job);
  }

  async function endJobs(entry: RunningEntry, how: { deleting: boolean }): Promise<void> {
    for (const { key } of entry.jobs) await jobs.remove(key, how);
  }

  /** Of two jobs, the status is that of the one that does not work. */
  function placedOf({ id, channelId, content, jobs: running }: RunningEntry): Placed {
    const statuses = running.map(({ key }) => jobs.status(key));
    return { id, channelId, content, status: statuses.find((status) => status !== null) ?? null };
  }

  /** What members placed, in a guild or in all. @throws where the store fails */
  async function readStored(guildId?: string): Promise<readonly StoredPlacement[]> {
    const all = (await keyv.get<readonly StoredPlacement[]>(placementsKey)) ?? [];
    return guildId === undefined ? all : all.filter((placement) => placement.guildId === guildId);
  }

  /** Changes what is stored, one change after another. @throws where the store fails */
  async function change(
    changed: (before: readonly StoredPlacement[]) => readonly StoredPlacement[],
  ): Promise<void> {
    await changes.run(async () => await keyv.set(placementsKey, changed(await readStored())));
  }

  async function removeStored(placements: readonly StoredPlacement[]): Promise<void> {
    const ids = new Set(placements.map(({ id }) => id));
    await change((before) => before.filter(({ id }) => !ids.has(id)));
  }

  async function forget(placements: readonly StoredPlacement[]): Promise<void> {
    for (const stored of placements) await endJobs(entryOf(stored), { deleting: false });
    if (placements.length > 0) await removeStored(placements);
  }

  /**
   * Starts what members placed in guilds that the bot is still in, and deletes the rest. If they cannot be
   * read, it retries in the background. Never rejects.
   */
  async function start({ isRetry = false } = {}): Promise<void> {
    const joined = new Set(gateway.guilds().map(({ id }) => id));
    try {
      const all = await readStored();
      await forget(all.filter(({ guildId }) => !joined.has(guildId)));
      for (const stored of all) if (joined.has(stored.guildId)) startJobs(entryOf(stored));
    } catch (error) {
      if (signal.aborted) return;
      const text = 'could not read the placements of members, and tries again until it can';
      if (!isRetry) log.warn({ error: loggable(error) }, text);
      setTimeout(() => void start({ isRetry: true }), readPlacementsMs).unref();
    }
  }

  const forCommands: Placements = {
    async list(guildId) {
      const stored = await readStored(guildId);
      const here = configured.filter((entry) => contexts.guildIdOf(entry) === guildId);
      return [...stored.map(entryOf), ...here].map(placedOf);
    },
    async place(placement) {
      // The menu that removes placements offers no more.
      if ((await readStored(placement.guildId)).length >= mostMenuOptions) return { full: mostMenuOptions };
      let stored: StoredPlacement = { ...placement, id: randomBytes(6).toString('hex') };
      await change((before) => {
        const same = before.find(({ askedOn }) => askedOn !== undefined && askedOn === placement.askedOn);
        if (same === undefined) return [...before, stored];
        // The menu was used twice.
        stored = same;
        return before;
      });
      const entry = entryOf(stored);
      startJobs(entry);
      await Promise.all(entry.jobs.map(({ key }) => jobs.run(key)));
      const placed = placedOf(entry);
      if (placed.status?.state !== 'failing') return { placed };
      await removeStored([stored]);
      await endJobs(entry, { deleting: true });
      return { failed: placed.status.reason };
    },
    async remove(guildId, id) {
      const stored = (await readStored(guildId)).find((placement) => placement.id === id);
      if (stored === undefined) return null;
      const entry = entryOf(stored);
      const placed = placedOf(entry);
      try {
        await endJobs(entry, { deleting: true });
        await removeStored([stored]);
      } catch (error) {
        // Otherwise its message would stay for good.
        startJobs(entry);
        throw error;
      }
      return placed;
    },
  };

  return {
    ...forCommands,
    start,
    /** Deletes what members placed in a guild that the bot has left. Never rejects. */
    async forgetGuild(id: string): Promise<void> {
      const left = `the bot left the guild ${id}; what members placed there`;
      try {
        await forget(await readStored(id));
        log.info(`${left} is removed`);
      } catch (error) {
        log.warn({ error: loggable(error) }, `${left} could not be removed`);
      }
    },
  };
}
