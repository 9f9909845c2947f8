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
  renderToString(h(ServerCard, { view, shown: { server, schedules, joinPath: null }, heading: h('h1', {}) }));

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
