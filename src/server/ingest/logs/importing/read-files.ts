import { dirname, resolve } from 'node:path';
import type { LocalZone, LogFormat, RestRun } from 'dayz-files';
import { openDirect } from 'game-files';
import { SourceError, sourceProblem } from '../../../files/errors.ts';
import type { KnownRun } from '../../../store/repositories/logs/run-copies.ts';
import type { LogCounter } from '../reading/log-counter.ts';
import { findRest, readToEnd } from '../reading/read-log.ts';
import type { FileFailure, ListedFile } from './list-files.ts';

interface ReadFilesOptions {
  zone: LocalZone;
  /** Receives the files that could not be read. */
  failures: FileFailure[];
  /** The stored runs of the server, and those of files that were read. */
  known: ReadonlyMap<string, KnownRun>;
  counterOf: (format: LogFormat, rest: RestRun | null) => LogCounter;
  onBlock?: (file: string, bytes: number, lines: number) => void;
  /** Stops at the next block; the current file is left out. */
  signal: AbortSignal | undefined;
}

interface ReadFile {
  file: string;
  format: LogFormat;
  counter: LogCounter;
}

/** Reads the files of an import one after the other. */
export async function* readFiles(
  files: readonly ListedFile[],
  { zone, failures, known, counterOf, onBlock, signal }: ReadFilesOptions,
): AsyncGenerator<ReadFile, void, void> {
  // Identity logs are read only if a log in their folder was valid.
  const folders = new Set<string>();
  for (const { path: file, format, beside, changedAt } of files) {
    const folder = dirname(resolve(file));
    if (beside && !folders.has(folder)) continue;
    const source = openDirect(file);
    let counter: LogCounter;
    try {
      const options = { zone, changedAt: changedAt ?? Date.now(), known: async () => known };
      const rest = await findRest(format, source, options);
      counter = counterOf(format, typeof rest === 'string' ? null : rest);
      await readToEnd(source, counter, { onBlock: onBlock?.bind(null, file), signal });
      if (counter.content === 'other') throw new SourceError(file, format.notThis ?? 'cannot be read');
    } catch (error) {
      if (signal?.aborted === true) return;
      failures.push({ file, message: sourceProblem(file, error) });
      continue;
    } finally {
      source.close();
    }
    if (counter.content === 'log') folders.add(folder);
    yield { file, format, counter };
  }
}
