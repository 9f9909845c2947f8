import * as z from 'zod';
import { countedPart, gameEvent, type GameEvent } from '../../counting/events.ts';
import { SourceError } from '../../../files/errors.ts';
import { linesOf } from '../../../files/text.ts';
import type { LogBlock, LogFormat, LogReader, OnEvent, ReaderState, RunRead } from './log-format.ts';
import { RunDigest } from './run-digest.ts';

/**
 * Events found by any other program, one line of NDJSON each (docs/events.md). A program that writes one invalid line
 * has most likely written wrong figures, too, so a file with any is refused as a whole, with a SourceError that lists
 * the lines.
 * @param file its name in messages
 */
export const eventsFormat = (file: string): LogFormat => ({
  name: 'events',
  holds: 'runs',
  files: '.ndjson',
  fileName: /\.ndjson$/i,
  // The file is always read completely.
  state: z.never(),
  open: () => new EventsReader(file),
});

const shownProblems = 10;
const lineFeed = 0x0a;

class EventsReader implements LogReader<ReaderState> {
  /** The number of events, without blank lines. */
  lines = 0;
  readonly unreadLines = 0;
  readonly content = 'log';
  lastEventAt: number | null = null;
  readonly #file: string;
  readonly #problems: string[] = [];
  #refused = 0;
  #line = 0;
  #overlong = false;
  #run: EventsRun | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  get run(): RunRead | null {
    return this.#run?.read() ?? null;
  }

  read({ bytes, lines: whole }: LogBlock, onEvent: OnEvent): void {
    for (const line of whole ? linesOf(bytes) : []) {
      this.#line += 1;
      const event = line.trim() === '' ? null : this.#parse(line);
      if (event !== null) this.#take(event, onEvent);
    }
    // Such a line arrives in parts.
    if (!whole && !this.#overlong) {
      this.#line += 1;
      this.#refuse('is longer than 64 KiB');
    }
    this.#overlong = !whole && bytes.at(-1) !== lineFeed;
  }

  /** @throws SourceError when any line was refused */
  end(onEvent: OnEvent): void {
    this.#endRun(onEvent);
    if (this.#refused === 0) return;
    const more = this.#refused - this.#problems.length;
    const list = [...this.#problems, ...(more > 0 ? [`and ${more} more`] : [])].map((text) => `  ${text}`);
    const lines =
      this.#refused === 1 ? '1 line is no valid event' : `${this.#refused} lines are not valid events`;
    const problem = `nothing was imported: ${lines}\n${list.join('\n')}`;
    throw new SourceError(this.#file, problem);
  }

  state(): null {
    return null;
  }

  #take(event: GameEvent, onEvent: OnEvent): void {
    this.lines += 1;
    if (event.kind === 'run-started') {
      this.#endRun(onEvent);
      this.#run = new EventsRun(event.header, event.at);
    } else if (this.#run === null && event.kind !== 'identity') {
      this.#refuse(`"${event.kind}" outside of a run; expected "run-started" before it`);
      return;
    }
    this.#run?.add(event);
    onEvent(event);
    if (event.kind === 'run-ended') this.#run = null;
  }

  /** A run without an end is open until its last event. */
  #endRun(onEvent: OnEvent): void {
    if (this.#run === null) return;
    onEvent({ kind: 'run-ended', at: this.#run.lastSeenAt });
    this.#run = null;
  }

  #parse(line: string): GameEvent | null {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse('is no JSON; expected one event, like {"kind":"run-ended","at":1714564800000}');
      return null;
    }
    const { data, error } = gameEvent.safeParse(value);
    if (error === undefined) return data;
    const [issue] = error.issues;
    const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
    this.#refuse(`${where}${issue?.message ?? 'no event'}`);
    return null;
  }

  #refuse(problem: string): void {
    this.#refused += 1;
    if (this.#problems.length < shownProblems) this.#problems.push(`line ${this.#line}: ${problem}`);
  }
}

class EventsRun {
  readonly #header: string;
  readonly #startedAt: number;
  readonly #digest = new RunDigest();
  #events = 0;
  lastSeenAt: number;

  constructor(header: string, startedAt: number) {
    this.#header = header;
    this.#startedAt = startedAt;
    this.lastSeenAt = startedAt;
  }

  add(event: GameEvent): void {
    if (event.at !== null && event.at > this.lastSeenAt) this.lastSeenAt = event.at;
    if (event.kind === 'player-list') return;
    this.#events += 1;
    this.#digest.update(Buffer.from(`${JSON.stringify(countedPart(event))}\n`));
  }

  /** A copy with more events wins. A copy from the log itself, which has many bytes per event, always wins. */
  read(): RunRead {
    return {
      header: this.#header,
      startedAt: this.#startedAt,
      lastSeenAt: this.lastSeenAt,
      bytes: this.#events,
      digest: this.#digest.digest(),
      prefix: null,
      lines: this.#events,
      unreadLines: 0,
    };
  }
}
