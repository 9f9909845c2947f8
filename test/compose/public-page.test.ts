import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { locales } from '../../src/locales/language.ts';
import { forgetPlayer } from '../../src/server/store/repositories/rights/forget-player.ts';
import { setHidden } from '../../src/server/store/repositories/rights/hide-player.ts';
import {
  anyPosition,
  hostileNames,
  pathsForOthers,
  secrets,
  startPageWorld,
  steamIdOf,
  type PageWorld,
  type WorldOptions,
} from '../page/page-world.ts';
import { battleyeGuidOf, dayzIdOf } from '../../src/api/identifiers.ts';
import { projectRoutes } from '../../src/page/routes.ts';
import { idA, idB } from '../server/ingest/fixture.ts';

/** Of the tests that only read what there is by default. */
let read: PageWorld;
beforeAll(async () => {
  read = await startPageWorld();
});
afterAll(() => read.close());

async function start(options?: WorldOptions): Promise<PageWorld> {
  const world = await startPageWorld(options);
  onTestFinished(world.close);
  return world;
}

/** Every address of this service that is reachable by links, or that other programs ask for, and what is there. */
async function crawl(world: PageWorld): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cards = 0;
  const waiting = ['/', ...pathsForOthers].map((path) => `${path}?lang=en`);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const answer = await world.get(path, nextVisitor());
    const body = Buffer.from(await answer.arrayBuffer());
    // A picture's bytes may hold text, too.
    const isText = answer.headers.get('content-type') !== 'image/png';
    const text = `${[...answer.headers.values()].join('\n')}\n${body.toString(isText ? 'utf8' : 'latin1')}`;
    found.set(path, text);
    if (!isText) continue;
    for (const [, link = ''] of text.matchAll(
      /(?:href|src|content)="(?:https:\/\/example\.org)?(\/[^"]*)"/g,
    )) {
      const address = link.replaceAll('&amp;', '&');
      const language = /[?&]lang=(\w+)/.exec(address)?.[1];
      // What comes after that is no page: the address that the owner lets members join.
      if (address.startsWith('/join/')) continue;
      // Each takes 20 ms to draw, and holds no text.
      if (address.includes('/card.png') && (cards += 1) > 2) continue;
      if (language === undefined || language === 'en') waiting.push(address);
    }
  }
  return found;
}

let visitors = 0;

/** The header of another address, since each has a limit. */
function nextVisitor(): { 'X-Forwarded-For': string } {
  visitors += 1;
  return { 'X-Forwarded-For': `198.51.${visitors >> 8}.${visitors & 255}` };
}

it('is not there unless the config has it', async () => {
  const world = await start({ page: null, players: 0 });
  for (const path of ['/', '/servers/northwood-1', '/page.js']) {
    expect((await world.get(path)).status, path).toBe(404);
  }
});

it('shows servers, leaderboards and players to anybody, without a script', async () => {
  const world = read;
  const home = await world.text('/');
  expect(home).toContain('<html lang="en-US">');
  expect(home).toContain('Two servers &amp; &lt;one> community.');
  expect(home).toMatch(/Northwood \| Chernarus.*37.*60.*Next restart/s);
  expect(home).toContain('href="/join/northwood-1"');
  expect(home).not.toContain('Secret wipe');
  const server = await world.text('/servers/northwood-1');
  expect(server).toContain('Restart &lt;b>now&lt;/b>');
  expect(server).toMatch(/<path class="line" d="M[\d. L]+/);
  const board = await world.text('/boards/player-kills');
  expect(board.match(/<th scope="row">/g)).toHaveLength(25);
  const [, key] = /href="(\/players\/[\w-]{16})"[^>]*><bdi>Player0</.exec(board) ?? [];
  const player = await world.text(key ?? '');
  expect(player).toMatch(
    /<bdi>Player0<\/bdi><\/h1>.*Last seen <time[^>]*>Feb 1, 2026<.*Player kills.*#9.*1,991/s,
  );
  for (const path of ['/servers/nowhere', '/boards/nothing', '/players/AAAAAAAAAAAAAAAA', '/nothing']) {
    const answer = await world.get(path);
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(await answer.text(), path).toContain('<title>Not found · Northwood</title>');
  }
});

it('speaks the language of the browser, or the one that was chosen', async () => {
  const world = read;
  const of = async (path: string, accepted?: string): Promise<string | undefined> => {
    const text = await world.text(path, accepted === undefined ? {} : { 'Accept-Language': accepted });
    expect(text.match(/aria-current="true"/g), accepted).toHaveLength(1);
    return /<html lang="([^"]+)"/.exec(text)?.[1];
  };
  expect(await of('/', 'en-GB,en;q=0.9')).toBe('en-GB');
  expect(await of('/', 'uk-UA,uk;q=0.9,en;q=0.8')).toBe('uk');
  expect(await of('/', 'nl;q=0.9, fr-CA;q=0.4, de;q=0')).toBe('fr');
  expect(await of('/', 'nl')).toBe('en-US');
  expect(await of('/?lang=pl', 'de')).toBe('pl');
  expect(await of('/?lang=xx', 'de')).toBe('de');
  // The formats are those of the browser's own variant, if it names one.
  expect(await of('/?lang=en', 'de, en-GB;q=0.8, en;q=0.7')).toBe('en-GB');
  expect(await of('/?lang=en', 'de')).toBe('en-US');
  expect(await of('/?lang=en-GB', 'en-US')).toBe('en-GB');
  // The choice goes with every link of the page.
  const chosen = await world.text('/?lang=ru');
  expect(chosen).toContain('href="/servers/northwood-1?lang=ru"');
  for (const locale of locales) {
    const text = await world.text(`/servers/northwood-1?lang=${locale}`);
    expect(text, locale).not.toMatch(/\{\{|\$t\(|undefined|NaN|\[object|>site\./);
  }
});

it('is small, strict and answered from memory', async () => {
  const world = read;
  const answer = await world.get('/');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=5');
  expect(answer.headers.get('vary')).toBe('Accept-Encoding, Accept-Language');
  const html = await answer.text();
  expect(html).not.toMatch(/ style=|<script>| on\w+="/);
  const small = (text: string): number =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
  for (const path of ['/', '/servers/northwood-1', '/boards/deaths']) {
    expect(small(await world.text(path)), path).toBeLessThan(30_000);
    expect((await world.text(path)).length, path).toBeLessThan(60_000);
  }
  const script = await world.text(/src="(\/page\.js[^"]*)"/.exec(html)?.[1] ?? '');
  expect(script.length).toBeLessThan(8_000);
  // A state that changes in this moment makes another page.
  await expect
    .poll(async () => {
      const etag = (await world.get('/boards/deaths')).headers.get('etag') ?? '';
      return (await world.get('/boards/deaths', { 'If-None-Match': etag })).status;
    })
    .toBe(304);
});

it('asks search engines not to list it, unless the owner wants them to', async () => {
  const hidden = await read.get('/');
  expect(hidden.headers.get('x-robots-tag')).toBe('noindex');
  expect(await hidden.text()).toContain('<meta name="robots" content="noindex"/>');
  const open = await start({ players: 1, page: { indexed: true } });
  const listed = await open.get('/');
  expect(listed.headers.get('x-robots-tag')).toBeNull();
  expect(await listed.text()).not.toContain('noindex');
});

it('leaves people out where the owner says so', async () => {
  const world = await start({ page: { players: false } });
  const pages = await crawl(world);
  expect([...pages.keys()].filter((path) => /^\/(players|boards)/.test(path))).toEqual([]);
  expect([...pages.values()].join('')).not.toMatch(/Player\d/);
  expect((await world.get('/boards/deaths')).status).toBe(404);
});

it('has a part for each of several projects, and takes no path of the service', async () => {
  const projectNamed = (slug: string) => ({
    slug,
    name: `Project ${slug}`,
    servers: [{ id: `${slug}-1`, name: `${slug} server`, host: '127.0.0.1', port: 2302 }],
  });
  const projects = [projectNamed('alpha'), projectNamed('bravo'), projectNamed('docs')];
  const world = await start({ projects: [...projects, { ...projectNamed('gone'), suspended: true }] });
  const list = await world.text('/');
  expect(list).toMatch(/href="\/alpha">Project alpha.*href="\/bravo">Project bravo/s);
  expect(list).not.toMatch(/gone|href="\/docs"/);
  const alpha = await world.text('/alpha');
  expect(alpha).toContain('href="/alpha/servers/alpha-1"');
  expect(alpha).not.toContain('bravo');
  expect((await world.get('/alpha/servers/alpha-1')).status).toBe(200);
  expect((await world.get('/alpha/servers/bravo-1')).status).toBe(404);
  expect(await world.text('/servers/alpha-1')).toBe(await world.text('/alpha/servers/alpha-1'));
  expect((await world.get('/gone')).status).toBe(404);
  expect(await world.text('/docs')).toContain('swagger');
  for (const path of ['/v1', '/v1/nothing', '/v1/servers/alpha-1', '/v1/boards/deaths']) {
    const answer = await world.get(path);
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
    expect((await fetch(new URL(path, world.url), { method: 'POST' })).status, path).toBe(404);
  }
  const posted = await fetch(new URL('/alpha', world.url), { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

it('has no leaderboards where they are not in the plan, and empty ones where nobody is on them yet', async () => {
  const project = (slug: string, plan: 'FREE' | 'LITE') => ({ slug, name: slug, plan });
  const world = await start({ projects: [project('free', 'FREE'), project('lite', 'LITE')] });
  expect((await world.get('/free')).status).toBe(200);
  expect((await world.get('/free/boards/deaths')).status).toBe(404);
  expect((await world.get('/lite/boards/deaths')).status).toBe(200);
});

it('names nothing that a foreign guild may not see, to anybody, of a hundred players', async () => {
  const players = 100;
  const world = await start({ players });
  const pages = await crawl(world);
  for (const { path } of projectRoutes) {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[\\w-]+') || '/'}\\?`);
    expect(
      [...pages.keys()].some((address) => pattern.test(address)),
      path,
    ).toBe(true);
  }
  const pagesOfPlayers = [...pages.keys()].filter((path) => path.startsWith('/players/'));
  expect(pagesOfPlayers.length).toBeGreaterThan(80);
  expect([...pages.values()].filter((text) => text.includes('Player2<')).length).toBeGreaterThan(1);

  const ids = Array.from({ length: players + hostileNames.length + 1 }, (_, index) => steamIdOf(index));
  const secretIds = new Set(ids.flatMap((id) => [id, battleyeGuidOf(id), dayzIdOf(id)]));
  const { reason, list, hidden, host } = secrets;
  const secretTexts = [reason, list, hidden, host, idA, idB, 'Secret wipe'];
  for (const [path, text] of pages) {
    for (const secret of secretTexts) expect(text.includes(secret), `${secret} on ${path}`).toBe(false);
    expect(
      idsIn(text).filter((id) => secretIds.has(id)),
      path,
    ).toEqual([]);
    expect(anyPosition.exec(text)?.[0], path).toBeUndefined();
    // Names that are markup are text.
    expect(text, path).not.toMatch(/<script>alert|<img src=x|\u202E/);
  }
  expect([...pages.values()].join('')).toContain('&lt;script>alert(1)&lt;/script>');

  const [forgotten, alsoHidden] = [2, 3];
  const identityOf = (player: number) => ({
    identity: { steamId64: steamIdOf(hostileNames.length + 1 + player) },
  });
  await forgetPlayer(world.store.db, identityOf(forgotten));
  await setHidden(world.store.db, identityOf(alsoHidden), true);
  const board = (): Promise<string> => world.text('/boards/player-kills', nextVisitor());
  await expect.poll(board).not.toMatch(/Player[23]</);
  for (const [path, text] of await crawl(world)) expect(text, path).not.toMatch(/Player[23]\b/);
  for (const path of pagesOfPlayers.filter((each) => /Player[23]\b/.test(pages.get(each) ?? ''))) {
    expect((await world.get(path, nextVisitor())).status, path).toBe(404);
  }
});

/** Whatever may be an identifier: all of the lengths that they have, wherever they begin. */
function idsIn(text: string): string[] {
  const lengths = { '\\d': 17, '[\\da-f]': 32, '[\\w+/=-]': 44 };
  return Object.entries(lengths).flatMap(([sign, length]) =>
    [...text.matchAll(new RegExp(`(?=(${sign}{${length}}))`, 'g'))].map(([, id = '']) => id),
  );
}

it('forgets within five seconds, on every page', async () => {
  const world = await start({ players: 8 });
  const board = await world.text('/boards/player-kills');
  const [, page] = /href="(\/players\/[\w-]+)"[^>]*><bdi>Player2</.exec(board) ?? [];
  expect((await world.get(page ?? '')).status).toBe(200);
  const paths = [
    '/',
    '/boards/player-kills',
    '/boards/deaths',
    '/boards/playtime',
    '/players/AAAAAAAAAAAAAAAA',
  ];
  // Each look is that of another visitor, since one has a limit.
  const named = async (name: string): Promise<boolean> => {
    const texts = await Promise.all(paths.map((path) => world.text(path, nextVisitor())));
    return texts.join('').includes(`<bdi>${name}<`);
  };

  await forgetPlayer(world.store.db, { identity: { steamId64: steamIdOf(hostileNames.length + 3) } });
  await expect.poll(() => named('Player2')).toBe(false);
  expect((await world.get(page ?? '')).status).toBe(404);

  expect(await named('Player3')).toBe(true);
  await setHidden(world.store.db, { identity: { steamId64: steamIdOf(hostileNames.length + 4) } }, true);
  await expect.poll(() => named('Player3')).toBe(false);
});

it('lets one address ask 240 times a minute', async () => {
  const visitor = nextVisitor();
  const statuses = new Map<number, number>();
  for (let index = 0; index < 260; index += 1) {
    const { status, body } = await read.get('/boards/nothing', visitor);
    await body?.cancel();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(statuses.get(429)).toBeGreaterThan(10);
  // The service itself has limits of its own.
  expect((await read.get('/healthz', visitor)).status).toBe(200);
});
