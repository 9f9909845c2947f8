import { expect, it } from 'vitest';
import { scheduleEmbed } from '../../src/embeds/schedule.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';

it('of several servers shows the times of the next 24 hours, and one date of what is later', () => {
  const restart = data.schedule({ timezone: 'UTC', timeOfDay: '00:00', intervalMinutes: 240 });
  const weekly = data.schedule({
    kind: 'EVENT',
    title: 'Fight night',
    recurrence: 'WEEKLY',
    timeOfDay: '20:00',
    weekdays: ['SUN'],
    timezone: 'UTC',
  });
  const servers = data.servers.slice(0, 2).map((server) => ({ server, schedules: [restart, weekly] }));
  const view = { servers, receivedAt: data.now, stale: false };
  const [field] = scheduleEmbed(languageOf('en-US'), view, data.now).fields ?? [];
  const [restartTitle, restarts, weeklyTitle, event] = field?.value.split('\n') ?? [];
  expect(restartTitle).toMatch(/^🔄 Restart · \*\*<t:\d+:R>\*\*$/);
  expect(restarts).toMatch(/^<t:\d+:t> · <t:\d+:t> · <t:\d+:t>$/);
  expect(weeklyTitle).toMatch(/^🎉 Fight night/);
  expect(event).toMatch(/^<t:\d+:f>$/);
});
