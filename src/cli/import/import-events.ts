import { readEnvironment } from '../../config/load.ts';
import type { ByteSource } from '../../server/files/blocks.ts';
import { directPort } from '../../server/files/direct-files.ts';
import { importEvents } from '../../server/ingest/logs/importing/import-events.ts';
import { openWhole } from '../../server/ingest/logs/reading/read-to-end.ts';
import { SourceError, fileProblem } from '../../server/files/errors.ts';
import { withConfiguredStore } from '../open-store.ts';
import { showLine } from '../progress.ts';
import { count, printResult, type Output, type JsonOption } from '../output.ts';

interface EventsOptions extends JsonOption {
  server: string;
}

export async function importEventsFile(output: Output, file: string, options: EventsOptions): Promise<void> {
  const [name, source, close] = await open(file);
  const { update, end } = showLine(options, output, (read: number) => `${count(read, 'event')} read`);
  let read = 0;
  const onBlock = (_bytes: number, lines: number): void => update((read += lines));
  try {
    const report = await withConfiguredStore(readEnvironment(), (db) =>
      importEvents(db, { serverId: options.server, name, source, onBlock }),
    ).finally(end);
    const { events, runs, players } = report;
    const text =
      `${name}: ${count(events, 'event')}, ${count(players, 'player')}. ` +
      `Server runs: ${runs.new} new, ${runs.longer} longer than known, ${runs.known} known.`;
    printResult(output, options, report, text);
  } finally {
    close();
  }
}

async function open(file: string): Promise<[name: string, source: ByteSource, close: () => void]> {
  if (file === '-') return ['standard input', streamSource(process.stdin), () => process.stdin.destroy()];
  const source = await openWhole(directPort, file).catch((error: unknown) => {
    throw new SourceError(file, fileProblem(error), { cause: error });
  });
  return [file, source, () => undefined];
}

/** A stream as a source that is read in order, whatever position is requested. */
function streamSource(stream: AsyncIterable<Buffer>): ByteSource {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return {
    async read(buffer, offset, length) {
      while (rest.length === 0) {
        const { done, value } = await chunks.next();
        if (done === true) return { bytesRead: 0 };
        rest = value;
      }
      const bytesRead = rest.copy(buffer, offset, 0, length);
      rest = rest.subarray(bytesRead);
      return { bytesRead };
    },
  };
}
