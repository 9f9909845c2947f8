import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BotOptions } from '../../src/bot/bot.ts';
import type { Pictures } from '../../src/commands/interfaces/community.ts';
import type { Invocation, Message } from 'local-discord';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import { componentsOf } from '../commands/components.ts';
import * as data from '../embeds/contract-data.ts';
import {
  channelId,
  guildId,
  startWorld,
  testProjects,
  type World,
  discordConfig,
  type DiscordInput,
} from './discord-world.ts';

const sendMessages = 1n << 11n;
const mira = { id: '1100000000000000301', username: 'mira', permissions: sendMessages };
const tom = { id: '1100000000000000303', username: 'tom', permissions: sendMessages };
/** May ban. */
const aksel = { id: '1100000000000000302', username: 'aksel', permissions: 4n | sendMessages };

const names = Array.from({ length: 25 }, (_, index) => `Player ${index + 1}`);
const handlers: Partial<Handlers> = {};
let world: World;

beforeEach(() => {
  handlers.listLeaderboards = ({ metric }) => ({
    leaderboards: [data.leaderboard(names, { metric: metric as 'DEATHS' })],
  });
  handlers.getPlayer = ({ identifier }) => ({
    player: data.player({ steamId64: identifier, battleyeGuid: null }),
  });
  delete handlers.listServers;
});
afterEach(async () => world[Symbol.asyncDispose]());

async function start(
  config: DiscordInput = {},
  pictures: Partial<Pictures> = {},
  timing: BotOptions['timing'] = {},
): Promise<void> {
  world = await startWorld({
    client: contractClient(handlers, Date.now),
    bot: {
      config: { locale: 'en-US', guildIds: [], statusPosts: [], presence: false, ...config },
      pictures,
      timing,
    },
  });
  await world.bot.ready;
}

type User = typeof mira & { locale?: string };

async function use(
  commandName: string,
  options: Record<string, string | number> = {},
  user: User = mira,
): Promise<Message> {
  const { message } = await world.discord.invoke({ guildId, channelId, user, commandName, options });
  if (message === null) throw new Error(`/${commandName} has no answer`);
  return message;
}

/** The component with that label, below a message as Discord has it. */
function idOf(message: Message, label: string): string {
  const found = componentsOf(message as never).find((component) => component.label === label);
  if (found === undefined) throw new Error(`no ${label}`);
  return found.customId;
}

const click = (message: Message, label: string, user: User = mira): Promise<Invocation> =>
  world.discord.click({ messageId: message.id, customId: idOf(message, label), user });

const choose = (message: Message, label: string, value: string, user: User = mira): Promise<Invocation> =>
  world.discord.select({ messageId: message.id, customId: idOf(message, label), values: [value], user });

const forge = (message: Message, customId: string): Promise<Invocation> =>
  world.discord.click({ messageId: message.id, customId, user: mira, forged: true });

const textOf = (message: Message | null) => message?.embeds[0]?.description ?? '';
const titleOf = (message: Message | null) => message?.embeds[0]?.title;
const messages = () => world.discord.messages(channelId);

describe('a button or menu', () => {
  it('changes the message on which it stands, acknowledging once', async () => {
    await start();
    const board = await use('top', { metric: 'DEATHS' });
    const turned = await click(board, 'Next');
    expect(turned).toMatchObject({ acknowledgement: 'update', message: { id: board.id }, followUps: [] });
    expect(textOf(turned.message)).toContain('Player\u00a011 ');
    const changed = await choose(turned.message!, 'Choose a leaderboard', 'PLAYTIME');
    expect(titleOf(changed.message)).toBe('🕐 Play time');
    expect(messages()).toHaveLength(1);
  });

  it('still works after a restart of the bot', async () => {
    await start();
    const board = await use('top', { metric: 'DEATHS' });
    await world.restart();
    expect(textOf((await click(board, 'Next')).message)).toContain('Player\u00a011 ');
  });

  it('answers in the language of who presses', async () => {
    await start({ buttons: 'everyone' });
    const board = await use('top', { metric: 'DEATHS' });
    const turned = await click(board, 'Next', { ...tom, locale: 'de' });
    expect(titleOf(turned.message)).toBe('💀 Tode');
  });

  it('that fails answers the member who pressed it, and leaves the message unchanged', async () => {
    await start();
    const status = await use('status', { server: 'northwood-2' });
    handlers.listServers = () => ({ servers: [data.server()] });
    const pressed = await click(status, 'Refresh');
    expect(pressed).toMatchObject({ acknowledgement: 'message', ephemeral: true });
    expect(textOf(pressed.message)).toContain('This server no longer exists.');
    expect(messages().find(({ id }) => id === status.id)?.embeds).toEqual(status.embeds);
  });

  it('replaces the picture of a message by the new one', async () => {
    let drawn = 0;
    const players = async () => ({ name: `chart-${(drawn += 1)}.png`, data: Buffer.from('png') });
    await start({}, { players });
    const status = await use('status', { server: 'northwood-1' });
    const { message } = await click(status, 'Refresh');
    expect(message?.attachments.map(({ filename }) => filename)).toEqual(['chart-2.png']);
    const { message: all } = await click(message!, 'All servers');
    expect([all?.attachments, all?.embeds[0]?.image]).toEqual([[], undefined]);
  });
});

describe('buttons of a public answer', () => {
  it('belong to who asked', async () => {
    await start();
    const board = await use('top', { metric: 'DEATHS' });
    const pressed = await click(board, 'Next', tom);
    expect(pressed).toMatchObject({ acknowledgement: 'message', ephemeral: true });
    expect(textOf(pressed.message)).toContain('Only the person who ran this command can use its buttons.');
    expect(textOf(messages()[0]!)).toContain('Player\u00a01 ');
    expect((await click(board, 'Next')).acknowledgement).toBe('update');
  });

  it('belong to everyone where the owner wants it so, and still do when others have pressed them', async () => {
    await start({ buttons: 'everyone' });
    const board = await use('top', { metric: 'DEATHS' });
    const { message } = await click(board, 'Next', tom);
    expect(textOf(message)).toContain('Player\u00a011 ');
    expect(textOf((await click(message!, 'Previous')).message)).toContain('Player\u00a01 ');
    // Should the owner think better of it, they are who asked's again.
    expect(idOf(message!, 'Next')).toContain(`:${BigInt(mira.id).toString(36)}:`);
  });

  it('ask for the same permission as their command, again at each press', async () => {
    await start({ answers: { bans: 'public' } });
    const bans = await use('bans', { identifier: '76561198000000001' }, aksel);
    expect(bans.visibleTo).toBeNull();
    const pressed = await click(bans, 'Check again', { ...aksel, permissions: sendMessages });
    expect(pressed.ephemeral).toBe(true);
    expect(titleOf(pressed.message)).toBe("🔒 You can't use this");
  });
});

describe('a component that is none of the bot’s', () => {
  it.each([
    ['foreign', 'some-other-bot', "doesn't recognize this button"],
    ['of another version', 'o9:top:view:1:x', 'from a different version of the bot'],
    [
      'of a command that is gone',
      `o1:casino:view:${BigInt(mira.id).toString(36)}:x`,
      'from a different version',
    ],
    ['forged', `o1:top:view:${BigInt(mira.id).toString(36)}:x:y`, "doesn't recognize this button"],
    [
      'forged for another',
      'o1:top:view:1:DEATHS::',
      'Only the person who ran this command can use its buttons.',
    ],
    [
      'forged into a command that has none',
      `o1:top:link:${BigInt(mira.id).toString(36)}:a::`,
      "doesn't recognize",
    ],
  ])('is answered in words, to who pressed only: %s', async (_, customId, words) => {
    await start();
    const board = await use('top', { metric: 'DEATHS' });
    const pressed = await forge(board, customId);
    expect(pressed).toMatchObject({ acknowledgement: 'message', ephemeral: true });
    expect(textOf(pressed.message)).toContain(words);
    expect(textOf(messages()[0]!)).toEqual(textOf(board));
  });
});

describe('who sees an answer', () => {
  it('is the owner’s to decide, for each command', async () => {
    await start({ answers: { status: 'private', lookup: 'public' } });
    expect((await use('status')).visibleTo).toBe(mira.id);
    expect((await use('lookup', { identifier: '76561198000000001' })).visibleTo).toBeNull();
    expect((await use('top', { metric: 'DEATHS' })).visibleTo).toBeNull();
  });

  it('changes when a moderator shows it to everyone', async () => {
    await start();
    const lookup = await use('lookup', { identifier: '76561198000000001' }, aksel);
    const fieldNames = (message: Message) => (message.embeds[0]?.fields ?? []).map(({ name }) => name);
    expect(lookup.visibleTo).toBe(aksel.id);
    const unfolded = await click(lookup, 'IDs, names and bans', aksel);
    expect(unfolded).toMatchObject({ acknowledgement: 'update', message: { visibleTo: aksel.id } });
    expect(fieldNames(unfolded.message!)).toContain('Active bans');
    const shared = await click(unfolded.message!, 'Share in channel', aksel);
    expect(shared).toMatchObject({ acknowledgement: 'message', ephemeral: false });
    expect(titleOf(shared.message)).toBe('👤 Survivor');
    expect(fieldNames(shared.message!) ?? []).not.toContain('Active bans');
    expect(JSON.stringify(shared.message?.embeds)).not.toContain('76561198000000001');
    expect(componentsOf(shared.message as never)).toEqual([]);
  });

  it('stays as it is when a private answer is changed in place', async () => {
    await start();
    const bans = await use('bans', { identifier: '76561198000000001' }, aksel);
    const again = await click(bans, 'Check again', aksel);
    expect(again).toMatchObject({ acknowledgement: 'update', message: { id: bans.id, visibleTo: aksel.id } });
    const labels = componentsOf(again.message as never).map(({ label }) => label);
    expect(labels).toContain('Share in channel');
  });

  it('is not for other members to change, whatever they send', async () => {
    await start();
    const lookup = await use('lookup', { identifier: '76561198000000001' });
    expect(componentsOf(lookup as never).map(({ label }) => label)).toEqual(['IDs and names', 'This is me']);
    const owner = BigInt(mira.id).toString(36);
    const pressed = await forge(lookup, `o1:lookup:share:${owner}:76561198000000001`);
    expect(pressed.ephemeral).toBe(true);
    expect(titleOf(pressed.message)).toBe("🔒 You can't use this");
  });

  it.each([
    ['everyone', mira, true],
    ['everyone', { ...mira, permissions: 0n }, false],
    ['nobody', aksel, false],
    ['moderators', { ...aksel, permissions: 4n }, false],
  ] as const)('may be changed by %s as configured, who may write there', async (sharing, user, offered) => {
    await start({ sharing });
    const lookup = await use('lookup', { identifier: '76561198000000001' }, user);
    const labels = componentsOf(lookup as never).map(({ label }) => label);
    expect(labels.includes('Share in channel')).toBe(offered);
  });

  it.each([
    ['opened', 'nobody', 'everyone', true],
    ['closed', 'everyone', 'nobody', false],
  ] as const)(
    'may be changed after sharing was %s, and its buttons still work',
    async (_, before, after, offered) => {
      const config: DiscordInput = { locale: 'en-US', presence: false, answers: { top: 'private' } };
      await start({ ...config, sharing: before });
      const board = await use('top', { metric: 'DEATHS' });
      const projects = testProjects(() => contractClient(handlers, Date.now));
      await world.bot.change({ projects, config: discordConfig({ ...config, sharing: after }) });
      const turned = await click(board, 'Next');
      expect(turned).toMatchObject({ acknowledgement: 'update', message: { id: board.id } });
      expect(textOf(turned.message)).toContain('Player\u00a011');
      const labels = componentsOf(turned.message as never).map(({ label }) => label);
      expect(labels.includes('Share in channel')).toBe(offered);
    },
  );
});

describe('a member who says which player they are', () => {
  it('sees their own place on boards, also after a restart', async () => {
    await start();
    const lookup = await use('lookup', { identifier: '76561198000000001' });
    const linked = await click(lookup, 'This is me');
    expect([titleOf(linked.message), linked.ephemeral]).toEqual(['📍 You are linked', true]);
    await world.restart();
    expect(textOf(await use('top', { metric: 'DEATHS' }))).toContain(
      '📍 Player 2 (claimed, not proven) · rank **2**',
    );
    expect(textOf(await use('top', { metric: 'DEATHS' }, tom))).not.toContain('📍');
  });
});
