import { basename } from 'node:path';
import { derivations } from '../../store/repositories/logs/derivations.ts';
import type { LogFile } from '../../store/repositories/logs/log-files.ts';
import { storedCheckpoint } from './checkpoint.ts';
import type { FollowContext } from './follow-context.ts';
import type { FollowedFile } from './followed-file.ts';
import { isFresh, isJustNow, rosterAge } from './log-age.ts';
import type { LogCounter } from './log-counter.ts';
import type { MissingInFile } from './missing-lines.ts';

interface Lines {
  lines: number;
  unreadLines: number;
}

interface HandOverOptions {
  /** The state in which the file was read to its end; empty: there is more to read. */
  stamp: string;
  /** Whether the lines are history. */
  isPast: boolean;
  /** Whether to count open sessions up to the last seen moment. Default: every 30 seconds. */
  whole?: boolean | undefined;
}

/** How often open sessions are counted up to the last seen moment while the log grows at each poll. */
const countEveryMs = 30_000;

/** Passes what was counted in a followed file to the writer, together with the position in it. */
export class HandOver {
  readonly #context: FollowContext;
  readonly #file: FollowedFile;
  readonly #counter: LogCounter;
  readonly #missing: MissingInFile;
  #stored: LogFile | null;
  /** Lines counted before the file was emptied or replaced. */
  #before: Lines = { lines: 0, unreadLines: 0 };
  /** Lines counted up to the latest call. */
  #reported: Lines;
  #countedAt = Number.NEGATIVE_INFINITY;

  /** @param stored the file's stored state; null: there is none */
  constructor(
    context: FollowContext,
    { file, counter, missing }: { file: FollowedFile; counter: LogCounter; missing: MissingInFile },
    stored: LogFile | null,
  ) {
    this.#context = context;
    this.#file = file;
    this.#counter = counter;
    this.#missing = missing;
    this.#stored = stored;
    this.#reported = linesOf(counter);
  }

  /** The file's state as passed to the writer; null: nothing was passed on yet. */
  get stored(): LogFile | null {
    return this.#stored;
  }

  rename(path: string): void {
    if (this.#stored !== null) this.#stored = { ...this.#stored, path };
  }

  /** Lines from here on are those of the file, which is read again from its start. */
  restart(): void {
    this.#before = linesOf(this.#counter);
  }

  /**
   * The writer stores it if that is enough for a transaction.
   * @returns the lines since the latest call
   */
  async pass({ stamp, isPast, whole }: HandOverOptions): Promise<Lines> {
    const { writer, onStored, monotonic } = this.#context;
    const counter = this.#counter;
    const { path, wasJustRead } = this.#file;
    const countsAll = whole ?? monotonic() - this.#countedAt >= countEveryMs;
    if (countsAll) this.#countedAt = monotonic();
    const changes = counter.take(countsAll);
    const now = this.#stateOf(stamp);
    writer.add({
      fileName: basename(path),
      changes,
      isLive: !isPast,
      isFresh: isFresh(this.#context, wasJustRead),
      isJustNow: isJustNow(this.#context, counter.lastEventAt, wasJustRead),
      file: { now, previous: this.#stored },
      rosterAge: rosterAge(this.#context, counter.lastEventAt, wasJustRead),
      onStored: (header, outcome) => onStored(path, header, outcome),
    });
    const lines = linesSince(this.#reported, counter);
    this.#reported = linesOf(counter);
    this.#stored = now;
    await writer.storeIfFull();
    return lines;
  }

  #stateOf(stamp: string): LogFile {
    const { path, position, skipping, marks } = this.#file;
    const counter = this.#counter;
    const left = counter.state();
    return {
      path,
      stamp,
      position,
      skipping,
      marks,
      ...linesSince(this.#before, counter),
      examples: counter.examples,
      lastEventAt: counter.lastEventAt,
      checkpoint: left && storedCheckpoint({ ...left, timezone: this.#context.timezone }),
      missing: this.#missing.all(counter),
      versions: {
        counts: derivations.counts,
        // Reading again for identities happens separately from following, which does not know its state.
        identities: this.#stored === null ? derivations.identities : 0,
      },
    };
  }
}

const linesOf = ({ lines, unreadLines }: Lines): Lines => ({ lines, unreadLines });

const linesSince = (before: Lines, { lines, unreadLines }: Lines): Lines => ({
  lines: lines - before.lines,
  unreadLines: unreadLines - before.unreadLines,
});
