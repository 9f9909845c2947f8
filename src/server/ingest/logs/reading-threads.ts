import type { Worker } from 'node:worker_threads';
import { startThread } from '../../../process/thread.ts';
import type { FileOutcome, FileToRead } from './admin-log-file.ts';
import type { OrderedFile } from './file-order.ts';
import type { ReadingThreadData, ReadingThreadNews } from './reading-thread.ts';

/** Small logs are handed over together: a message for each would take as long as reading it. */
const listBytes = 256 * 1024;
/** So many lists for each thread are read ahead while what was read is being stored. */
const listsAhead = 16;
/** Young objects are few and die soon; room for more of them would only be memory. */
const youngMiB = 8;

interface List {
  files: OrderedFile[];
  outcomes: Promise<FileOutcome[] | null>;
}

/** Reads logs ahead of whoever takes what came of them, on several cores. */
export class ReadingThreads {
  readonly #threads: ReadingThread[];

  /** @param onBytes told how much more was read, and of which file */
  constructor(
    count: number,
    data: ReadingThreadData,
    onBytes: (file: string, bytes: number, lines: number) => void,
  ) {
    this.#threads = Array.from({ length: count }, () => new ReadingThread(data, onBytes));
  }

  /** What came of each file, in their order; null: its thread has ended before it had read it. */
  async *read(files: readonly OrderedFile[]): AsyncGenerator<[OrderedFile, FileOutcome | null], void, void> {
    const ahead: List[] = [];
    for (const list of listsOf(files)) {
      const [thread] = this.#threads
        .filter(({ hasEnded }) => !hasEnded)
        .toSorted((a, b) => a.waiting - b.waiting);
      const wanted = list.map(({ file, header }) => ({ file, header }));
      ahead.push({ files: list, outcomes: thread?.read(wanted) ?? Promise.resolve(null) });
      if (ahead.length >= listsAhead * this.#threads.length) yield* outcomesOf(ahead.shift() as List);
    }
    for (const list of ahead) yield* outcomesOf(list);
  }

  /** Ends the threads; what they are reading is left. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

async function* outcomesOf({
  files,
  outcomes,
}: List): AsyncGenerator<[OrderedFile, FileOutcome | null], void, void> {
  const all = await outcomes;
  for (const [index, file] of files.entries()) yield [file, all?.[index] ?? null];
}

function* listsOf(files: readonly OrderedFile[]): Generator<OrderedFile[], void, void> {
  let list: OrderedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    list.push(file);
    bytes += file.bytes;
    if (bytes < listBytes) continue;
    yield list;
    list = [];
    bytes = 0;
  }
  if (list.length > 0) yield list;
}

type Waiting = (outcomes: FileOutcome[] | null) => void;

class ReadingThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #hasEnded = false;

  constructor(data: ReadingThreadData, onBytes: (file: string, bytes: number, lines: number) => void) {
    const resourceLimits = { maxYoungGenerationSizeMb: youngMiB };
    this.#worker = startThread(new URL('./reading-thread.js', import.meta.url), data, { resourceLimits });
    this.#worker.on('message', ({ file, bytes, lines, outcomes }: ReadingThreadNews) => {
      onBytes(file, bytes, lines);
      if (outcomes !== null) this.#waiting.shift()?.(outcomes);
    });
    // The exit follows.
    this.#worker.on('error', () => undefined);
    this.#worker.once('exit', () => {
      this.#hasEnded = true;
      for (const resolve of this.#waiting.splice(0)) resolve(null);
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Number of lists that it was given and has not read. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** What came of each file; null: the thread has ended. */
  read(files: readonly FileToRead[]): Promise<FileOutcome[] | null> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      // The rule is about windows; a thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      this.#worker.postMessage(files);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
