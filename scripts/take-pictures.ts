// Takes the documentation's pictures of the demo. Needs a built dist/ and a Chromium (see packages/local-discord/test/chromium.ts). PICTURE_STYLE may name a
// stylesheet to lay over the page, with fonts for emoji where the machine has none. Their size is for a PNG optimiser.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { startDemo } from '../src/demo/demo.ts';
import { launchChromium } from '../packages/local-discord/test/chromium.ts';

const style = process.env['PICTURE_STYLE'];
const demo = await startDemo(() => undefined);
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1000, height: 1000 }, bypassCSP: true });
await page.goto(demo.facts.pageUrl);
await page.locator('body[data-ready]').waitFor();
if (style !== undefined) await page.addStyleTag({ content: readFileSync(style, 'utf8') });
// The side panel shows a secret, if only the demo's.
await page.getByRole('button', { name: 'Members' }).click();

await page.getByTestId('channel-server-status').click();
await latest(page).locator('img.embed-image').waitFor();
await take('demo-post', 1000, 820);

await page.getByTestId('channel-weekly-recap').click();
await latest(page).locator('img.embed-image').waitFor();
await take('demo-recap', 1000, 720);

await page.getByTestId('channel-general').click();
await run(page, 'status', { server: 'Cher' });
await run(page, 'top', { metric: 'PLAYER_KILLS' });
await take('demo', 1000, 1270);

await run(page, 'online', { server: 'Cher' });
await take('demo-online', 1000, 600);

await page.getByTestId('channel-kill-feed').click();
for (const meters of [28.4, 112.7, 341.2]) {
  demo.adminLogs[0]?.kill(meters);
  await page
    .getByTestId('message')
    .filter({ hasText: `${meters} m` })
    .waitFor();
}
await take('demo-kills', 1000, 560);

await become('Aksel (Moderator)');
await page.getByTestId('channel-moderators').click();
await run(page, 'lookup', { identifier: '76561202170581330' });
demo.gameServers[0]?.setPlayers(56);
await take('demo-moderator', 1000, 940);
await page.getByTestId('channel-alerts').click();
await latest(page).waitFor({ timeout: 60_000 });

await become('Mira (Member)');
await page.getByTestId('channel-alerts').click();
await page.getByText('@Watchers').first().waitFor();
await take('demo-alert', 1000, 420);
await browser.close();
await demo.close();

function latest(on: Page): Locator {
  return on.getByTestId('message').last();
}

async function become(persona: string): Promise<void> {
  const [id] = await page.getByTestId('persona-select').selectOption({ label: persona });
  await page.locator(`body[data-viewer="${id}"]`).waitFor();
}

async function take(name: string, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(500);
  await page.evaluate('document.getElementById("scroller").scrollTop = 1e6');
  await page.waitForTimeout(800);
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
  await message.getByTestId('embed').or(message.getByTestId('container')).first().waitFor();
}
