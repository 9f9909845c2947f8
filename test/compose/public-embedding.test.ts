import { expect, it, onTestFinished } from 'vitest';
import { pathsForOthers as paths, secrets, startPageWorld } from '../page/page-world.ts';
import type { ComponentEmbed } from '../../src/page/preview/component-embed.ts';
import { buttonsOf, textOf, violations } from '../page/preview/embed-violations.ts';
import { parseCalendar } from '../page/embedding/parsed-calendar.ts';

it('gives other pages what the public page shows, and nothing else', async () => {
  const world = await startPageWorld();
  onTestFinished(world.close);
  const unseen = [...Object.values(secrets).flat(), 'Secret wipe', 'Player0', '127.0.0.1', '7656119'];
  for (const path of paths) {
    const answer = await world.get(path);
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('cache-control'), path).toBe('public, max-age=5');
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    const headers = [...answer.headers.values()].join('\n');
    expect(
      unseen.filter((secret) => `${headers}\n${text}`.includes(secret)),
      path,
    ).toEqual([]);
  }
  const { headers } = await world.get('/badge/status.svg');
  const again = await world.get('/badge/status.svg', { 'If-None-Match': headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  expect(await world.text('/badge/northwood-1/players.svg')).toContain('37/60 players');
  const { events } = parseCalendar(await world.text('/calendar/schedules.ics'));
  expect(new Set(events.map((event) => event.get('SUMMARY')))).toEqual(
    new Set(['Restart <b>now</b> · Northwood | Chernarus']),
  );
});

it('lets the pages of any origin read what programs read, and no other page', async () => {
  const world = await startPageWorld({ cors: { origins: ['https://site.example'] } });
  onTestFinished(world.close);
  const readers = async (path: string, origin: string) =>
    (await world.get(path, { Origin: origin })).headers.get('access-control-allow-origin');
  for (const path of paths) {
    const isForPrograms = /\.(json|svg|ics)$/.test(path);
    expect(await readers(path, 'https://site.example'), path).toBe(
      isForPrograms ? '*' : 'https://site.example',
    );
    expect(await readers(path, 'https://other.example'), path).toBe(isForPrograms ? '*' : null);
  }
  expect(await readers('/badge/nowhere/status.json', 'https://other.example')).toBe('*');
});

it('is not there without the public page', async () => {
  const world = await startPageWorld({ page: null, players: 0 });
  onTestFinished(world.close);
  for (const path of paths) expect((await world.get(path)).status, path).toBe(404);
});

it.each(['en', 'uk'])('describes its pages to Discord as Discord takes it, in %s', async (language) => {
  const world = await startPageWorld();
  onTestFinished(world.close);
  for (const path of ['/', '/servers/northwood-1', '/servers/northwood-2']) {
    const html = await world.text(`${path}?lang=${language}`);
    const [, json = ''] =
      /<script id="discord:component-embed" type="application\/json">(.*?)<\/script>/.exec(html) ?? [];
    const embed = JSON.parse(json) as ComponentEmbed;
    expect(violations(embed), path).toEqual([]);
    expect(textOf(embed), path).toMatch(path === '/servers/northwood-2' ? /WWW/ : /37 \/ 60.*<t:\d+:R>/s);
    expect(buttonsOf(embed).map(({ url }) => url)).toContain('https://discord.gg/northwood');
    const [, image = ''] =
      /<meta property="og:image" content="https:\/\/example\.org([^"]+)"/.exec(html) ?? [];
    expect((await world.get(image.replaceAll('&amp;', '&'))).headers.get('content-type'), path).toBe(
      'image/png',
    );
  }
});
