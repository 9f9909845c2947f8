import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import type { Config } from '../config-schema.ts';
import { createSourceWatch } from '../server/ingest/sources.ts';
import type { Database } from '../server/store/database.ts';

/** Imports what changed in the sources of the config, at the start and every minute. */
export interface SourceSchedule {
  /** Looks now; resolves when everything that changed is imported. */
  run(): Promise<void>;
  /** Ends the schedule; an import under way stops at its next block and leaves nothing half-done. */
  stop(): Promise<void>;
}

const everyMinute = '30 * * * * *';

/** Starts at once. The config is asked each time: a reload may have changed it. */
export function startSources(db: Database, config: () => Config, log: Logger): SourceSchedule {
  const watch = createSourceWatch(db);
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  const importAll = async (): Promise<void> => {
    const { projects } = config();
    const sources = {
      servers: projects.flatMap((project) => project.servers.filter((server) => server.active)),
      banlists: projects.flatMap((project) => project.banlists.filter((banlist) => banlist.active)),
    };
    for (const outcome of await watch.importChanged(sources, stopping.signal)) {
      if (outcome.error === undefined) log.info(outcome, 'source read');
      else log.warn(outcome, 'source not readable');
    }
  };

  const run = (): Promise<void> => {
    running ??= importAll()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, 'reading the sources failed');
      })
      .finally(() => (running = null));
    return running;
  };

  const task = schedule(everyMinute, run);
  void run();
  return {
    run,
    async stop() {
      stopping.abort();
      await task.destroy();
      await running;
    },
  };
}
