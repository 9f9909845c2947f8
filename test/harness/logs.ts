import type { Sources } from '../../src/server/ingest/follower/sources.ts';
import {
  SourceWatch as Watch,
  type SourceWatchOptions,
} from '../../src/server/ingest/follower/source-watch.ts';
import type { Database } from '../../src/server/store/engine/database.ts';

export { importLogs } from '../../src/server/ingest/logs/importing/import-logs.ts';

/** Polls the sources of a config, as a process does that has the store alone. */
export function createSourceWatch(db: Database, options: SourceWatchOptions = {}) {
  const watch = new Watch({ db }, options);
  const poll = async (config: Sources, full: boolean) => {
    void watch.apply({ sources: config, leases: null });
    return await watch.poll(full);
  };
  return {
    importChanged: async (config: Sources) => await poll(config, true),
    followOn: async (config: Sources) => await poll(config, false),
    stop: () => watch.stop(),
    settled: async () => await watch.settled(),
  };
}

export type SourceWatch = ReturnType<typeof createSourceWatch>;
