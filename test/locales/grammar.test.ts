import { expect, it } from 'vitest';
import type { Schedule } from '../../src/api/resources.ts';
import { scheduleEmbed } from '../../src/embeds/schedule.ts';
import { languageOf, type Locale } from '../../src/locales/language.ts';
import * as data from '../embeds/contract-data.ts';

/** The line that states how often an entry repeats. */
function ruleOf(locale: Locale, over: Partial<Schedule>): string {
  const entry = data.schedule({ timezone: 'UTC', ...over });
  const view = {
    servers: [{ server: data.server(), schedules: [entry] }],
    receivedAt: data.now,
    stale: false,
  };
  const [field] = scheduleEmbed(languageOf(locale), null, view, data.now).fields ?? [];
  return field?.value.match(/^-# (.*)$/m)?.[1] ?? '';
}

const daily = (timeOfDay: string) => ({ recurrence: 'DAILY', intervalMinutes: null, timeOfDay }) as const;
const interval = (intervalMinutes: number) => ({ recurrence: 'INTERVAL', intervalMinutes }) as const;

it.each([
  ['en-US', daily('01:00'), 'daily at 01:00 (UTC)'],
  ['pt-BR', daily('01:00'), 'todo dia à 01:00 (UTC)'],
  ['pt-BR', daily('14:00'), 'todo dia às 14:00 (UTC)'],
  ['es-ES', daily('01:30'), 'todos los días a la 01:30 (UTC)'],
  ['es-ES', daily('00:00'), 'todos los días a las 00:00 (UTC)'],
  ['en-US', interval(2 * 1440), 'every 2 days'],
  ['fr', interval(2 * 1440), 'tous les 2 jours'],
  ['fr', interval(1440), 'tous les jours'],
  ['fr', interval(240), 'toutes les 4 h'],
  ['ru', interval(21 * 1440), 'раз в 21 день'],
  ['pl', interval(1440), 'codziennie'],
] as const)('%s says how often %j repeats: %s', (locale, over, rule) => {
  expect(ruleOf(locale, over)).toBe(rule);
});

it.each([
  ['ru', 'вне топ-21'],
  ['uk', 'поза топ-21'],
  ['pl', 'poza top 21'],
] as const)('%s places a player behind a board of 21 rows: %s', (locale, place) => {
  const text = languageOf(locale).t('top.ownBeyond', { player: 'Anna', value: '7', count: 21 });
  expect(text).toContain(place);
});
