import { FileError } from '../../file-port.ts';

/** So many bytes of files an hour are fetched again from a host that sends files from their start only. */
const bytesPerHour = 50_000_000;
const hourMs = 3_600_000;
/** Who reads a log later than this does not follow it. */
const longestPollMs = 10 * 60_000;
/** A file that was not read for so long is not being followed any more. */
const forgottenMs = 2 * hourMs;

/** What an owner reads about such a host. @param bytes what it sends before a new line comes */
export function rereadProblem(bytes: number): string {
  const all = `the host sends files from their start only (it refuses REST): ${megabytes(bytes)} before each new line`;
  const everyMs = pollEveryMs(bytes);
  if (everyMs > longestPollMs) {
    return `${all}, and Outpost fetches ${megabytes(bytesPerHour)} an hour at most. This host cannot be followed by FTP`;
  }
  return `${all}, so it is asked every ${Math.ceil(everyMs / 1000)} seconds at most`;
}

export const rereadRemedy =
  'ask the host for SFTP, or to let transfers be resumed (REST; in ProFTPD, AllowRetrieveRestart on)';

/** Bounds what a host that refuses REST sends again and again, by polling it less often as its logs grow. */
export class RereadBudget {
  readonly #monotonic: () => number;
  /** Of the last hour. */
  #spent: { bytes: number; at: number }[] = [];
  /** What each file cost when it was read last, and when that was. */
  readonly #costs = new Map<string, { bytes: number; at: number }>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** @throws FileError if that is more than is left of the hour's bytes */
  spend(path: string, bytes: number): void {
    const now = this.#monotonic();
    this.#costs.set(path, { bytes, at: now });
    for (const [known, { at }] of this.#costs) if (now - at > forgottenMs) this.#costs.delete(known);
    this.#spent = this.#spent.filter(({ at }) => now - at < hourMs);
    if (sum(this.#spent) + bytes > bytesPerHour) {
      throw new FileError({ code: 'EREMOTE', message: rereadProblem(bytes), remedy: rereadRemedy });
    }
    this.#spent.push({ bytes, at: now });
  }

  get pollEveryMs(): number {
    return pollEveryMs(this.#bytesOfPoll);
  }

  /** Null: the host can be followed. */
  get problem(): string | null {
    return this.pollEveryMs > longestPollMs ? `${rereadProblem(this.#bytesOfPoll)}; ${rereadRemedy}` : null;
  }

  get #bytesOfPoll(): number {
    return sum([...this.#costs.values()]);
  }
}

const sum = (costs: readonly { bytes: number }[]): number =>
  costs.reduce((total, { bytes }) => total + bytes, 0);
/** Slower than the hour's bytes allow, so that they are not used up before its end. */
const pollEveryMs = (bytes: number): number => Math.ceil(((1.25 * bytes) / bytesPerHour) * hourMs);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 1 : 0)} MB`;
