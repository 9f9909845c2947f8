import type { Place } from 'game-files';
import { activeSources, type Sources } from '../../src/server/ingest/follower/sources.ts';
import {
  SourceWatch as Watch,
  type SourceWatchOptions,
} from '../../src/server/ingest/follower/source-watch.ts';
import type { Database } from '../../src/server/store/engine/database.ts';

export { importLogs } from '../../src/server/ingest/logs/importing/import-logs.ts';

type Project = Parameters<typeof activeSources>[0]['projects'][number];

/** Servers and ban lists of a config, all of them active; the files of some servers lie elsewhere. */
interface TestSources {
  servers: readonly Omit<Project['servers'][number], 'active' | 'files'>[];
  banlists: readonly Omit<Project['banlists'][number], 'active'>[];
  places?: ReadonlyMap<string, Place>;
}

export function sourcesOf({ servers, banlists, places }: TestSources): Sources {
  const project = {
    servers: servers.map((server) => ({ ...server, active: true, files: places?.get(server.id) })),
    banlists: banlists.map((list) => ({ ...list, active: true })),
  };
  return activeSources({ projects: [project] });
}

/** Polls the sources of a config, as a process does that has the store alone. */
export function createSourceWatch(db: Database, options: SourceWatchOptions = {}) {
  const watch = new Watch({ db }, options);
  const poll = async (config: Sources | TestSources, full: boolean) => {
    const sources = 'files' in config ? config : sourcesOf(config);
    watch.apply({ sources, leases: null });
    return await watch.poll(full);
  };
  return {
    importChanged: async (config: Sources | TestSources) => await poll(config, true),
    followOn: async (config: Sources | TestSources) => await poll(config, false),
    stop: () => watch.stop(),
    settled: async () => await watch.settled(),
  };
}

export type SourceWatch = ReturnType<typeof createSourceWatch>;
