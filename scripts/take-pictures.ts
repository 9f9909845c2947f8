// Takes the README's picture of the demo. Needs a Chromium (see test/harness/chromium.ts).
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startDemo } from '../src/demo/demo.ts';
import { launchChromium } from '../test/harness/chromium.ts';

const demo = await startDemo(() => undefined);
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1000, height: 1270 } });
await page.goto(demo.facts.pageUrl);
await page.locator('body[data-ready]').waitFor();
await page.getByTestId('channel-general').click();
// The side panel shows a secret, if only the demo's.
await page.getByRole('button', { name: 'Members' }).click();
await run(page, 'status');
await run(page, 'top', { metric: 'PLAYER_KILLS' });
await run(page, 'lookup', { identifier: '76561202170581330' });
await page.waitForTimeout(500);
await page.screenshot({ path: fileURLToPath(new URL('../docs/demo.png', import.meta.url)) });
await browser.close();
await demo.close();

async function run(on: Page, command: string, options: Record<string, string> = {}): Promise<void> {
  const before = await on.getByTestId('message').count();
  await on.getByTestId('composer-input').click();
  await on.getByTestId('composer-input').pressSequentially(`/${command}`);
  await on.getByTestId(`command-${command}`).waitFor();
  await on.keyboard.press('Enter');
  for (const [name, value] of Object.entries(options))
    await on.getByTestId(`option-input-${name}`).fill(value);
  if ('metric' in options) await on.getByTestId('choice').first().click();
  await on.getByTestId('send').click();
  await on.getByTestId('message').nth(before).getByTestId('embed').first().waitFor();
}
