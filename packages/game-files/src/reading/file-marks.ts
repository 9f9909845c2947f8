import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ByteSource, FileRange } from '../file-access.ts';

/**
 * What a file that was read up to a position is recognised by later, when it has grown or has another name: digests of its first
 * bytes, and of those before the position. (A stamp identifies one state of a file only.) They can be stored, hence the schema.
 */
export const fileMarks = z.object({
  /** Bytes. */
  position: z.number(),
  head: z.string(),
  before: z.string(),
  /** That of `FileStat`; absent or null: unknown. It may change when a share is mounted again. */
  identity: z.string().nullish(),
});

export type FileMarks = z.infer<typeof fileMarks>;

/** A log's header, which has the time of its run, is shorter. */
export const headBytes = 1024;
/** Several lines with their times. */
export const beforeBytes = 512;

/** The parts of a file that its digests cover. */
export function markRanges(position: number): FileRange[] {
  const offset = Math.max(0, position - beforeBytes);
  return [
    { offset: 0, length: headBytes },
    { offset, length: position - offset },
  ];
}

/** The bytes that the digests of marks cover. Of a file that was read moments ago, `OpenedFile.reopen` compares them themselves. */
export interface FileEdges {
  position: number;
  head: Buffer;
  before: Buffer;
}

/** Null if the file is shorter than `position`. */
export async function readEdges(file: ByteSource, position: number): Promise<FileEdges | null> {
  const head = await bytesOf(file, 0, Math.min(headBytes, position));
  const from = Math.max(0, position - beforeBytes);
  const before = await bytesOf(file, from, position - from);
  return head === null || before === null ? null : { position, head, before };
}

export function marksOf({ position, head, before }: FileEdges): FileMarks {
  return { position, head: digestOf(head), before: digestOf(before) };
}

/** Null if the file is shorter than `position`. */
export async function readMarks(file: ByteSource, position: number): Promise<FileMarks | null> {
  const edges = await readEdges(file, position);
  return edges && marksOf(edges);
}

/** Whether a file has these digests, so that it is the same file as far as it was read. */
export async function hasMarks(file: ByteSource, marks: FileMarks): Promise<boolean> {
  const found = await readMarks(file, marks.position);
  return found !== null && found.head === marks.head && found.before === marks.before;
}

async function bytesOf(file: ByteSource, from: number, length: number): Promise<Buffer | null> {
  const buffer = Buffer.alloc(length);
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, from + filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  return buffer;
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');
