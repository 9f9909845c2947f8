import type { Game } from '../../server/games/game.ts';
import { FileError, type FilePort } from '../../server/files/file-port.ts';
import { isDenied } from '../../server/games/search.ts';
import type { Place } from '../../server/files/remote/place.ts';
import { fileNamesOf } from '../../server/ingest/logs/formats/log-format.ts';
import { newestLogs, readLogClock, type LogClock } from '../log-clock.ts';
import { machineZone, offsetText, zonesWith } from '../time-zones.ts';
import type { Context } from './context.ts';

/** The time zone of a server's machine. */
interface PlannedZone {
  zone: string;
  /** What it rests on. */
  basis: string;
  /** What the owner has to check, as a sentence; null: nothing. */
  missing: string | null;
}

export const ownZone = (basis = 'that of this machine'): PlannedZone => ({
  zone: machineZone(),
  basis,
  missing: null,
});

/** A clock, and the name of the log that shows it. */
type ShownClock = LogClock & { log: string };

/**
 * The clock by which a server's logs are written; null: they do not show it, or the options name its zone. A log that may
 * not be read is added to `denied`.
 */
export async function clockOfLogs(
  { options, watchMs, report }: Pick<Context, 'options' | 'watchMs' | 'report'>,
  port: FilePort,
  { game, logs: folder, denied }: { game: Game; logs: string | null; denied: string[] },
  place: Place | null,
): Promise<ShownClock | null> {
  if (options.timezone !== undefined || folder === null) return null;
  const formats = game.logs;
  const wanted = { matching: fileNamesOf(formats), stat: 'all' as const };
  let path = folder;
  try {
    const [log = null] = newestLogs(await port.list(folder, wanted), formats);
    const onWatch = (): void => report('Watching the log for a moment, to see by which clock it is written.');
    if (log !== null) path = port.path.join(folder, log.name);
    const clock = log && (await readLogClock(port, folder, log, { place, watchMs, onWatch, now: Date.now }));
    return clock && { ...clock, log: log.name };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (isDenied(error)) denied.push(path);
    return null;
  }
}

/** The zone that the options name, else one that fits the clock of the logs, else this machine's. */
export async function planZone(
  { options, prompts }: Context,
  { name, logs }: { name: string; logs: string | null },
  place: Place | null,
  clock: ShownClock | null,
): Promise<PlannedZone> {
  if (options.timezone !== undefined) return { zone: options.timezone, basis: '--timezone', missing: null };
  if (logs === null) return ownZone();
  const own = machineZone();
  const zones = clock === null ? [] : zonesWith(clock.offsetMs, clock.at, own);
  const [likely] = zones;
  if (clock === null || likely === undefined) {
    return {
      ...ownZone('that of this machine: the logs do not show theirs'),
      missing: place === null ? null : `Check "timezone" of ${name}: the logs do not show it.`,
    };
  }
  const shown = offsetText(clock.offsetMs);
  const basis = `by the clock in ${clock.log}${clock.by === 'growth' ? ', which grew meanwhile' : ''}`;
  if (likely === own) return { zone: own, basis, missing: null };
  if (prompts !== null) {
    const question = `In which time zone is the machine of ${name}? Its clock is ${shown}`;
    const choices = zones.map((value) => ({ value, label: value }));
    return { zone: await prompts.select(question, choices), basis, missing: null };
  }
  const several = `Check "timezone" of ${name}: the clock of its machine is ${shown}, as in ${zones.slice(0, 3).join(', ')}.`;
  return { zone: likely, basis, missing: likely === 'UTC' ? null : several };
}
