import { REST, Routes } from 'discord.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalDiscord } from '../src/index.ts';
import type { LocalDiscord } from '../src/index.ts';
import { channelId, guildId, token } from './bot.ts';

let discord: LocalDiscord;
let rest: REST;

beforeAll(async () => {
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] }],
  });
  rest = new REST({ api: discord.apiUrl }).setToken(token);
});
afterAll(() => discord.close());

const long = (length: number) => 'x'.repeat(length);
const times = (length: number, item: object) => Array.from({ length }, () => item);
const send = (body: object) => rest.post(Routes.channelMessages(channelId), { body });
const register = (...commands: object[]) =>
  rest.put(Routes.applicationGuildCommands(discord.applicationId, guildId), { body: commands });

test('a repeated request sends nothing twice, for four minutes', async () => {
  let now = Date.now();
  const other = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] }],
    now: () => now,
  });
  try {
    const client = new REST({ api: other.apiUrl }).setToken(token);
    const body = { content: 'once', nonce: 'n1', enforce_nonce: true };
    const repeat = () => client.post(Routes.channelMessages(channelId), { body });
    await repeat();
    now += 239_000;
    await repeat();
    expect(other.messages(channelId)).toHaveLength(1);
    now += 1_000;
    await repeat();
    expect(other.messages(channelId)).toHaveLength(2);
  } finally {
    await other.close();
  }
});

describe('a message that Discord would refuse is refused', () => {
  const button = { type: 2, style: 1, custom_id: 'a', label: 'A' };
  const row = (...components: object[]) => ({ type: 1, components });
  test.each<[string, object, string]>([
    ['content over 2000', { content: long(2001) }, 'content[BASE_TYPE_BAD_LENGTH]'],
    [
      'a blank field value',
      { embeds: [{ fields: [{ name: 'n', value: ' ' }] }] },
      'embeds[0].fields[0].value[BASE_TYPE_REQUIRED]',
    ],
    [
      'over 6000 characters in all embeds',
      { embeds: [{ description: long(4000) }, { description: long(2001) }] },
      'MAX_EMBED_SIZE_EXCEEDED',
    ],
    [
      'a steam:// link',
      { embeds: [{ title: 't', url: 'steam://connect/127.0.0.1' }] },
      'URL_TYPE_INVALID_SCHEME',
    ],
    ['six rows', { components: times(6, row(button)) }, 'components[BASE_TYPE_MAX_LENGTH]'],
    ['the same custom_id twice', { components: [row(button, button)] }, 'COMPONENT_CUSTOM_ID_DUPLICATED'],
    [
      'an empty label',
      { components: [row({ ...button, label: '' })] },
      'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED',
    ],
    ['a button outside of a row', { components: [button] }, 'components[0].type'],
    [
      'a mention both parsed and listed',
      { content: 'x', allowed_mentions: { parse: ['users'], users: ['1100000000000000301'] } },
      'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
    ],
  ])('%s', async (_name, body, expected) => {
    const before = discord.messages(channelId).length;
    await expect(send(body)).rejects.toMatchObject({
      status: 400,
      code: 50035,
      message: expect.stringContaining(expected),
    });
    expect(discord.messages(channelId)).toHaveLength(before);
  });

  test('an empty message', async () => {
    await expect(send({ content: ' ', embeds: [] })).rejects.toMatchObject({ code: 50006, status: 400 });
  });

  test('and one at every limit is taken', async () => {
    const fields = Array.from({ length: 25 }, () => ({ name: 'n', value: 'v' }));
    const embeds = [{ title: long(256), description: long(4096), footer: { text: long(1500) }, fields }];
    await expect(send({ content: long(2000), embeds })).resolves.toHaveProperty('id');
  });
});

describe('a command that Discord would refuse is refused', () => {
  const command = { name: 'top', description: 'Leaderboards' };
  const option = { type: 3, name: 'metric', description: 'Which' };
  test.each<[string, object[], string]>([
    ['an upper-case name', [{ ...command, name: 'Top' }], '0.name[APPLICATION_COMMAND_INVALID_NAME]'],
    ['a name with a space', [{ ...command, name: 'to p' }], 'APPLICATION_COMMAND_INVALID_NAME'],
    ['the same name twice', [command, command], 'APPLICATION_COMMANDS_DUPLICATE_NAME'],
    [
      'a required option after an optional one',
      [{ ...command, options: [option, { ...option, name: 'b', required: true }] }],
      'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    ],
    [
      'the same option twice',
      [{ ...command, options: [option, option] }],
      'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
    ],
    [
      'autocomplete beside choices',
      [{ ...command, options: [{ ...option, autocomplete: true, choices: [{ name: 'c', value: 'c' }] }] }],
      'APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES',
    ],
    [
      'a locale that Discord does not know',
      [{ ...command, name_localizations: { xx: 'oben' } }],
      'name_localizations.xx[BASE_TYPE_CHOICES]',
    ],
    [
      'a locale named like what all objects inherit from',
      [{ ...command, name_localizations: JSON.parse('{"__proto__": "oben"}') as object }],
      'name_localizations[BASE_TYPE_CHOICES]',
    ],
    [
      'a translated name in upper case',
      [{ ...command, name_localizations: { de: 'Oben' } }],
      'APPLICATION_COMMAND_INVALID_NAME',
    ],
  ])('%s', async (_name, commands, expected) => {
    await expect(register(...commands)).rejects.toMatchObject({
      status: 400,
      code: 50035,
      message: expect.stringContaining(expected),
    });
  });

  test('names in the letters of other languages are taken, and translations given back on demand', async () => {
    await register({ ...command, name_localizations: { ru: 'рекорды', de: 'bestenliste' } });
    const route = Routes.applicationGuildCommands(discord.applicationId, guildId);
    expect(await rest.get(route)).toEqual([
      expect.not.objectContaining({ name_localizations: expect.anything() }),
    ]);
    const query = new URLSearchParams({ with_localizations: 'true' });
    expect(await rest.get(route, { query })).toMatchObject([
      { name_localizations: { ru: 'рекорды', de: 'bestenliste' } },
    ]);
  });

  test('registering again keeps ids, and the version too when nothing changed', async () => {
    const first = (await register(command)) as { id: string; version: string }[];
    expect(await register(command)).toEqual(first);
    const changed = (await register({ ...command, description: 'Other' })) as typeof first;
    expect(changed[0]?.id).toBe(first[0]?.id);
    expect(changed[0]?.version).not.toBe(first[0]?.version);
  });
});

describe('what the bot may not do', () => {
  const locked = '1100000000000000210';
  const post = (id: string, body: object = { content: 'x' }) =>
    rest.post(Routes.channelMessages(id), { body });

  test('is refused with the codes to act on', async () => {
    discord.addChannel(guildId, { id: locked, name: 'locked' });
    discord.denyBot(locked, 1n << 11n);
    await expect(post(locked)).rejects.toMatchObject({ code: 50013, status: 403 });
    discord.denyBot(locked, 1n << 10n);
    await expect(post(locked)).rejects.toMatchObject({ code: 50001, status: 403 });
    discord.denyBot(locked, 0n);
    const sent = (await post(locked)) as { id: string };
    expect(discord.deleteMessage(locked, sent.id)).toBe(true);
    const edit = rest.patch(Routes.channelMessage(locked, sent.id), { body: { content: 'y' } });
    await expect(edit).rejects.toMatchObject({ code: 10008, status: 404 });
    discord.deleteChannel(locked);
    await expect(post(locked)).rejects.toMatchObject({ code: 10003, status: 404 });
  });

  test('without the right token is 401', async () => {
    const stranger = new REST({ api: discord.apiUrl }).setToken('other');
    await expect(stranger.get(Routes.user())).rejects.toMatchObject({
      status: 401,
      message: '401: Unauthorized',
    });
  });
});

describe('mentions', () => {
  const content = 'hi <@1100000000000000301> and <@&1100000000000000399> and @everyone';
  const last = () => discord.messages(channelId).at(-1);

  test('notify whom the text names, unless allowed_mentions says otherwise', async () => {
    await send({ content });
    expect(last()?.mentions).toEqual({
      everyone: false,
      users: ['1100000000000000301'],
      roles: ['1100000000000000399'],
    });
    await send({ content, allowed_mentions: { parse: [], roles: ['1100000000000000399'] } });
    expect(last()?.mentions).toEqual({ everyone: false, users: [], roles: ['1100000000000000399'] });
  });

  test('are parsed again by an edit that does not forbid it', async () => {
    await send({ content, allowed_mentions: { parse: [] } });
    const route = Routes.channelMessage(channelId, last()?.id ?? '');
    await rest.patch(route, { body: { embeds: [{ title: 't' }], allowed_mentions: { parse: [] } } });
    expect(last()?.mentions.users).toEqual([]);
    await rest.patch(route, { body: { embeds: [{ title: 'u' }] } });
    expect(last()?.mentions.users).toEqual(['1100000000000000301']);
  });
});

test('a file that an embed shows is served, listed nowhere else, and forgotten when it is replaced', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000002000000010008060000', 'hex');
  const body = { embeds: [{ title: 'Chart', image: { url: 'attachment://chart.png' } }] };
  const chart = { name: 'chart.png', data: png, contentType: 'image/png' };
  const sent = (await rest.post(Routes.channelMessages(channelId), { body, files: [chart] })) as {
    id: string;
    attachments: object[];
    embeds: { image: { url: string } }[];
  };
  expect(sent.attachments).toEqual([]);
  const address = sent.embeds[0]?.image.url ?? '';
  expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(png);
  expect(discord.messages(channelId).at(-1)?.attachments[0]).toMatchObject({ width: 512, height: 256 });
  const route = Routes.channelMessage(channelId, sent.id);
  await rest.patch(route, { body: { ...body, attachments: [{ id: '0' }] }, files: [chart] });
  expect((await fetch(address)).status).toBe(404);
});

test('the files of a message are forgotten with it, also when several are deleted at once', async () => {
  const file = { name: 'a.png', data: Buffer.from('a'), contentType: 'image/png' };
  const send = async () =>
    (await rest.post(Routes.channelMessages(channelId), { body: {}, files: [file] })) as {
      id: string;
      attachments: { url: string }[];
    };
  const sent = [await send(), await send(), await send()];
  const [first, ...others] = sent.map(({ id }) => id);
  discord.deleteMessage(channelId, first ?? '');
  discord.deleteMessages(channelId, others);
  for (const { attachments } of sent) expect((await fetch(attachments[0]?.url ?? '')).status).toBe(404);
});

test('requests can be made to fail, and everything is recorded', async () => {
  const path = Routes.channelMessages(channelId);
  const end = discord.fail({ method: 'POST', path }, { status: 503 }, Infinity);
  const impatient = new REST({ api: discord.apiUrl, retries: 0 }).setToken(token);
  await expect(impatient.post(path, { body: { content: 'x' } })).rejects.toMatchObject({ status: 503 });
  end();
  discord.fail(
    { path },
    {
      status: 429,
      body: { message: 'slow down', retry_after: 0.01, global: false },
      headers: { 'retry-after': '0.01' },
    },
  );
  await impatient.post(path, { body: { content: 'after the wait' } });
  expect(discord.requests.slice(-3).map(({ method, path: at, status }) => [method, at, status])).toEqual([
    ['POST', path, 503],
    ['POST', path, 429],
    ['POST', path, 200],
  ]);
  expect(discord.requests.at(-1)?.body).toMatchObject({ content: 'after the wait' });
});

test('an answer can be lost after the request took effect', async () => {
  const path = Routes.channelMessages(channelId);
  discord.fail({ path }, { status: 502, afterwards: true });
  const impatient = new REST({ api: discord.apiUrl, retries: 0 }).setToken(token);
  await expect(impatient.post(path, { body: { content: 'sent' } })).rejects.toMatchObject({ status: 502 });
  expect(discord.messages(channelId).at(-1)?.content).toBe('sent');
});
