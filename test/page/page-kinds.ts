import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Language } from '../../src/locales/language.ts';

/** One of each kind of page, and what has to be on it in a language. */
export interface PageKind {
  name: string;
  path: string;
  texts(language: Language): string[];
  /** What describes its pictures to those who do not see them. */
  alts?(language: Language): string[];
}

const server = 'Northwood | Chernarus';

/** Of a page with the server `northwood-1`. `player` is the path of a page. */
export function pageKinds(player: { path: string; name: string }): readonly PageKind[] {
  return [
    {
      name: 'front',
      path: '/',
      texts: ({ t }) => [
        server,
        t('site.servers'),
        t('status.nextRestart'),
        t('state.ONLINE'),
        t('site.leaderboards'),
        t('metric.LONGEST_KILL'),
        t('site.allBoards'),
        t('site.zone'),
      ],
    },
    {
      name: 'server',
      path: '/servers/northwood-1',
      texts: ({ t }) => [
        server,
        t('site.home'),
        t('status.map'),
        t('button.join'),
        t('site.history'),
        t('chart.day'),
        t('schedule.title'),
        t('preview.calendar'),
      ],
      alts: ({ t }) => [`${t('chart.alt', { servers: server })} · ${t('chart.day')}`],
    },
    {
      name: 'board',
      path: '/boards/longest-kill',
      texts: ({ t }) => [
        t('metric.LONGEST_KILL'),
        t('site.rank'),
        t('site.player'),
        t('site.value'),
        t('top.allTime'),
        t('top.period.week'),
      ],
    },
    {
      name: 'player',
      path: player.path,
      texts: ({ t }) => [
        player.name,
        t('metric.PLAYER_KILLS'),
        t('metric.KD'),
        t('card.lastDays', { count: 30 }),
      ],
    },
    {
      name: 'widget',
      path: '/widget/northwood-1',
      texts: ({ t }) => [server, t('status.nextRestart'), t('button.join')],
    },
  ];
}

/** Fails where the open page does not say what it has to, is wider than the window, or cuts a label. */
export async function checkPage(
  page: Page,
  { name, texts, alts }: PageKind,
  language: Language,
): Promise<void> {
  const where = `${name} in ${language.locale}`;
  assert.equal(await page.locator('html').getAttribute('lang'), language.locale, where);
  // Styles may write a text in capital letters.
  const shown = (await page.locator('body').innerText()).toLowerCase();
  for (const text of texts(language)) assert.ok(shown.includes(text.toLowerCase()), `${where}: "${text}"`);
  const described = await page
    .getByRole('img')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.getAttribute('alt')));
  for (const alt of alts?.(language) ?? []) assert.ok(described.includes(alt), `${where}: "${alt}"`);
  assert.deepEqual(await page.evaluate(overflowing), [], `${where}: what does not fit`);
}

/** The labels that are cut, or all when the page is wider than the window. Names may be cut. Runs in the browser. */
function overflowing(): string[] {
  const labels = Array.from(document.querySelectorAll('h2, thead th, dt, dd, .button, .state'));
  const { scrollWidth } = document.documentElement;
  return labels
    .filter((one) => scrollWidth > innerWidth || one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.tagName} ${one.className}: ${one.textContent.slice(0, 60)}`);
}
