import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DateTime } from 'luxon';

/** The dates in logs: in headers (2021-04-30), at the start of an .RPT (2021/04/30), in file names (2021_04_30). */
const datePattern = /(?<![0-9])(20[0-9]{2})([-/_])([0-9]{2})\2([0-9]{2})(?![0-9])/g;
const headerPattern = /^(AdminLog started on |Current time: +).*$/gm;

/**
 * Copies a folder of logs with all dates moved by the same number of whole days, so that the latest run started two
 * days before `now`, or on the last Sunday if that is earlier: players were seen recently, however old the logs are, and
 * the recap of the last week has them on any day.
 */
export async function copyAsRecent(from: string, to: string, now: DateTime): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from);
  // Latin-1 has one character per byte, so everything except the dates is copied byte for byte.
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(from, name), 'latin1') })),
  );
  const days = files.flatMap(({ text }) => text.match(headerPattern) ?? []).flatMap(daysIn);
  const latest = DateTime.fromISO(days.toSorted().at(-1) ?? '', { zone: now.zone });
  const target = DateTime.min(now.startOf('day').minus({ days: 2 }), now.startOf('week').minus({ days: 1 }));
  const shift = latest.isValid ? Math.floor(target.diff(latest, 'days').days) : 0;
  const move = (text: string): string => text.replace(datePattern, (...match) => moved(match, shift));
  for (const { name, text } of files) {
    await writeFile(join(to, move(name)), text.replace(headerPattern, move), 'latin1');
  }
}

function daysIn(text: string): string[] {
  return Array.from(text.matchAll(datePattern), ([, year, , month, day]) => `${year}-${month}-${day}`);
}

function moved([, year, separator, month, day]: readonly string[], days: number): string {
  const date = DateTime.fromISO(`${year}-${month}-${day}`).plus({ days });
  return date.toFormat(`yyyy'${separator}'MM'${separator}'dd`);
}
