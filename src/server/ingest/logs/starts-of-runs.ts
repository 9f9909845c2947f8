import type { LogFile } from '../../store/repositories/logs/log-files.ts';
import type { ByteSource } from '../../files/blocks.ts';
import { unlessAway } from '../../files/errors.ts';
import { fileMarks } from '../../files/file-marks.ts';
import type { FolderFile } from './folder-listing.ts';
import type { FollowContext } from './follow-context.ts';
import type { CounterState } from './log-counter.ts';
import type { LogFormat } from './log-format.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { timeOfStamp } from './log-stamp.ts';
import { openWhole } from './read-to-end.ts';
import { hasNoStart, stateToGoOn } from './resume-file.ts';
import { RunBefore } from './run-before.ts';
import type { OpenRun, RunParts } from './run-parts.ts';

const headBytes = 1024;

/** Finds what finished files without a header continue. */
export class StartsOfRuns {
  readonly #context: FollowContext;
  readonly #stored: ReadonlyMap<string, LogFile>;
  readonly #folder: () => Promise<readonly FolderFile[]>;
  #before: RunBefore | null = null;

  constructor(
    context: FollowContext,
    stored: ReadonlyMap<string, LogFile>,
    folder: () => Promise<readonly FolderFile[]>,
  ) {
    this.#context = context;
    this.#stored = stored;
    this.#folder = folder;
  }

  before(format: LogFormat): RunBefore {
    const { port, zone } = this.#context;
    const open = openRuns(this.#context, format, this.#stored);
    return (this.#before ??= new RunBefore({ port, format, zone, files: this.#folder, open }));
  }

  /** Whether a new file continues a run that is open in another one: it is a copy, which nobody writes. */
  async isCopyOfOpen(file: FolderFile, format: LogFormat): Promise<boolean> {
    const { port } = this.#context;
    if (openRuns(this.#context, format, this.#stored).length === 0) return false;
    try {
      if (await this.before(format).isCopy(file)) return true;
      // Hardly any new file lacks its header.
      const { parts } = await port.read(file.path, [{ offset: 0, length: headBytes }]);
      const [head = Buffer.of()] = parts;
      if (format.recovery?.startsWith(head, head.length < headBytes) !== 'line') return false;
      const run = await this.of(file, format, await openWhole(port, file.path));
      return run !== null && run.open !== null;
    } catch (error) {
      return unlessAway(error);
    }
  }

  /** The run that a file continues, and the state from which it is counted; null: none. */
  async of(
    file: FolderFile,
    format: LogFormat,
    source: ByteSource,
  ): Promise<(RunParts & { left: CounterState | null }) | null> {
    const known = this.#stored.get(file.path);
    if (format.holds !== 'runs' || (known !== undefined && hasNoStart(known))) return null;
    const run = await this.before(format).partsWith(file, source);
    if (run === null || run.open === null) return run && { ...run, left: null };
    const stored = this.#stored.get(run.open.path) as LogFile;
    const left = await stateToGoOn(this.#context, format, run.open.path, stored);
    return left && { ...run, left: { ...left.state, lines: 0, unreadLines: 0, examples: [] } };
  }
}

/** The runs that are open in files as they are stored. */
function openRuns(
  { timezone }: FollowContext,
  format: LogFormat,
  stored: ReadonlyMap<string, LogFile>,
): OpenRun[] {
  return [...stored.values()].flatMap(({ path, skipping, stamp, ...file }) => {
    const marks = fileMarks.safeParse(file.marks).data;
    const checkpoint = file.checkpoint === null ? null : parseCheckpoint(format, file.checkpoint);
    if (marks === undefined || checkpoint === null || checkpoint.timezone !== timezone) return [];
    const { state } = checkpoint;
    return [{ path, marks, skipping, state, changedAt: timeOfStamp(stamp), isInSight: false }];
  });
}
