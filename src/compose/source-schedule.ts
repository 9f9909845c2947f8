import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config/schema.ts';
import { type SourceOutcome } from '../server/ingest/sources.ts';
import { activeSources } from '../server/ingest/configured-sources.ts';
import type { ReadProgress } from '../server/ingest/logs/read-progress.ts';
import { smallLoss } from '../server/ingest/bans/file-reader.ts';
import type { Leases } from '../process/leases.ts';
import { claimSources, type SourceClaims } from './source-leases.ts';
import type {
  SourceThreadData,
  SourceThreadMessage,
  SourceThreadReport,
  SourceThreadWork,
} from './source-thread.ts';
import { backOffMs } from '../process/back-off.ts';
import { startThread } from '../process/thread.ts';
import { within } from '../process/time-limit.ts';

/** Follows the sources of the config in a separate thread. */
export interface SourceSchedule {
  /** Applies a changed config and checks every source now. */
  reload(): void;
  /** Checks every source now, and removes deleted data from the store's file. */
  check(): void;
  /** Ends the thread. A read in progress stops at the next block and leaves nothing half-done. */
  stop(): Promise<void>;
}

/** How long to wait before a failed thread is restarted; the delay doubles each time. */
const firstRestartMs = 1_000;
const longestRestartMs = 60_000;
/** A thread that does not end within this is terminated. SQLite rolls back what was not committed. */
const stopMs = 3_000;

/** How long the thread may take to end its work on sources that another process is to follow. */
const applyMs = 1_500;

/**
 * Starts at once.
 * @param store the file or URL of the store
 * @param leases null: this process has the store alone
 */
export function startSources(
  store: string,
  config: () => Config,
  log: Logger,
  leases: Leases | null = null,
): SourceSchedule {
  let worker: Worker | null = null;
  let isLoading = true;
  let failures = 0;
  let restart: NodeJS.Timeout | undefined;
  let stopped = false;
  let sources = activeSources(config());
  let onApplied = (): void => undefined;

  const work = (): SourceThreadWork => ({ sources, leases: claims?.held() ?? null });
  const apply = async (changed: Partial<SourceThreadWork>): Promise<void> => {
    if (worker === null || stopped) return;
    const applied = new Promise<void>((resolve) => (onApplied = resolve));
    send(worker, changed);
    await within(applied, applyMs);
  };
  const applyLeases = async (): Promise<void> => await apply({ leases: work().leases });
  const claims: SourceClaims | null = leases === null ? null : claimSources(leases, applyLeases);

  const start = (): void => {
    const thread = startThread(new URL('./source-thread.js', import.meta.url), {
      store,
      work: work(),
    } satisfies SourceThreadData);
    worker = thread;
    isLoading = true;
    thread.on('message', (report: SourceThreadReport) => {
      isLoading = false;
      if (report === 'applied') onApplied();
      else if ('present' in report) claims?.want(sources, report.present);
      else {
        if (report.outcomes.length > 0) failures = 0;
        for (const outcome of report.outcomes) logOutcome(outcome, log);
      }
    });
    thread.on('error', (error) => log.error({ err: error }, 'the source thread failed'));
    thread.once('exit', () => {
      if (worker === thread) worker = null;
      if (stopped) return;
      failures += 1;
      const restartMs = backOffMs(failures, firstRestartMs, longestRestartMs);
      log.warn(
        `restarting the source thread in ${restartMs / 1000} s; each source continues where it stopped`,
      );
      restart = setTimeout(start, restartMs);
    });
  };

  const end = async (thread: Worker): Promise<void> => {
    const exit = once(thread, 'exit');
    // While it loads its code, the thread receives no message and has opened nothing.
    if (isLoading) void thread.terminate();
    else send(thread, 'stop');
    const deadline = setTimeout(() => void thread.terminate(), stopMs);
    await exit;
    clearTimeout(deadline);
  };

  warnOfOpenLogins(config(), log);
  start();
  return {
    reload() {
      warnOfOpenLogins(config(), log);
      sources = activeSources(config());
      void apply({ sources });
    },
    check() {
      if (worker !== null) send(worker, 'check');
    },
    async stop() {
      stopped = true;
      clearTimeout(restart);
      const thread = worker;
      if (thread !== null) await end(thread);
      // After the last write of this process, so that another one goes on from there.
      await claims?.close();
    },
  };
}

function send(thread: Worker, message: SourceThreadMessage): void {
  // The rule is about windows; a thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  thread.postMessage(message);
}

/** Logs each change once; growth of a log is routine. */
function logOutcome(outcome: SourceOutcome, log: Logger): void {
  const isWriting = outcome.kind === 'banWrites';
  if ('progress' in outcome) log.info(outcome, `reading ${percentOf(outcome.progress)}`);
  else if ('keptBans' in outcome) log.warn(outcome, 'bans kept in force: they are missing from the file');
  else if (outcome.error !== undefined)
    log.warn(outcome, isWriting ? 'bans not written' : 'source not readable');
  else if (outcome.kind === 'bans' && (outcome.report?.lifted ?? 0) > smallLoss)
    log.warn(outcome, `lifted ${outcome.report?.lifted} bans that were removed from the file`);
  else if (outcome.recovered) log.info(outcome, 'source readable again');
  else if (isRoutine(outcome)) log.debug(outcome, 'new log lines read');
  else log.info(outcome, isWriting ? 'bans written' : 'source read');
}

function percentOf({ name, bytesDone, bytesTotal }: ReadProgress): string {
  return `${name}: ${Math.floor((100 * bytesDone) / bytesTotal)} %`;
}

function isRoutine({ report }: SourceOutcome): boolean {
  return report !== undefined && 'remarks' in report && report.remarks.length === 0 && report.runs.new === 0;
}

function warnOfOpenLogins({ projects }: Config, log: Logger): void {
  for (const { id, files, active } of projects.flatMap(({ servers }) => servers)) {
    if (files?.type !== 'ftp' || !active) continue;
    log.warn(
      { id },
      'files.type is ftp, so the password and all data travel openly: use sftp or ftps if the host has it',
    );
  }
}
