import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCharts } from '../../../src/bot/channels/charts.ts';
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
