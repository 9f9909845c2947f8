import type { MissingLines } from '../../../store/repositories/logs/log-files.ts';
import type { LogCounter } from './log-counter.ts';
import type { HeadlessLines } from 'dayz-files';

/** Why a file without a header counts nowhere. It stays the same while the file grows. */
export const headlessProblem =
  'starts without a header and continues no log that is here, so its lines count nowhere until the game server starts again';

/** Says which lines are missing, to follow a file's name. */
export function missingText({ bytes, from, to }: MissingLines): string {
  const when = from === null || to === null ? '' : ` from ${from} to ${to}`;
  return bytes === null
    ? `lines${when} may be missing: the file was emptied, and no copy of it is here`
    : `${bytes.toLocaleString('en-US')} bytes${when} are missing: no header is before them, and they continue no log that is here`;
}

/** A file in which no line has a time was never such a log. */
export function missingIn(headless: HeadlessLines | null): MissingLines[] {
  return headless === null || headless.from === null ? [] : [headless];
}

/** How many times lines were missing, of those that are kept of a file. */
const mostKept = 5;

type Counted = Pick<LogCounter, 'headless' | 'content'>;

/** The lines that are missing in a followed file. */
export class MissingInFile {
  /** Before its latest start, or because of that. */
  #earlier: readonly MissingLines[];
  #isReported = false;

  constructor(earlier: readonly MissingLines[]) {
    this.#earlier = earlier;
  }

  /** All of them, with those since the file's latest start. */
  all({ headless }: Pick<Counted, 'headless'>): MissingLines[] {
    return [...this.#earlier, ...missingIn(headless)].slice(-mostKept);
  }

  add(lines: MissingLines): void {
    this.#earlier = [...this.#earlier, lines];
  }

  /** The file starts again, or is finished. @returns messages for the owner */
  restart(counted: Counted): string[] {
    const messages = this.report(counted, true);
    this.#earlier = this.all(counted);
    this.#isReported = false;
    return messages;
  }

  /** Messages for the owner, once it is known how many lines are missing. Until then they are a problem of the file. */
  report({ headless, content }: Counted, isAll = content === 'log'): string[] {
    if (!isAll || this.#isReported) return [];
    this.#isReported = true;
    return missingIn(headless).map(missingText);
  }
}
