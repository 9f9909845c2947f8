import { once } from 'node:events';
import { ButtonStyle, ComponentType, Events, GatewayIntentBits, MessageFlags, Routes } from 'discord.js';
import type { ChatInputCommandInteraction, TextChannel } from 'discord.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalDiscord } from '../src/index.ts';
import { channelId, guildId, member, newClient, startWorld, token } from './bot.ts';
import type { World } from './bot.ts';

const commands = [
  { name: 'plain', description: 'Answers at once' },
  {
    name: 'late',
    description: 'Defers, then answers',
    options: [{ type: 3, name: 'how', description: 'How' }],
  },
  {
    name: 'find',
    description: 'Completes its option',
    options: [
      { type: 3, name: 'server', description: 'A server', required: true, autocomplete: true },
      { type: 4, name: 'limit', description: 'How many', min_value: 1, max_value: 25 },
    ],
  },
  { name: 'twice', description: 'Answers twice' },
  { name: 'silent', description: 'Never answers' },
  { name: 'menu', description: 'Has components' },
  { name: 'moderate', description: 'For who may ban', default_member_permissions: '4' },
  {
    name: 'outpost',
    description: 'Nested',
    options: [
      {
        type: 1,
        name: 'setup',
        description: 'Sets up',
        options: [{ type: 7, name: 'channel', description: 'Where' }],
      },
    ],
  },
];

async function answer(interaction: ChatInputCommandInteraction): Promise<void> {
  const { commandName } = interaction;
  if (commandName === 'plain') {
    await interaction.reply({ embeds: [{ title: 'Hello' }], flags: MessageFlags.Ephemeral });
    await interaction.followUp({ content: 'and more', flags: MessageFlags.Ephemeral });
  } else if (commandName === 'late') {
    await interaction.deferReply();
    await interaction.editReply({ content: `answered ${interaction.options.getString('how') ?? '-'}` });
  } else if (commandName === 'find') {
    await interaction.reply(
      `${interaction.options.getString('server', true)} ${interaction.options.getInteger('limit')}`,
    );
  } else if (commandName === 'menu') {
    const select = {
      type: ComponentType.StringSelect as const,
      custom_id: 'pick',
      options: [
        { label: 'A', value: 'a' },
        { label: 'B', value: 'b' },
      ],
    };
    await interaction.reply({
      content: 'page 1',
      components: [
        {
          type: ComponentType.ActionRow,
          components: [
            { type: ComponentType.Button, style: ButtonStyle.Primary, custom_id: 'next', label: 'Next' },
          ],
        },
        { type: ComponentType.ActionRow, components: [select] },
      ],
    });
  } else if (commandName === 'outpost') {
    await interaction.reply(
      `${interaction.options.getSubcommand()} ${interaction.options.getChannel('channel')?.id}`,
    );
  } else if (commandName === 'moderate') {
    await interaction.reply(String(interaction.memberPermissions?.has('BanMembers')));
  }
}

describe('the real discord.js client on the local Discord', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld(commands);
    world.client.on(Events.InteractionCreate, (interaction) => {
      if (interaction.isAutocomplete()) {
        const typed = interaction.options.getFocused();
        void interaction.respond([
          { name: `${typed}…`, value: `${interaction.options.getInteger('limit')}-${typed}` },
        ]);
      } else if (interaction.isButton()) void interaction.update({ content: 'page 2' });
      else if (interaction.isStringSelectMenu())
        void interaction.reply(`picked ${interaction.values.join()}`);
      else if (interaction.isChatInputCommand()) void answer(interaction);
    });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const typed = (commandName: string, options = {}) => ({
    guildId,
    channelId,
    user: member,
    commandName,
    options,
  });

  test('logs in and sees its guild and channels', () => {
    expect(world.client.user.username).toBe('Bot');
    expect(world.client.guilds.cache.get(guildId)?.name).toBe('Northwood');
    expect(world.client.channels.cache.get(channelId)?.isSendable()).toBe(true);
  });

  test('sees the members that it asks for', async () => {
    const guild = world.client.guilds.cache.get(guildId);
    world.discord.setMember(guildId, '1100000000000000391', []);
    const ids = ['1100000000000000391', '1100000000000000392'];
    const members = await guild?.members.fetch({ user: ids });
    expect(members?.map(({ id }) => id)).toEqual(['1100000000000000391']);
  });

  test('answers a command privately and follows up', async () => {
    const answered = await world.discord.invoke(typed('plain'));
    expect(answered).toMatchObject({ acknowledgement: 'message', deferred: false, ephemeral: true });
    expect(answered.message?.embeds[0]?.title).toBe('Hello');
    expect(world.discord.messages(channelId)).toEqual([]);
    await expect
      .poll(() => world.discord.messages(channelId, member.id).map((message) => message.content))
      .toEqual(['', 'and more']);
  });

  test('defers and edits the answer in, which is not marked as edited', async () => {
    const answered = await world.discord.invoke(typed('late', { how: 'slowly' }));
    expect(answered).toMatchObject({ acknowledgement: 'deferredMessage', deferred: true, ephemeral: false });
    expect(answered.message).toMatchObject({ content: 'answered slowly', editedAt: null, flags: 0 });
  });

  test('completes an option as it is typed', async () => {
    const choices = await world.discord.autocomplete({
      ...typed('find', { limit: 3 }),
      focused: { name: 'server', value: 'Nor' },
    });
    expect(choices).toEqual([{ name: 'Nor…', value: '3-Nor' }]);
  });

  test('refuses what the Discord app would not send', async () => {
    await expect(world.discord.invoke(typed('find'))).rejects.toThrow('option server is required');
    await expect(world.discord.invoke(typed('find', { server: 'x', limit: 26 }))).rejects.toThrow('1 to 25');
    await expect(world.discord.invoke(typed('find', { server: 'x', limit: 1.5 }))).rejects.toThrow('whole');
    await expect(world.discord.invoke(typed('absent'))).rejects.toThrow('no command /absent');
    await expect(world.discord.invoke(typed('moderate'))).rejects.toThrow('hidden');
  });

  test('gives the member the permissions they come with', async () => {
    const moderator = { ...member, permissions: 4n };
    const answered = await world.discord.invoke({ ...typed('moderate'), user: moderator });
    expect(answered.message?.content).toBe('true');
    const overridden = await world.discord.invoke({ ...typed('moderate'), evenIfHidden: true });
    expect(overridden.message?.content).toBe('false');
  });

  test('reaches sub-commands with channels resolved', async () => {
    const answered = await world.discord.invoke(typed('outpost setup', { channel: channelId }));
    expect(answered.message?.content).toBe(`setup ${channelId}`);
  });

  test('lets buttons turn the page in place and menus answer', async () => {
    const { message } = await world.discord.invoke(typed('menu'));
    const messageId = message?.id ?? '';
    const turned = await world.discord.click({ messageId, customId: 'next', user: member });
    expect(turned).toMatchObject({
      acknowledgement: 'update',
      message: { id: messageId, content: 'page 2' },
    });
    const picked = await world.discord.select({ messageId, customId: 'pick', values: ['b'], user: member });
    expect(picked.message?.content).toBe('picked b');
    await expect(world.discord.click({ messageId, customId: 'pick', user: member })).rejects.toThrow(
      'no such',
    );
  });

  test('serves a direct message', async () => {
    await world.rest.put(Routes.applicationCommands(world.discord.applicationId), { body: [commands[1]] });
    const answered = await world.discord.invoke({ guildId: null, user: member, commandName: 'late' });
    expect(answered.message).toMatchObject({ content: 'answered -', guildId: null });
  });

  test('sends, edits and deletes messages in a channel', async () => {
    const channel = world.client.channels.cache.get(channelId) as TextChannel;
    const sent = await channel.send({
      content: 'first',
      files: [{ attachment: Buffer.from('hi'), name: 'a.txt' }],
    });
    const file = sent.attachments.first();
    expect(await (await fetch(file?.url ?? '')).text()).toBe('hi');
    const edited = await sent.edit({ content: 'second', files: [] });
    expect(edited.editedTimestamp).not.toBeNull();
    expect((await channel.messages.fetch({ message: sent.id, force: true })).content).toBe('second');
    await sent.delete();
    await expect(sent.edit('third')).rejects.toMatchObject({ code: 10008, status: 404 });
  });
});

test('messages over the limits of a channel are refused until the window has passed, old ones with 30046', async () => {
  let now = Date.now();
  await using world = await startWorld(commands, {
    now: () => now,
    messageLimits: { perChannel: { count: 2, windowMs: 5000 }, oldEdits: { count: 1, windowMs: 60_000 } },
  });
  const send = async (method: 'POST' | 'PATCH', path = '') => {
    const response = await fetch(`${world.discord.apiUrl}/v10/channels/${channelId}/messages${path}`, {
      method,
      headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'hi' }),
    });
    const body = (await response.json()) as { id?: string; code?: number; retry_after?: number };
    return { status: response.status, body, left: response.headers.get('x-ratelimit-remaining') };
  };
  const first = await send('POST');
  expect(first).toMatchObject({ status: 200, left: '1' });
  expect(await send('POST')).toMatchObject({ status: 200, left: '0' });
  expect(await send('POST')).toMatchObject({ status: 429, body: { code: 0, retry_after: 5 } });
  now += 5000;
  expect(await send('POST')).toMatchObject({ status: 200 });
  now += 3_600_000;
  expect(await send('PATCH', `/${first.body.id}`)).toMatchObject({ status: 200 });
  expect(await send('PATCH', `/${first.body.id}`)).toMatchObject({ status: 429, body: { code: 30046 } });
});

test('the client waits for the limit that an answer announced', async () => {
  await using world = await startWorld(commands, {
    messageLimits: { perChannel: { count: 2, windowMs: 300 } },
  });
  const channel = world.client.channels.cache.get(channelId) as TextChannel;
  await Promise.all(['a', 'b', 'c'].map((content) => channel.send(content)));
  expect(world.discord.messages(channelId).map(({ content }) => content)).toEqual(['a', 'b', 'c']);
  expect(world.discord.requests.filter(({ status }) => status === 429)).toEqual([]);
});

test('a role is pinged when it may be, and was allowed to be', async () => {
  const roles = [
    { id: '1100000000000000501', name: 'Watchers', mentionable: true },
    { id: '1100000000000000502', name: 'Owners' },
  ];
  await using world = await startWorld(commands, {
    guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }], roles }],
  });
  const channel = world.client.channels.cache.get(channelId) as TextChannel;
  const ids = roles.map(({ id }) => id);
  const content = ids.map((id) => `<@&${id}>`).join(' ');
  await channel.send({ content, allowedMentions: { parse: [] } });
  await channel.send({ content, allowedMentions: { roles: ids } });
  const pinged = world.discord.messages(channelId).map(({ mentions }) => mentions.roles);
  expect(pinged).toEqual([[], [ids[0]]]);
});

test('a second acknowledgement is error 40060 and a late one 10062', async () => {
  await using world = await startWorld(commands, { acknowledgeWithinMs: 1_000 });
  const errors: unknown[] = [];
  let expire = (): void => undefined;
  const expired = new Promise<void>((resolve) => (expire = resolve));
  world.client.on(Events.InteractionCreate, (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    const path = Routes.interactionCallback(interaction.id, interaction.token);
    const callback = () => world.rest.post(path, { auth: false, body: { type: 4, data: { content: 'hi' } } });
    const act = async (): Promise<void> => {
      await (interaction.commandName === 'silent' ? expired : callback());
      await callback().catch((error: unknown) => errors.push(error));
    };
    void act();
  });
  await world.discord.invoke({ guildId, channelId, user: member, commandName: 'twice' });
  await expect.poll(() => errors).toEqual([expect.objectContaining({ code: 40060, status: 400 })]);
  const silent = world.discord.invoke({ guildId, channelId, user: member, commandName: 'silent' });
  await expect(silent).rejects.toThrow('The application did not respond');
  expire();
  await expect.poll(() => errors[1]).toMatchObject({ code: 10062, status: 404 });
});

test('an option that takes numbers is completed by numbers alone', async () => {
  const level = { type: 4, name: 'level', description: 'A number', autocomplete: true };
  const top = { name: 'top', description: 'A list', options: [level] };
  await using world = await startWorld([top], { acknowledgeWithinMs: 1_000 });
  const refused = new Promise((resolve) => {
    world.client.on(Events.InteractionCreate, (interaction) => {
      if (interaction.isAutocomplete()) interaction.respond([{ name: 'one', value: 'one' }]).catch(resolve);
    });
  });
  const focused = { name: 'level', value: '1' };
  const typed = { guildId, channelId, user: member, commandName: 'top', focused };
  await expect(world.discord.autocomplete(typed)).rejects.toThrow('Loading options failed');
  expect(String(await refused)).toContain('\ndata.choices[0].value[NUMBER_TYPE_COERCE]');
});

test('a wrong token is refused over REST and by the gateway', async () => {
  const discord = await startLocalDiscord({ token });
  const client = newClient(discord);
  await expect(client.login('wrong')).rejects.toThrow('An invalid token was provided.');
  await client.destroy();
  discord.gateway.refuseIdentify(4004);
  const second = newClient(discord);
  await expect(second.login(token)).rejects.toThrow('Authentication failed');
  await second.destroy();
  await discord.close();
});

test('privileged intents that the application does not have close the connection with 4014', async () => {
  const discord = await startLocalDiscord({ token });
  const client = newClient(discord, [GatewayIntentBits.GuildMembers]);
  await expect(client.login(token)).rejects.toThrow('disallowed intents');
  await client.destroy();
  await discord.close();
});

describe('a lost connection', () => {
  const echo = (world: World) =>
    world.client.on(Events.InteractionCreate, (interaction) => {
      if (interaction.isChatInputCommand()) void interaction.reply('here again');
    });

  test('loses no interaction: what came meanwhile is replayed after RESUME', async () => {
    await using world = await startWorld(commands);
    echo(world);
    world.discord.gateway.dropAll();
    const answered = await world.discord.invoke({ guildId, channelId, user: member, commandName: 'plain' });
    expect(answered.message?.content).toBe('here again');
    expect(world.discord.gateway).toMatchObject({ resumes: 1, identifies: 1, connected: 1 });
  });

  test.each([
    ['close 4000', (world: World) => world.discord.gateway.closeAll(4000), 'resumes'],
    ['close 4009', (world: World) => world.discord.gateway.closeAll(4009), 'resumes'],
    ['opcode 7', (world: World) => world.discord.gateway.requestReconnect(), 'resumes'],
    ['opcode 9, resumable', (world: World) => world.discord.gateway.invalidateSessions(true), 'resumes'],
    ['opcode 9', (world: World) => world.discord.gateway.invalidateSessions(false), 'identifies'],
  ] as const)('recovers from %s', async (_name, provoke, counter) => {
    await using world = await startWorld(commands);
    echo(world);
    const before = world.discord.gateway[counter];
    const back = once(world.client, counter === 'resumes' ? Events.ShardResume : Events.ShardReady);
    provoke(world);
    await back;
    expect(world.discord.gateway[counter]).toBe(before + 1);
    const answered = await world.discord.invoke({ guildId, channelId, user: member, commandName: 'plain' });
    expect(answered.message?.content).toBe('here again');
  });
});
