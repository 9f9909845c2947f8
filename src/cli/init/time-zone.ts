import type { FilePort } from '../../server/ingest/files/file-port.ts';
import { textOf } from '../../server/ingest/files/text.ts';

/** Of nearly all zones. */
const stepMinutes = 30;
/** A file's time is that of its last line, but for a delay of the provider. */
const closeMinutes = 10;
const tailBytes = 16 * 1024;
const dayMinutes = 1440;

/** The zone of this machine. */
export const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/**
 * The time zone of the machine that writes the logs in a folder, by their last line and the time of the file. This
 * machine's own zone if it fits, else one without daylight saving; null: the logs do not show it.
 * @param changedAfter epoch milliseconds; older logs show nothing, as the time of a copy is that of the copying
 */
export async function zoneOfLogs(port: FilePort, folder: string, changedAfter = 0): Promise<string | null> {
  const entries = await port.list(folder, { matching: /\.adm$/i, stat: 'all' });
  const newest = entries
    .flatMap(({ name, stat }) => (stat === null || stat.changedAt === null ? [] : [{ name, ...stat }]))
    .toSorted((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0))[0];
  if (newest === undefined || newest.changedAt === null || newest.changedAt < changedAfter) return null;
  const offset = Math.max(0, newest.size - tailBytes);
  const { parts } = await port.read(port.path.join(folder, newest.name), [{ offset, length: tailBytes }]);
  return zoneOfTail(textOf(parts[0] ?? Buffer.alloc(0)), newest.changedAt, machineZone());
}

/** @param changedAt epoch milliseconds @param own the zone that is taken if it fits */
export function zoneOfTail(tail: string, changedAt: number, own: string): string | null {
  const last = Array.from(tail.matchAll(/^ ?(\d{1,2}):(\d{2}):(\d{2}) \| /gm)).at(-1);
  if (last === undefined) return null;
  const local = Number(last[1]) * 60 + Number(last[2]);
  const date = new Date(changedAt);
  const difference = local - (date.getUTCHours() * 60 + date.getUTCMinutes());
  const offset = Math.round(difference / stepMinutes) * stepMinutes;
  if (Math.abs(difference - offset) > closeMinutes) return null;
  // From 12 hours behind UTC to 14 hours ahead.
  const minutes = ((((offset + 720) % dayMinutes) + dayMinutes) % dayMinutes) - 720;
  if (offsetOf(own, date) === minutes) return own;
  if (minutes === 0) return 'UTC';
  return minutes % 60 === 0 ? `Etc/GMT${minutes > 0 ? '-' : '+'}${Math.abs(minutes) / 60}` : null;
}

/** Minutes ahead of UTC. */
function offsetOf(timeZone: string, date: Date): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const found = /GMT([+-])(\d{2}):(\d{2})/.exec(name);
  if (found === null) return 0;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3]));
}
