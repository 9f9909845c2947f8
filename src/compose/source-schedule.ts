import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import { activeSources, type SourceOutcome } from '../server/ingest/sources.ts';
import type { ReadProgress } from '../server/ingest/logs/read-progress.ts';
import { smallLoss } from '../server/ingest/bans/file-reader.ts';
import type { SourceThreadData, SourceThreadMessage, SourceThreadReport } from './source-thread.ts';
import { startThread } from '../process/thread.ts';

/** Follows the sources of the config in a thread of its own. */
export interface SourceSchedule {
  /** Takes a changed config over and checks every source now. */
  reload(): void;
  /** Ends the thread; what it is reading stops at the next block and leaves nothing half-done. */
  stop(): Promise<void>;
}

/** How long to wait before a thread that broke is started again; each time twice as long. */
const firstRestartMs = 1_000;
const longestRestartMs = 60_000;
/** A thread that does not end within this is ended. The store is safe: SQLite takes back what was not committed. */
const stopMs = 3_000;

/** Starts at once. The config is asked each time: a reload may have changed it. */
export function startSources(storeFile: string, config: () => Config, log: Logger): SourceSchedule {
  let worker: Worker | null = null;
  let restartMs = firstRestartMs;
  let restart: NodeJS.Timeout | undefined;
  let stopped = false;

  const start = (): void => {
    const data: SourceThreadData = { storeFile, sources: activeSources(config()) };
    const thread = startThread(new URL('./source-thread.js', import.meta.url), data);
    worker = thread;
    thread.on('message', (outcomes: SourceThreadReport) => {
      restartMs = firstRestartMs;
      for (const outcome of outcomes) logOutcome(outcome, log);
    });
    thread.on('error', (error) => log.error({ err: error }, 'following the sources failed'));
    thread.once('exit', () => {
      if (worker === thread) worker = null;
      if (stopped) return;
      log.warn(`the sources are followed again in ${restartMs / 1000} s, each from where it was left`);
      restart = setTimeout(start, restartMs);
      restartMs = Math.min(2 * restartMs, longestRestartMs);
    });
  };

  start();
  return {
    reload() {
      if (worker !== null) send(worker, { sources: activeSources(config()) });
    },
    async stop() {
      stopped = true;
      clearTimeout(restart);
      const thread = worker;
      if (thread === null) return;
      const exit = once(thread, 'exit');
      send(thread, 'stop');
      const deadline = setTimeout(() => void thread.terminate(), stopMs);
      await exit;
      clearTimeout(deadline);
    },
  };
}

function send(thread: Worker, message: SourceThreadMessage): void {
  // The rule is about windows; a thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  thread.postMessage(message);
}

/** Changes are logged once; that a log has grown again is routine. */
function logOutcome(outcome: SourceOutcome, log: Logger): void {
  const isWriting = outcome.kind === 'banWrites';
  if ('progress' in outcome) log.info(outcome, `reading ${percentOf(outcome.progress)}`);
  else if ('keptBans' in outcome) log.warn(outcome, 'bans kept: the file lost most of them');
  else if (outcome.error !== undefined)
    log.warn(outcome, isWriting ? 'bans not written' : 'source not readable');
  else if (outcome.kind === 'bans' && (outcome.report?.lifted ?? 0) > smallLoss)
    log.warn(outcome, `${outcome.report?.lifted} bans that left the file at once are lifted`);
  else if (outcome.recovered) log.info(outcome, 'source readable again');
  else if (isRoutine(outcome)) log.debug(outcome, 'source read on');
  else log.info(outcome, isWriting ? 'bans written' : 'source read');
}

function percentOf({ name, bytesDone, bytesTotal }: ReadProgress): string {
  return `${name}: ${Math.floor((100 * bytesDone) / bytesTotal)} %`;
}

function isRoutine({ report }: SourceOutcome): boolean {
  return report !== undefined && 'remarks' in report && report.remarks.length === 0 && report.runs.new === 0;
}
