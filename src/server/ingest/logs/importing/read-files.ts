import { dirname, resolve } from 'node:path';
import { directPort, openDirect } from 'game-files';
import { sourceProblem } from '../../../files/errors.ts';
import type { MissingLines } from '../../../store/repositories/logs/log-files.ts';
import type { LocalZone, LogFormat } from 'dayz-files';
import type { LogCounter } from '../reading/log-counter.ts';
import { missingText } from '../reading/missing-lines.ts';
import { readLog } from '../reading/read-log.ts';
import { RunBefore } from '../reading/run-before.ts';
import type { FileFailure, ListedFile } from './list-files.ts';

interface ReadFilesOptions {
  formats: readonly [LogFormat, ...LogFormat[]];
  zone: LocalZone;
  /** Receives the files that could not be read. */
  failures: FileFailure[];
  counterOf: (format: LogFormat) => LogCounter;
  onBlock?: (file: string, bytes: number, lines: number) => void;
  /** Stops at the next block; the current file is left out. */
  signal: AbortSignal | undefined;
}

interface ReadFile {
  file: string;
  format: LogFormat;
  counter: LogCounter;
  lines: number;
  unreadLines: number;
}

/** Reads the files of an import one after the other. */
export async function* readFiles(
  files: readonly ListedFile[],
  { formats, zone, failures, counterOf, onBlock, signal }: ReadFilesOptions,
): AsyncGenerator<ReadFile, void, void> {
  const logs = files.filter(({ format }) => format.holds === 'runs');
  const before = new RunBefore({ port: directPort, format: formats[0], zone, files: async () => logs });
  // Identity logs are read only if a log in their folder was valid.
  const folders = new Set<string>();
  for (const listed of files) {
    const { path: file, format, beside } = listed;
    const folder = dirname(resolve(file));
    if (beside && !folders.has(folder)) continue;
    const counter = counterOf(format);
    const source = openDirect(file);
    let own: Awaited<ReturnType<typeof readLog>>;
    try {
      const run = format.holds === 'runs' ? await before.partsWith(listed, source) : null;
      const log = { port: directPort, format, file: listed, source, run, before };
      own = await readLog(log, counter, { onBlock: onBlock?.bind(null, file), signal });
    } catch (error) {
      if (signal?.aborted === true) return;
      failures.push({ file, message: sourceProblem(file, error) });
      continue;
    } finally {
      source.close();
    }
    const { missing, ...lines } = own;
    failures.push(...missing.map((one) => ({ file, message: headlessFailure(file, one) })));
    if (counter.content === 'log') folders.add(folder);
    yield { file, format, counter, ...lines };
  }
}

const headlessFailure = (file: string, missing: MissingLines): string =>
  `${file}: ${missingText(missing)}; import it together with the log that it continues`;
