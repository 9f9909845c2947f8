import type { Database } from '../../store/database.ts';
import { type KnownRun, knownRuns } from '../../store/log-runs.ts';
import { findOwnServer } from '../../store/servers.ts';
import { noRuns, type RunOutcome } from './admin-log-file.ts';
import { type ByteSource, readBlocks } from '../files/blocks.ts';
import { SourceError } from '../errors.ts';
import { gameEvent } from '../counting/event-schema.ts';
import type { GameEvent } from '../counting/events.ts';
import { PendingImport, type PendingRun } from './pending-import.ts';
import { RunDigest } from './run-digest.ts';
import { type SightedPerson, Sightings } from '../counting/sightings.ts';
import { RunTally } from '../counting/tally.ts';
import { linesOf } from '../files/text.ts';

export interface EventsImport {
  serverId: string;
  /** How messages name the file. */
  name: string;
  source: ByteSource;
  onBytes?: (bytes: number, lines: number) => void;
  now?: () => number;
  /** Nothing is taken of a file whose reading was stopped. */
  signal?: AbortSignal;
}

export interface EventsReport {
  serverId: string;
  file: string;
  events: number;
  runs: Record<RunOutcome, number>;
  /** Players whom the file names. */
  players: number;
}

const shownProblems = 10;
const lineFeed = 0x0a;

/**
 * Counts the events of one server, a line of NDJSON each: what any reader of any game has found. A file is taken in
 * whole or, when any line is not as expected, not at all: events are made by programs, and one that writes a wrong line
 * has most likely written wrong figures, too. Taking a file in again changes nothing.
 * @throws SourceError listing the lines that are wrong; StoreError when there is no such active server
 */
export async function importEvents(db: Database, options: EventsImport): Promise<EventsReport> {
  const { serverId, name, source, onBytes = () => {}, now = Date.now, signal } = options;
  const { projectId } = await findOwnServer(db, serverId);
  const known = await knownRuns(db, serverId);
  const reader = new EventsReader(name);
  let overlong = false;
  for await (const { bytes, lines: whole } of readBlocks(source)) {
    signal?.throwIfAborted();
    const lines = whole ? linesOf(bytes) : [];
    for (const line of lines) reader.read(line);
    // Such a line comes in pieces.
    if (!whole && !overlong) reader.refuse('is longer than 64 KiB');
    overlong = !whole && bytes.at(-1) !== lineFeed;
    onBytes(bytes.length, lines.length);
  }
  const { runs: read, others, events } = reader.finish();
  const runs = noRuns();
  const pending = new PendingImport(db, known, { serverId, projectId, now });
  pending.add([], [...others.all]);
  for (const { run, sightings } of read) {
    const outcome = outcomeOf(run, known.get(run.header));
    runs[outcome] += 1;
    if (outcome === 'new' || outcome === 'longer') pending.add([run], sightings);
    if (pending.isLarge) await pending.flush();
  }
  await pending.finish();
  return { serverId, file: name, events, runs, players: pending.players };
}

/** A copy with more events is better, and one from the log itself, which has many bytes to an event, is best. */
function outcomeOf(run: PendingRun, known: KnownRun | undefined): RunOutcome {
  if (known === undefined) return 'new';
  return run.bytes > known.bytes ? 'longer' : 'known';
}

interface RunRead {
  run: PendingRun;
  sightings: SightedPerson[];
}

class EventsReader {
  readonly #file: string;
  readonly #runs = new Map<string, RunRead>();
  readonly #others = new Sightings();
  readonly #problems: string[] = [];
  #refused = 0;
  #line = 0;
  #events = 0;
  #run: OpenRun | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  read(line: string): void {
    this.#line += 1;
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuseLine('is no JSON; expected one event, like {"kind":"run-ended","at":1714564800000}');
      return;
    }
    const { data, error } = gameEvent.safeParse(value);
    if (error !== undefined) {
      const [issue] = error.issues;
      const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
      this.#refuseLine(`${where}${issue?.message ?? 'no event'}`);
      return;
    }
    this.#events += 1;
    this.#take(data);
  }

  /** What is read is not a line at all. */
  refuse(problem: string): void {
    this.#line += 1;
    this.#refuseLine(problem);
  }

  /** @throws SourceError when any line was refused */
  finish(): { runs: Iterable<RunRead>; others: Sightings; events: number } {
    this.#end();
    if (this.#refused > 0) {
      const more = this.#refused - this.#problems.length;
      const list = [...this.#problems, ...(more > 0 ? [`and ${more} more`] : [])].map((text) => `  ${text}`);
      throw new SourceError(
        this.#file,
        `nothing was taken: ${this.#refused} lines are no events\n${list.join('\n')}`,
      );
    }
    return { runs: this.#runs.values(), others: this.#others, events: this.#events };
  }

  #take(event: GameEvent): void {
    if (event.kind === 'run-started') {
      this.#end();
      this.#run = new OpenRun(event.header, event.at);
    }
    if (this.#run !== null) this.#run.add(event);
    else if (event.kind === 'identity') this.#others.identity(event);
    else this.#refuseLine(`"${event.kind}" outside of a run; expected "run-started" before it`);
    if (event.kind === 'run-ended') this.#end();
  }

  #end(): void {
    const read = this.#run?.close(this.#file);
    this.#run = null;
    if (read === undefined) return;
    const { header, bytes } = read.run;
    if (bytes > (this.#runs.get(header)?.run.bytes ?? 0)) this.#runs.set(header, read);
  }

  #refuseLine(problem: string): void {
    this.#refused += 1;
    if (this.#problems.length < shownProblems) this.#problems.push(`line ${this.#line}: ${problem}`);
  }
}

class OpenRun {
  readonly #header: string;
  readonly #startedAt: number;
  readonly #tally = new RunTally();
  readonly #digest = new RunDigest();
  #latest: number;
  #events = 0;
  #ended = false;

  constructor(header: string, startedAt: number) {
    this.#header = header;
    this.#startedAt = startedAt;
    this.#latest = startedAt;
  }

  add(event: GameEvent): void {
    if (event.at !== null && event.at > this.#latest) this.#latest = event.at;
    this.#events += 1;
    this.#digest.update(Buffer.from(`${JSON.stringify(event)}\n`));
    this.#tally.add(event);
    if (event.kind === 'run-ended') this.#ended = true;
  }

  close(file: string): RunRead {
    if (!this.#ended) this.#tally.add({ kind: 'run-ended', at: this.#latest });
    const run = {
      header: this.#header,
      startedAt: this.#startedAt,
      lastSeenAt: this.#latest,
      bytes: this.#events,
      digest: this.#digest.digest(),
      lines: this.#events,
      unreadLines: 0,
      prefixDigest: null,
      fileName: file,
      players: this.#tally.rows(),
    };
    return { run, sightings: [...this.#tally.sightings.all] };
  }
}
