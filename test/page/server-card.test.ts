import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import type { Schedule, Server } from '../../src/api/resources.ts';
import { languageOf } from '../../src/locales/language.ts';
import { ServerCard } from '../../src/page/parts/server-card.tsx';
import type { View } from '../../src/page/view.ts';
import * as data from '../embeds/contract-data.ts';
import { openPage, pageProject, visit } from './visited.ts';

const view = { language: languageOf('en-US'), now: data.now } as View;
const cardOf = (server: Server, schedules: readonly Schedule[] = []): string =>
  renderToString(
    h(ServerCard, {
      view,
      shown: { server, schedules, joinPath: null, address: null },
      heading: 'h1',
    }),
  );

it('says of when a state is that may be out of date', () => {
  const checked = (minutes: number) =>
    cardOf(data.server({ checkedAt: new Date(data.now - minutes * 60_000).toISOString() }));
  expect(checked(4)).not.toContain('Last checked');
  expect(checked(20)).toMatch(/<dt>Last checked<\/dt><dd>.*>20m ago</);
  expect(cardOf(data.server({ checkedAt: null }))).not.toContain('Last checked');
});

it('says why a server is away, where that is known', () => {
  const reasonOf = (over: Partial<Server>, schedules: readonly Schedule[] = []): string | undefined =>
    /<p class="reason dim">(.*?)<\/p>/.exec(cardOf(data.server(over), schedules))?.[1];
  const restart = data.schedule({ recurrence: 'DAILY', intervalMinutes: null, timeOfDay: '19:25' });
  expect(reasonOf({})).toBeUndefined();
  expect(reasonOf({ status: 'OFFLINE' })).toContain('responding');
  expect(reasonOf({ status: 'OFFLINE' }, [restart])).toBe('A restart or maintenance is scheduled for now.');
  expect(reasonOf({ status: 'UNKNOWN' })).toBe('The last check failed.');
  expect(reasonOf({ status: 'UNKNOWN', checkedAt: null })).toBeUndefined();
});

it('counts the players of a server that answers, and of no other', () => {
  const counts = (['ONLINE', 'OFFLINE', 'UNKNOWN'] as const).map((status) =>
    cardOf(data.server({ status })).includes('class="players"'),
  );
  expect(counts).toEqual([true, false, false]);
});

it('cuts the long name of a map nobody knows between characters', () => {
  const server = data.server({ map: `x${'🗺️'.repeat(40)}` });
  const shown = cardOf(server);
  expect(shown).toContain('🗺️…</dd>');
  expect(shown.isWellFormed()).toBe(true);
});

it('counts nobody where nothing is known of any server, as on consoles', async () => {
  const front = async (...states: Server['status'][]): Promise<string> => {
    const servers = states.map((status, index) => data.server({ id: `s${index}`, status, players: null }));
    const shown = await visit(openPage([pageProject({ listServers: () => ({ servers }) })]), '/');
    return shown?.text ?? '';
  };
  expect(await front('UNKNOWN', 'UNKNOWN')).not.toContain('class="sum"');
  expect(await front()).not.toContain('class="sum"');
  expect(await front('UNKNOWN', 'OFFLINE')).toContain('<strong>0</strong>');
});

it('offers to join the fullest server that has a slot free, by its short name', async () => {
  const shown = [
    data.server({ id: 'a', name: 'Northwood | Alpha', players: 60, maxPlayers: 60 }),
    data.server({ id: 'b', name: 'Northwood | Bravo', players: 12, maxPlayers: 60 }),
    data.server({ id: 'c', name: 'Northwood | Charlie', players: 30, maxPlayers: 60 }),
    data.server({ id: 'd', name: 'Northwood | Delta', players: null, status: 'OFFLINE' }),
  ];
  const joined = async (servers: Server[], canJoin: (id: string) => boolean): Promise<string | undefined> => {
    const page = openPage([pageProject({ listServers: () => ({ servers }) }, { canJoin })]);
    const hero = /class="intro".*?<section/.exec((await visit(page, '/'))?.text ?? '')?.[0];
    return /href="(\/join\/\w+" rel="nofollow">.*?)<\/a>/.exec(hero ?? '')?.[1];
  };
  expect(await joined(shown, () => true)).toBe('/join/c" rel="nofollow">Join · <bdi>Charlie</bdi>');
  expect(await joined(shown, (id) => id === 'b')).toContain('Bravo');
  expect(await joined(shown.slice(0, 1), () => true)).toBeUndefined();
  expect(await joined(shown.slice(1, 2), () => true)).toBe('/join/b" rel="nofollow">Join');
});

it('marks restarts and gaps in a chart, and says what they are', async () => {
  const stepMs = 5 * 60_000;
  const at = Math.floor(data.now / stepMs) * stepMs;
  const buckets = Array.from({ length: 288 }, (_, index) => index)
    .filter((index) => index < 100 || index > 120)
    .map((index) => ({ at: at - (288 - index) * stepMs, players: 20, peak: 20, maxPlayers: 60 }));
  const restart = data.schedule({ recurrence: 'INTERVAL', intervalMinutes: 240, timeOfDay: '02:00' });
  const chartOf = async (schedules: Schedule[]): Promise<string> => {
    const project = pageProject(
      {},
      { schedules: (ids) => Promise.resolve(new Map(ids.map((id) => [id, schedules]))) },
    );
    const history = () => Promise.resolve({ timezone: 'Europe/Berlin', buckets });
    const text = (await visit(openPage([project], { history }), '/servers/northwood-1'))?.text ?? '';
    return /<figure>.*?<\/figure>/.exec(text)?.[0] ?? '';
  };
  const chart = await chartOf([restart]);
  expect(chart.match(/<line class="restart"/g)).toHaveLength(6);
  expect(chart.match(/<rect class="gap"/g)).toHaveLength(1);
  expect(chart).toMatch(/class="restarts">Restart<.*class="gaps">no data/);
  expect(await chartOf([])).not.toContain('restart');
  // Marks of so many would hide the curve.
  expect(await chartOf([{ ...restart, intervalMinutes: 30 }])).not.toContain('restart');
});
