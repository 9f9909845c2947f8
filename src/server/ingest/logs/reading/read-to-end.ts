import {
  type ByteSource,
  type GameEvent,
  type LogBlock,
  type LogFormat,
  type LogReader,
  type OnEvent,
  readBlocks,
  readBytes,
  type ReaderOptions,
  type ReaderState,
} from 'dayz-files';
import { type FilePort, PortFile } from 'game-files';

/** Receives the blocks of a file. */
interface BlockTarget {
  readonly lines: number;
  read(block: LogBlock): void;
  end(): void;
}

export interface ReadOptions {
  /** Called with the bytes and lines of each block. */
  onBlock?: ((bytes: number, lines: number) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Those of the source, where they are not simply all from its start. */
  blocks?: AsyncIterable<LogBlock>;
}

/**
 * Reads a source from its start to its end, including an unfinished last line.
 * @throws the signal's reason at the next block once it is aborted
 */
export async function readToEnd(
  source: ByteSource,
  target: BlockTarget,
  { onBlock, signal, blocks = readBlocks(source) }: ReadOptions = {},
): Promise<void> {
  for await (const block of blocks) {
    signal?.throwIfAborted();
    const before = target.lines;
    target.read(block);
    onBlock?.(block.bytes.length, target.lines - before);
  }
  target.end();
}

/** Opens a file to be read from its start. */
export async function openWhole(port: FilePort, path: string): Promise<PortFile> {
  return await PortFile.open(port, path, [{ offset: 0, length: readBytes }]);
}

/** Reads the events of a file and passes them to a function, without counting them. */
export class EventReader implements BlockTarget {
  readonly reader: LogReader<ReaderState>;
  readonly #onEvent: OnEvent;

  constructor(
    format: LogFormat,
    options: ReaderOptions<ReaderState>,
    onEvent: (event: GameEvent, reader: LogReader<ReaderState>) => void,
  ) {
    this.reader = format.open(options);
    this.#onEvent = (event) => onEvent(event, this.reader);
  }

  get lines(): number {
    return this.reader.lines;
  }

  read(block: LogBlock): void {
    this.reader.read(block, this.#onEvent);
  }

  end(): void {
    this.reader.end(this.#onEvent);
  }
}
