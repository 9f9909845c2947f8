import { ButtonStyle, ComponentType, Events, MessageFlags } from 'discord.js';
import type { TextChannel } from 'discord.js';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserNote, chromiumPath, launchChromium } from './chromium.ts';
import { channelId, guildId, startWorld } from './bot.ts';
import { commands } from './page-commands.ts';
import type { World } from './bot.ts';

const commandsChannel = '1100000000000000201';
const pingedRole = '1100000000000000501';
const hostile = '<img src=x onerror=document.title=1> **@everyone** 76561198000000001';

/** A small bot, enough for the page to show everything it can. */
function runBot(world: World): void {
  world.client.on(Events.InteractionCreate, (interaction) => {
    const act = async (): Promise<void> => {
      if (interaction.isAutocomplete()) {
        const typed = interaction.options.getFocused().toLowerCase();
        const names = ['Chernarus', 'Livonia'].filter((name) => name.toLowerCase().includes(typed));
        await interaction.respond(names.map((name) => ({ name: `Northwood | ${name}`, value: name })));
      } else if (interaction.isButton()) await interaction.update({ content: 'second page' });
      else if (interaction.isStringSelectMenu())
        await interaction.update(`chose ${interaction.values.join()}`);
      else if (interaction.isChatInputCommand()) {
        const { commandName, options, locale } = interaction;
        if (commandName === 'status')
          await interaction.reply({ embeds: [{ title: hostile, description: hostile }] });
        else if (commandName === 'online')
          await interaction.reply(`online on ${options.getString('server')}`);
        else if (commandName === 'bans') {
          await interaction.deferReply({ flags: MessageFlags.Ephemeral });
          await expect.poll(() => released).toBe(true);
          await interaction.editReply('nobody is banned');
        } else if (commandName === 'setup') {
          const options = ['one', 'two', 'three'].map((value) => ({ label: value, value }));
          const menu = {
            type: ComponentType.StringSelect,
            custom_id: 'many',
            options,
            max_values: 3,
          } as const;
          await interaction.reply({ components: [{ type: ComponentType.ActionRow, components: [menu] }] });
        } else if (commandName === 'top') {
          await interaction.reply({
            content: `${options.getString('metric')} ${options.getInteger('limit')} ${locale}`,
            components: [
              {
                type: ComponentType.ActionRow,
                components: [
                  {
                    type: ComponentType.Button,
                    style: ButtonStyle.Primary,
                    custom_id: 'next',
                    label: 'Next',
                  },
                ],
              },
              {
                type: ComponentType.ActionRow,
                components: [
                  {
                    type: ComponentType.StringSelect,
                    custom_id: 'menu',
                    options: [{ label: 'Deaths', value: 'DEATHS' }],
                  },
                ],
              },
            ],
          });
        }
      }
    };
    void act();
  });
}

let world: World;
/** Lets the deferred answer go on. */
let released = false;

beforeAll(async () => {
  const channels = [
    { id: channelId, name: 'server-status', topic: 'Keeps itself up to date' },
    { id: commandsChannel, name: 'bot-commands' },
  ];
  world = await startWorld(commands, {
    guilds: [
      {
        id: guildId,
        name: 'Northwood',
        channels,
        roles: [{ id: pingedRole, name: 'Watchers', mentionable: true }],
        members: [{ id: '1100000000000000301', username: 'mira', displayName: 'Mira', roles: [pingedRole] }],
      },
    ],
    page: {
      title: 'Demo',
      notices: [
        { label: 'API', text: 'http://127.0.0.1:1/v1', copyable: true },
        { label: 'Site', text: 'http://127.0.0.1:1/' },
      ],
    },
  });
  runBot(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe.skipIf(chromiumPath === null)(`the page in Chromium${browserNote}`, () => {
  let browser: Browser;
  let page: Page;
  const troubles: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (sent) => {
      const { protocol, origin } = new URL(sent.url());
      if (protocol !== 'data:' && `${origin}/` !== world.discord.pageUrl)
        troubles.push(`fetched ${sent.url()}`);
    });
    await page.goto(world.discord.pageUrl);
    await page.locator('body[data-ready]').waitFor();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    await page.getByTestId('locale-select').selectOption('en-US');
    await page.getByTestId('persona-select').selectOption({ label: 'Mira (Member)' });
    await page.getByTestId('channel-bot-commands').click();
    await page.getByTestId('composer-input').fill('');
  });
  afterEach(() => expect(troubles.splice(0)).toEqual([]));

  const lastMessage = () => page.getByTestId('message').last();
  const type = async (command: string): Promise<void> => {
    await page.getByTestId('composer-input').click();
    await page.getByTestId('composer-input').pressSequentially(command);
    await page.getByTestId('command-picker').waitFor();
    await page.keyboard.press('Enter');
  };
  const shows = (text: string) => lastMessage().getByText(text).waitFor();

  test('offers the registered commands, and only to those who may use them', async () => {
    await page.getByTestId('composer-input').pressSequentially('/');
    await page.getByTestId('command-status').waitFor();
    expect(await page.getByTestId('command-bans').count()).toBe(0);
    expect(await page.getByTestId('command-top').innerText()).toContain('metric');
    await page.getByTestId('persona-select').selectOption({ label: 'Aksel (Moderator)' });
    await page.getByTestId('composer-input').fill('/ba');
    await page.getByTestId('command-bans').waitFor();
  });

  test('offers the commands of the persona chosen last, however late the answers come', async () => {
    const held: Route[] = [];
    let holding = true;
    await page.route('**/client/state?*', (route) => (holding ? void held.push(route) : route.continue()));
    const choose = (label: string) => page.getByTestId('persona-select').selectOption({ label });
    await choose('Mira (Member)');
    await expect.poll(() => held.length).toBe(1);
    await choose('Aksel (Moderator)');
    await page.getByTestId('composer-input').fill('/ba');
    await page.getByTestId('command-picker').waitFor();
    expect(await page.getByTestId('command-bans').count()).toBe(0);
    holding = false;
    for (const route of held.toReversed()) {
      const answered = page.waitForResponse(route.request().url());
      await route.continue();
      await answered;
    }
    await page.locator('body[data-viewer="1100000000000000302"]').waitFor();
    await page.getByTestId('command-bans').waitFor();
    await page.unroute('**/client/state?*');
  });

  test('sends a command with a choice and an optional number, and shows the answer', async () => {
    await type('/top');
    await page.keyboard.type('long');
    await page.keyboard.press('Enter');
    await page.getByTestId('add-option-limit').click();
    await page.keyboard.type('26');
    await page.keyboard.press('Enter');
    await page.getByText('does not take that value').waitFor();
    await page.getByTestId('option-input-limit').fill('5');
    await page.keyboard.press('Enter');
    await shows('LONGEST_SHOT 5 en-US');
    await page.getByTestId('component-next').last().click();
    await shows('second page');
    await page.getByTestId('component-menu').last().click();
    await page.getByTestId('option-DEATHS').last().click();
    await shows('chose DEATHS');
    expect(await lastMessage().getByText('(edited)').count()).toBe(1);
  });

  test('lets a menu take several things at once', async () => {
    await type('/setup');
    await page.keyboard.press('Enter');
    await page.getByTestId('component-many').last().click();
    await page.getByTestId('option-one').last().click();
    await page.getByTestId('option-three').last().click();
    await page.getByTestId('channel-name').click();
    await shows('chose one,three');
  });

  test('marks a message that pings the role of the viewer, and no other', async () => {
    const channel = world.client.channels.cache.get(commandsChannel) as TextChannel;
    const content = `<@&${pingedRole}> it is down`;
    await channel.send({ content, allowedMentions: { parse: [] } });
    await page.getByText('@Watchers it is down').waitFor();
    expect(await lastMessage().getAttribute('highlight')).toBeNull();
    await channel.send({ content: `${content} again`, allowedMentions: { roles: [pingedRole] } });
    await page.getByText('it is down again').waitFor();
    expect(await lastMessage().getAttribute('highlight')).not.toBeNull();
    await page.getByTestId('persona-select').selectOption({ label: 'Aksel (Moderator)' });
    await page.locator('body[data-viewer="1100000000000000302"]').waitFor();
    await page.getByText('it is down again').waitFor();
    expect(await lastMessage().getAttribute('highlight')).toBeNull();
  });

  test('speaks the chosen language to the bot and in the command picker', async () => {
    await page.getByTestId('locale-select').selectOption('de');
    await type('/rangliste');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await shows('PLAYER_KILLS null de');
  });

  test('fetches completions from the bot as one types', async () => {
    await type('/online');
    await page.keyboard.type('liv');
    await page.getByTestId('choice').filter({ hasText: 'Northwood | Livonia' }).click();
    await page.keyboard.press('Enter');
    await shows('online on Livonia');
  });

  test('draws hostile text as text', async () => {
    await type('/status');
    await page.keyboard.press('Enter');
    const title = lastMessage().getByTestId('embed-title');
    await title.waitFor();
    expect(await title.innerText()).toBe('<img src=x onerror=document.title=1> @everyone 76561198000000001');
    expect(await lastMessage().locator('img[src="x"]').count()).toBe(0);
    expect(await page.title()).toBe('#bot-commands | Northwood');
  });

  test('shows a deferred private answer as thinking, then as only for you, until it is dismissed', async () => {
    released = false;
    await page.getByTestId('persona-select').selectOption({ label: 'Aksel (Moderator)' });
    await type('/bans');
    await page.keyboard.press('Enter');
    await page.getByTestId('thinking').waitFor();
    released = true;
    await shows('nobody is banned');
    await page.getByTestId('persona-select').selectOption({ label: 'Mira (Member)' });
    await page.getByText('nobody is banned').waitFor({ state: 'detached' });
    await page.getByTestId('persona-select').selectOption({ label: 'Aksel (Moderator)' });
    await page.getByText('Dismiss message').last().click();
    await page.getByText('nobody is banned').waitFor({ state: 'detached' });
  });

  test('says that a silent bot did not respond', async () => {
    await type('/silent');
    await page.keyboard.press('Enter');
    await shows('The application did not respond');
  });

  test('shows no failure in a channel that was opened meanwhile', async () => {
    await type('/silent');
    const answered = page.waitForResponse((response) => response.url().endsWith('/client/invoke'));
    await page.keyboard.press('Enter');
    await page.getByTestId('channel-server-status').click();
    await page.locator('body[data-channel="server-status"]').waitFor();
    await (await answered).finished();
    await page.getByTestId('composer-input').pressSequentially('/');
    expect(await page.getByText('The application did not respond').count()).toBe(0);
  });

  test('follows a message that edits itself, and its deletion', async () => {
    const channel = world.client.channels.cache.get(channelId) as TextChannel;
    const post = await channel.send({ embeds: [{ title: '35 of 60' }] });
    await page.getByTestId('channel-server-status').click();
    await page.getByText('35 of 60').waitFor();
    await post.edit({ embeds: [{ title: '36 of 60' }] });
    await page.getByText('36 of 60').waitFor();
    world.discord.deleteMessage(channelId, post.id);
    await page.getByText('36 of 60').waitFor({ state: 'detached' });
  });

  test('shows a message that was posted while the channel was loading', async () => {
    const channel = world.client.channels.cache.get(channelId) as TextChannel;
    let loaded = false;
    await page.route('**/client/messages?*', async (route) => {
      const answer = await route.fetch();
      await channel.send('posted meanwhile');
      // Its event has to come before the answer, which does not have it.
      await page.waitForTimeout(300);
      await route.fulfill({ response: answer });
      loaded = true;
    });
    try {
      await page.getByTestId('channel-server-status').click();
      await expect.poll(() => loaded).toBe(true);
      await page.waitForTimeout(300);
      await shows('posted meanwhile');
    } finally {
      await page.unrouteAll({ behavior: 'wait' });
    }
  });

  describe('draws markdown as Discord does', () => {
    /** What the page makes of a text in an embed. */
    const draw = async (text: string): Promise<string> => {
      const channel = world.client.channels.cache.get(commandsChannel) as TextChannel;
      const { id } = await channel.send({ embeds: [{ description: text }] });
      const drawn = page.locator(`[data-message-id="${id}"] discord-embed-description`);
      return await drawn.evaluate((element) => element.innerHTML.replaceAll(/<!--.*?-->/g, ''));
    };

    test.each([
      ['**b** *i* _i_ __u__ ~~s~~', '<strong>b</strong> <em>i</em> <em>i</em> <u>u</u> <s>s</s>'],
      ['***both***', '<strong><em>both</em></strong>'],
      ['snake_case_name 2 * 3 * 4', 'snake_case_name 2 * 3 * 4'],
      ['\\*not\\* \\_this\\_', '*not* _this_'],
      ['`**code**` ``a`b``', '<code class="md-code">**code**</code> <code class="md-code">a`b</code>'],
      ['```js\n<b>\n```', '<pre class="md-code-block"><code>&lt;b&gt;</code></pre>'],
      ['<b onclick=x>', '&lt;b onclick=x&gt;'],
      ['[bad](javascript:alert(1))', '[bad](javascript:alert(1))'],
      ['> said', '<discord-quote>said</discord-quote>'],
      ['-# small', '<discord-subscript>small</discord-subscript>'],
      ['- a\n  - b\n- c', '<ul class="md-list"><li>a<ul class="md-list"><li>b</li></ul></li><li>c</li></ul>'],
      ['3. x\n4. y', '<ol class="md-list" start="3"><li>x</li><li>y</li></ol>'],
      ['a\nb', 'a<br>b'],
      ['@everyone <@1>', '<span class="md-mention">@everyone</span> &lt;@1&gt;'],
    ])('%s', async (text, expected) => {
      expect(await draw(text)).toBe(expected);
    });

    test('masked links lead where they say', async () => {
      const href = 'href="https://example.org/a"';
      expect(await draw('[**site**](https://example.org/a)')).toContain(`${href} target="_blank"`);
      expect(await draw('see https://example.org/a.')).toMatch(/<\/a>\.$/);
    });

    test('and comes to an end with any text a member can type', async () => {
      const parts = ['*', '_', '||', '~~', '`', '[', '[a](', '**a ', '> ', '- ', '<t:', '__*', '\\', '# '];
      const texts = parts.map((part) => part.repeat(Math.floor(4096 / part.length)));
      for (const text of texts) expect(await draw(text)).not.toBe('');
    });
  });

  test('shows what the demo has to tell', async () => {
    expect(await page.getByTestId('notice-0').innerText()).toContain('http://127.0.0.1:1/v1');
    const link = page.getByTestId('notice-1').getByRole('link');
    expect(await link.getAttribute('href')).toBe('http://127.0.0.1:1/');
  });
});
