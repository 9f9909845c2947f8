import type { FileHandle } from 'node:fs/promises';
import { maxLineBytes, readBlocks } from './blocks.ts';
import type { EventSink, GameEvent } from './events.ts';
import { steamIdSource } from './game-ids.ts';
import { isLocalTime, type LocalZone, RunClock, timeOfDayMs } from './local-clock.ts';
import { linesOf } from './text.ts';

/**
 * Reads the identities out of a server's .RPT or serverconsole.log, beside the players' names. Everything else in
 * them is passed over and never shown: serverconsole.log can hold the RCon password.
 * An .RPT says its date in its head; without one the events have no time.
 * @throws the signal's reason at the next block once it is aborted
 */
export async function readIdentityLog(
  file: FileHandle,
  zone: LocalZone,
  sink: EventSink,
  onBytes: (bytes: number, lines: number) => void = () => {},
  signal?: AbortSignal,
): Promise<void> {
  let clock: RunClock | null = null;
  for await (const { bytes, lines: whole } of readBlocks(file)) {
    signal?.throwIfAborted();
    const lines = whole ? linesOf(bytes) : [];
    onBytes(bytes.length, lines.length);
    for (const line of lines) {
      if (line.length > maxLineBytes) continue;
      const date = startedPattern.exec(line);
      if (date !== null) {
        const header = `${date[1]}-${date[2]}-${date[3]} ${date[4]}`;
        clock = isLocalTime(header) ? new RunClock(zone, header) : null;
        continue;
      }
      const time = timeOfDayMs(line.charCodeAt(1) === colon ? `0${line}` : line);
      if (time < 0) continue;
      const at = clock === null ? null : clock.advance(time);
      const event = readIdentityLine(line, at);
      if (event !== null) sink(event);
    }
  }
}

const colon = 0x3a;
const startedPattern = /^Current time: +([0-9]{4})\/([0-9]{2})\/([0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2})\s*$/;
const steamId = `\\(steamID=(${steamIdSource})\\)`;
const patterns = {
  /** Up to 1.25. */
  before: new RegExp(`^[0-9:.]+ Player "(.*)" is connected ${steamId}$`),
  /** Since 1.26. */
  since: new RegExp(`^[0-9:.]+ Player "(.*)" ?${steamId} is connected$`),
  guid: /^[0-9:.]+ BattlEye Server: Verified GUID \(([0-9a-f]{32})\) of player #[0-9]+ (.*)$/,
};

function readIdentityLine(line: string, at: number | null): GameEvent | null {
  if (line.includes('(steamID=')) {
    const match = patterns.since.exec(line) ?? patterns.before.exec(line);
    if (match === null) return null;
    const [, name = null, steamId64 = null] = match;
    return { kind: 'identity', at, steamId64, battleyeGuid: null, dayzId: null, name };
  }
  const match = line.includes('Verified GUID') ? patterns.guid.exec(line) : null;
  if (match === null) return null;
  const [, battleyeGuid = null, name = null] = match;
  return { kind: 'identity', at, steamId64: null, battleyeGuid, dayzId: null, name };
}
