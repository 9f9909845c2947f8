import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import { onCron } from '../process/cron.ts';
import { createScheduledBackup } from '../server/store/operations/backup/create-backup.ts';

/** Backups at the times that the config names. */
interface Backups {
  /** Undefined: none are made from now on. */
  apply(config: Config['backup']): void;
  /** Makes one now, unless one is being made. Never rejects; the log says how it went. */
  run(): Promise<void>;
  /** Ends a backup that is being made; nothing of it stays. */
  stop(): Promise<void>;
}

export function createBackups(dataFolder: string, log: Logger): Backups {
  let config: Config['backup'];
  let endCron: (() => void) | null = null;
  let running: Promise<void> | null = null;
  const stopped = new AbortController();

  async function make(keep: number): Promise<void> {
    try {
      const { file, bytes } = await createScheduledBackup({ dataFolder, keep }, stopped.signal);
      log.info({ file, bytes }, 'backed up the data folder');
    } catch (error) {
      if (!stopped.signal.aborted)
        log.error(`could not make the scheduled backup: ${(error as Error).message}`);
    } finally {
      running = null;
    }
  }

  async function run(): Promise<void> {
    if (config === undefined || stopped.signal.aborted) return;
    running ??= make(config.keep);
    await running;
  }

  return {
    apply(next) {
      if (next?.cron !== config?.cron) {
        endCron?.();
        endCron = next === undefined ? null : onCron(next.cron, () => void run());
      }
      config = next;
    },
    run,
    async stop() {
      stopped.abort(new Error('stopped'));
      endCron?.();
      endCron = null;
      await running;
    },
  };
}
