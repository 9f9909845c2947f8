import { type Files, RemotePlaces } from 'game-files';
import { logFormats } from '../../src/server/games/index.ts';
import { SourceFiles } from '../../src/server/files/source-files.ts';
import * as imports from '../../src/server/ingest/logs/importing/import-logs.ts';
import * as overview from '../../src/server/ingest/source-overview.ts';
import type { Sources } from '../../src/server/ingest/follower/sources.ts';
import {
  SourceWatch as Watch,
  type SourceWatchOptions,
} from '../../src/server/ingest/follower/source-watch.ts';
import type { Database } from '../../src/server/store/engine/database.ts';

// What the composition root does: hands the formats of the games to what reads logs.
const formats = logFormats;

export const importLogs = (db: Database, options: Omit<imports.LogImport, 'formats'>) =>
  imports.importLogs(db, { ...options, formats });

/** Polls the sources of a config, as a process does that has the store alone. */
export function createSourceWatch(db: Database, options: Omit<SourceWatchOptions, 'formats'> = {}) {
  const watch = new Watch({ db }, { ...options, formats });
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

export const overviewOfSources = (db: Database, config: Sources, files: Files) =>
  overview.overviewOfSources(db, config, new SourceFiles(files, new RemotePlaces(), config.places), formats);
