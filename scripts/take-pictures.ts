// Takes the documentation's pictures of the demo in the local Discord, and fails where one does not say what it is for, or where
// it would not fit into 360 pixels. Needs a built dist/ and a Chromium (see packages/local-discord/test/chromium.ts). PICTURE_STYLE
// may name a stylesheet to lay over the page, with fonts for emoji where the machine has none. Their size is for a PNG optimiser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { startDemo, type Demo } from '../src/demo/demo.ts';
import { languageOf } from '../src/locales/language.ts';
import { launchChromium } from '../packages/local-discord/test/chromium.ts';
import { writeSheet, type SheetRow } from './contact-sheet.ts';

const style = process.env['PICTURE_STYLE'];
const browser = await launchChromium();
/** What is looked up. */
const player = { name: 'Bandit_Joe', steamId64: '76561202170581330' };

for (const locale of ['en-US', 'de', 'ru']) await takeSheet(locale);
const demo = await startDemo(() => undefined);
const page = await open(demo);

await page.getByTestId('channel-server-status').click();
await latest(page).locator('img.embed-image').waitFor();
await latest(page).getByText('2 of 2 servers online').waitFor();
await take('demo-post', 1000, 820);

await page.getByTestId('channel-weekly-recap').click();
await latest(page).locator('img.embed-image').waitFor();
await take('demo-recap', 1000, 720);

await page.getByTestId('channel-general').click();
await page.locator('body[data-channel="general"]').waitFor();
await run(page, 'status', { server: 'Cher' });
await run(page, 'top', { metric: 'PLAYER_KILLS' });
await take('demo', 1000, 1270);

await run(page, 'online', { server: 'Cher' });
await take('demo-online', 1000, 600);

await page.getByTestId('channel-kill-feed').click();
await kill(demo, page, 'en');
await take('demo-kills', 1000, 560);

await become('Aksel (Moderator)');
await page.getByTestId('channel-moderators').click();
await latest(page).getByText('Combat logging').waitFor();
await take('demo-watch', 1000, 420);
await run(page, 'lookup', { identifier: player.steamId64 });
demo.gameServers[0]?.setPlayers(56);
await take('demo-moderator', 1000, 940);
await run(page, 'link');
await latest(page).getByText('has made them all').waitFor();
await take('demo-link', 1000, 540);
await page.getByText("That's me").click();
await latest(page).getByText('You are linked').waitFor();
await page.getByTestId('channel-alerts').click();
await latest(page).waitFor({ timeout: 60_000 });

await become('Mira (Member)');
await page.getByTestId('channel-alerts').click();
await page.getByText('@Watchers').first().waitFor();
await take('demo-alert', 1000, 420);
await browser.close();
await demo.close();

async function open({ facts }: Demo): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1000 }, bypassCSP: true });
  await page.goto(facts.pageUrl);
  await page.locator('body[data-ready]').waitFor();
  if (style !== undefined) await page.addStyleTag({ content: readFileSync(style, 'utf8') });
  // The side panel shows a secret, if only the demo's.
  await page.getByRole('button', { name: 'Members' }).click();
  return page;
}

/** Of near and of far, which a feed marks. */
async function kill({ adminLogs }: Demo, on: Page, locale: string): Promise<void> {
  for (const meters of [28.4, 112.7, 341.2]) {
    adminLogs[0]?.kill(meters);
    const hasText = languageOf(locale).number(meters, 1);
    await on.getByTestId('message').filter({ hasText }).waitFor();
  }
}

/** What the bot says in a language, on a desktop and on a phone. The local Discord has no light side. */
async function takeSheet(locale: string): Promise<void> {
  const { t, number } = languageOf(locale);
  const demo = await startDemo(() => undefined, { locale });
  const page = await open(demo);
  await page.getByTestId('locale-select').selectOption(locale);
  const rows: SheetRow[] = [];
  const add = async (title: string, texts: readonly string[], alts: readonly string[] = []) => {
    const where = `${title} in ${locale}`;
    const shown = await latest(page).innerText();
    for (const text of texts) assert.ok(shown.includes(text), `${where}: expected "${text}" in ${shown}`);
    const alt = (
      await latest(page)
        .getByRole('img')
        .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).alt))
    ).join();
    for (const text of alts) assert.ok(alt.includes(text), `${where}: expected "${text}" in ${alt}`);
    const pictures: Buffer[] = [];
    for (const [width, height] of [
      [360, 844],
      [390, 844],
      [1000, 844],
    ] as const) {
      await settle(page, width, height);
      const box = await latest(page)
        .getByTestId('embed')
        .or(latest(page).getByRole('img'))
        .last()
        .boundingBox();
      assert.ok(box !== null && box.x + box.width <= width, `${where}: expected it within ${width} pixels`);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `${where}: ${width} pixels`,
      );
      if (width !== 360) pictures.unshift(await page.screenshot());
    }
    rows.push({ title, pictures });
  };

  await page.getByTestId('channel-general').click();
  await page.locator('body[data-channel="general"]').waitFor();
  await run(page, 'top', { metric: 'PLAYER_KILLS' });
  await add('/top', [t('metric.PLAYER_KILLS'), player.name, t('top.changes')]);
  await latest(page)
    .locator('.menu', { hasText: t('placeholder.card') })
    .locator('.menu-button')
    .click();
  await latest(page).locator('.menu-option:visible').first().click();
  await latest(page).locator('img.attachment-image').waitFor();
  await add('card', [], [player.name, t('metric.LONGEST_KILL'), t('card.lastDays', { count: 30 })]);
  await run(page, 'lookup', { identifier: player.steamId64 });
  await latest(page).locator('img.attachment-image').waitFor();
  await add('/lookup', [player.name, t('player.lastKills')], [t('player.favouriteWeapon')]);
  await page.getByTestId('channel-kill-feed').click();
  await kill(demo, page, locale);
  await add('kill feed', [number(341.2, 1)]);
  await page.getByTestId('channel-weekly-recap').click();
  await latest(page).locator('img.embed-image').waitFor();
  await add('recap', [t('recap.kills'), t('recap.peak'), t('recap.newcomers')]);
  await page.close();
  await demo.close();
  await writeSheet(browser, `demo-all-${locale.slice(0, 2)}`, rows);
}

function latest(on: Page): Locator {
  return on.getByTestId('message').last();
}

async function become(persona: string): Promise<void> {
  const [id] = await page.getByTestId('persona-select').selectOption({ label: persona });
  await page.locator(`body[data-viewer="${id}"]`).waitFor();
}

async function settle(on: Page, width: number, height: number): Promise<void> {
  await on.setViewportSize({ width, height });
  await on.waitForTimeout(500);
  await on.evaluate('document.getElementById("scroller").scrollTop = 1e6');
  await on.waitForTimeout(800);
}

async function take(name: string, width: number, height: number): Promise<void> {
  await settle(page, width, height);
  await page.screenshot({ path: fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url)) });
}

async function run(on: Page, command: string, options: Record<string, string> = {}): Promise<void> {
  const before = await on.getByTestId('message').count();
  await on.getByTestId('composer-input').click();
  await on.getByTestId('composer-input').pressSequentially(`/${command}`);
  await on.getByTestId(`command-${command}`).waitFor();
  await on.keyboard.press('Enter');
  for (const [name, value] of Object.entries(options)) {
    const input = on.getByTestId(`option-input-${name}`);
    if ((await input.count()) === 0) await on.getByTestId(`add-option-${name}`).click();
    await input.fill(value);
  }
  if ('metric' in options || 'server' in options) await on.getByTestId('choice').first().click();
  await on.getByTestId('send').click();
  const message = on.getByTestId('message').nth(before);
  await message.getByTestId('embed').first().waitFor();
}
