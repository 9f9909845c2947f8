import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setHidden } from '../../src/server/store/repositories/rights/hide-player.ts';
import { browserNote, chromiumPath, launchChromium } from '../../packages/local-discord/test/chromium.ts';
import { relativeTime } from '../../src/embeds/format.ts';
import { languageOf } from '../../src/locales/language.ts';
import { checkPage, pageKinds, type PageKind } from './page-kinds.ts';
import { hostileNames, startPageWorld, steamIdOf, type PageWorld } from './page-world.ts';

const hourMs = 3_600_000;
/** Between looks at a page that asks the service each time. */
const interval = 500;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What is seen once a quarter of a minute has passed in a page whose clock is installed. */
const later =
  <T>(page: Page, seen: () => Promise<T>) =>
  async (): Promise<T> => {
    await page.clock.fastForward('00:16');
    return await seen();
  };

describe.skipIf(chromiumPath === null)(`the page in a browser${browserNote}`, () => {
  let world: PageWorld;
  let browser: Browser;
  /** One of each kind of page. */
  let paths: string[];
  /** The other players with hostile names. */
  let pathsOfPlayers: string[];
  let kinds: readonly PageKind[];
  let visitors = 0;

  beforeAll(async () => {
    world = await startPageWorld();
    browser = await launchChromium();
    const board = await world.text('/boards/player-kills');
    // The players with hostile names come first.
    const players = [...board.matchAll(/href="(\/players\/[\w-]+)"/g)].map(([, path = '']) => path);
    const [, path = ''] = /href="(\/players\/[\w-]+)"[^>]*><bdi>Player1</.exec(board) ?? [];
    kinds = pageKinds({ path, name: 'Player1' });
    paths = [
      '/',
      '/servers/northwood-1',
      '/servers/northwood-2',
      '/boards/player-kills',
      '/boards/playtime',
      ...players.slice(0, 1),
      '/nothing',
    ];
    pathsOfPlayers = players.slice(1, hostileNames.length);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /**
   * Opens pages, and fails for what the browser complains about.
   * @param options `expected`: the status of answers that it may complain about
   */
  async function visit(
    { expected = '404', ...options }: BrowserContextOptions & { expected?: '404' | '429' | '503' },
    work: (page: Page) => Promise<void>,
  ): Promise<void> {
    visitors += 1;
    // Each from an address of its own, as different people are.
    const extraHTTPHeaders = { 'X-Forwarded-For': `203.0.113.${visitors}` };
    const context = await browser.newContext({ extraHTTPHeaders, ...options });
    const complaints: string[] = [];
    try {
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes(expected)) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith('data:') && !request.url().startsWith(world.url))
          complaints.push(`asked ${request.url()}`);
      });
      await work(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  it('has nothing that axe finds, in light and in dark', async () => {
    const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    // Dark differs by its colours alone.
    const colours = ['color-contrast', 'link-in-text-block'];
    await visit({ viewport: { width: 1280, height: 900 } }, async (page) => {
      const violations = async (runOnly: string[]): Promise<string[]> =>
        await page.evaluate(async (only) => {
          const { run } = (globalThis as unknown as { axe: typeof import('axe-core') }).axe;
          const found = await run({ runOnly: only, resultTypes: ['violations'] });
          return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        }, runOnly);
      for (const path of [...paths, ...pathsOfPlayers]) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(`${world.url}${path}`);
        // Not as a script of the page, which its policy would refuse.
        await page.evaluate(axe);
        expect(await violations(everything), path).toEqual([]);
        // Names have the same colours.
        if (!paths.includes(path)) continue;
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violations(colours), `${path} in dark`).toEqual([]);
      }
    });
  });

  it.each(['en', 'de', 'ru', 'pl'])(
    'fits into any screen in %s, whatever people are called',
    async (language) => {
      await visit({}, async (page) => {
        // The boards have all names. On their own pages they do not change with the language.
        for (const path of language === 'en' ? [...paths, ...pathsOfPlayers] : paths) {
          await page.goto(`${world.url}${path}?lang=${language}`);
          for (const width of [1280, 390, 360, 320]) {
            await page.setViewportSize({ width, height: 800 });
            const widest = await page.evaluate(() => document.documentElement.scrollWidth);
            expect(widest, `${path} at ${width}`).toBeLessThanOrEqual(width);
          }
        }
      });
    },
  );

  it('puts the state below a long name on a phone, and beside a short one', async () => {
    await visit({ viewport: { width: 390, height: 800 }, locale: 'de-DE' }, async (page) => {
      await page.goto(world.url);
      const isBeside = (id: string): Promise<boolean> =>
        page.locator(`article:has(a[href*="/servers/${id}"])`).evaluate((card) => {
          const [name, state] = ['h3', '.state'].map((part) =>
            card.querySelector(part)!.getBoundingClientRect(),
          );
          return state!.top < name!.bottom;
        });
      expect([await isBeside('northwood-1'), await isBeside('northwood-2')]).toEqual([true, false]);
    });
  });

  it.each(['en', 'de', 'ru'])(
    'says what it has to in %s, in words and for those who do not see',
    async (tag) => {
      await visit({ viewport: { width: 360, height: 800 }, locale: tag }, async (page) => {
        for (const kind of kinds) {
          await page.goto(new URL(kind.path, world.url).href);
          await checkPage(page, kind, languageOf(tag));
        }
      });
    },
  );

  it("takes two requests and little data, besides the owner's pictures", async () => {
    await visit({}, async (page) => {
      const bytes = new Map<string, number>();
      page.on('requestfinished', (request) => {
        void request
          .sizes()
          .then(({ responseBodySize }) => bytes.set(new URL(request.url()).pathname, responseBodySize));
      });
      await page.goto(world.url, { waitUntil: 'load' });
      const pictures = ['/images/banner', '/images/logo'];
      await expect.poll(() => [...bytes.keys()].toSorted()).toEqual(['/', ...pictures, '/page.js']);
      expect([...bytes.values()].reduce((sum, one) => sum + one, 0)).toBeLessThan(60_000);
    });
  });

  it('is whole without JavaScript', async () => {
    await visit({ javaScriptEnabled: false, locale: 'de-DE' }, async (page) => {
      await page.goto(world.url);
      const text = await page.locator('main').innerText();
      expect(text).toContain('Northwood | Chernarus');
      expect(text).toMatch(/Nächster Neustart\s+in \d+\s(?:h|min)/);
      await page.getByRole('link', { name: 'Northwood | Chernarus', exact: true }).click();
      expect(await page.locator('h1').innerText()).toBe('Northwood | Chernarus');
      await page.getByRole('link', { name: 'Polski' }).click();
      expect(await page.locator('html').getAttribute('lang')).toBe('pl');
    });
  });

  it("shows times in the visitor's zone, and changes without being loaded again", async () => {
    await visit({ timezoneId: 'Asia/Tokyo', locale: 'en-US' }, async (page) => {
      await page.clock.install();
      await page.goto(world.url);
      const restart = page.locator('time[data-t=full]').first();
      const at = new Date((await restart.getAttribute('datetime')) ?? '');
      const hour = new Intl.DateTimeFormat('en-US', {
        hour: 'numeric',
        minute: '2-digit',
        timeZone: 'Asia/Tokyo',
      });
      await expect.poll(() => restart.innerText()).toContain(hour.format(at));

      await page.locator('img.banner').evaluate((banner) => (banner.id = 'kept'));
      world.gameServer.setPlayers(41);
      await expect
        .poll(
          later(page, () => page.locator('.sum').innerText()),
          { interval },
        )
        .toContain('41');
      expect(await page.locator('img.banner').getAttribute('id')).toBe('kept');
      const name = page.getByText(hostileNames[0], { exact: true });
      expect(await name.count()).toBeGreaterThan(0);
      await setHidden(world.store.db, { identity: { steamId64: steamIdOf(1) } }, true);
      await expect
        .poll(
          later(page, () => name.count()),
          { interval },
        )
        .toBe(0);
    });
  });

  it('keeps where the tabs are scrolled to on a phone', async () => {
    await visit({ viewport: { width: 360, height: 800 }, locale: 'en-US' }, async (page) => {
      await page.clock.install();
      await page.goto(`${world.url}/boards/player-kills`);
      const tabs = page.locator('.tabs').first();
      await tabs.evaluate((strip) => {
        strip.id = 'replaced';
        strip.scrollLeft = 200;
      });
      await expect
        .poll(
          later(page, () => tabs.getAttribute('id')),
          { interval },
        )
        .toBeNull();
      expect(await tabs.evaluate(({ scrollLeft }) => scrollLeft)).toBe(200);
    });
  });

  it("has all charts in the visitor's zone, which is named once", async () => {
    await visit({ timezoneId: 'Asia/Kolkata', locale: 'en-US' }, async (page) => {
      await page.goto(`${world.url}/servers/northwood-1`);
      const shown = await page.locator('body').innerText();
      expect(shown).toMatch(/Time zone: Asia\/(?:Calcutta|Kolkata)/);
      expect(shown).not.toMatch(/Berlin|CET/);
      const [hours, days] = await page.locator('.chart').evaluateAll((charts) =>
        charts.map((chart) => {
          const { from, to } = (chart as SVGElement).dataset;
          const spanMs = Number(to) - Number(from);
          return Array.from(chart.querySelectorAll('.ticks text'), (label) => ({
            label: label.textContent,
            at: Number(from) + (Number.parseFloat(label.getAttribute('x') ?? '') / 100) * spanMs,
          }));
        }),
      );
      expect(hours?.map(({ label }) => label).join(' ')).toMatch(/^(?:(?:00|04|08|12|16|20):00 ?){5,6}$/);
      expect(days?.length).toBeGreaterThanOrEqual(6);
      // At noon in India; a tenth of a percent is ten minutes.
      for (const { at, label } of days ?? []) {
        const noon = (Math.round((at + 5.5 * hourMs) / (24 * hourMs) - 0.5) + 0.5) * 24 * hourMs;
        expect(Math.abs(at + 5.5 * hourMs - noon)).toBeLessThan(hourMs / 4);
        expect(label).toBe(
          new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(noon),
        );
      }
    });
  });

  it("has all times in the server's zone without JavaScript, and names it", async () => {
    await visit({ javaScriptEnabled: false, locale: 'en-US', timezoneId: 'Asia/Kolkata' }, async (page) => {
      await page.goto(`${world.url}/servers/northwood-1`);
      expect(await page.locator('body').innerText()).toContain('Time zone: Europe/Berlin');
    });
  });

  it('says how far away a moment is in the same words with JavaScript and without', async () => {
    await visit({ locale: 'de-DE' }, async (page) => {
      await page.goto(world.url);
      for (const tag of ['en-US', 'pl', 'ru']) {
        await page.goto(`${world.url}/?lang=${tag.slice(0, 2)}`);
        for (const minutes of [0, 53, 180, 223, -223, 1439, 1440, 4080, -2880]) {
          const at = Date.now() + minutes * 60_000 + 5_000;
          const shown = page.locator('time[data-t=relative]').first();
          await shown.evaluate((time, iso) => {
            (time as HTMLTimeElement).dateTime = iso;
          }, new Date(at).toISOString());
          const expected = relativeTime(languageOf(tag), at, Date.now());
          await page.evaluate('showTimes()');
          expect(await shown.textContent()).toBe(expected);
        }
      }
    });
  });

  it("has the day on which a player was last seen in the visitor's zone", async () => {
    await visit({ timezoneId: 'America/New_York', locale: 'en-US' }, async (page) => {
      await page.goto(`${world.url}${kinds.find(({ name }) => name === 'player')?.path}`);
      expect(await page.locator('main').innerText()).toContain('Last seen Jan 31, 2026');
    });
  });

  it('keeps what it shows while the service cannot answer', async () => {
    await visit({ locale: 'en-US', expected: '503' }, async (page) => {
      await page.clock.install();
      await page.goto(world.url);
      const main = page.locator('main');
      const shown = await main.innerText();
      let asked = 0;
      await page.route(`${world.url}/`, async (route) => {
        asked += 1;
        await route.fulfill({ status: 503, body: '<main>Not available</main>' });
      });
      await expect
        .poll(
          later(page, async () => asked),
          { interval },
        )
        .toBeGreaterThan(1);
      expect(await main.innerText()).toContain(shown.split('\n')[0]);
    });
  });

  it('asks for nothing in a hidden tab, and at once when it is shown', async () => {
    await visit({ locale: 'en-US' }, async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      });
      let asked = 0;
      page.on('request', (request) => {
        if (request.resourceType() === 'fetch') asked += 1;
      });
      await page.clock.install();
      await page.goto(world.url, { waitUntil: 'load' });
      await page.clock.fastForward('01:00');
      expect(asked).toBe(0);
      await page.evaluate(() => {
        Object.defineProperty(document, 'hidden', { value: false, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      await expect.poll(() => asked).toBe(1);
    });
  });
});
