import { basename } from 'node:path';
import { fileMarks, type FileMarks, hasMarks, type PortFile } from 'game-files';
import type { LogFile } from '../../../store/repositories/logs/log-files.ts';
import type { FollowedFile } from './followed-file.ts';
import { type FolderFile, folderFile } from '../reading/folder-listing.ts';
import type { FollowContext } from './follow-context.ts';
import type { LogCounter } from '../reading/log-counter.ts';
import type { LogFormat } from 'dayz-files';
import { timeOfStamp } from '../reading/log-stamp.ts';
import { MissingInFile, missingText } from '../reading/missing-lines.ts';
import { headOf } from '../reading/read-rest.ts';
import { hasNoStart } from './resume-file.ts';
import { RunBefore } from '../reading/run-before.ts';
import { type OpenRun, readBefore, type RunParts } from '../reading/run-parts.ts';

/** A followed file as it was opened at a poll. */
interface PolledFile {
  followed: FollowedFile;
  file: PortFile;
  /** Whether it was emptied, truncated or replaced since it was read. */
  isOther: boolean;
  /** The files of the folder; some may be copies made before this file was emptied. */
  folder: () => Promise<readonly FolderFile[]>;
}

/** How to read a file from its start. */
interface Beginning {
  /** The unfinished last line of the file that it continues; null: it continues none. */
  unfinished: Buffer | null;
  /** Messages for the owner. */
  remarks: string[];
}

/** Decides how a followed file is read from its start, and counts first what it continues. */
export class FileStart {
  readonly #context: FollowContext;
  readonly #format: LogFormat;
  readonly #counter: LogCounter;
  readonly missing: MissingInFile;
  #isUndecided: boolean;
  /** Identify a file that continued no log when it was read before; null: there was none. */
  readonly #withoutStart: FileMarks | null;
  /** Whether the file was read just before it was emptied; null: it has not changed. */
  #isInSight: boolean | null = null;

  constructor(
    context: FollowContext,
    format: LogFormat,
    counter: LogCounter,
    { stored, isContinued }: { stored: LogFile | null; isContinued: boolean },
  ) {
    this.#context = context;
    this.#format = format;
    this.#counter = counter;
    this.missing = new MissingInFile(isContinued ? (stored?.missing ?? []) : []);
    this.#isUndecided = !isContinued;
    this.#withoutStart =
      stored !== null && hasNoStart(stored) ? (fileMarks.safeParse(stored.marks).data ?? null) : null;
  }

  /** How to read it from its start; `go-on`: from the position; `wait`: it is too short to decide. */
  async decide(polled: PolledFile): Promise<Beginning | 'go-on' | 'wait'> {
    const { followed, file, isOther } = polled;
    this.#isInSight = isOther ? (this.#isInSight ?? followed.wasJustRead) : null;
    if (!isOther && !this.#isUndecided) return 'go-on';
    const { recovery } = this.#format;
    const head = await headOf(file);
    const start = recovery?.startsWith(...head) ?? (head[0].length === 0 ? 'too-short' : 'run');
    if (start === 'too-short') return isOther ? 'wait' : 'go-on';
    this.#isUndecided = start === 'other';
    if (!isOther && start !== 'line') return 'go-on';
    const run = start === 'line' ? await this.#runWith(polled) : null;
    const remarks: string[] = [];
    if (run === null || run.open === null) {
      remarks.push(...this.missing.restart(this.#counter));
      this.#counter.restart();
    }
    if (run === null) {
      if (isOther) remarks.push('was replaced; reading it from the start');
      return { unfinished: null, remarks };
    }
    const begun = await this.#readBefore(run, recovery?.firstTime(head[0]) ?? null);
    return { ...begun, remarks: [...remarks, ...begun.remarks] };
  }

  /** The run that the file continues; null: none. */
  async #runWith({ followed, file: source, isOther, folder }: PolledFile): Promise<RunParts | null> {
    const { port, zone } = this.#context;
    const { path, marks, skipping, stamp } = followed;
    if (this.#withoutStart !== null && (await hasMarks(source, this.#withoutStart))) return null;
    const state = this.#counter.state()?.state;
    const open: OpenRun[] = [];
    if (isOther && marks !== null && state !== undefined) {
      const isSameFile = source.stat.identity !== null && source.stat.identity === marks.identity;
      const isInSight = this.#isInSight === true && isSameFile;
      open.push({ path, marks, skipping, state, changedAt: timeOfStamp(stamp), isInSight });
    }
    const before = new RunBefore({ port, format: this.#format, zone, files: folder, open });
    return await before.partsWith(folderFile(path, source.stat), source);
  }

  /** Reads what is before the file in its run. @param firstTime of the file */
  async #readBefore(run: RunParts, firstTime: string | null): Promise<Beginning> {
    const { port, timezone } = this.#context;
    const { open, parts } = run;
    const unfinished = await readBefore(port, this.#format, run, this.#counter);
    if (open === null)
      return { unfinished, remarks: [`has no header; it continues ${basename(parts[0]?.path ?? '')}`] };
    const remarks = ['was emptied while the game was writing it; its run continues'];
    if (parts.length === 1) {
      // What was written since it was read last is unknown.
      const missing = { bytes: null, from: timeOfDay(open.state.lastSeenAt, timezone), to: firstTime };
      this.missing.add(missing);
      remarks.push(missingText(missing));
    }
    return { unfinished, remarks };
  }
}

/** `12:00:00` */
const timeOfDay = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(at);
