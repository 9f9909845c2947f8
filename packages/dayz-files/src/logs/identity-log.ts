import { maxLineBytes } from './blocks.ts';
import type { GameEvent } from './events.ts';
import { steamIdSource } from '../ids.ts';
import { linesOf } from '../text.ts';
import { isLocalTime, timeOfDayMs } from './local-time.ts';
import type { LocalZone } from './local-zone.ts';
import { RunClock } from './run-clock.ts';
import type { LogBlock, LogFormat, LogReader, OnEvent, ReaderOptions } from './log-format.ts';

/**
 * A server's .RPT and serverconsole.log contain the identities of players. Everything else in them is skipped and
 * never shown: serverconsole.log can contain the RCon password. An .RPT has its date at the start; without one the
 * events have no time.
 */
const identities = {
  holds: 'identities',
  open: (options: ReaderOptions) => new IdentityLogReader(options),
} as const;

export const serverReport: LogFormat = {
  ...identities,
  name: 'rpt',
  files: '.RPT',
  // DayZServer_x64_2024-11-04_12-00-09.RPT; on consoles, players have no SteamID64, and such files are only long.
  fileName: /^(?!DayZServer_(?:X1|PS[0-9])_).*\.rpt$/i,
};

export const serverConsole: LogFormat = {
  ...identities,
  name: 'console',
  files: 'serverconsole.log',
  fileName: /^serverconsole.*\.log$/i,
};

class IdentityLogReader implements LogReader {
  lines = 0;
  readonly unreadLines = 0;
  readonly content = 'log';
  readonly run = null;
  readonly #zone: LocalZone;
  #clock: RunClock | null = null;

  constructor({ zone }: ReaderOptions) {
    this.#zone = zone;
  }

  get lastEventAt(): number | null {
    return this.#clock?.at ?? null;
  }

  read({ bytes, kind = 'lines' }: LogBlock, onEvent: OnEvent): void {
    // An unterminated line may end in a part of a name, which would be another name.
    const lines = kind === 'lines' ? linesOf(bytes) : [];
    this.lines += lines.length;
    for (const line of lines) {
      const event = line.length > maxLineLength ? null : this.#readLine(line);
      if (event !== null) onEvent(event);
    }
  }

  end(): void {
    // It has no runs.
  }

  #readLine(line: string): GameEvent | null {
    const date = startedPattern.exec(line);
    if (date !== null) {
      const header = `${date[1]}-${date[2]}-${date[3]} ${date[4]}`;
      this.#clock = isLocalTime(header) ? new RunClock(this.#zone, header) : null;
      return null;
    }
    const [stamp = '', hour = '', rest = ''] = timePattern.exec(line) ?? [];
    const time = timeOfDayMs(hour.padStart(2, '0') + rest);
    if (time < 0) return null;
    // These logs have lines at all times. After a day without any, times would be a day early, and no figure depends on them.
    const at = this.#clock === null ? null : this.#clock.advance(time, true);
    return readIdentityMessage(line.slice(stamp.length), at);
  }
}

/** Well below the length up to which lines always arrive whole. */
const maxLineLength = maxLineBytes / 4;
/** `Current time:  2024/11/04 12:00:09` */
const startedPattern = /^Current time: +([0-9]{4})\/([0-9]{2})\/([0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2})\s*$/;
/** `17:01:09.148 `; the game pads an hour below ten with a space: ` 0:47:30.824 `. */
const timePattern = /^\s*([0-9]{1,2})(:[0-9]{2}:[0-9]{2})(?:\.[0-9]+)? /;
const steamId = `\\(steamID=(${steamIdSource})\\)`;
/** With the flag `s`, because a name may contain other line separators. */
const patterns = {
  /** `Player "Ann" is connected (steamID=76561197998690788)`, up to 1.25. */
  before: new RegExp(`^Player "(.*)" is connected ${steamId}$`, 's'),
  /** `Player "Ann"(steamID=76561197998690788) is connected`, since 1.26. */
  since: new RegExp(`^Player "(.*)" ?${steamId} is connected$`, 's'),
  /** `BattlEye Server: Verified GUID (3136185f8ab4f601875da476f9a00dbb) of player #2 Ann` */
  guid: /^BattlEye Server: Verified GUID \(([0-9a-f]{32})\) of player #[0-9]+ (.*)$/s,
};

function readIdentityMessage(message: string, at: number | null): GameEvent | null {
  // A name may contain the words of the other kind of line.
  if (message.startsWith('Player "')) {
    const match = patterns.since.exec(message) ?? patterns.before.exec(message);
    if (match === null) return null;
    const [, name = null, steamId64 = null] = match;
    return { kind: 'identity', at, steamId64, battleyeGuid: null, name };
  }
  const match = message.startsWith('BattlEye Server: ') ? patterns.guid.exec(message) : null;
  if (match === null) return null;
  const [, battleyeGuid = null, name = null] = match;
  return { kind: 'identity', at, steamId64: null, battleyeGuid, name };
}
