// Takes the documentation's pictures of the demo's public page, and fails where a picture does not show what it is for, or where
// it would not fit into 360 pixels. Needs a built dist/ and a Chromium (see packages/local-discord/test/chromium.ts). Their size
// is for a PNG optimiser.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { startDemo } from '../src/demo/demo.ts';
import { languageOf } from '../src/locales/language.ts';
import { launchChromium } from '../packages/local-discord/test/chromium.ts';
import { checkPage, pageKinds } from '../test/page/page-kinds.ts';
import { writeSheet, type SheetRow } from './contact-sheet.ts';

interface Picture {
  name: string;
  path: string;
  language: string;
  scheme: 'light' | 'dark';
  width: number;
  height: number;
  /** What has to be on it. */
  texts: readonly RegExp[];
}

const pictures: readonly Picture[] = [
  {
    name: 'page-desktop',
    path: '/',
    language: 'en-US',
    scheme: 'light',
    width: 1280,
    height: 860,
    texts: [/\d+ players online/, /Northwood \| Chernarus/, /Next restart/, /Bandit_Joe/],
  },
  {
    name: 'page-server',
    path: '/servers/northwood-1',
    language: 'de-DE',
    scheme: 'dark',
    width: 390,
    height: 1040,
    texts: [/Northwood \| Chernarus/, /Nächster Neustart/, /Spieler, letzte 24 Stunden/],
  },
  {
    name: 'page-board',
    path: '/boards/longest-kill',
    language: 'uk-UA',
    scheme: 'light',
    width: 390,
    height: 1040,
    texts: [/Місце/, /Toivo/, /379,3/],
  },
  {
    name: 'page-widget',
    path: '/widget/northwood-1?theme=dark',
    language: 'fr-FR',
    scheme: 'light',
    width: 300,
    height: 280,
    texts: [/Northwood \| Chernarus/, /Prochain redémarrage/, /Rejoindre/],
  },
];

const sheetLanguages = ['en', 'de', 'ru'];
const sheetSizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
/** Everything has to fit into it. */
const narrowest = 360;
const frameSize = { width: 300, height: 280 };

const demo = await startDemo(() => undefined);
const browser = await launchChromium();
try {
  // On a busy machine the service may need a moment.
  while (!(await fetch(demo.facts.publicUrl)).ok) await sleep(500);
  for (const picture of pictures) await take(browser, picture);
  await takeLinkPicture();
  for (const language of sheetLanguages) await takeSheet(browser, language);
} finally {
  await browser.close();
  await demo.close();
}

async function take(
  browser: Browser,
  { name, path, language, scheme, width, height, texts }: Picture,
): Promise<void> {
  const page = await browser.newPage({
    viewport: { width, height },
    locale: language,
    colorScheme: scheme,
    timezoneId: 'Europe/Berlin',
  });
  await page.goto(new URL(path, demo.facts.publicUrl).href);
  const text = await page.locator('body').innerText();
  for (const each of texts) assert.match(text, each, `${name}: expected ${each}`);
  const narrow = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(narrow, `${name}: expected everything within ${width} pixels`);
  await page.screenshot({ path: fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url)) });
  await page.close();
}

/** What a link to a server shows outside Discord. */
async function takeLinkPicture(): Promise<void> {
  const read = (path: string): Promise<Response> => fetch(new URL(path, demo.facts.publicUrl));
  const html = await (await read('/servers/northwood-1')).text();
  const valueOf = (name: string): string => {
    const [, value = ''] = new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html) ?? [];
    return value.replaceAll('&amp;', '&');
  };
  assert.match(valueOf('og:image:alt'), /Northwood \| Chernarus · \d+ \/ 60 players · Online/);
  const picture = await read(valueOf('og:image'));
  assert.equal(picture.headers.get('content-type'), 'image/png');
  writeFileSync(
    fileURLToPath(new URL('../docs/page-link.png', import.meta.url)),
    Buffer.from(await picture.arrayBuffer()),
  );
}

/** Each kind of page on a desktop and on a phone, light and dark. */
async function takeSheet(browser: Browser, tag: string): Promise<void> {
  const language = languageOf(tag);
  const board = await (await fetch(new URL('/boards/longest-kill', demo.facts.publicUrl))).text();
  const [, path = '', name = ''] = /href="(\/players\/[\w-]+)"[^>]*><bdi>([^<]+)</.exec(board) ?? [];
  const rows: SheetRow[] = [];
  for (const kind of pageKinds({ path, name })) {
    const shown: Buffer[] = [];
    for (const viewport of kind.name === 'widget' ? [frameSize] : sheetSizes) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({
          viewport: { ...viewport, width: Math.min(viewport.width, narrowest) },
          locale: tag,
          colorScheme,
          timezoneId: 'Europe/Berlin',
        });
        await page.goto(new URL(kind.path, demo.facts.publicUrl).href);
        await checkPage(page, kind, language);
        await page.setViewportSize(viewport);
        await checkPage(page, kind, language);
        shown.push(await page.screenshot());
        await page.close();
      }
    }
    rows.push({ title: kind.name, pictures: shown });
  }
  await writeSheet(browser, `page-all-${tag}`, rows);
}
