import type { Clock } from '../clock.ts';
import { limitConcurrency } from './concurrency-limit.ts';
import { UnderWay, within } from '../time-limit.ts';
import { closedError, FileError, remoteError } from '../file-access.ts';
import { pathRemedies } from './path-remedies.ts';
import { HostBusy, LinkLost, LoginRefused, type Session } from './session.ts';

export interface ConnectionOptions {
  /** The place's name in messages. */
  name: string;
  /**
   * Logs in. Rejects with a `FileError` that gives the reason, or with `LinkLost`.
   * @param signal aborted when the session is no longer wanted
   */
  open: (signal: AbortSignal) => Promise<Session>;
  /** Removed from every error, because a server's message may repeat what was sent to it. */
  secrets?: readonly (string | undefined)[];
  /** Maximum number of concurrent requests. */
  atOnce: number;
  clock: Clock;
  /** A request during which hardly anything arrived for so long has failed, and its connection with it. */
  deadlineMs?: number;
  /** Logging in has failed when it takes longer. */
  openDeadlineMs?: number;
  /** After a failure the host is left alone for this time, which doubles with each further one in a row. */
  firstPauseMs?: number;
  longestPauseMs?: number;
}

const defaults = {
  secrets: [],
  deadlineMs: 30_000,
  openDeadlineMs: 45_000,
  firstPauseMs: 2_000,
  longestPauseMs: 60_000,
};

/** A link over which this much arrives within a deadline is slow, and not lost: some bytes keep a dead one open. */
const leastBytes = 8 * 1024;

/** Hosts lock out who sends a wrong password more than a few times within ten minutes. */
const refusedPauses = { firstPauseMs: 10 * 60_000, longestPauseMs: 30 * 60_000 };
/** A full host may soon be free, if it still counts a connection of ours that was cut; other programs may keep it full. */
const longestBusyPauseMs = 5 * 60_000;

/**
 * The one connection to a place, shared by all its sources. It is
 * - idle at first, and when the link was lost: the next request opens it;
 * - opening while it logs in: requests wait for that;
 * - open: requests run, `atOnce` at a time, and are repeated once over a new link when theirs is lost;
 * - pausing after a failure: requests are refused with that, until the pause is over;
 * - closed for good.
 */
export class Connection {
  readonly #options: Required<ConnectionOptions>;
  readonly #limited: <T>(work: () => Promise<T>) => Promise<T>;
  #opening: Promise<Session> | null = null;
  #session: Session | null = null;
  /** In a row. */
  #failures = 0;
  /** `until` is by the monotonic clock. */
  #pause: { failure: FileError; until: number } | null = null;
  #isClosed = false;
  readonly #underWay = new UnderWay();

  constructor(options: ConnectionOptions) {
    this.#options = { ...defaults, ...options };
    this.#limited = limitConcurrency(options.atOnce);
  }

  /** Runs a request, once more if the connection was lost. @throws FileError */
  async run<T>(request: (session: Session) => Promise<T>): Promise<T> {
    try {
      return await this.#limited(async () => await this.#run(request));
    } catch (error) {
      throw this.#cleaned(error);
    }
  }

  async #run<T>(request: (session: Session) => Promise<T>): Promise<T> {
    const { deadlineMs } = this.#options;
    for (let isRepeated = false; ; isRepeated = true) {
      const session = await this.#open();
      try {
        const result = await this.#waitFor(deadlineMs, request(session), () => session.receivedBytes);
        this.#failures = 0;
        return result;
      } catch (error) {
        if (this.#isClosed) throw closedError();
        if (!(error instanceof LinkLost)) {
          // That a file is not there is an answer, too.
          this.#failures = 0;
          throw error;
        }
        this.#drop(session);
        // An error with a remedy would only come again.
        if (!isRepeated && error.remedy === null) continue;
        throw this.#beginPause(lostError(this.#options.name, error), error);
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#underWay.end(closedError());
    this.#session?.close();
    this.#session = null;
    this.#opening = null;
  }

  async #open(): Promise<Session> {
    if (this.#isClosed) throw closedError();
    if (this.#session?.isOpen === true) return this.#session;
    if (this.#pause !== null && this.#options.clock.monotonic() < this.#pause.until)
      throw this.#pause.failure;
    this.#opening ??= this.#connect();
    return await this.#opening;
  }

  async #connect(): Promise<Session> {
    const { open, openDeadlineMs, name } = this.#options;
    const stop = new AbortController();
    const opening = open(stop.signal);
    try {
      const session = await this.#waitFor(openDeadlineMs, opening);
      this.#session = session;
      this.#pause = null;
      return session;
    } catch (error) {
      stop.abort();
      void opening.then(
        (late) => late.close(),
        () => undefined,
      );
      if (this.#isClosed) throw closedError();
      throw this.#beginPause(error instanceof FileError ? error : lostError(name, error), error);
    } finally {
      this.#opening = null;
    }
  }

  /** Waits for work until a deadline, which is moved while enough arrives, or until this is closed. */
  async #waitFor<T>(deadlineMs: number, work: Promise<T>, receivedBytes = (): number => 0): Promise<T> {
    const running = this.#underWay.run(work);
    for (;;) {
      const before = receivedBytes();
      const result = await within(running, deadlineMs);
      if (result !== 'late') return result;
      if (receivedBytes() - before >= leastBytes) continue;
      throw new LinkLost(`no answer within ${deadlineMs / 1000} seconds`);
    }
  }

  #drop(session: Session): void {
    session.close();
    if (this.#session === session) this.#session = null;
  }

  #beginPause(error: FileError, cause: unknown): FileError {
    const { clock } = this.#options;
    const { firstPauseMs, longestPauseMs } = this.#pauseLimits(cause);
    this.#failures += 1;
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
    this.#pause = { failure: error, until: clock.monotonic() + pauseMs };
    return error;
  }

  #pauseLimits(cause: unknown): { firstPauseMs: number; longestPauseMs: number } {
    if (cause instanceof LoginRefused) return refusedPauses;
    const { firstPauseMs, longestPauseMs } = this.#options;
    return { firstPauseMs, longestPauseMs: cause instanceof HostBusy ? longestBusyPauseMs : longestPauseMs };
  }

  #cleaned(error: unknown): unknown {
    if (!(error instanceof FileError)) return error;
    const { code, message } = error;
    const remedy = error.remedy ?? pathRemedies[code];
    const text = cleanText(message, this.#options.secrets);
    return new FileError({ code, message: text, remedy });
  }
}

function lostError(name: string, error: unknown): FileError {
  return remoteError(
    `${name}: ${(error as Error).message}`,
    (error instanceof LinkLost ? error.remedy : null) ??
      'check the host and port; it is tried again by itself',
  );
}

/** Longer messages are cut; a hostile server may send any length. */
const maxCharacters = 500;

/** A message that quotes a server: on one line, of bounded length, and without secrets. */
function cleanText(text: string, secrets: readonly (string | undefined)[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret !== undefined && secret !== '') clean = clean.replaceAll(secret, '…');
  }
  clean = clean.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return clean.length > maxCharacters ? `${clean.slice(0, maxCharacters)}…` : clean;
}
