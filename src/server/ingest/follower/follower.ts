import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { backOffMs } from '../../../process/back-off.ts';
import { onEnd, startProcess } from '../../../process/child-process.ts';
import type { Leases } from '../../../process/leases.ts';
import { within } from '../../../process/time-limit.ts';
import { smallLoss } from '../bans/follow-ban-file.ts';
import type { ReadProgress } from '../logs/following/log-folder-report.ts';
import type { FollowMessage, FollowReport, FollowStart } from './follower-process.ts';
import type { SourceOutcome } from './polled-source.ts';
import { SourceClaims } from './source-leases.ts';
import type { FollowedWork } from './source-watch.ts';
import type { Sources } from './sources.ts';

interface FollowerOptions {
  /** The process's compiled module, which calls `follow`. */
  module: URL;
  /** The environment of the process. */
  environment: NodeJS.ProcessEnv;
  /** The file or URL of the store. */
  store: string;
  /** Those of the current config. */
  sources: () => Sources;
  log: Logger;
  /** Null: this process has the store alone. */
  leases?: Leases | null;
  /** A process that sends nothing for so long is ended. */
  silentMs?: number;
}

/** A process that failed is started again after growing pauses. */
const firstRestartMs = 1_000;
const longestRestartMs = 60_000;
const usualSilentMs = 30_000;
/** A process that does not end within this is killed. SQLite rolls back what was not committed. */
const stopMs = 3_000;
/** One that is killed in a read of a share that hangs ends when that answers, if ever. */
const killedMs = 500;
/** The end of what a process that failed has printed: Node's message and stack. */
const printedCharacters = 4_000;
/**
 * Node reads files in four threads by default, and each request to a share that hangs takes one. A thread that waits for
 * work costs 20 KB.
 */
const fileThreads = '64';
/** With 48 MB for new objects, V8's usual limit, following takes no less CPU time than with this. */
const newSpaceMb = 10;

/**
 * Follows the sources of the config in a process of its own, from its construction on. That process is
 * - loading until its first message: it has opened nothing, and is killed to be stopped;
 * - following after that: it sends a message every few seconds;
 * - away after it has failed, or was killed because it was silent: the next one is started after a pause. It reads the
 *   newest logs again, so nothing is lost or counted twice.
 */
export class Follower {
  readonly #options: FollowerOptions;
  /** Null: this process has the store alone. */
  readonly #claims: SourceClaims | null;
  #sources: Sources;
  /** Null: the process is away. */
  #process: ChildProcess | null = null;
  #isLoading = true;
  #isStopped = false;
  /** Processes that failed since one has reported something. */
  #failures = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  /** Runs out when nothing has come from the process for too long. */
  readonly #silenceTimer: NodeJS.Timeout;

  constructor(options: FollowerOptions) {
    const { sources, leases = null, log, silentMs = usualSilentMs } = options;
    this.#options = options;
    this.#sources = sources();
    const onChange = (): void => this.#send({ leases: this.#work().leases });
    this.#claims = leases && new SourceClaims(leases, onChange);
    warnOfOpenLogins(this.#sources, log);
    this.#silenceTimer = setInterval(() => this.#onSilence(silentMs), silentMs);
    this.#start();
  }

  /** Applies a changed config and checks every source now. */
  reload(): void {
    this.#sources = this.#options.sources();
    warnOfOpenLogins(this.#sources, this.#options.log);
    this.#send({ sources: this.#sources });
  }

  /** Checks every source now, and removes deleted data from the store's file. */
  check(): void {
    this.#send('check');
  }

  /** Ends the process. A read in progress stops at the next block and leaves nothing half-done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#restartTimer);
    clearInterval(this.#silenceTimer);
    if (this.#process !== null) await this.#endProcess(this.#process);
    // After the last write of this process, so that another one goes on from there.
    await this.#claims?.close();
  }

  #work(): FollowedWork {
    return { sources: this.#sources, leases: this.#claims?.held() ?? null };
  }

  #send(message: FollowMessage): void {
    if (this.#process !== null && !this.#isStopped) send(this.#process, message);
  }

  #start(): void {
    const { module, environment, store, log } = this.#options;
    let child: ChildProcess;
    try {
      child = startProcess(module, {
        env: { ...environment, UV_THREADPOOL_SIZE: fileThreads },
        execArgv: [`--max-semi-space-size=${newSpaceMb}`],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
    } catch (error) {
      // Memory or file descriptors have run out, which must not end this process.
      log.error({ err: error }, 'could not start the process that follows files');
      this.#restartLater();
      return;
    }
    this.#process = child;
    this.#isLoading = true;
    this.#silenceTimer.refresh();
    let printed = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(-printedCharacters);
    });
    child.on('message', (report: FollowReport) => this.#onReport(report));
    const onAway = (cause: string): void => {
      if (this.#process !== child) return;
      this.#process = null;
      if (this.#isStopped) return;
      log.error({ cause, printed: printed.trim() }, 'the process that follows files has ended');
      this.#restartLater();
    };
    onEnd(child, onAway);
    child.once('error', (error) => onAway(error.message));
    send(child, { store, work: this.#work() });
  }

  #onReport(report: FollowReport): void {
    const { log } = this.#options;
    this.#isLoading = false;
    this.#silenceTimer.refresh();
    if (report === 'alive') return;
    if ('present' in report) this.#claims?.want(this.#sources, report.present);
    else {
      this.#failures = 0;
      logOutcome(report.outcome, log);
    }
  }

  #onSilence(silentMs: number): void {
    if (this.#process === null) return;
    this.#options.log.error(
      `the process that follows files has not answered for ${silentMs / 1000} s, so it is killed: a share or disk may hang`,
    );
    // While it reads from a share that hangs, it ends only when that answers. A new one, which would hang as well, waits for that.
    this.#process.kill('SIGKILL');
  }

  #restartLater(): void {
    this.#failures += 1;
    const waitMs = backOffMs(this.#failures, firstRestartMs, longestRestartMs);
    this.#options.log.warn(`following files again in ${waitMs / 1000} s; nothing is lost or counted twice`);
    this.#restartTimer = setTimeout(() => this.#start(), waitMs);
  }

  async #endProcess(child: ChildProcess): Promise<void> {
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (!this.#isLoading) {
      send(child, 'stop');
      if ((await within(ended, stopMs)) !== 'late') return;
    }
    child.kill('SIGKILL');
    if ((await within(ended, killedMs)) !== 'late') return;
    // It still hangs: this process ends without waiting for it.
    if (child.connected) child.disconnect();
    child.stderr?.destroy();
    child.unref();
  }
}

/** A process that cannot receive it has ended, or is about to. */
function send(child: ChildProcess, message: FollowStart | FollowMessage): void {
  child.send(message, () => undefined);
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

function warnOfOpenLogins({ files }: Sources, log: Logger): void {
  const open = files.filter(({ place }) => place?.type === 'ftp');
  for (const id of new Set(open.map((file) => ('filesOf' in file ? file.filesOf : file.id)))) {
    log.warn(
      { id },
      'files.type is ftp, so the password and all data travel openly: use sftp or ftps if the host has it',
    );
  }
}
