import { hash } from 'node:crypto';
import { textLimits } from '../../embeds/limits.ts';
import { nextOccurrences } from '../../embeds/schedule-times.ts';
import { plain } from '../../embeds/text.ts';
import { calendarPath, serverPath } from '../paths.ts';
import { dayMs } from '../preview/picture.ts';
import { readShownServers, type ShownServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { absolute, plainName, type View } from '../view.ts';

/** The public schedules of a server, or of all of a project, to subscribe to. */
export const calendars: readonly ProjectRoute[] = [calendarPath(), '/calendar/:server/schedules.ics'].map(
  (path) => ({
    path,
    anyOrigin: true,
    async make({ project, view, params: { server: serverId } }) {
      const servers = await readShownServers(project, serverId);
      const [first] = servers;
      if (serverId !== undefined && first === undefined) return null;
      return {
        type: 'text/calendar; charset=utf-8',
        body: calendarOf(view, serverId && first ? plainName(first.server) : view.project.title, servers),
      };
    },
  }),
);

/** Of each schedule. With a restart every four hours, these are two weeks; calendar programs ask again every few hours. */
const listedStarts = 100;

/**
 * The next starts of the schedules as iCalendar (RFC 5545), in UTC, so that no program needs to know a time zone. They are
 * listed one by one, because no recurrence rule says all that a schedule can. The text stays the same all day (UTC), so that
 * programs that ask again get a 304.
 * @param name of the project, or of the server
 */
export function calendarOf(
  view: View,
  name: string,
  servers: readonly Pick<ShownServer, 'server' | 'schedules'>[],
): string {
  const today = Math.floor(view.now / dayMs) * dayMs;
  const events = servers.flatMap(({ server, schedules }) =>
    schedules.flatMap((schedule, index) => {
      const title = plain(schedule.title, textLimits.title) || view.language.t(`kind.${schedule.kind}`);
      const description = plain(schedule.description ?? '', textLimits.description);
      const url = absolute(view, serverPath(server.id));
      // What all starts have in common is written once: a project with many servers has ten thousands of them.
      const commonLines = linesOf([
        `DTSTAMP:${utc(today)}`,
        `SUMMARY:${escaped(`${title} · ${plainName(server)}`)}`,
        ...(description === '' ? [] : [`DESCRIPTION:${escaped(description)}`]),
        ...(url === null ? [] : [`URL:${url}`]),
        'TRANSP:TRANSPARENT',
        'END:VEVENT',
      ]);
      // Starts after the last millisecond of yesterday, so that one at midnight is among them.
      return nextOccurrences(schedule, today - 1, listedStarts).flatMap((start) => [
        'BEGIN:VEVENT\r\n',
        `UID:${hash('sha256', JSON.stringify([server.id, index, start])).slice(0, 24)}@outpost\r\n`,
        `DTSTART:${utc(start)}\r\n`,
        commonLines,
      ]);
    }),
  );
  const head = linesOf([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Outpost//Public page//EN',
    `X-WR-CALNAME:${escaped(plain(name, textLimits.serverName))}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]);
  return [head, ...events, 'END:VCALENDAR\r\n'].join('');
}

/** `20261128T200000Z` */
const utc = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');

/** A text of one line as a value (RFC 5545, section 3.3.11). */
const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&');

const linesOf = (lines: readonly string[]): string => lines.map(folded).join('');

/** One line with its end. A longer one is folded after at most 75 bytes; the next begins with a space (RFC 5545, section 3.1). */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= 75) return `${line}\r\n`;
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return `${text}\r\n`;
}
