import axe from 'axe-core';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserNote, chromiumPath, launchChromium } from '../../packages/local-discord/test/chromium.ts';
import { server, servers } from '../embeds/contract-data.ts';
import { servePage } from './served-page.ts';
import { openPage, pageProject, visit, headerOf } from './visited.ts';

const hostile =
  '</script><script>document.title = "taken"</script><img src=x onerror=alert(1)>\u202e﷽😀 العربية';
const shown = [
  ...servers,
  server({ id: 'long', name: 'Survivors '.repeat(12), players: 1234, maxPlayers: 1234 }),
  server({ id: 'wide', name: '﷽'.repeat(128) }),
  server({ id: 'hostile', name: hostile, map: hostile, players: null }),
];
const page = openPage([pageProject({ listServers: () => ({ servers: shown }) })], { now: Date.now });

it('lets nobody but the widget be shown in a frame', async () => {
  const [widget, other] = [
    await visit(page, '/widget/northwood-1'),
    await visit(page, '/servers/northwood-1'),
  ];
  expect(headerOf(widget!, 'Content-Security-Policy')).toMatch(/; frame-ancestors \*$/);
  expect(headerOf(widget!, 'X-Frame-Options')).toBeUndefined();
  expect(headerOf(widget!, 'X-Robots-Tag')).toBe('noindex');
  expect(headerOf(other!, 'Content-Security-Policy')).toMatch(/; frame-ancestors 'none'$/);
  expect((await visit(page, '/widget/nowhere'))?.status).toBe(404);
});

it('has the widget in the language and the colours of its address', async () => {
  const { text } = (await visit(page, '/widget/northwood-1?lang=uk&theme=dark'))!;
  expect(text).toContain('<html lang="uk">');
  expect(text).toContain('<meta name="color-scheme" content="dark"/>');
  expect(text).toContain('Наступний рестарт');
  expect((await visit(page, '/widget/northwood-1?theme=x'))!.text).toContain('<html lang="en-US">');
});

describe.skipIf(chromiumPath === null)(`in a browser${browserNote}`, () => {
  let browser: Browser;
  let own: Awaited<ReturnType<typeof servePage>>;
  let other: typeof own;
  beforeAll(async () => {
    browser = await launchChromium();
    own = await servePage(page);
    const frames = shown.flatMap(({ id }) =>
      ['?lang=fr', '?lang=uk&theme=dark'].map(
        (query) =>
          `<iframe title="${id}" width="300" height="280" src="${own.url}/widget/${id}${query}"></iframe>`,
      ),
    );
    other = await servePage(null, {
      '/widgets': frames.join(''),
      '/page': `<iframe title="page" src="${own.url}/servers/northwood-1"></iframe>`,
      '/pictures': `<img src="${own.url}/badge/hostile/status.svg"><img src="${own.url}/picture/preview.png">`,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await own?.close();
    await other?.close();
  });

  const open = async (address: string): Promise<Tab> => {
    const tab = await browser.newPage();
    await tab.goto(address, { waitUntil: 'load' });
    return tab;
  };

  it('shows widgets in frames of another site, whole, 300 pixels wide, without a finding of axe-core', async () => {
    const tab = await open(`${other.url}/widgets`);
    const frames = tab.frames().filter((frame) => frame.url().includes('/widget/'));
    expect(frames).toHaveLength(2 * shown.length);
    for (const frame of frames) {
      await frame.waitForLoadState();
      const size = () =>
        frame.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return { scrollWidth, scrollHeight };
        });
      await expect.poll(size).toEqual({ scrollWidth: 300, scrollHeight: 280 });
      expect(await frame.title()).toBe('Northwood');
      await frame.evaluate(axe.source);
      const findings = await frame.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document);
        return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
      });
      expect(findings).toEqual([]);
    }
    await tab.close();
  });

  it('refuses to show another page in a frame', async () => {
    const tab = await open(`${other.url}/page`);
    const frame = tab.frames()[1];
    expect(await frame?.locator('main').count()).toBe(0);
    await tab.close();
  });

  it('lets other sites show badges and pictures', async () => {
    const tab = await open(`${other.url}/pictures`);
    const widths = await tab.evaluate(() => Array.from(document.images, ({ naturalWidth }) => naturalWidth));
    expect(widths[0]).toBeGreaterThan(50);
    expect(widths[1]).toBe(1200);
    await tab.close();
  });

  it('takes what describes a page to others as data, within its policy', async () => {
    const tab = await browser.newPage();
    const refused: string[] = [];
    tab.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text());
    });
    await tab.goto(`${own.url}/servers/hostile`, { waitUntil: 'load' });
    expect(refused).toEqual([]);
    expect(await tab.title()).toMatch(/Northwood$/);
    const read = await tab.evaluate(() =>
      Array.from(document.querySelectorAll('head script[type*="json"]'), ({ id, textContent }) => [
        id,
        Object.keys(JSON.parse(textContent ?? '') as object),
      ]),
    );
    expect(read).toEqual([['discord:component-embed', ['component']]]);
    await tab.close();
  });
});
