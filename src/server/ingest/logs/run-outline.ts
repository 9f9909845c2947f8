import { splitAtHeaders } from '../../games/dayz/admin-log.ts';
import { type ByteSource, readBlocks } from '../files/blocks.ts';
import { RunDigest } from './run-digest.ts';

/** What a run's bytes are, without what they say; see `RunText`. */
export interface RunOutline {
  header: string;
  bytes: number;
  digest: string;
  lines: number;
}

/** A header stands within the first lines. */
const headBytes = 1024;

/** The header of a file's first run; null when none stands near its beginning. */
export async function firstHeader(source: ByteSource): Promise<string | null> {
  const head = Buffer.allocUnsafe(headBytes);
  const { bytesRead } = await source.read(head, 0, headBytes, 0);
  for (const { header } of splitAtHeaders(head.subarray(0, bytesRead))) {
    if (header !== null) return header;
  }
  return null;
}

/** The runs of an admin log, several times as fast as it is read. What stands before the first is left out. */
export async function outlineRuns(
  source: ByteSource,
  onBytes: (bytes: number, lines: number) => void,
  signal?: AbortSignal,
): Promise<RunOutline[]> {
  const runs: RunOutline[] = [];
  let digest = new RunDigest();
  const end = (): void => {
    const run = runs.at(-1);
    if (run !== undefined) Object.assign(run, { bytes: digest.bytes, digest: digest.digest() });
  };
  for await (const { bytes, lines: whole } of readBlocks(source)) {
    signal?.throwIfAborted();
    let lines = 0;
    for (const { header, bytes: piece } of whole ? splitAtHeaders(bytes) : [{ header: null, bytes }]) {
      if (header !== null) {
        end();
        digest = new RunDigest();
        runs.push({ header, bytes: 0, digest: '', lines: 0 });
      }
      const run = runs.at(-1);
      if (run === undefined) continue;
      digest.update(withoutReturns(piece));
      const own = countLines(piece);
      run.lines += own;
      lines += own;
    }
    onBytes(bytes.length, lines);
  }
  end();
  return runs;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A run is the same whether its copy has a carriage return in each line or not. */
function withoutReturns(bytes: Buffer): Uint8Array {
  return bytes.includes(carriageReturn) ? bytes.filter((byte) => byte !== carriageReturn) : bytes;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}
