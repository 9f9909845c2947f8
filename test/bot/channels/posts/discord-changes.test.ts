import { ThreadChannel } from 'discord.js';
import { describe, expect, it, vi } from 'vitest';
import { languageOf } from '../../../../src/locales/language.ts';
import { contractClient, type Handlers } from '../../../commands/contract-client.ts';
import * as data from '../../../embeds/contract-data.ts';
import {
  channelId,
  guildId,
  startWorld,
  until,
  useOutpost,
  type World,
  type WorldOptions,
} from '../../discord-world.ts';

const permission = {
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  manageThreads: 1n << 34n,
};
const threadId = '1100000000000000290';
const home = { id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] };

/** A bot with one status post; nothing but what happens at Discord makes it act. */
async function startPost(at: string = channelId, options: WorldOptions = {}) {
  const handlers: Partial<Handlers> = {};
  let players = 10;
  handlers.listServers = () => ({ servers: [data.server({ players })] });
  const world = await startWorld({
    client: contractClient(handlers, Date.now),
    ...options,
    bot: {
      config: {
        guildIds: [],
        presence: false,
        statusPosts: [{ channelId: at, cron: '0 0 1 1 *', servers: ['northwood-1'], chart: 'none' }],
      },
      timing: { staggerMs: 0, repostMs: 10 },
      ...options.bot,
    },
  });
  await world.bot.ready;
  await world.bot.jobs?.run();
  const change = async () => {
    players += 1;
    await world.bot.jobs?.run();
  };
  return { world, change };
}

const shown = (world: World, at: string = channelId) => world.discord.messages(at);
const text = (world: World, at: string = channelId) => shown(world, at)[0]?.embeds[0]?.description;
const sent = (world: World, at: string = channelId) =>
  world.discord.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith(`/channels/${at}`));
const errors = (world: World) => world.lines.filter(({ level }) => level === 50).map(({ msg }) => msg);
const postsCommand = async (world: World) =>
  (await useOutpost(world, 'posts')).message?.embeds[0]?.description;

describe('a post that was refused', () => {
  it.each([
    ['the channel', (world: World) => world.discord.denyBot(channelId, 0n)],
    ["the bot's role", (world: World) => world.discord.grantBotRole(guildId, 1n << 3n)],
  ])('goes on as soon as the right is granted in %s', async (_what, grant) => {
    const prepare = (discord: World['discord']) => discord.denyBot(channelId, permission.sendMessages);
    const { world } = await startPost(channelId, { prepare });
    await using _ = world;
    expect(errors(world)).toEqual([
      expect.stringMatching(/lacks Send Messages in the channel; .* or as soon as that changes$/),
    ]);
    grant(world);
    await until(() => shown(world).length === 1);
    await until(() => world.lines.some(({ msg }) => msg === 'status post works again'));
  });

  it('is not tried again at changes that grant nothing', async () => {
    const prepare = (discord: World['discord']) => discord.denyBot(channelId, permission.sendMessages);
    const { world } = await startPost(channelId, { prepare });
    await using _ = world;
    const before = sent(world).length;
    for (let change = 0; change < 20; change += 1) world.discord.grantBotRole(guildId, 0n);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await world.bot.jobs?.run();
    expect(sent(world)).toHaveLength(before);
  });

  it('continues after a permission that was granted while it was being refused', async () => {
    const { world, change } = await startPost();
    await using _ = world;
    const body = { code: 50013, message: 'Missing Permissions' };
    world.discord.fail({ method: 'PATCH' }, { status: 403, body, delayMs: 100 });
    const changing = change();
    world.discord.grantBotRole(guildId, permission.manageThreads);
    await changing;
    await world.bot.jobs?.run();
    expect(text(world)).toContain('11 / 60');
  });
});

// Discord takes such an edit, and drops the text.
it('a post keeps its text in a channel where the bot may embed nothing any more, and says why it is old', async () => {
  const joinUrl = (id: string) => `https://example.org/join/${id}`;
  const { world, change } = await startPost(channelId, { bot: { community: { joinUrl } } });
  await using _ = world;
  world.discord.denyBot(channelId, permission.embedLinks);
  const before = sent(world).length;
  // The answer comes behind what the gateway says of the channel.
  await postsCommand(world);
  await change();
  await change();
  expect(text(world)).toContain('10 / 60');
  expect(sent(world)).toHaveLength(before);
  expect(errors(world)).toEqual([expect.stringMatching(/the bot lacks Embed Links in the channel; /)]);
  expect(await postsCommand(world)).toContain("can't send messages with embeds");
  world.discord.denyBot(channelId, 0n);
  await until(() => text(world)?.includes('12 / 60') ?? false);
});

it('a post names all permissions that its channel denies, not the first one alone', async () => {
  const { world, change } = await startPost(channelId);
  await using _ = world;
  world.discord.denyBot(channelId, permission.viewChannel | permission.embedLinks);
  // The answer comes behind what the gateway says of the channel.
  await postsCommand(world);
  await change();
  expect(errors(world)).toEqual([
    expect.stringMatching(/stopped: the bot lacks View Channel and Embed Links in the channel; /),
  ]);
});

describe('a post that somebody deletes', () => {
  it.each([
    ['alone', (world: World, id: string) => void world.discord.deleteMessage(channelId, id)],
    ['with others', (world: World, id: string) => world.discord.deleteMessages(channelId, ['1', id])],
  ])('comes back by itself: %s', async (_what, remove) => {
    const { world } = await startPost();
    await using _ = world;
    const [before] = shown(world);
    remove(world, before!.id);
    await until(() => shown(world).length === 1 && shown(world)[0]?.id !== before!.id);
    await world.bot.jobs?.run();
    expect(await postsCommand(world)).toContain(shown(world)[0]?.id);
  });

  it('is never linked to while it is away', async () => {
    const { world } = await startPost(channelId, { bot: { timing: { staggerMs: 0 } } });
    await using _ = world;
    const [before] = shown(world);
    expect(await postsCommand(world)).toContain(before!.id);
    world.discord.deleteMessage(channelId, before!.id);
    await until(() => world.lines.some(({ msg }) => msg.includes('posting it again in 5 s')));
    expect(await postsCommand(world)).not.toContain(before!.id);
  });

  it('comes back later each time while something deletes it again and again', async () => {
    const { world } = await startPost();
    await using _ = world;
    const end = world.discord.subscribe((event) => {
      if (event.type !== 'message' || event.change !== 'created') return;
      setImmediate(() => world.discord.deleteMessage(channelId, event.message.id));
    });
    const began = performance.now();
    world.discord.deleteMessage(channelId, shown(world)[0]!.id);
    await new Promise((resolve) => setTimeout(resolve, 600));
    end();
    // The first one, and one each after 10, 20, 40, 80, 160, 320 ms, …; one more may be under way.
    const most = 2 + Math.floor(Math.log2((performance.now() - began) / 10 + 1));
    expect(sent(world).filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(most);
  });

  it.each([
    [
      'while the bot is not running',
      async (world: World) => {
        await world.bot.stop();
        world.discord.deleteMessage(channelId, shown(world)[0]!.id);
        await world.restart();
        await world.bot.jobs?.run();
      },
    ],
    [
      'while its connection is away for good',
      async (world: World) => {
        world.discord.gateway.setAvailable(false);
        world.discord.gateway.invalidateSessions(false);
        world.discord.deleteMessage(channelId, shown(world)[0]!.id);
        world.discord.gateway.setAvailable(true);
        await until(() => world.discord.gateway.connected === 1);
      },
    ],
  ])('comes back %s', async (_what, remove) => {
    const { world } = await startPost();
    await using _ = world;
    const [before] = shown(world);
    await remove(world);
    await until(() => shown(world).length === 1);
    expect(shown(world)[0]?.id).not.toBe(before!.id);
  });

  it('is given up with its channel', async () => {
    const { world } = await startPost();
    await using _ = world;
    world.discord.deleteChannel(channelId);
    await until(() => errors(world).length > 0);
    expect(errors(world)[0]).toContain('the channel does not exist');
  });
});

describe('a post in a thread', () => {
  const prepare = (discord: World['discord']) =>
    discord.addThread(channelId, { id: threadId, name: 'status' });

  it('reopens it when it is archived', async () => {
    const { world, change } = await startPost(threadId, { prepare });
    await using _ = world;
    const [before] = shown(world, threadId);
    world.discord.setThread(threadId, { archived: true });
    await change();
    expect(shown(world, threadId).map(({ id }) => id)).toEqual([before!.id]);
    expect(text(world, threadId)).toContain('11 / 60');
    expect(errors(world)).toEqual([]);
  });

  it.each([
    ['is unlocked', (world: World) => world.discord.setThread(threadId, { locked: false })],
    ['is reopened', (world: World) => world.discord.setThread(threadId, { archived: false })],
    ['may be managed', (world: World) => world.discord.grantBotRole(guildId, permission.manageThreads)],
  ])('is given up with the remedy when it is locked, too, and goes on once it %s', async (_what, open) => {
    const { world, change } = await startPost(threadId, { prepare });
    await using _ = world;
    world.discord.setThread(threadId, { archived: true, locked: true });
    await change();
    expect(errors(world)).toEqual([expect.stringContaining('reopen it, or give the bot Manage Threads')]);
    expect(await postsCommand(world)).toContain('The thread is archived or locked');
    await world.bot.jobs?.run();
    expect(text(world, threadId)).toContain('10 / 60');
    open(world);
    await until(() => text(world, threadId)?.includes('11 / 60') ?? false);
  });

  // discord.js knows no thread that was archived before the start.
  it('is in the language of its Discord server, and not paused, where it was archived before the start', async () => {
    const at = { channelId: threadId, cron: '0 0 1 1 *' };
    const { world } = await startPost(threadId, {
      discord: { guilds: [{ ...home, locale: 'de' }] },
      prepare(discord) {
        prepare(discord);
        discord.setThread(threadId, { archived: true });
      },
      bot: {
        config: {
          guildIds: [],
          presence: false,
          statusPosts: [],
          leaderboardPosts: [{ ...at, metric: 'PLAYER_KILLS', limit: 10, period: 'week' }],
        },
      },
    });
    await using _ = world;
    const { t } = languageOf('de');
    expect(shown(world, threadId)[0]?.embeds[0]?.title).toContain(t('metric.PLAYER_KILLS'));
    expect(await postsCommand(world)).toContain(threadId);
  });

  it('continues when a thread is reopened that was closed before the bot started', async () => {
    const { world, change } = await startPost(threadId, { prepare });
    await using _ = world;
    await world.bot.stop();
    world.discord.setThread(threadId, { archived: true, locked: true });
    await world.restart();
    await change();
    expect(errors(world)).toHaveLength(1);
    world.discord.setThread(threadId, { archived: false });
    await until(() => text(world, threadId)?.includes('11 / 60') ?? false);
  });

  it('is placed only where the bot may send in threads', async () => {
    const { world } = await startPost(channelId, { prepare });
    await using _ = world;
    const place = async (at: string) => {
      const options = { kind: 'leaderboard', metric: 'DEATHS' };
      return (await useOutpost(world, 'setup', options, at)).message?.embeds[0]?.description;
    };
    // Everybody may send in threads by default, which says nothing of channels.
    world.discord.denyBot(channelId, permission.sendMessages);
    expect(await place(channelId)).toContain('**Send Messages**');
    expect(await place(threadId)).toContain('is in this channel');
    world.discord.denyBot(channelId, 1n << 38n);
    expect(await place(threadId)).toContain('**Send Messages in Threads**');
  });
});

describe('a thread whose channel was converted, then deleted', () => {
  it('keeps nothing from working, though discord.js knows no permissions in it any more', async () => {
    const { world } = await startPost(threadId, {
      prepare: (discord) => discord.addThread(channelId, { id: threadId, name: 'status' }),
    });
    await using _ = world;
    await until(() => shown(world, threadId).length === 1);
    // The local Discord converts no channels. This is what discord.js says then, against its types.
    const asked = vi.spyOn(ThreadChannel.prototype, 'permissionsFor').mockReturnValue(null);
    await world.bot.jobs?.run();
    expect(asked).toHaveBeenCalled();
    asked.mockRestore();
  });
});

describe('a guild that becomes available late', () => {
  it('gets its posts in its language from the start', async () => {
    const discord = { guilds: [{ ...home, locale: 'de' }] };
    const prepare = (at: World['discord']) => at.setGuildAvailable(guildId, false);
    const handlers: Partial<Handlers> = { listServers: () => Promise.reject(new Error('no answer')) };
    const client = contractClient(handlers, Date.now);
    const { world } = await startPost(channelId, { discord, prepare, client });
    await using _ = world;
    expect(sent(world)).toEqual([]);
    world.discord.setGuildAvailable(guildId, true);
    await until(() => shown(world).length === 1);
    expect(shown(world)[0]?.embeds[0]?.title).toContain(languageOf('de').t('status.unavailableTitle'));
    expect(sent(world)).toHaveLength(1);
  });
});
