import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import { onCron } from '../process/cron.ts';
import { createScheduledBackup } from '../server/store/operations/backup/create-backup.ts';

/** Makes backups of the data folder at the times that the config names, one at a time. */
export function createBackups(dataFolder: string, log: Logger) {
  /** Undefined: the config wants no backups, so no timer runs either. */
  let config: Config['backup'];
  let endCron: (() => void) | undefined;
  let running: Promise<void> | undefined;
  const stopped = new AbortController();

  async function make(keep: number): Promise<void> {
    try {
      const { file, bytes } = await createScheduledBackup({ dataFolder, keep }, stopped.signal);
      log.info({ file, bytes }, 'backed up the data folder');
    } catch (error) {
      if (!stopped.signal.aborted)
        log.error(`could not make the scheduled backup: ${(error as Error).message}`);
    }
  }

  /** Makes a backup now, or waits for the one that is being made. Never rejects; the log says how it went. */
  async function run(): Promise<void> {
    if (config === undefined || stopped.signal.aborted) return;
    running ??= make(config.keep).finally(() => (running = undefined));
    await running;
  }

  return {
    /** @param next undefined: no backups are made from now on */
    apply(next: Config['backup']): void {
      endCron?.();
      endCron = next && onCron(next.cron, () => void run());
      config = next;
    },
    run,
    /** Ends a backup that is being made, and deletes its unfinished file. */
    async stop(): Promise<void> {
      stopped.abort(new Error('stopped'));
      endCron?.();
      await running;
    },
  };
}
