import { describe, expect, it } from 'vitest';
import { fit } from '../../src/embeds/limits.ts';
import { nextRestart } from '../../src/embeds/schedule-times.ts';
import { statusEmbed } from '../../src/embeds/status.ts';
import type { ServerView } from '../../src/embeds/server-state.ts';
import { languageOf, locales } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';
import { expectSendable } from './message-rules.ts';

const restarts = [data.schedule({ kind: 'RESTART', recurrence: 'INTERVAL', intervalMinutes: 240 })];
const survivors = Array.from({ length: 37 }, (_, i) => ({ name: `Survivor ${i + 1}` }));

/** Servers as communities call them, with all that a list can say of one. */
const views = (count: number, names: boolean): ServerView[] =>
  Array.from({ length: count }, (_, i) => ({
    server: data.server({
      id: `northwood-${i + 1}`,
      name: `Northwood EU #${i + 1} | Chernarus | Hardcore | 1PP | No traders | Vanilla+ | discord.gg/northwood`,
      players: 37,
    }),
    schedules: restarts,
    queue: 4,
    joinUrl: `https://dayz.northwood-community.example/join/northwood-${i + 1}`,
    players: names ? survivors : null,
  }));

/** The status as it is sent. */
function sentStatus(count: number, { locale = 'en-US', names = false } = {}) {
  const view = { servers: views(count, names), receivedAt: data.now, stale: false, updating: true };
  const embed = statusEmbed(languageOf(locale), view, data.now);
  const [sent] = fit([embed]);
  expectSendable([sent!]);
  // Nothing is cut from a text that is composed for the room there is.
  expect({ ...sent, author: null }).toEqual({ ...embed, author: null });
  return sent!.fields ?? [];
}

it.each([
  ['en-US', 1, 60, '1 / 60 players'],
  ['en-US', 1, null, '1 player'],
  ['ru', 42, 60, '42 / 60 игроков'],
  ['ru', 42, null, '42 игрока'],
  ['uk', 21, 60, '21 / 60 гравців'],
  ['pl', 1, 60, '1 / 60 graczy'],
  ['fr', 1, 60, '1 / 60 joueurs'],
] as const)(
  'the count of a server reads in %s as it is said: %i of %s',
  (locale, players, maxPlayers, text) => {
    const server = data.server({ players, maxPlayers });
    const view = { servers: [{ server, schedules: [] }], receivedAt: data.now, stale: false, updating: true };
    expect(statusEmbed(languageOf(locale), view, data.now).description).toContain(`## ${text}\n`);
  },
);

it.each([
  [{ map: null, maxPlayers: null, checkedAt: null }, 'Not checked yet.'],
  [{ map: null, maxPlayers: null }, "This server doesn't report its status."],
  [{ maxPlayers: 60 }, 'The last check failed.'],
])('a server of which %j is known says why its state is unknown', (known, text) => {
  const server = data.server({ status: 'UNKNOWN', players: null, ...known });
  const view = { servers: [{ server, schedules: [] }], receivedAt: data.now, stale: false };
  expect(statusEmbed(languageOf('en-US'), view, data.now).description).toBe(`**Unknown** · ${text}`);
});

it('counts players and servers only where the state of one is known', () => {
  const statusOf = (checkedAt: string | null, ...statuses: ('ONLINE' | 'UNKNOWN')[]) => {
    const servers = statuses.map((status) => ({
      server: data.server({ status, players: status === 'ONLINE' ? 5 : null, checkedAt }),
      schedules: [],
    }));
    const view = { servers, receivedAt: data.now, stale: false, updating: true };
    return statusEmbed(languageOf('en-US'), { ...view, missing: checkedAt === null ? 1 : 0 }, data.now);
  };
  const checkedAt = new Date(data.now).toISOString();
  expect(statusOf(checkedAt, 'ONLINE', 'UNKNOWN').description).toMatch(
    /^\*\*5\*\* players · 1 of 2 servers online · /,
  );
  expect(statusOf(checkedAt, 'UNKNOWN', 'UNKNOWN').description).toMatch(/^checked <t:\d+:R>$/);
  expect(statusOf(null, 'UNKNOWN', 'UNKNOWN').description).toBe('One server in this post no longer exists.');
});

it('says of a server that is away as planned that it is, and of others that they do not respond', () => {
  const server = data.server({ status: 'OFFLINE', players: null });
  const textAt = (now: number, count: number) => {
    const views = Array.from({ length: count }, () => ({ server, schedules: restarts }));
    const { description, fields = [] } = statusEmbed(
      languageOf('en-US'),
      { servers: views, receivedAt: now, stale: false },
      now,
    );
    return count === 1 ? description : fields[0]?.value;
  };
  const at = nextRestart(restarts, data.now)!;
  for (const count of [1, 2]) {
    expect(textAt(at + 10 * 60_000, count)).toContain('A restart or maintenance is scheduled for now.');
    expect(textAt(at + 20 * 60_000, count)).toContain("isn't responding");
  }
});

describe.each(locales)('the status of many servers in %s', (locale) => {
  it.each([2, 10, 25, 50])(
    'shows the same of each of %i, up to 25: players, restart and a whole link',
    (count) => {
      const fields = sentStatus(count, { locale });
      expect(fields).toHaveLength(Math.min(count, 25));
      for (const [i, { name, value }] of fields.entries()) {
        expect(name).toMatch(new RegExp(`^🟢 Northwood EU #${i + 1} `));
        expect(value).toContain('37 / 60');
        expect(value).toMatch(/<t:\d+:R>/);
        expect(value).toContain(`(https://dayz.northwood-community.example/join/northwood-${i + 1})`);
      }
    },
  );

  it.each([2, 10, 15, 20, 25])('names players of all of %i servers, or of none', (count) => {
    const named = sentStatus(count, { locale, names: true }).filter(({ value }) =>
      value.includes('Survivor'),
    );
    expect(count > 15 ? [0, count] : [count]).toContain(named.length);
  });
});
