import { FileError, type FileAccess, type FileStat } from '../file-access.ts';
import { stampOf } from './file-stamp.ts';

export interface WholeFile {
  stat: FileStat;
  bytes: Buffer;
}

/**
 * Reads a whole file in one state.
 * @throws FileError, with the code `ECHANGED` if the file changes meanwhile; Error if it is larger than allowed
 */
export async function readWholeFile(files: FileAccess, path: string, maxBytes: number): Promise<WholeFile> {
  const blocks: Buffer[] = [];
  let bytesRead = 0;
  let first: FileStat | null = null;
  for (;;) {
    const { stat, parts } = await files.read(path, [{ offset: bytesRead, length: files.stepBytes }]);
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    first ??= stat;
    const [block = Buffer.alloc(0)] = parts;
    blocks.push(block);
    bytesRead += block.length;
    const endsEarly = block.length < files.stepBytes && bytesRead !== stat.size;
    if (endsEarly || stampOf(stat) !== stampOf(first)) {
      throw new FileError({ code: 'ECHANGED', message: 'was changed while it was read' });
    }
    if (bytesRead >= stat.size) return { stat, bytes: Buffer.concat(blocks) };
  }
}
