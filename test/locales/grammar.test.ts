import { expect, it } from 'vitest';
import type { Schedule } from '../../src/api/resources.ts';
import { scheduleEmbed } from '../../src/embeds/schedule.ts';
import { languageOf, locales, type Locale } from '../../src/locales/language.ts';
import { textsOf, type Texts } from '../../src/locales/texts.ts';
import * as data from '../embeds/contract-data.ts';

/** The line that states how often an entry repeats. */
function ruleOf(locale: Locale, over: Partial<Schedule>): string {
  const entry = data.schedule({ timezone: 'UTC', ...over });
  const view = {
    servers: [{ server: data.server(), schedules: [entry] }],
    receivedAt: data.now,
    stale: false,
  };
  const [field] = scheduleEmbed(languageOf(locale), view, data.now).fields ?? [];
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
  ['fr', interval(240), 'toutes les 4\u00a0h'],
  ['ru', interval(21 * 1440), 'раз в 21 день'],
  ['de', interval(60), 'jede Stunde'],
  ['fr', interval(60), 'toutes les heures'],
  ['pl', interval(1440), 'codziennie'],
  ['ru', interval(1440), 'ежедневно'],
  ['uk', interval(1440), 'щодня'],
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

it.each([
  [
    'fr',
    'status.summary',
    { count: 3, online: 1, total: 4 },
    '**3** joueurs · serveurs en ligne\u00a0: 1 sur 4',
  ],
  [
    'fr',
    'online.differs',
    { online: 1, listed: 0 },
    'Joueurs en ligne d’après le serveur\u00a0: 1\u00a0; dans sa liste\u00a0: 0.',
  ],
  [
    'en-US',
    'online.differs',
    { online: 1, listed: 0 },
    "Players online by the server's own count: 1, in its list: 0.",
  ],
  ['de', 'more', { count: 3 }, '…und 3 weitere'],
  ['de', 'more', { count: 1 }, '…und 1 weiterer Eintrag'],
  ['ru', 'feed.kills', { count: 5 }, '5 убийств'],
] as const)('%s counts in %s as one says it: %j', (locale, key, values, text) => {
  expect(languageOf(locale).t(key, values)).toContain(text);
});

/** Words that a language has another word for, in all other texts: one thing has one name. */
const otherNames: [Locale, RegExp][] = [
  ['de', /Kennung|Sicherung|Bannliste|Abfrageport/],
  ['es-ES', /clasificaci/i],
  ['fr', /journal|\ble log\b|liste de bans|pseudo/i],
  ['pl', /kill feed|członkowie/i],
  ['pt-BR', /lista de banimentos/i],
  ['ru', /журнал|перезапус|лент\S* убийств|служб|таблиц/i],
  ['uk', /перезапус|стріч\S* убивств|служб|таблиц/i],
];

/** Every text of a locale. */
const textsIn = (texts: Texts): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : textsIn(text)));

it.each(otherNames)('%s has one word for logs, restarts, kill feeds and the like', (locale, others) => {
  expect(textsIn(textsOf(locale)).filter((text) => others.test(text))).toEqual([]);
});

it.each(['fr', 'uk'] as const)('%s has typographic apostrophes', (locale) => {
  expect(textsIn(textsOf(locale)).filter((text) => /\p{L}'\p{L}/u.test(text))).toEqual([]);
});

it.each(locales)(
  '%s begins what happened in a kill feed with the player, who may be "A player"',
  (locale) => {
    const { feed = {} } = textsOf(locale);
    const { cause = {} } = feed as Texts;
    expect(textsIn({ cause }).filter((text) => !text.startsWith('{{victim}} '))).toEqual([]);
  },
);

it('fr keeps punctuation marks on the line of their word', () => {
  expect(textsIn(textsOf('fr')).filter((text) => / [:;?!»]|« /.test(text))).toEqual([]);
});

// English writes them as the service does.
it.each(locales.filter((locale) => locale !== 'en-US'))(
  '%s keeps units on the line of their number',
  (locale) => {
    const { distance = '', duration = {} } = textsOf(locale);
    expect(textsIn({ distance, duration }).filter((text) => /\}\} \p{L}/u.test(text))).toEqual([]);
  },
);
