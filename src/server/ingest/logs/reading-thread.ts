/**
 * A thread that reads whole logs: `ReadingThreads` starts several. It says what the files say and writes nothing. What
 * it knows of the runs of other threads is what was known when it began; whoever takes its word has to look again.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { giveWay } from '../../../process/priority.ts';
import type { KnownRun } from '../../store/log-runs.ts';
import { type FileOutcome, type FileToRead, readOutcome } from './admin-log-file.ts';
import { openSource } from '../files/file-source.ts';
import { rawVocabulary } from '../../games/dayz/admin-log.ts';
import { LocalZone } from './local-clock.ts';

/** What the thread is started with; each message is then a list of files to read. */
export interface ReadingThreadData {
  timezone: string;
  known: Map<string, KnownRun>;
  /** See `FileContext`. */
  examples: boolean;
}

/** How much more has been read, and, once all files of a list are, what came of each. */
export interface ReadingThreadNews {
  file: string;
  bytes: number;
  lines: number;
  outcomes: FileOutcome[] | null;
}

/** A file larger than this is told of while it is read. */
const tellBytes = 1024 * 1024;

function readFiles(port: MessagePort, { timezone, known, examples }: ReadingThreadData): void {
  const zone = new LocalZone(timezone);
  const words = rawVocabulary();
  const news: ReadingThreadNews = { file: '', bytes: 0, lines: 0, outcomes: null };
  const tell = (outcomes: FileOutcome[] | null): void => {
    // The rule is about windows; a thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    port.postMessage({ ...news, outcomes } satisfies ReadingThreadNews);
    news.bytes = 0;
    news.lines = 0;
  };
  const context = {
    open: openSource,
    zone,
    words,
    known: known.get.bind(known),
    examples,
    onBytes(bytes: number, lines: number) {
      news.bytes += bytes;
      news.lines += lines;
      if (news.bytes >= tellBytes) tell(null);
    },
  };
  const read = async (files: readonly FileToRead[]): Promise<void> => {
    const outcomes: FileOutcome[] = [];
    for (const file of files) {
      news.file = file.file;
      const outcome = await readOutcome(file, context);
      outcomes.push(outcome);
      if ('failure' in outcome) continue;
      for (const { header, bytes, digest } of outcome.runs) {
        known.set(header, { bytes, digest, isCurrent: true });
      }
    }
    tell(outcomes);
  };
  let reading = Promise.resolve();
  port.on('message', (files: readonly FileToRead[]) => {
    reading = reading.then(() => read(files));
  });
}

if (parentPort !== null) {
  giveWay('LOW');
  readFiles(parentPort, workerData as ReadingThreadData);
}
