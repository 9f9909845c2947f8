import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCharts } from '../../../src/bot/pictures/charts.ts';
import { languageOf } from '../../../src/locales/language.ts';
import * as data from '../../embeds/contract-data.ts';

const minute = 60_000;

/** Charts of servers that were never empty, and how often their history was read. */
function start() {
  const asked = { times: 0 };
  const charts = createCharts(
    async (_, from, to, stepMs) => {
      asked.times += 1;
      const count = Math.floor((to - from) / stepMs);
      const buckets = Array.from({ length: count }, (_, index) => ({
        at: from + index * stepMs,
        players: index % 40,
        peak: 40,
        maxPlayers: 60,
      }));
      return { timezone: 'UTC', buckets };
    },
    pino({ level: 'silent' }),
  );
  const ask = (now: number, locale = 'en-US', timezone?: string) =>
    charts.players({ servers: [data.server()], range: '24h', language: languageOf(locale), timezone, now });
  return { asked, ask };
}

it('draws a chart once for all requests within the same minute, and again with the next sample', async () => {
  const { asked, ask } = start();
  const [one, other] = await Promise.all([ask(data.now), ask(data.now + 1)]);
  expect(one).toBe(other);
  expect(await ask(data.now + minute - 1)).toBe(one);
  expect(asked.times).toBe(1);
  expect(await ask(data.now + minute)).not.toBe(one);
  expect(asked.times).toBe(2);
});

it('draws it in each language', async () => {
  const { ask } = start();
  const [english, german] = await Promise.all([ask(data.now), ask(data.now, 'de')]);
  expect(german?.data.equals(english!.data)).toBe(false);
  expect(german?.alt).not.toBe(english?.alt);
});

it('draws it in the time zone of each guild', async () => {
  const { ask } = start();
  const [utc, tokyo] = await Promise.all([ask(data.now), ask(data.now, 'en-US', 'Asia/Tokyo')]);
  expect(tokyo?.data.equals(utc!.data)).toBe(false);
});

it('draws the hours of the week in the zone of the server, and says in its alternative text when most are there', async () => {
  const asked: number[] = [];
  const charts = createCharts(
    async (_, from, to, stepMs) => {
      asked.push(to - from);
      const count = Math.floor((to - from) / stepMs);
      const buckets = Array.from({ length: count }, (_each, index) => {
        const at = from + index * stepMs;
        const isFull = new Date(at).toISOString().includes('T18:') && new Date(at).getUTCDay() === 6;
        return { at, players: isFull ? 50 : 5, peak: 50, maxPlayers: 60 };
      });
      return { timezone: 'Asia/Kolkata', buckets };
    },
    pino({ level: 'silent' }),
  );
  const servers = [data.server({ name: 'Northwood' })];
  const ask = (locale: string, now = data.now) =>
    charts.players({ servers, range: 'week', language: languageOf(locale), now });
  const picture = await ask('en-US');
  // Half an hour of the full one belongs to Sunday in Kolkata: 23:30 to 00:30.
  expect(picture?.alt).toContain('Northwood');
  expect(picture?.alt).toContain('fullest Sat 23:00: 28');
  expect((await ask('de'))?.alt).toContain('am meisten los Sa., 23:00: 28');
  expect(await ask('en-US', data.now + 30 * minute - 1)).toBe(picture);
  expect(asked).toEqual(asked.map(() => 28 * 24 * 60 * minute));
});

it('adds up servers, though one of them was added lately', async () => {
  const charts = createCharts(
    async (id, from, to, stepMs) => ({
      timezone: 'UTC',
      buckets: Array.from({ length: Math.floor((to - from) / stepMs) }, (_, index) => from + index * stepMs)
        .filter((at) => id !== 'new' || at >= to - 7 * 24 * 60 * minute)
        .map((at) => ({ at, players: new Date(at).getUTCHours() === 20 ? 10 : 1, peak: 10, maxPlayers: 60 })),
    }),
    pino({ level: 'silent' }),
  );
  const servers = [data.server({ id: 'old' }), data.server({ id: 'new' })];
  const picture = await charts.players({
    servers,
    range: 'week',
    language: languageOf('en-US'),
    now: data.now,
  });
  expect(picture?.alt).toContain('fullest Mon 20:00: 20');
});
