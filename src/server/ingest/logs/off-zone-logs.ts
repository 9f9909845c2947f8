import { readAdminLog } from '../../games/dayz/admin-log.ts';
import type { FileSource, OpenSource } from '../files/file-source.ts';
import { LocalZone } from './local-clock.ts';
import { firstHeader } from './run-outline.ts';

/** So many logs are read: one night with a change is enough, and the latest tells of the machine as it is now. */
const mostLogs = 5;
/** A run that begins so many days before a change can reach it. */
const daysBefore = 2;
const dayMs = 86_400_000;

/**
 * A run among these admin logs whose lines show that the machine's clock is not in the zone; null: none does. Only
 * nights in which the zone's clocks are changed can show it, and only the latest are looked at.
 * @returns the run's header
 */
export async function findRunOffZone(
  files: readonly string[],
  timezone: string,
  open: OpenSource,
): Promise<string | null> {
  const zone = new LocalZone(timezone);
  const nights: { file: string; header: string }[] = [];
  for (const file of files) {
    const header = await withSource(file, open, firstHeader);
    if (header !== null && reachesChange(zone, header)) nights.push({ file, header });
  }
  const latest = nights.toSorted((a, b) => (a.header < b.header ? 1 : -1)).slice(0, mostLogs);
  for (const { file } of latest) {
    let found: string | null = null;
    const visitor = {
      begin: () => ({ sink: () => undefined, prefixBytes: 0 }),
      end: ({ header, isOffZone = false }: { header: string; isOffZone?: boolean }) => {
        if (isOffZone) found = header;
      },
    };
    await withSource(file, open, async (source) => await readAdminLog(source, zone, visitor));
    if (found !== null) return found;
  }
  return null;
}

async function withSource<T>(
  file: string,
  open: OpenSource,
  work: (source: FileSource) => Promise<T>,
): Promise<T> {
  const source = await open(file);
  try {
    return await work(source);
  } finally {
    source.close();
  }
}

function reachesChange(zone: LocalZone, header: string): boolean {
  const day = Date.parse(`${header.slice(0, 10)}T00:00:00Z`);
  for (let after = 0; after <= daysBefore; after += 1)
    if (zone.changesAbout(day + after * dayMs)) return true;
  return false;
}

/** `2025-03-30 00:07:22`, as an owner is told of it. */
export const offZoneProblem = (header: string, timezone: string): string =>
  `the log that started on ${header.replace(' ', ' at ')} shows that the clock of the game's machine is not in ${timezone}`;

export const offZoneRemedy =
  'set timezone to the zone of that clock (often UTC); times of players are wrong by the difference until then';
