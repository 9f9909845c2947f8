import { basename } from 'node:path';
import { formatOf, type GameEvent, LocalZone, type LogFormat } from 'dayz-files';
import type { FilePort } from 'game-files';
import { openWhole, readToEnd } from './read-log.ts';

/** How many logs are read: one night with a change suffices, and the latest logs show the machine's present zone. */
const mostLogs = 5;
/** How many days before a change a run may start and still reach it. */
const daysBefore = 2;
const dayMs = 86_400_000;

/** A header is within the first lines. */
const headBytes = 1024;

/**
 * Finds a run whose lines show that the machine's clock is not in the zone; null: none. Only nights in which the
 * zone's clocks change can show it, and only the latest are checked.
 * @returns the run's header
 */
export async function findRunOffZone(
  files: readonly string[],
  { formats, timezone, port }: { formats: readonly LogFormat[]; timezone: string; port: FilePort },
): Promise<string | null> {
  const zone = new LocalZone(timezone);
  const nights: { file: string; format: LogFormat; header: string }[] = [];
  for (const file of files) {
    const format = formatOf(formats, basename(file));
    if (format?.holds !== 'runs') continue;
    const { parts } = await port.read(file, [{ offset: 0, length: headBytes }]);
    const header = firstHeader(format, zone, parts[0] ?? Buffer.alloc(0));
    if (header !== null && reachesChange(zone, header)) nights.push({ file, format, header });
  }
  const latest = nights.toSorted((a, b) => (a.header < b.header ? 1 : -1)).slice(0, mostLogs);
  for (const { file, format } of latest) {
    const reader = format.open({ zone });
    let found: string | null = null;
    const onEvent = ({ kind }: GameEvent): void => {
      if (kind === 'run-ended' && reader.run?.isOffZone === true) found = reader.run.header;
    };
    await readToEnd(await openWhole(port, file), {
      get lines() {
        return reader.lines;
      },
      read: (block) => reader.read(block, onEvent),
      end: () => reader.end(onEvent),
    });
    if (found !== null) return found;
  }
  return null;
}

/** The header of a file's first run; null if there is none in its first bytes. */
function firstHeader(format: LogFormat, zone: LocalZone, bytes: Buffer): string | null {
  const headers: string[] = [];
  format.open({ zone }).read({ bytes }, (event) => {
    if (event.kind === 'run-started') headers.push(event.header);
  });
  return headers[0] ?? null;
}

function reachesChange(zone: LocalZone, header: string): boolean {
  const day = Date.parse(`${header.slice(0, 10)}T00:00:00Z`);
  for (let after = 0; after <= daysBefore; after += 1)
    if (zone.changesAbout(day + after * dayMs)) return true;
  return false;
}

/** The message for the owner; the header is `2025-03-30 00:07:22`. */
export const offZoneProblem = (header: string, timezone: string): string =>
  `the log that started on ${header.replace(' ', ' at ')} shows that the clock of the game's machine is not in ${timezone}`;

export const offZoneRemedy =
  'set timezone to the zone of that clock (often UTC, or that of its country); times of players are wrong by the difference until then';
