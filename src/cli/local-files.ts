import type { Files } from '../server/ingest/files/file-port.ts';
import { LocalFiles } from '../server/ingest/files/local-files.ts';

/** A user waits for the answer: what hangs is given up sooner than by the service. */
const deadlineMs = 5_000;

/** Runs a command's work on the files of the config, none of which can hold it up for ever. */
export async function withLocalFiles<T>(work: (files: Files) => Promise<T>): Promise<T> {
  const files = new LocalFiles({ deadlineMs });
  try {
    return await work(files);
  } finally {
    files.close();
  }
}
