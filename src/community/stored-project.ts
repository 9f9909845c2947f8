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
  /** A reload changes it. */
  config: () => Config;
  reader: Reader;
  writer: Database;
  /** Raised when players are hidden, shown or forgotten. */
  revision: () => number;
  clock: Clock;
  log: Logger;
}

export type StoredProject = ReturnType<typeof storedProject>;

/** A search of the public page reads all boards of all periods, which are over a hundred. Fewer would push each other out. */
const mostRemembered = 1_000;

/** A project of the config, with what all parts of the community need of its store. */
export function storedProject(
  slug: string,
  { config, reader, writer, revision, clock, log }: ProjectSources,
) {
  /** Undefined: the config no longer has it. */
  const project = (): ProjectConfig | undefined => projectOf(config(), slug);
  const remembered = new LRUCache<string, { until: number; value: Promise<unknown> }>({
    max: mostRemembered,
  });
  let known: string | undefined;
  const id = async (): Promise<string> => (known ??= await findProjectId(reader, slug));
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
    /** The project and its id, if an operation of the contract is open to its members: not suspended, and of a plan that has it. */
    async open(operation: 'getPlayer' | 'listLeaderboards' | 'listSchedules') {
      const present = project();
      if (present === undefined || present.suspended) return null;
      if (!planIncludes(present.plan, operations[operation].plan)) return null;
      return { project: present, projectId: await id() };
    },
    /** The servers that members may see: active ones, unless the project is suspended. */
    servers(): readonly ServerConfig[] {
      const { servers, suspended } = project() ?? { servers: [], suspended: false };
      return suspended ? [] : servers.filter(({ active }) => active);
    },
    /**
     * Reads what takes long, unless it was read for the same key a moment ago. Members ask for the same boards and maps, which
     * are counted from all that is kept.
     */
    async remember<T>(key: readonly unknown[], ms: number, read: () => Promise<T>): Promise<T> {
      const text = JSON.stringify([key, revision()]);
      const last = remembered.get(text);
      if (last !== undefined && clock.monotonic() < last.until) return (await last.value) as T;
      const value = read();
      remembered.set(text, { until: clock.monotonic() + ms, value });
      value.catch(() => remembered.delete(text));
      return await value;
    },
  };
}
