import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import type { Freshness } from '../api/client-types.ts';
import { weekdays, type Schedule, type Server } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { period, weekdayName } from './format.ts';
import { embedLimits, textLimits } from './limits.ts';
import { moreNote, nameOf, pageNote, staleNote } from './shared-texts.ts';
import { nextOccurrences } from './schedule-times.ts';
import { escaped, facts, lines, linesWithin, small } from './text.ts';
import { clock, dateAndTime, relative } from './timestamps.ts';

interface ServerSchedules {
  server: Pick<Server, 'id' | 'name'>;
  /** Null: they could not be read. */
  schedules: readonly Schedule[] | null;
}

export interface ScheduleView extends Freshness {
  servers: readonly ServerSchedules[];
  /** Set when `servers` are one page of all. */
  page?: { number: number; of: number };
  /** Says how to publish schedules, where there are none; left out: false. */
  forManagers?: boolean;
}

const shownOccurrences = 3;
const dayMinutes = 1440;

export const kindEmoji = {
  RESTART: '🔄',
  MAINTENANCE: '🛠️',
  EVENT: '🎉',
  WIPE: '🧹',
  OTHER: '📌',
} as const satisfies Record<Schedule['kind'], string>;

function weekdayNames(language: Language, days: Schedule['weekdays']): string {
  const names = [...weekdays.entries()].flatMap(([index, day]) =>
    days.includes(day) ? [weekdayName(language, index)] : [],
  );
  return names.join(', ');
}

/** When a schedule repeats, in words, safe in markdown; null: it says not enough. */
export function ruleText(language: Language, schedule: Schedule): string | null {
  const time = schedule.timeOfDay;
  if (schedule.recurrence === 'INTERVAL') {
    const minutes = schedule.intervalMinutes;
    if (minutes === null) return null;
    // The plural form of 1 is also that of 21 in some languages.
    if (minutes === dayMinutes) return language.t('schedule.everyDay');
    if (minutes === 60) return language.t('schedule.everyHour');
    return minutes % dayMinutes === 0
      ? language.t('schedule.everyDays', { count: minutes / dayMinutes })
      : language.t('schedule.every', { duration: period(language, minutes) });
  }
  if (time === null) return null;
  // In some languages "at" depends on the hour: à 01:00, às 02:00.
  const at = language.t('schedule.at', { count: Number.parseInt(time, 10), time });
  const rule =
    schedule.recurrence === 'DAILY'
      ? language.t('schedule.daily', { at })
      : language.t('schedule.weekly', { days: weekdayNames(language, schedule.weekdays), at });
  return language.t('schedule.inZone', { rule, zone: escaped(schedule.timezone, 40) });
}

function titleOf(language: Language, schedule: Schedule): string {
  const title = escaped(schedule.title, textLimits.title) || language.t(`kind.${schedule.kind}`);
  return `${kindEmoji[schedule.kind]} ${title}`;
}

/** One entry of a single server: its next times, one per line, and its rule. */
function entryField(language: Language, schedule: Schedule, now: number): APIEmbedField {
  const [first, ...later] = nextOccurrences(schedule, now, shownOccurrences);
  const rule = ruleText(language, schedule);
  const about = escaped(schedule.description ?? '', textLimits.reason);
  return {
    name: titleOf(language, schedule),
    value: lines(
      about !== '' && about,
      first === undefined
        ? language.t('schedule.noOccurrence')
        : [`**${dateAndTime(first)}** · ${relative(first)}`, ...later.map(dateAndTime)],
      rule !== null && small(rule),
    ),
  };
}

/** One entry in the list of several servers: the next start, and the times of the next 24 hours or the date. */
function entryText(language: Language, schedule: Schedule, now: number): string {
  const title = titleOf(language, schedule);
  const times = nextOccurrences(schedule, now, shownOccurrences);
  const [first] = times;
  if (first === undefined) return facts(title, language.t('schedule.noOccurrence'));
  const today = times.filter((time) => time - now < 86_400_000);
  const when = today.length === 0 ? dateAndTime(first) : facts(today.map(clock));
  return lines(facts(title, `**${relative(first)}**`), when);
}

const noneText = ({ t }: Language, { schedules }: ServerSchedules): string =>
  t(schedules === null ? 'schedule.couldNotRead' : 'schedule.empty');

function serverField(language: Language, entry: ServerSchedules, now: number): APIEmbedField {
  const texts = (entry.schedules ?? []).map((schedule) => entryText(language, schedule, now));
  const value = linesWithin(language, texts, embedLimits.fieldValue) || noneText(language, entry);
  return { name: nameOf(entry.server), value };
}

/** The schedule of one server in full, or of several with one field each. `now` in epoch milliseconds. */
export function scheduleEmbed(language: Language, view: ScheduleView, now: number): APIEmbed {
  const { servers, page } = view;
  const isPaged = page !== undefined && page.of > 1;
  const only = servers.length === 1 && !isPaged ? servers[0] : undefined;
  const fields = only
    ? (only.schedules ?? []).map((one) => entryField(language, one, now))
    : servers.map((entry) => serverField(language, entry, now));
  const isEmpty = fields.length === 0;
  return {
    title: only
      ? `📅 ${language.t('schedule.titleOf', { server: nameOf(only.server) })}`
      : `📅 ${language.t('schedule.title')}`,
    description: lines(
      !isEmpty && language.t('schedule.zone'),
      isEmpty && (only ? noneText(language, only) : language.t('failure.noServers')),
      isEmpty && only?.schedules && view.forManagers && language.t('schedule.emptyNext'),
      moreNote(language, fields.length - embedLimits.fields),
      staleNote(language, view),
    ),
    fields,
    footer: { text: isPaged ? pageNote(language, page.number, page.of) : '' },
    ...((isEmpty || view.stale) && { color: isEmpty ? colours.unknown : colours.warning }),
  };
}
