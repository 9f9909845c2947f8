import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { backOffMs } from '../../../process/back-off.ts';
import type { Leases } from '../../../process/leases.ts';
import { startThread } from '../../../process/thread.ts';
import { within } from '../../../process/time-limit.ts';
import { smallLoss } from '../bans/file-reader.ts';
import type { ReadProgress } from '../logs/following/read-progress.ts';
import type { ThreadData, ThreadMessage, ThreadReport } from './follower-thread.ts';
import type { SourceOutcome } from './polled-source.ts';
import { claimSources, type SourceClaims } from './source-leases.ts';
import type { FollowedWork } from './source-watch.ts';
import type { Sources } from './sources.ts';

interface FollowerOptions {
  /** The thread's compiled module, which calls `follow`. */
  thread: URL;
  /** The file or URL of the store. */
  store: string;
  /** Those of the current config. */
  sources: () => Sources;
  log: Logger;
  /** Null: this process has the store alone. */
  leases?: Leases | null;
}

/** A thread that failed is started again after growing pauses. */
const firstRestartMs = 1_000;
const longestRestartMs = 60_000;
/** A thread that does not end within this is terminated. SQLite rolls back what was not committed. */
const stopMs = 3_000;
/** How long the thread may take to end its work on sources that another process is to follow. */
const applyMs = 1_500;

/** Follows the sources of the config in a thread, from its construction on. */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #claims: SourceClaims | null;
  #sources: Sources;
  #thread: Worker | null = null;
  /** Until its first report, the thread receives no message and has opened nothing. */
  #isLoading = true;
  #isStopped = false;
  /** Threads that failed since one has reported something. */
  #failures = 0;
  #restart: NodeJS.Timeout | undefined;
  #onApplied = (): void => undefined;

  constructor(options: FollowerOptions) {
    const { sources, leases = null, log } = options;
    this.#options = options;
    this.#sources = sources();
    const onChange = async (): Promise<void> => await this.#apply({ leases: this.#work().leases });
    this.#claims = leases === null ? null : claimSources(leases, onChange);
    warnOfOpenLogins(this.#sources, log);
    this.#start();
  }

  /** Applies a changed config and checks every source now. */
  reload(): void {
    this.#sources = this.#options.sources();
    warnOfOpenLogins(this.#sources, this.#options.log);
    void this.#apply({ sources: this.#sources });
  }

  /** Checks every source now, and removes deleted data from the store's file. */
  check(): void {
    if (this.#thread !== null) send(this.#thread, 'check');
  }

  /** Ends the thread. A read in progress stops at the next block and leaves nothing half-done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#restart);
    if (this.#thread !== null) await this.#end(this.#thread);
    // After the last write of this process, so that another one goes on from there.
    await this.#claims?.close();
  }

  #work(): FollowedWork {
    return { sources: this.#sources, leases: this.#claims?.held() ?? null };
  }

  async #apply(changed: Partial<FollowedWork>): Promise<void> {
    if (this.#thread === null || this.#isStopped) return;
    const applied = new Promise<void>((resolve) => (this.#onApplied = resolve));
    send(this.#thread, changed);
    await within(applied, applyMs);
  }

  #start(): void {
    const { thread: module, store, log } = this.#options;
    const thread = startThread(module, {
      store,
      work: this.#work(),
    } satisfies ThreadData);
    this.#thread = thread;
    this.#isLoading = true;
    thread.on('message', (report: ThreadReport) => this.#onReport(report));
    thread.on('error', (error) => log.error({ err: error }, 'the source thread failed'));
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = null;
      if (!this.#isStopped) this.#restartLater();
    });
  }

  #onReport(report: ThreadReport): void {
    const { log } = this.#options;
    this.#isLoading = false;
    if (report === 'applied') this.#onApplied();
    else if ('present' in report) this.#claims?.want(this.#sources, report.present);
    else {
      if (report.outcomes.length > 0) this.#failures = 0;
      for (const outcome of report.outcomes) logOutcome(outcome, log);
    }
  }

  #restartLater(): void {
    this.#failures += 1;
    const waitMs = backOffMs(this.#failures, firstRestartMs, longestRestartMs);
    this.#options.log.warn(
      `restarting the source thread in ${waitMs / 1000} s; each source continues where it stopped`,
    );
    this.#restart = setTimeout(() => this.#start(), waitMs);
  }

  async #end(thread: Worker): Promise<void> {
    const exit = once(thread, 'exit');
    if (this.#isLoading) void thread.terminate();
    else send(thread, 'stop');
    if ((await within(exit, stopMs)) !== 'late') return;
    void thread.terminate();
    await exit;
  }
}

function send(thread: Worker, message: ThreadMessage): void {
  // The rule is about windows; a thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  thread.postMessage(message);
}

/** Logs each change once; growth of a log is routine. */
function logOutcome(outcome: SourceOutcome, log: Logger): void {
  const { report, progress, error } = outcome;
  const lifted = report !== undefined && 'lifted' in report ? report.lifted : 0;
  if (progress !== undefined) log.info(outcome, `reading ${percentOf(progress)}`);
  else if (outcome.keptBans) log.warn(outcome, 'bans kept in force: they are missing from the file');
  else if (error !== undefined) log.warn(outcome, 'source not readable');
  else if (lifted > smallLoss) log.warn(outcome, `lifted ${lifted} bans that were removed from the file`);
  else if (outcome.recovered) log.info(outcome, 'source readable again');
  else if (isRoutine(report)) log.debug(outcome, 'new log lines read');
  else log.info(outcome, 'source read');
}

function percentOf({ name, bytesDone, bytesTotal }: ReadProgress): string {
  return `${name}: ${Math.floor((100 * bytesDone) / bytesTotal)} %`;
}

const isRoutine = (report: SourceOutcome['report']): boolean =>
  report !== undefined && 'remarks' in report && report.remarks.length === 0 && report.runs.new === 0;

function warnOfOpenLogins({ servers, places }: Sources, log: Logger): void {
  for (const { id } of servers) {
    if (places?.get(id)?.type !== 'ftp') continue;
    log.warn(
      { id },
      'files.type is ftp, so the password and all data travel openly: use sftp or ftps if the host has it',
    );
  }
}
