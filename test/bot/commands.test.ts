import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceUnreachableError } from '../../src/api/client-types.ts';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import { channelId, guildId, member, moderator, startWorld, type World } from './discord-world.ts';

const handlers: Partial<Handlers> = {};
let world: World;

beforeAll(async () => {
  world = await startWorld({
    client: contractClient(handlers, Date.now),
  });
  await world.bot.ready;
});
afterAll(async () => world[Symbol.asyncDispose]());

const use = (commandName: string, options: Record<string, string | number> = {}, user: object = member) =>
  world.discord.invoke({ guildId, channelId, user: user as typeof member, commandName, options });

const type = (commandName: string, name: string, value: string) =>
  world.discord.autocomplete({ guildId, channelId, user: moderator, commandName, focused: { name, value } });

/** Replaces how one operation answers, for the length of `work`. */
async function during<Id extends keyof Handlers, T>(
  id: Id,
  handler: Handlers[Id],
  work: () => Promise<T>,
): Promise<T> {
  handlers[id] = handler;
  try {
    return await work();
  } finally {
    delete handlers[id];
  }
}

describe('a member', () => {
  it.each([
    ['status', {}, 'Server status'],
    ['status', { server: 'northwood-1' }, '🟢 Northwood | Chernarus'],
    ['online', { server: 'northwood-1' }, '👥 Players on Northwood | Chernarus'],
    ['top', { metric: 'PLAYER_KILLS' }, '⚔️ Player kills'],
    ['schedule', {}, '📅 Schedule'],
  ])('sees the answer of /%s %j in the channel', async (name, options, title) => {
    const answer = await use(name, options);
    expect(answer).toMatchObject({ deferred: false, ephemeral: false, followUps: [] });
    expect(answer.message?.embeds[0]?.title).toBe(title);
  });

  it('alone sees the answer of /lookup, which contains identifiers', async () => {
    const answer = await use('lookup', { identifier: '76561198000000001' });
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.title).toBe('👤 Survivor');
  });

  it('may not use /bans, even when Discord lets the command through', async () => {
    const answer = await world.discord.invoke({
      guildId,
      channelId,
      user: member,
      commandName: 'bans',
      evenIfHidden: true,
    });
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.title).toBe("🔒 You can't use this");
  });

  it('is offered servers, metrics and lists while typing', async () => {
    expect(await type('status', 'server', 'livo')).toEqual([
      { name: 'Northwood | Livonia', value: 'northwood-2' },
    ]);
    expect(await type('top', 'metric', 'animals')).toEqual([
      { name: 'Animals killed', value: 'ANIMAL_KILLS' },
    ]);
    expect(await type('bans', 'list', '')).toEqual([{ name: 'Northwood bans', value: 'northwood-bans' }]);
  });

  it('reads why, when the service fails', async () => {
    const fails = () => Promise.reject(new ServiceUnreachableError('no answer'));
    const answer = await during('listServers', fails, () => use('status'));
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.description).toContain("The data service isn't responding");
  });

  it('reads an apology when the bot itself fails, and no inside of it', async () => {
    const fails = () => Promise.reject(new TypeError('undefined is not a function'));
    const answer = await during('listServers', fails, () => use('status'));
    expect(answer.message?.embeds[0]?.description).toBe(
      "An unexpected error occurred. The bot's owner can find the details in the log.",
    );
    expect(world.lines.some((line) => JSON.stringify(line).includes('undefined is not a function'))).toBe(
      true,
    );
  });
});

describe('/bans while typing', () => {
  it('shows a member no list, even when Discord lets the command through', async () => {
    const choices = await world.discord.autocomplete({
      guildId,
      channelId,
      user: member,
      commandName: 'bans',
      focused: { name: 'list', value: '' },
      evenIfHidden: true,
    });
    expect(choices).toEqual([]);
  });
});

describe('a moderator', () => {
  it('alone sees who is banned', async () => {
    const answer = await use('bans', { identifier: '76561198000000001' }, moderator);
    expect(answer.ephemeral).toBe(true);
    expect(answer.message?.embeds[0]?.title).toBe('🔨 Banned');
  });
});
