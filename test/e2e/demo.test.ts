import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { community } from '../../src/demo/players.ts';
import { startDemo, type Demo } from '../../src/demo/demo.ts';
import { browserNote, chromiumPath, launchChromium } from '../../packages/local-discord/test/chromium.ts';

/** Set to a folder to look at what the tests saw. */
const pictures = process.env['SCREENSHOTS'];

/** For what takes the demo seconds: each look at the page keeps three processes busy. */
const unhurried = { interval: 500 };

/** A player of the demo's logs, by both of his identifiers. */
const player = {
  steamId64: '76561202170581330',
  battleyeGuid: 'b851817f294cb9ab53ccacfa470444bb',
  name: 'Bandit_Joe',
};

let demo: Demo;
beforeAll(async () => {
  // As in a container, where the service listens everywhere.
  vi.stubEnv('OUTPOST_HTTP_HOST', '0.0.0.0');
  demo = await startDemo(() => undefined);
});
afterAll(async () => {
  await demo.close();
  vi.unstubAllEnvs();
});

it('serves this machine alone, also in a container', async () => {
  const { pageUrl, publicUrl, serviceUrl, applicationId, secret } = demo.facts;
  expect([pageUrl, publicUrl, serviceUrl].map((url) => new URL(url).hostname)).toEqual(
    Array(3).fill('127.0.0.1'),
  );
  // What a community has on the web is on this machine, too.
  const headers = { 'user-agent': applicationId, 'content-type': 'application/json' };
  const body = JSON.stringify({ application_id: applicationId, secret });
  const answer = await fetch(`${serviceUrl}/v1/auth/register`, { method: 'POST', headers, body });
  const { token } = (await answer.json()) as { token: string };
  const project = await fetch(`${serviceUrl}/v1/project`, {
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  const { support } = (await project.json()) as { support: Record<string, string> };
  expect(support['discordUrl']).toBe(pageUrl);
  for (const key of ['logoUrl', 'bannerUrl']) {
    expect(new URL(support[key]!).hostname).toBe('127.0.0.1');
    const picture = await fetch(support[key]!);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await picture.arrayBuffer()).byteLength).toBeLessThan(50_000);
  }
});

describe.skipIf(chromiumPath === null)(`the demo in a browser${browserNote}`, () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(90_000);
    await page.goto(demo.facts.pageUrl);
    await page.locator('body[data-ready]').waitFor();
  });
  afterAll(async () => {
    await browser.close();
  });
  beforeEach(async () => {
    await become('Mira (Member)');
    await open('general');
  });

  async function open(channel: string): Promise<void> {
    await page.getByTestId(`channel-${channel}`).click();
    // Until then, the messages of the channel before are there.
    await page.locator(`body[data-channel="${channel}"]`).waitFor();
  }

  async function become(persona: string): Promise<void> {
    const select = page.getByTestId('persona-select');
    const [id] = await select.selectOption({ label: persona });
    await page.locator(`body[data-viewer="${id}"]`).waitFor();
  }

  async function picture(name: string): Promise<void> {
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }

  /** Types a command as a member does, each option by its name, and returns the text of the embed that comes back. */
  async function run(command: string, options: Record<string, string> = {}): Promise<string> {
    const before = await page.getByTestId('message').count();
    await page.getByTestId('composer-input').click();
    await page.getByTestId('composer-input').fill('');
    await page.getByTestId('composer-input').pressSequentially(`/${command}`);
    await page.getByTestId(`command-${command}`).waitFor();
    await page.keyboard.press('Enter');
    for (const [name, value] of Object.entries(options)) {
      const input = page.getByTestId(`option-input-${name}`);
      if ((await input.count()) === 0) await page.getByTestId(`add-option-${name}`).click();
      await input.fill(value);
    }
    const choices = page.getByTestId('choice');
    if (Object.keys(options).some((name) => ['server', 'metric', 'list'].includes(name))) {
      await choices.first().waitFor();
      await choices.first().click();
    }
    await page.getByTestId('send').click();
    await expect.poll(() => page.getByTestId('message').count()).toBeGreaterThan(before);
    const message = page.getByTestId('message').last();
    await message.getByTestId('embed').first().waitFor();
    await picture([command, ...Object.values(options)].join('-').slice(0, 40));
    return (await wordsOf(message)).replace(/\s+/g, ' ');
  }

  /** The text of a message, and that of its pictures for those who do not see them. */
  async function wordsOf(message: Locator): Promise<string> {
    const images = await message.locator('img').all();
    const alts = await Promise.all(images.map(async (image) => await image.getAttribute('alt')));
    return [await message.innerText(), ...alts].join(' ');
  }

  it('answers /status with both servers, their players and the next restart', async () => {
    const text = await run('status');
    expect(text).toContain('Northwood | Chernarus');
    expect(text).toContain('Northwood | Livonia');
    expect(text).toMatch(/\d+ ?\/ ?60/);
  });

  it('answers /online of a server picked from the completion, with names from the log that it writes', async () => {
    const text = await run('online', { server: 'cher' });
    expect(text).toContain('Northwood | Chernarus');
    expect(text).toMatch(/Names from the server log, updated|known by name \(server log, updated/);
    const names = readFileSync(demo.adminLogs[0]?.file ?? '', 'utf8').matchAll(/Player "([^"]+)"/g);
    const shown = new Set(
      Array.from(names, ([, name]) => name).filter((name) => text.includes(`${name} · `)),
    );
    expect(shown.size).toBeGreaterThan(20);
  });

  it('answers /top with the board that was imported from the logs', async () => {
    const text = await run('top', { metric: 'PLAYER_KILLS' });
    const shown = community().filter(({ name }) => text.includes(name));
    expect(shown.length).toBeGreaterThanOrEqual(10);
  });

  it('shows a kill in /top that a game server has just written into its log', async () => {
    const kill = demo.adminLogs[0]?.kill(999.5);
    // Farther than any shot in the logs that the demo brings.
    let board = '';
    const read = async () => (board = await run('top', { metric: 'LONGEST_KILL' }));
    await expect.poll(read, { interval: 1_000 }).toContain('999.5');
    expect(board).toContain(kill?.killer);
  });

  it('posts a kill in the feed as soon as it stands in the log of a game server', async () => {
    await open('kill-feed');
    const kill = demo.adminLogs[0]?.kill(876.5);
    const message = page.getByTestId('message').filter({ hasText: '876.5 m' });
    await message.waitFor();
    expect(await message.innerText()).toContain(`${kill?.killer} killed ${kill?.victim}`);
    await picture('kill-feed');
  });

  it.each([player.steamId64, player.battleyeGuid])(
    'answers /lookup %s with the same player',
    async (identifier) => {
      expect(await run('lookup', { identifier })).not.toContain(player.battleyeGuid);
      await press('IDs and names');
      await expect.poll(() => latest().innerText()).toContain(player.battleyeGuid);
      const text = await wordsOf(latest());
      expect(text).toContain(player.name);
      expect(text).toContain(player.steamId64);
      expect(text).toContain(player.battleyeGuid);
    },
  );

  it('has posted a recap of the last week as a picture, with its words', async () => {
    await open('weekly-recap');
    const image = page.getByTestId('message').last().locator('img.attachment-image');
    await image.waitFor();
    expect(await page.getByTestId('message').count()).toBe(1);
    expect(await image.getAttribute('alt')).toMatch(/Week of .*Most players at once: \d+/);
    await picture('recap');
  });

  it('answers /bans to a moderator, and only to him', async () => {
    await page.getByTestId('composer-input').fill('/ba');
    expect(await page.getByTestId('command-bans').count()).toBe(0);
    await become('Aksel (Moderator)');
    const text = await run('bans');
    expect(text).toContain('Northwood bans');
    await page.getByTestId('message').last().getByText('Only you can see this').waitFor();
    expect(text).toContain('item duplication');
  });

  it('distinguishes a banned player from one who is not', async () => {
    await become('Aksel (Moderator)');
    expect(await run('bans', { identifier: '4bc5122eacb27325500e4cc951243180' })).toContain(
      'item duplication',
    );
    expect(await run('bans', { identifier: player.steamId64 })).toMatch(/not banned/i);
  });

  it('answers /schedule with what is public, and nothing else', async () => {
    const text = await run('schedule');
    expect(text).toContain('Airfield night');
    expect(text).not.toContain('Full wipe');
  });

  it('takes the first choice at Enter, as Discord does, and does not call it an identifier', async () => {
    const present = new Set(demo.adminLogs.flatMap((log) => log.present.map(({ name }) => name)));
    // One of the regulars, whom the leaderboards have.
    const { name } = community().find((one) => one.name.endsWith('the Lost') && !present.has(one.name))!;
    const before = await page.getByTestId('message').count();
    await page.getByTestId('composer-input').pressSequentially('/lookup');
    await page.keyboard.press('Enter');
    await page.getByTestId('add-option-identifier').click();
    await page.getByTestId('option-input-identifier').pressSequentially(name.slice(0, -2));
    // Choices for what was typed before stay until those for the name come.
    await page.getByTestId('choice').first().filter({ hasText: name }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByTestId('message').count()).toBeGreaterThan(before);
    await latest().getByTestId('embed').first().waitFor();
    const text = await wordsOf(latest());
    expect(text).toContain(name);
    expect(text).not.toContain('Found by');
    expect(text).toMatch(/Last seen (an?|\d+) (minute|hour|day)/);
  });

  it('shows whole answers on a phone', async () => {
    await run('top', { metric: 'PLAYER_KILLS' });
    await page.setViewportSize({ width: 420, height: 800 });
    try {
      const { x, width } = (await latest().getByTestId('embed').boundingBox())!;
      expect(x).toBeLessThan(100);
      expect(x + width).toBeLessThanOrEqual(420);
      expect(width).toBeGreaterThan(250);
      await open('server-status');
      await expect.poll(() => page.getByTestId('channel-name').innerText()).toBe('server-status');
      await picture('phone');
    } finally {
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  });

  const latest = () => page.getByTestId('message').last();
  /** A picture that is not there has no room. */
  const chartWidth = async (message: Locator) =>
    (await message.locator('img.embed-image').boundingBox())?.width ?? 0;
  const title = () => latest().getByTestId('embed-title').first().innerText();
  const press = (label: string) => latest().locator('discord-button', { hasText: label }).click();

  it('turns the pages of /top in place, and changes what it counts', async () => {
    await run('top', { metric: 'PLAYER_KILLS' });
    const count = await page.getByTestId('message').count();
    const first = await latest().innerText();
    await press('Next');
    await expect.poll(() => latest().innerText()).not.toBe(first);
    await picture('top-page-2');
    await latest().locator('.menu-button').first().click();
    await picture('top-menu');
    await latest().getByTestId('option-DEATHS').click();
    // The menu says it before the answer does.
    await expect.poll(() => latest().innerText()).not.toContain('Player kills');
    await expect.poll(() => latest().innerText()).toContain('Deaths');
    expect(await page.getByTestId('message').count()).toBe(count);
    await picture('top-deaths');
    await latest().locator('.menu-button').nth(1).click();
    await latest().getByTestId('option-wipe').click();
    await expect.poll(() => latest().innerText()).toContain('Deaths · Since the wipe');
    await latest().getByText('Before the wipe:').waitFor();
    await picture('top-since-the-wipe');
  });

  it('makes a private answer public when a moderator shares it, and not before', async () => {
    await become('Aksel (Moderator)');
    await run('lookup', { identifier: player.steamId64 });
    await latest().getByText('Only you can see this').waitFor();
    await picture('lookup-private');
    await become('Mira (Member)');
    await open('general');
    const before = await page.getByTestId('message').count();
    await become('Aksel (Moderator)');
    await page.getByTestId('message').nth(before).waitFor();
    await press('Share in channel');
    await become('Mira (Member)');
    await expect.poll(() => page.getByTestId('message').count()).toBe(before + 1);
    await expect.poll(() => wordsOf(latest())).toContain(player.name);
    await picture('lookup-shared');
  });

  it('links a member to the player who makes the gestures in the log', async () => {
    await become('Aksel (Moderator)');
    expect(await run('link')).toContain('Make these gestures in the game');
    await expect.poll(() => latest().innerText(), unhurried).toMatch(/has made them all. Is this you\?/);
    const [, name = ''] = /(.+) has made them all/.exec(await latest().innerText()) ?? [];
    await picture('link-found');
    await press("That's me");
    await expect.poll(() => latest().innerText()).toContain('You are linked');
    expect(await latest().innerText()).toContain(name);
    expect(demo.adminLogs[0]?.present.map((survivor) => survivor.name)).toContain(name);
    expect(await run('me')).toContain(name);
    await picture('me');
  });

  it('says to moderators who of the watch list came on', async () => {
    await become('Aksel (Moderator)');
    await open('moderators');
    const alert = page.getByTestId('message').filter({ hasText: 'Combat logging' });
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/@Moderators.*is on Northwood \| Chernarus.*Added by/s);
    await picture('watch');
  });

  it('draws a map of where players die', async () => {
    await become('Aksel (Moderator)');
    await run('heatmap', { server: 'cher', what: 'deaths' });
    await latest().locator('img').last().waitFor();
    await picture('heatmap');
  });

  it('answers in the language of the member', async () => {
    await page.getByTestId('locale-select').selectOption('de');
    await run('status');
    expect(await title()).toBe('Serverstatus');
    await page.getByTestId('locale-select').selectOption('en-US');
  });

  it('draws the players of the day below the status of a server, with a way to join it', async () => {
    await run('status', { server: 'cher' });
    await expect.poll(() => chartWidth(latest())).toBeGreaterThan(400);
    await latest().locator('discord-button[url]').waitFor();
  });

  it('pings the configured role when many are playing, and nobody else', async () => {
    demo.gameServers[0]?.setPlayers(56);
    await open('alerts');
    await latest().waitFor();
    // On a machine under load a server that does not answer in time may have been told of before.
    await expect.poll(() => latest().innerText(), unhurried).toContain('@Watchers');
    await expect.poll(() => latest().getAttribute('highlight')).not.toBeNull();
    await picture('alert');
    await become('Ines (Administrator)');
    await expect.poll(() => latest().getAttribute('highlight')).toBeNull();
  });

  it('edits the status post by itself when the player count of a server changes', async () => {
    await open('server-status');
    const post = page.getByTestId('message').first();
    await post.getByTestId('embed').first().waitFor();
    const [server] = demo.gameServers;
    // More players than the drift can undo within a few seconds.
    server?.setPlayers(3);
    await expect.poll(() => post.innerText(), unhurried).toMatch(/\b[1-6] ?\/ ?60/);
    expect(await page.getByTestId('message').count()).toBe(1);
    await post.getByText('(edited)').waitFor();
    await expect.poll(() => chartWidth(post)).toBeGreaterThan(400);
    await picture('status-post');
  });
});
