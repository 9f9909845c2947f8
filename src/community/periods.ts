import type { Schedule } from '../api/resources.ts';
import type { ProjectConfig, ServerConfig } from '../config/schema.ts';
import type { Period } from '../embeds/top.ts';
import { nextOccurrences } from '../embeds/schedule-times.ts';
import { startOfPeriod } from '../server/store/repositories/players/period-boards.ts';

/** Owners write down when a season or wipe begins, and the restart of that moment may be a little early. */
export const earlyRestartMs = 15 * 60_000;

/** When the runs of logs begin that count; epoch milliseconds. `until` is null while the period runs. */
export type CountedRange = Pick<Period, 'from' | 'until'>;

/** Which runs of logs count in a period. */
export function countedRange({ kind, from, until }: Pick<Period, 'kind' | 'from' | 'until'>): CountedRange {
  const early = kind === 'season' || kind === 'wipe' ? earlyRestartMs : 0;
  return { from: from - early, until: until === null ? null : until - early };
}

/** When a running period ends, which is when the next one begins; null: no next one is planned. */
export function endOf(project: ProjectConfig, { kind }: Period, now: number): number | null {
  if (kind === 'week' || kind === 'month') return startOfPeriod(kind, zoneOf(project), now, -1);
  const starts = kind === 'season' ? project.seasons.map(({ start }) => start) : wipesOf(project, now);
  const later = starts.filter((at) => at > now);
  return later.length === 0 ? null : Math.min(...later);
}

/** How far back the last scheduled wipe is searched for. */
const longestWipeMs = 62 * 86_400_000;
const mostWipes = 2_000;

/** The periods of a project that have begun: week and month in the zone of its first server, the wipe, the latest season. */
export function periodsOf(project: ProjectConfig, now: number): Period[] {
  return [
    calendarPeriod(project, 'week', now),
    calendarPeriod(project, 'month', now),
    ...wipePeriod(project, now),
    ...seasonPeriods(project, now),
  ];
}

/** The running season, or where the project has none, the running month. */
export function runningSeason(project: ProjectConfig, now: number): Period {
  const [season] = seasonPeriods(project, now);
  return season ?? calendarPeriod(project, 'month', now);
}

const zoneOf = ({ servers }: ProjectConfig): string => servers[0]?.timezone ?? 'UTC';

function calendarPeriod(project: ProjectConfig, kind: 'week' | 'month', now: number): Period {
  const zone = zoneOf(project);
  const previous = { name: null, from: startOfPeriod(kind, zone, now, 1) };
  return { id: kind, kind, name: null, from: startOfPeriod(kind, zone, now), until: null, previous };
}

/** The seasons that have begun, the latest first. */
function seasonPeriods({ seasons }: ProjectConfig, now: number): Period[] {
  // The running season ends when the next one begins, not when that is announced.
  const begun = seasons.filter(({ start }) => start <= now);
  const byStart = begun.toSorted((one, other) => one.start - other.start);
  return byStart
    .map(({ name, start }, i): Period => {
      const before = byStart[i - 1];
      return {
        id: `season.${start / 1000}`,
        kind: 'season',
        name,
        from: start,
        until: byStart[i + 1]?.start ?? null,
        previous: before === undefined ? null : { name: before.name, from: before.start },
      };
    })
    .toReversed();
}

/** The time since the last wipe, of any active server; empty: none is known. */
function wipePeriod(project: ProjectConfig, now: number): Period[] {
  const past = wipesOf(project, now)
    .filter((at) => at <= now)
    .toSorted((one, other) => other - one);
  const last = past[0];
  if (last === undefined) return [];
  // Servers that are wiped within a quarter of an hour share the wipe. Before the first one counts all that there is.
  const before = past.find((at) => at < last - earlyRestartMs) ?? 0;
  return [
    { id: 'wipe', kind: 'wipe', name: null, from: last, until: null, previous: { name: null, from: before } },
  ];
}

/** Wipes of the config and of schedules, past and planned, in no order. */
function wipesOf({ wipes, servers }: ProjectConfig, now: number): number[] {
  const scheduled = servers
    .filter(({ active }) => active)
    .flatMap((server) => server.schedules.flatMap((one) => scheduledWipes(server, one, now)));
  return [...wipes, ...scheduled];
}

function scheduledWipes(
  { timezone }: ServerConfig,
  schedule: ServerConfig['schedules'][number],
  now: number,
): number[] {
  if (schedule.source === 'messages.xml' || schedule.kind !== 'WIPE') return [];
  if (!schedule.public || !schedule.active) return [];
  const whole: Schedule = {
    ...schedule,
    description: null,
    intervalMinutes: schedule.intervalMinutes ?? null,
    timeOfDay: schedule.timeOfDay ?? null,
    weekdays: schedule.weekdays ?? [],
    timezone: schedule.timezone ?? timezone,
  };
  return nextOccurrences(whole, now - longestWipeMs, mostWipes);
}
