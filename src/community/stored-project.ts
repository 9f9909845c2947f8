import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { planIncludes } from '../api/access.ts';
import { operations } from '../api/operations.ts';
import { projectOf } from '../config/config-index.ts';
import type { Config, ProjectConfig, ServerConfig } from '../config/schema.ts';
import type { Clock } from '../process/clock.ts';
import type { Database, Reader } from '../server/store/engine/database.ts';
import { findProjectId } from '../server/store/repositories/projects/projects.ts';

export interface ProjectSources {
  /** The config of now: a reload changes it. */
  config: () => Config;
  reader: Reader;
  writer: Database;
  /** Rises when players are hidden, shown or forgotten: then nothing that was remembered before is used again. */
  revision: () => number;
  clock: Clock;
  log: Logger;
}

export type StoredProject = ReturnType<typeof storedProject>;

/** A search of the public page reads all boards of all periods, which are over a hundred. Fewer would push each other out. */
const mostRemembered = 1_000;

/** What all parts of the community need of one project: its config, its store, and a memory for what takes long to count. */
export function storedProject(
  slug: string,
  { config, reader, writer, revision, clock, log }: ProjectSources,
) {
  /** Undefined: the config no longer has it. */
  const project = (): ProjectConfig | undefined => projectOf(config(), slug);
  const remembered = new LRUCache<string, { until: number; value: Promise<unknown> }>({
    max: mostRemembered,
  });
  let knownId: string | undefined;
  const id = async (): Promise<string> => (knownId ??= await findProjectId(reader, slug));
  return {
    slug,
    config,
    project,
    reader,
    writer,
    log,
    now: clock.now,
    /** The project's id in the store. */
    id,
    /** The project and its id; null: the config has no such project, or it is suspended, or of a plan without the operation. */
    async open(operation: 'getPlayer' | 'listLeaderboards' | 'listSchedules') {
      const present = project();
      if (present === undefined || present.suspended) return null;
      if (!planIncludes(present.plan, operations[operation].plan)) return null;
      return { project: present, projectId: await id() };
    },
    /** The servers that members may see: active ones, unless the project is suspended. */
    servers(): readonly ServerConfig[] {
      const present = project();
      return present?.suspended === false ? present.servers.filter(({ active }) => active) : [];
    },
    /**
     * Returns what was read for the same key less than `ms` ago, else reads it. Many members ask for the same boards and maps,
     * each of which is counted from all that is stored. What failed is not remembered.
     */
    async remember<T>(key: readonly unknown[], ms: number, read: () => Promise<T>): Promise<T> {
      const keyText = JSON.stringify([key, revision()]);
      const last = remembered.get(keyText);
      if (last !== undefined && clock.monotonic() < last.until) return (await last.value) as T;
      const value = read();
      remembered.set(keyText, { until: clock.monotonic() + ms, value });
      value.catch(() => remembered.delete(keyText));
      return await value;
    },
  };
}
