import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DateTime } from 'luxon';

/** The dates in logs: in headers (2021-04-30), at the start of an .RPT (2021/04/30), in file names (2021_04_30). */
const datePattern = /(?<![0-9])(20[0-9]{2})([-/_])([0-9]{2})\2([0-9]{2})(?![0-9])/g;
const headerPattern = /^(AdminLog started on |Current time: +).*$/gm;

/** Copies a folder of logs with all dates moved by the same number of whole days, so that the latest run started on a day. */
export async function copyAsRecent(from: string, to: string, day: DateTime): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from);
  // Latin-1 has one character per byte, so everything except the dates is copied byte for byte.
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(from, name), 'latin1') })),
  );
  const days = files.flatMap(({ text }) => text.match(headerPattern) ?? []).flatMap(daysIn);
  const latest = DateTime.fromISO(days.toSorted().at(-1) ?? '', { zone: day.zone });
  const shift = latest.isValid ? Math.floor(day.diff(latest, 'days').days) : 0;
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
