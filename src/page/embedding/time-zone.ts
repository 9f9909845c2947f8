import { DateTime } from 'luxon';

/** How far ahead a calendar knows when clocks change. Programs read a calendar again long before. */
const years = 3;
const minuteMs = 60_000;
const dayMs = 86_400_000;

interface Change {
  /** The first moment with the new offset; epoch milliseconds. */
  at: number;
  before: DateTime;
  after: DateTime;
}

/** When the clocks of a zone change, from `from` on. */
function changesOf(zone: string, from: number): Change[] {
  const inZone = (at: number) => DateTime.fromMillis(at, { zone });
  const changes: Change[] = [];
  for (let day = from; day < from + years * 366 * dayMs; day += dayMs) {
    let [low, high] = [day, day + dayMs];
    const before = inZone(low);
    if (before.offset === inZone(high).offset) continue;
    while (high - low > minuteMs) {
      const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
      if (inZone(middle).offset === before.offset) low = middle;
      else high = middle;
    }
    changes.push({ at: high, before, after: inZone(high) });
  }
  return changes;
}

const offsetOf = (time: DateTime): string => time.toFormat('ZZZ');

function observance(time: DateTime, from: string, start: string): string[] {
  const kind = time.isInDST ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    `DTSTART:${start}`,
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${offsetOf(time)}`,
    `END:${kind}`,
  ];
}

/**
 * The VTIMEZONE of an IANA zone (RFC 5545, 3.6.5): programs that do not know the zone by its name, as Outlook, read there
 * when its clocks change. @param from epoch milliseconds
 */
export function timeZoneComponent(zone: string, from: number): string {
  const first = DateTime.fromMillis(from, { zone });
  const changes = changesOf(zone, from).map(({ at, before, after }) => {
    // A start is written in the local time that was valid until then.
    const start = DateTime.fromMillis(at, { zone: 'utc' }).plus({ minutes: before.offset });
    return observance(after, offsetOf(before), start.toFormat("yyyyLLdd'T'HHmmss"));
  });
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observance(first, offsetOf(first), '19700101T000000'),
    ...changes.flat(),
    'END:VTIMEZONE',
  ].join('\n');
}
