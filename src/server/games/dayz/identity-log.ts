import { type Block, type ByteSource, maxLineBytes, readBlocks } from '../../ingest/files/blocks.ts';
import type { EventSink, GameEvent } from '../../ingest/counting/events.ts';
import { steamIdSource } from '../../ingest/counting/game-ids.ts';
import {
  type ClockState,
  isLocalTime,
  type LocalZone,
  RunClock,
  timeOfDayMs,
} from '../../ingest/logs/local-clock.ts';
import { linesOf } from '../../ingest/files/text.ts';

/**
 * Reads the identities out of a server's .RPT or serverconsole.log, beside the players' names. Everything else in
 * them is passed over and never shown: serverconsole.log can hold the RCon password.
 * An .RPT says its date in its head; without one the events have no time.
 * @throws the signal's reason at the next block once it is aborted
 */
export async function readIdentityLog(
  file: ByteSource,
  zone: LocalZone,
  sink: EventSink,
  onBytes: (bytes: number, lines: number) => void = () => {},
  signal?: AbortSignal,
): Promise<void> {
  const reader = new IdentityLogReader(zone, sink);
  for await (const block of readBlocks(file)) {
    signal?.throwIfAborted();
    onBytes(block.bytes.length, reader.read(block));
  }
}

/** Where a reader stands in a log of identities, to be gone on with; null: no date was met yet. */
export type IdentityCheckpoint = { header: string; clock: ClockState; lastSeenAt: number } | null;

/** Reads a log of identities block by block, in one go or where an earlier reader stopped. */
export class IdentityLogReader {
  readonly #zone: LocalZone;
  readonly #sink: EventSink;
  #header = '';
  #clock: RunClock | null = null;

  constructor(zone: LocalZone, sink: EventSink, checkpoint: IdentityCheckpoint = null) {
    this.#zone = zone;
    this.#sink = sink;
    if (checkpoint !== null) this.#begin(checkpoint.header, checkpoint.clock);
  }

  /** Returns the number of lines read. */
  read({ bytes, lines: whole, unfinished }: Omit<Block, 'end'>): number {
    // A name can stand at the end of a line: one that was cut would be another name.
    const lines = whole && !unfinished ? linesOf(bytes) : [];
    for (const line of lines) {
      if (line.length <= maxLineLength) this.#readLine(line);
    }
    return lines.length;
  }

  checkpoint(): IdentityCheckpoint {
    const clock = this.#clock;
    return clock === null ? null : { header: this.#header, clock: clock.state(), lastSeenAt: clock.at };
  }

  #readLine(line: string): void {
    const date = startedPattern.exec(line);
    if (date !== null) {
      this.#clock = null;
      const header = `${date[1]}-${date[2]}-${date[3]} ${date[4]}`;
      if (isLocalTime(header)) this.#begin(header);
      return;
    }
    const [stamp = '', hour = '', rest = ''] = timePattern.exec(line) ?? [];
    const time = timeOfDayMs(hour.padStart(2, '0') + rest);
    if (time < 0) return;
    const at = this.#clock === null ? null : this.#clock.advance(time);
    const event = readIdentityMessage(line.slice(stamp.length), at);
    if (event !== null) this.#sink(event);
  }

  #begin(header: string, clock?: ClockState): void {
    this.#header = header;
    this.#clock = new RunClock(this.#zone, header, clock);
  }
}

/** Well below what is delivered whole in any case. */
const maxLineLength = maxLineBytes / 4;
const startedPattern = /^Current time: +([0-9]{4})\/([0-9]{2})\/([0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2})\s*$/;
/** `17:01:09.148 `; the game pads an hour below ten with a blank: ` 0:47:30.824 `. */
const timePattern = /^\s*([0-9]{1,2})(:[0-9]{2}:[0-9]{2})(?:\.[0-9]+)? /;
const steamId = `\\(steamID=(${steamIdSource})\\)`;
const patterns = {
  /** Up to 1.25. */
  before: new RegExp(`^Player "(.*)" is connected ${steamId}$`),
  /** Since 1.26. */
  since: new RegExp(`^Player "(.*)" ?${steamId} is connected$`),
  guid: /^BattlEye Server: Verified GUID \(([0-9a-f]{32})\) of player #[0-9]+ (.*)$/,
};

function readIdentityMessage(message: string, at: number | null): GameEvent | null {
  if (message.includes('(steamID=')) {
    const match = patterns.since.exec(message) ?? patterns.before.exec(message);
    if (match === null) return null;
    const [, name = null, steamId64 = null] = match;
    return { kind: 'identity', at, steamId64, battleyeGuid: null, dayzId: null, name };
  }
  const match = message.includes('Verified GUID') ? patterns.guid.exec(message) : null;
  if (match === null) return null;
  const [, battleyeGuid = null, name = null] = match;
  return { kind: 'identity', at, steamId64: null, battleyeGuid, dayzId: null, name };
}
