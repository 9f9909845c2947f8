import * as z from 'zod';
import type { LogFormat, ReaderState } from './log-format.ts';

/**
 * Where a followed file was left. It is stored flat: the reader's own state with these keys beside it. One of another
 * version, or that lacks something, is not gone on with: the file is read again from its start, and the rule of runs
 * keeps everything from counting twice.
 */
const envelope = z.object({
  /** Stores written before versions were noted have none. */
  version: z.literal(1).default(1),
  /** In which the state's moments were computed. */
  timezone: z.string(),
  /** Up to when sessions that go on were counted; null: not known. */
  countedUntil: z.number().nullable().default(null),
});

export interface Checkpoint {
  timezone: string;
  countedUntil: number | null;
  state: ReaderState;
}

export function storedCheckpoint({ state, timezone, countedUntil }: Checkpoint): object {
  return { version: 1, ...state, timezone, countedUntil };
}

/** Null when this version cannot go on from it. */
export function parseCheckpoint(format: LogFormat, stored: unknown): Checkpoint | null {
  const outer = envelope.safeParse(stored);
  const state = format.state.safeParse(stored);
  if (!outer.success || !state.success) return null;
  const { timezone, countedUntil } = outer.data;
  return { timezone, countedUntil, state: state.data };
}
