/** The properties of an iCalendar file and of its events, by RFC 5545. */
export interface ParsedCalendar {
  properties: Map<string, string>;
  events: Map<string, string>[];
}

export function parseCalendar(text: string): ParsedCalendar {
  if (/[^\r]\n/.test(text) || !text.endsWith('\n')) throw new Error('a line does not end with CRLF');
  const tooLong = text.split('\r\n').find((line) => Buffer.byteLength(line) > 75);
  if (tooLong !== undefined) throw new Error(`longer than 75 bytes: ${tooLong}`);
  const lines = text.replaceAll('\r\n ', '').trimEnd().split('\r\n');
  if (lines.shift() !== 'BEGIN:VCALENDAR' || lines.pop() !== 'END:VCALENDAR') throw new Error('no calendar');
  const parsed: ParsedCalendar = { properties: new Map(), events: [] };
  let event: Map<string, string> | null = null;
  for (const line of lines) {
    const [, name, value] = /^([A-Z-]+)(?:;[^:]+)?:(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`no property: ${line}`);
    if (line === 'BEGIN:VEVENT' && event === null) parsed.events.push((event = new Map<string, string>()));
    else if (line === 'END:VEVENT' && event !== null) event = null;
    else if (name === 'BEGIN' || name === 'END') throw new Error(`not expected: ${line}`);
    else if (event === null && parsed.events.length > 0) throw new Error(`after the events: ${line}`);
    else (event ?? parsed.properties).set(name, value.replace(/\\(.)/g, '$1'));
  }
  return parsed;
}

/** Epoch milliseconds of an event's start. */
export const startOf = (event: ReadonlyMap<string, string>): number =>
  Date.parse((event.get('DTSTART') ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
