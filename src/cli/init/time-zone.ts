import { defaultGame } from '../../config/schema/server.ts';
import { logFormats } from '../../server/games/index.ts';
import type { FilePort } from '../../server/ingest/files/file-port.ts';
import type { Place } from '../../server/ingest/files/remote/place.ts';
import { fileNamesOf } from '../../server/ingest/logs/log-format.ts';
import { newestLog, readLogClock } from '../log-clock.ts';
import { machineZone, offsetText, zonesWith } from '../time-zones.ts';
import type { Context } from './context.ts';

/** The time zone of a server's machine. */
export interface PlannedZone {
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

/** The zone that the options name, else one by the logs, else this machine's. @param name of the server */
export async function planZone(
  context: Context,
  { name, port, logs, place }: { name: string; port: FilePort; logs: string | null; place: Place | null },
): Promise<PlannedZone> {
  const { options } = context;
  if (options.timezone !== undefined) return { zone: options.timezone, basis: '--timezone', missing: null };
  if (logs === null) return ownZone();
  return (
    (await zoneByLogs(context, name, port, logs, place).catch(() => null)) ?? {
      ...ownZone('that of this machine: the logs do not show theirs'),
      missing: place === null ? null : `Check "timezone" of ${name}: the logs do not show it.`,
    }
  );
}

/** Null: the logs do not show it. */
async function zoneByLogs(
  { prompts, watchMs, report }: Context,
  name: string,
  port: FilePort,
  folder: string,
  place: Place | null,
): Promise<PlannedZone | null> {
  const formats = logFormats(defaultGame);
  const log = newestLog(await port.list(folder, { matching: fileNamesOf(formats), stat: 'all' }), formats);
  if (log === null) return null;
  const clock = await readLogClock(port, folder, log, {
    place,
    watchMs,
    now: Date.now,
    onWatch: () => report(`Watching ${log.name} for a moment, to see by which clock it is written.`),
  });
  if (clock === null) return null;
  const own = machineZone();
  const zones = zonesWith(clock.offsetMs, clock.at, own);
  const [likely] = zones;
  if (likely === undefined) return null;
  const shown = offsetText(clock.offsetMs);
  const basis = `by the clock in ${log.name}, ${clock.by === 'growth' ? 'which grew meanwhile' : 'as its last line and its time agree'}`;
  if (likely === own) return { zone: own, basis, missing: null };
  if (prompts !== null) {
    const choices = zones.map((value) => ({ value, label: value }));
    const zone = await prompts.select(
      `In which time zone is the machine of ${name}? Its clock is ${shown}`,
      choices,
    );
    return { zone, basis, missing: null };
  }
  const missing =
    likely === 'UTC'
      ? null
      : `Check "timezone" of ${name}: the clock of its machine is ${shown}, as in ${zones.slice(0, 4).join(', ')}.`;
  return { zone: likely, basis, missing };
}
