import type { HowKilled, LogFormat, NamedBlow } from 'dayz-files';

/** What reads a game's files. The folder of a game exports it as `game`. */
export interface GameCode {
  /** Its logs, those that are counted first. */
  readonly logs: readonly LogFormat[];
  /** What names in its logs say about a kill; left out: nothing is known. */
  howKilled?(blow: NamedBlow): HowKilled;
}
