import * as z from 'zod';
import type { LogFormat, ReaderState } from 'dayz-files';

/**
 * The position in a followed file. It is stored flat: the reader's own state with these keys beside it. If its
 * version differs or a key is missing, it is not used: the file is read again from its start, and the rule for copies
 * of runs keeps everything from counting twice.
 */
const envelope = z.object({
  version: z.literal(1),
  /** The zone in which the state's moments were computed. */
  timezone: z.string(),
  /** Up to when open sessions were counted; null: unknown. */
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

/** Null if this version cannot continue from it. */
export function parseCheckpoint(format: LogFormat, stored: unknown): Checkpoint | null {
  const outer = envelope.safeParse(stored);
  const state = format.state.safeParse(stored);
  if (!outer.success || !state.success) return null;
  const { timezone, countedUntil } = outer.data;
  return { timezone, countedUntil, state: state.data };
}
