import { ComponentType, Events, MessageFlags, TextInputStyle } from 'discord.js';
import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserNote, chromiumPath, launchChromium } from './chromium.ts';
import { channelId, guildId, member, startWorld } from './bot.ts';
import type { World } from './bot.ts';

const hostile = '<img src=x onerror=document.title=1>';

const modal: APIModalInteractionResponseCallbackData = {
  custom_id: 'about-you',
  title: `About you ${hostile}`.slice(0, 45),
  components: [
    {
      type: ComponentType.Label,
      label: 'Name',
      description: 'As others see it',
      component: {
        type: ComponentType.TextInput,
        custom_id: 'name',
        style: TextInputStyle.Short,
        max_length: 10,
      },
    },
    {
      type: ComponentType.ActionRow,
      components: [
        {
          type: ComponentType.TextInput,
          custom_id: 'story',
          label: 'Story',
          style: TextInputStyle.Paragraph,
          required: false,
          value: 'once',
        },
      ],
    },
  ],
};

const commands = ['form', 'button', 'wrong', 'twice', 'late'].map((name) => ({ name, description: name }));

/** Answers with what came, or as the name of the command says. */
function runBot(world: World, refused: unknown[]): void {
  world.client.on(Events.InteractionCreate, (interaction) => {
    const act = async (): Promise<void> => {
      if (interaction.isModalSubmit()) {
        const { fields, customId } = interaction;
        const text = `${customId}: ${fields.getTextInputValue('name')}, ${fields.getTextInputValue('story')}`;
        if (fields.getTextInputValue('name') === 'again') return await refuse(() => showAgain());
        if (fields.getTextInputValue('name') === 'slow') {
          await interaction.deferReply({ flags: MessageFlags.Ephemeral });
          await interaction.editReply(text);
        } else if (interaction.isFromMessage()) await interaction.update({ content: text, components: [] });
        else await interaction.reply(text);
        // discord.js has no such method here, so the route is called.
        function showAgain(): Promise<unknown> {
          const { id, token } = interaction;
          return world.rest.post(`/interactions/${id}/${token}/callback`, { body: { type: 9, data: modal } });
        }
      } else if (interaction.isButton()) await interaction.showModal(modal);
      else if (!interaction.isChatInputCommand() || interaction.commandName === 'late') return;
      else if (interaction.commandName === 'wrong') {
        await refuse(() => interaction.showModal({ ...modal, title: '', components: [] }));
      } else if (interaction.commandName === 'twice') {
        await interaction.deferReply();
        await refuse(() => {
          interaction.deferred = false;
          return interaction.showModal(modal);
        });
      } else if (interaction.commandName === 'button') {
        const button = { type: ComponentType.Button, style: 1, custom_id: 'open', label: 'Open' } as const;
        await interaction.reply({ components: [{ type: ComponentType.ActionRow, components: [button] }] });
      } else await interaction.showModal(modal);
    };
    const refuse = (attempt: () => Promise<unknown>): Promise<void> =>
      attempt().then(
        () => void refused.push('nothing'),
        (error: unknown) => void refused.push(error),
      );
    void act();
  });
}

let world: World;

beforeAll(async () => {
  world = await startWorld(commands, { acknowledgeWithinMs: 60_000 });
  runBot(world, []);
});
afterAll(() => world[Symbol.asyncDispose]());

const at = { guildId, channelId, user: member };
const invoke = (commandName: string) => world.discord.invoke({ ...at, commandName });

describe('a modal', () => {
  test('opens as the answer to a command, and is answered with a message', async () => {
    const opened = await invoke('form');
    expect(opened).toMatchObject({ acknowledgement: 'modal', message: null });
    expect(opened.modal?.fields.map(({ customId, label, required }) => [customId, label, required])).toEqual([
      ['name', 'Name', true],
      ['story', 'Story', false],
    ]);
    const sent = await world.discord.submit({ openedBy: opened.id, user: member, fields: { name: 'Mira' } });
    expect(sent.message?.content).toBe('about-you: Mira, once');
  });

  test('is answered late and privately', async () => {
    const { id: openedBy } = await invoke('form');
    const fields = { name: 'slow', story: '' };
    const sent = await world.discord.submit({ openedBy, user: member, fields });
    expect(sent).toMatchObject({ deferred: true, ephemeral: true });
    expect(sent.message?.content).toBe('about-you: slow, ');
  });

  test('of a button updates the message of the button', async () => {
    const { message } = await invoke('button');
    const opened = await world.discord.click({ messageId: message!.id, customId: 'open', user: member });
    const { id: openedBy } = opened;
    const sent = await world.discord.submit({ openedBy, user: member, fields: { name: 'Mira' } });
    expect(sent.acknowledgement).toBe('update');
    expect(sent.message).toMatchObject({ id: message!.id, content: 'about-you: Mira, once' });
  });

  test('takes what the app would send, from who opened it, and a forged one as it is', async () => {
    const { id: openedBy } = await invoke('form');
    const send = (name: string, more = {}) =>
      world.discord.submit({ openedBy, user: member, fields: { name }, ...more });
    await expect(send('')).rejects.toThrow('Name: This field is required');
    await expect(send('longer than ten')).rejects.toThrow('Name: Must be at most 10 characters');
    await expect(send('Mira', { user: { ...member, id: '1100000000000000399' } })).rejects.toThrow(
      'no modal',
    );
    const forged = await send('longer than ten', { forged: true, customId: 'other' });
    expect(forged.message?.content).toBe('other: longer than ten, once');
  });

  test('is refused where Discord refuses it', async () => {
    const refused: unknown[] = [];
    await using impatient = await startWorld(commands, { acknowledgeWithinMs: 3_000 });
    runBot(impatient, refused);
    const { discord } = impatient;
    const wrong = expect(discord.invoke({ ...at, commandName: 'wrong' })).rejects.toThrow('did not respond');
    await expect.poll(() => refused).toHaveLength(1);
    await discord.invoke({ ...at, commandName: 'twice', until: 'acknowledged' });
    await expect.poll(() => refused).toHaveLength(2);
    const { id: openedBy } = await discord.invoke({ ...at, commandName: 'form' });
    const again = discord.submit({ openedBy, user: member, fields: { name: 'again' } });
    await expect(again).rejects.toThrow('did not respond');
    await wrong;
    expect(refused).toMatchObject([
      { code: 50035, status: 400, message: expect.stringContaining('data.title[BASE_TYPE_BAD_LENGTH]') },
      { code: 40060 },
      { code: 50035, message: expect.stringContaining('type[BASE_TYPE_CHOICES]') },
    ]);
  });
});

describe.skipIf(chromiumPath === null)(`a modal on the page in Chromium${browserNote}`, () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(world.discord.pageUrl);
    await page.locator('body[data-ready]').waitFor();
  });
  afterAll(() => browser.close());

  const open = async (): Promise<void> => {
    await page.getByTestId('composer-input').click();
    await page.getByTestId('composer-input').pressSequentially('/form');
    await page.getByTestId('command-picker').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByTestId('modal').waitFor();
  };

  test('is drawn as text, filled in and sent', async () => {
    await open();
    expect(await page.getByTestId('modal-title').textContent()).toBe(modal.title);
    expect(await page.getByTestId('modal-field-story').inputValue()).toBe('once');
    await page.getByTestId('modal-submit').click();
    // The browser asks for what is required.
    expect(await page.getByTestId('modal').isVisible()).toBe(true);
    await page.getByLabel('Name').fill('Page');
    await page.getByTestId('modal-submit').click();
    await page.getByTestId('modal').waitFor({ state: 'detached' });
    await page.getByTestId('message').last().getByText('about-you: Page, once').waitFor();
  });

  test('closes without sending', async () => {
    const before = await page.getByTestId('message').count();
    await open();
    await page.keyboard.press('Escape');
    await page.getByTestId('modal').waitFor({ state: 'detached' });
    expect(await page.getByTestId('message').count()).toBe(before);
  });
});
