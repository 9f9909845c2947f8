import { backOffMs } from '../../process/back-off.ts';
import { type Clock, systemClock } from '../../process/clock.ts';
import { entryModule } from '../../process/own-files.ts';
import { thisMachine } from './direct-files.ts';
import type { FileAnswer, FileRequest } from './file-process-main.ts';
import { closedError, FileError, type FilePort, type FileRequests, type Files } from './file-port.ts';
import { FileProcess } from './file-process.ts';

/**
 * Accesses the files of this machine, mounted shares included, through a few processes. A file system that hangs
 * blocks the calling thread forever, even beyond the end of its process. So only these processes access files; one
 * that gets no answer is killed, abandoned and replaced.
 *
 * A source whose request takes longer than `slowMs` is silent until it responds. All silent sources share one
 * process, which tries them in turn with growing pauses; the other processes serve those that respond.
 */
export class LocalFiles implements Files {
  readonly #options: Required<LocalFilesOptions>;
  readonly #sources = new Map<string, Source>();
  readonly #processes = new Set<FileProcess>();
  readonly #idle: FileProcess[] = [];
  /** Requests of responsive sources, and of silent ones. */
  readonly #queue: Request[] = [];
  readonly #silentQueue: Request[] = [];
  readonly #running = new Set<Task>();
  #growTimer: NodeJS.Timeout | undefined;
  #dueTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: LocalFilesOptions = {}) {
    this.#options = { ...defaults, ...options };
  }

  of(name: string, onSilent: () => void = () => undefined): FilePort {
    const source = this.#sources.get(name) ?? new Source();
    source.onSilent = onSilent;
    this.#sources.set(name, source);
    const call =
      <Method extends keyof FileRequests>(method: Method): FileRequests[Method] =>
      (...args: never) =>
        this.#request(source, { method, args }) as never;
    return {
      ...thisMachine,
      list: call('list'),
      stat: call('stat'),
      read: call('read'),
    };
  }

  /** The ids of the processes in use, for tests. */
  get processIds(): number[] {
    return [...this.#processes].flatMap(({ id }) => id ?? []);
  }

  /** Stops at once, even if a file system hangs. Unanswered requests are rejected. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#growTimer);
    clearTimeout(this.#dueTimer);
    for (const process of this.#processes) process.kill();
    const open = [
      ...this.#queue,
      ...this.#silentQueue,
      ...Array.from(this.#running, ({ request }) => request),
    ];
    for (const task of this.#running) clearTimeout(task.timer);
    for (const request of open) {
      clearTimeout(request.reportTimer);
      request.reject(closedError());
    }
  }

  async #request(source: Source, request: FileRequest): Promise<unknown> {
    if (this.#isClosed) throw closedError();
    return await new Promise((resolve, reject) => {
      const askedAt = this.#options.clock.now();
      const open: Request = { source, request, askedAt, resolve, reject, wasTriedAgain: false };
      if (source.silentSince === null) this.#queue.push(open);
      else this.#queueSilent(open);
      this.#startNext();
    });
  }

  #queueSilent(request: Request): void {
    const { source } = request;
    this.#silentQueue.push(request);
    source.onSilent();
    if (source.wasReported) return;
    request.reportTimer ??= setTimeout(() => {
      source.wasReported = true;
      this.#silentQueue.splice(this.#silentQueue.indexOf(request), 1);
      request.reject(silent(source));
    }, this.#options.deadlineMs);
  }

  #startNext(): void {
    if (this.#isClosed) return;
    while (this.#queue.length > 0 && this.#countRunning(false) < this.#options.processes) {
      const process = this.#takeProcess(false);
      if (process === null) break;
      this.#run(process, this.#queue.shift() as Request, false);
    }
    if (this.#silentQueue.length === 0 || this.#countRunning(true) > 0) return;
    const now = this.#options.clock.monotonic();
    const next = this.#silentQueue.findIndex(({ source }) => source.canBeTried(now));
    const process = next < 0 ? null : this.#takeProcess(true);
    if (process !== null) this.#run(process, this.#silentQueue.splice(next, 1)[0] as Request, true);
    else this.#startLater(now);
  }

  #startLater(now: number): void {
    const dueAt = Math.min(...this.#silentQueue.map(({ source }) => source.dueAt));
    clearTimeout(this.#dueTimer);
    this.#dueTimer = setTimeout(() => this.#startNext(), Math.max(dueAt - now, this.#options.slowMs));
  }

  #countRunning(isSilent: boolean): number {
    let count = 0;
    for (const task of this.#running) if (task.isSilent === isSilent) count += 1;
    return count;
  }

  /** Starts another process, of 44 MB, only when a request has waited for those that run and none is still loading. */
  #takeProcess(atOnce: boolean): FileProcess | null {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#processes.size > this.#options.processes) return null;
    if (atOnce || this.#countRunning(false) === 0) return this.#startProcess();
    const [waiting] = this.#queue;
    const areReady = Array.from(this.#processes).every(({ isReady }) => isReady);
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      const isLate = areReady && this.#queue[0] === waiting;
      if (isLate && this.#processes.size <= this.#options.processes) this.#idle.push(this.#startProcess());
      this.#startNext();
    }, growAfterMs);
    return null;
  }

  #startProcess(): FileProcess {
    const process = new FileProcess(this.#options.module, () => {
      this.#drop(process);
      this.#startNext();
    });
    this.#processes.add(process);
    return process;
  }

  #drop(process: FileProcess): void {
    this.#processes.delete(process);
    const index = this.#idle.indexOf(process);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  #run(process: FileProcess, request: Request, isSilent: boolean): void {
    const { slowMs, deadlineMs } = this.#options;
    clearTimeout(request.reportTimer);
    delete request.reportTimer;
    const task: Task = { process, request, isSilent };
    this.#running.add(task);
    task.timer = setTimeout(() => this.#onEnd(task, 'it did not start', true), startMs);
    process.run(request.request, {
      onReady: () => {
        clearTimeout(task.timer);
        task.timer = setTimeout(
          () => (isSilent ? this.#onDeadline(task) : this.#onSlow(task)),
          isSilent ? deadlineMs : slowMs,
        );
      },
      onAnswer: (answer) => this.#onAnswer(task, answer),
      onEnd: (cause) => this.#onEnd(task, cause, false),
    });
  }

  #onAnswer(task: Task, answer: FileAnswer): void {
    const { process, request } = task;
    const { source } = request;
    clearTimeout(task.timer);
    this.#running.delete(task);
    this.#idle.push(process);
    if (source.silentSince !== null) {
      source.answers();
      this.#move(source, this.#silentQueue, this.#queue);
    }
    if ('failure' in answer) request.reject(new FileError(answer.failure));
    else request.resolve(answer.result);
    this.#startNext();
  }

  /** Marks the source as silent; its request moves to the process for silent sources, if that is free. */
  #onSlow(task: Task): void {
    const { request, process } = task;
    const { source } = request;
    const { slowMs, deadlineMs } = this.#options;
    source.silentSince ??= request.askedAt;
    source.onSilent();
    this.#move(source, this.#queue, this.#silentQueue);
    const isAlone = this.#countRunning(true) === 0;
    if (isAlone) {
      task.isSilent = true;
      task.timer = setTimeout(() => this.#onDeadline(task), deadlineMs - slowMs);
    } else {
      this.#leaveBehind(process, source);
      this.#running.delete(task);
      this.#queueSilent(request);
    }
    this.#startNext();
  }

  #onDeadline(task: Task): void {
    const { request, process } = task;
    const { source } = request;
    this.#running.delete(task);
    this.#leaveBehind(process, source);
    source.silentSince ??= request.askedAt;
    source.wasReported = true;
    source.wait(this.#options);
    request.reject(silent(source));
    this.#startNext();
  }

  /** A process ended by itself; its request is retried once. */
  #onEnd(task: Task, cause: string, isToBeKilled: boolean): void {
    const { request, process } = task;
    clearTimeout(task.timer);
    this.#running.delete(task);
    if (isToBeKilled) {
      process.kill();
      this.#drop(process);
    }
    if (request.wasTriedAgain) {
      request.reject(new FileError({ message: `the process that reads files ended (${cause})` }));
    } else {
      request.wasTriedAgain = true;
      if (request.source.silentSince === null) this.#queue.unshift(request);
      else this.#queueSilent(request);
    }
    this.#startNext();
  }

  #leaveBehind(process: FileProcess, source: Source): void {
    process.kill();
    this.#drop(process);
    source.leftBehind = process;
  }

  #move(source: Source, from: Request[], to: Request[]): void {
    for (const request of from.filter((one) => one.source === source)) {
      from.splice(from.indexOf(request), 1);
      if (to === this.#silentQueue) this.#queueSilent(request);
      else {
        clearTimeout(request.reportTimer);
        delete request.reportTimer;
        to.push(request);
      }
    }
  }
}

export interface LocalFilesOptions {
  /** Maximum number of processes for responsive sources; one more serves silent ones. */
  processes?: number;
  /** A source that takes longer than this is silent until it responds. */
  slowMs?: number;
  /** A request without an answer fails after this time. */
  deadlineMs?: number;
  /** The first pause before a silent source is retried; it doubles up to the longest. */
  firstPauseMs?: number;
  longestPauseMs?: number;
  module?: URL;
  clock?: Clock;
}

const defaults: Required<LocalFilesOptions> = {
  processes: 3,
  slowMs: 1_000,
  deadlineMs: 10_000,
  firstPauseMs: 5_000,
  longestPauseMs: 60_000,
  module: entryModule('server/files/file-process-main'),
  clock: systemClock,
};

const growAfterMs = 50;
/** Generous, because a slow start on a busy machine is no failure. */
const startMs = 30_000;

class Source {
  onSilent: () => void = () => undefined;
  /** Since when it has not responded, epoch milliseconds; null: it responds. */
  silentSince: number | null = null;
  /** Whether its silence was reported. */
  wasReported = false;
  /** When it may be retried, by the monotonic clock. */
  dueAt = 0;
  /** The process that is stuck in it. */
  leftBehind: FileProcess | null = null;
  #failures = 0;

  /** While one process is stuck in it, another one would get stuck as well. */
  canBeTried(now: number): boolean {
    return now >= this.dueAt && this.leftBehind?.hasEnded !== false;
  }

  wait({ clock, firstPauseMs, longestPauseMs }: Required<LocalFilesOptions>): void {
    this.#failures += 1;
    this.dueAt = clock.monotonic() + backOffMs(this.#failures, firstPauseMs, longestPauseMs);
  }

  answers(): void {
    this.silentSince = null;
    this.wasReported = false;
    this.dueAt = 0;
    this.leftBehind = null;
    this.#failures = 0;
  }
}

interface Request {
  source: Source;
  request: FileRequest;
  /** Epoch milliseconds. */
  askedAt: number;
  resolve: (result: unknown) => void;
  reject: (error: FileError) => void;
  wasTriedAgain: boolean;
  reportTimer?: NodeJS.Timeout | undefined;
}

interface Task {
  process: FileProcess;
  request: Request;
  isSilent: boolean;
  timer?: NodeJS.Timeout | undefined;
}

function silent({ silentSince }: Source): FileError {
  const since = new Date(silentSince ?? 0).toISOString().slice(0, 19).replace('T', ' ');
  return new FileError({
    code: 'ESILENT',
    message: `has not answered since ${since} UTC: the share or disk that holds it hangs; it is tried again by itself`,
  });
}
