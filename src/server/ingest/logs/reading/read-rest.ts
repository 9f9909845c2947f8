import { type Block, type ByteSource, type LogRecovery, maxLineBytes, readBlocks } from 'dayz-files';

const lineFeed = 0x0a;

/**
 * Reads the rest of a run, which another file starts. A line that was cut between the two is not put together, since
 * what was written between the copy and the cut is missing: it counts as one line that was not understood.
 * @param unfinished the last line of the file before it, if that has no end
 */
export async function* readRest(
  file: ByteSource,
  unfinished: Buffer,
  recovery: Pick<LogRecovery<never>, 'isCutOff'> | undefined,
): AsyncGenerator<Block, void, void> {
  let isFirst = true;
  for await (const block of readBlocks(file)) {
    if (isFirst && block.holds !== 'part-of-line')
      yield* startOfRest(block, unfinished, (line) => recovery?.isCutOff(line) === true);
    else yield block;
    isFirst = false;
  }
}

function* startOfRest(
  block: Block,
  unfinished: Buffer,
  isCutOff: (line: Buffer) => boolean,
): Generator<Block, void, void> {
  const length = block.bytes.indexOf(lineFeed) + 1 || block.bytes.length;
  const first = block.bytes.subarray(0, length);
  const end = block.end - block.bytes.length + length;
  // Only the end of the line is missing.
  const isComplete = first.toString('latin1').trim() === '';
  if (isComplete) yield { ...block, bytes: Buffer.concat([unfinished, first]), end };
  else {
    const isCut = isCutOff(first);
    const bytes = isCut ? Buffer.concat([unfinished, first]) : unfinished;
    if (bytes.length > 0) yield { bytes, end: isCut ? end : end - length, holds: 'part-of-line' };
    if (!isCut) yield { ...block, bytes: first, end };
  }
  if (length < block.bytes.length) yield { ...block, bytes: block.bytes.subarray(length) };
}

/** The first bytes of a file, and whether they are all of it. */
export async function headOf(
  file: ByteSource,
  bytes = maxLineBytes,
): Promise<[head: Buffer, isAll: boolean]> {
  const head = Buffer.allocUnsafe(bytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return [head.subarray(0, bytesRead), bytesRead < head.length];
}
