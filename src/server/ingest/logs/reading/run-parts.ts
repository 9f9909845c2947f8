import {
  type BlockStart,
  type LogBlock,
  type LogFormat,
  readBlocks,
  readBytes,
  type ReaderState,
} from 'dayz-files';
import { type FileMarks, type FilePort, PortFile } from 'game-files';
import type { LogCounter } from './log-counter.ts';
import { readRest } from './read-rest.ts';

/** A run that is being read, and how far. */
export interface OpenRun {
  path: string;
  marks: FileMarks;
  skipping: boolean;
  state: ReaderState;
  /** When its file was changed last; null: unknown. */
  changedAt: number | null;
  /** Whether its file was polled just before it was emptied, so that no other log can have been in its place. */
  isInSight: boolean;
}

/** A part of a run: a file, or what follows an offset in it. */
export interface RunPart extends BlockStart {
  path: string;
}

/** A run as far as it was found, by the files to read one after the other. */
export interface RunParts {
  /** From whose state reading continues; null: the first part starts with the run's header, or has it inside. */
  open: OpenRun | null;
  parts: readonly RunPart[];
}

export const wholeFile = (path: string): RunPart => ({ path, position: 0, skipping: false });

/** What follows an open run in a file that has the run's start: its own, or a copy. */
export const restIn = (path: string, { marks, skipping }: OpenRun): RunPart => ({
  path,
  position: marks.position,
  skipping,
});

/**
 * Counts what is before the last part of a run. Each part continues the one before it.
 * @returns the unfinished last line before that part; empty: there is none
 */
export async function readBefore(
  port: FilePort,
  format: LogFormat,
  { open, parts }: RunParts,
  counter: LogCounter,
): Promise<Buffer> {
  let unfinished: Buffer | null = open && Buffer.of();
  for (const part of parts.slice(0, -1))
    unfinished = await readPart(port, format, part, unfinished, (block) => counter.read(block));
  counter.startRest();
  return unfinished ?? Buffer.of();
}

/**
 * Reads a part of a run.
 * @param before the unfinished last line of what it continues; null: it continues nothing
 * @returns its own
 */
export async function readPart(
  port: FilePort,
  { recovery }: LogFormat,
  { path, ...from }: RunPart,
  before: Buffer | null,
  onBlock: (block: LogBlock) => void,
): Promise<Buffer> {
  const file = await PortFile.open(port, path, [{ offset: from.position, length: readBytes }]);
  const isRest = before !== null && from.position === 0;
  let unfinished: Buffer = Buffer.of();
  for await (const block of isRest ? readRest(file, before, recovery) : readBlocks(file, from)) {
    if (block.holds === 'unfinished-line') unfinished = Buffer.from(block.bytes);
    else onBlock(block);
  }
  return unfinished;
}
