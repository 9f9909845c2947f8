import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import { onCron } from '../process/cron.ts';
import { entryModule } from '../process/own-files.ts';
import { onEnd, startProcess } from '../process/child-process.ts';
import type { BackupAnswer, BackupRequest } from '../server/store/operations/backup/backup-process-main.ts';

const module = entryModule('server/store/operations/backup/backup-process-main');

/** The whole process has five seconds to stop. */
const stopMs = 1_500;

/** Backups at the times that the config names. */
interface Backups {
  /** Undefined: none are made from now on. */
  apply(config: Config['backup']): void;
  /** Makes one now, unless one is being made. Never rejects; the log says how it went. */
  run(): Promise<void>;
  /** Ends a backup that is being made; nothing of it stays. */
  stop(): Promise<void>;
}

/**
 * Each backup is made by a process of its own, so that copying and compressing take none of this process's time.
 */
export function createBackups(dataFolder: string, log: Logger): Backups {
  let config: Config['backup'];
  let endCron: (() => void) | null = null;
  let stopping = false;
  let running: { child: ChildProcess; ended: Promise<void> } | null = null;

  function report(answer: BackupAnswer | null): void {
    if (answer === null) log.error('the scheduled backup ended without a result');
    else if ('problem' in answer) log.error(`could not make the scheduled backup: ${answer.problem}`);
    else log.info({ file: answer.file, bytes: answer.bytes }, 'backed up the data folder');
  }

  function start(keep: number): Promise<void> {
    const child = startProcess(module);
    const ended = new Promise<void>((resolve) => {
      let answer: BackupAnswer | null = null;
      const end = (): void => {
        if (running?.child !== child) return;
        running = null;
        if (!stopping) report(answer);
        resolve();
      };
      child.on('message', (message: BackupAnswer) => (answer = message));
      onEnd(child, end);
      child.once('error', (error) => {
        answer = { problem: error.message };
        end();
      });
    });
    running = { child, ended };
    child.send({ dataFolder, keep } satisfies BackupRequest, () => undefined);
    return ended;
  }

  async function run(): Promise<void> {
    if (config === undefined || stopping) return;
    await (running?.ended ?? start(config.keep));
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
      stopping = true;
      endCron?.();
      endCron = null;
      if (running === null) return;
      const { child, ended } = running;
      // The process then cleans up and ends. One that is busy checking a large copy is killed; the next backup cleans up.
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
