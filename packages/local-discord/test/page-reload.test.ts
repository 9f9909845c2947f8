import { expect, onTestFinished, test } from 'vitest';
import { guildId, startWorld } from './bot.ts';
import { browserNote, chromiumPath, launchChromium } from './chromium.ts';

const channels = ['welcome', 'general'].map((name, index) => ({ id: `110000000000000020${index}`, name }));

test.skipIf(chromiumPath === null)(
  `the page goes on with who one acts as, the language and the channel after a reload${browserNote}`,
  async () => {
    const world = await startWorld([], { guilds: [{ id: guildId, name: 'Northwood', channels }] });
    const browser = await launchChromium();
    onTestFinished(async () => {
      await browser.close();
      await world[Symbol.asyncDispose]();
    });
    const page = await browser.newPage();
    const open = async (load: () => Promise<unknown>) => {
      await load();
      await page.locator('body[data-ready]').waitFor();
    };
    const shown = async () => {
      const chosen = (select: string) => page.getByTestId(select).locator('option:checked').innerText();
      const channel = await page.getByTestId('channel-name').innerText();
      return [await chosen('persona-select'), await chosen('locale-select'), channel];
    };
    await open(() => page.goto(world.discord.pageUrl));
    expect((await shown())[0]).toBe('Mira (Member)');
    await page.getByTestId('persona-select').selectOption({ label: 'Aksel (Moderator)' });
    await page.getByTestId('locale-select').selectOption('de');
    await page.getByTestId('channel-general').click();
    await open(() => page.reload());
    expect(await shown()).toEqual(['Aksel (Moderator)', 'German', 'general']);
    const viewer = await page.locator('body').getAttribute('data-viewer');
    expect(viewer).toBe(await page.getByTestId('persona-select').inputValue());
  },
);
