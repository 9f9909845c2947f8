import { describe, expect, it } from 'vitest';
import { channelId, guildId, until } from '../../discord-world.ts';
import { serviceError } from '../../../commands/contract-client.ts';
import { type FeedWorld, type FeedWorldOptions, minute, second, startFeedWorld } from './feed-world.ts';

/** What the bot keeps for after a restart. */
function stateOf({ world }: FeedWorld): string {
  return JSON.stringify([...(world.keyv.store as Map<string, unknown>)]);
}

describe('a player who is hidden or forgotten', () => {
  it('vanishes from messages that were posted, digests among them, and comes back when shown', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    feed.die({ killer: { name: 'Anna' }, victim: { name: 'Bert' } });
    await feed.run();
    for (let kill = 0; kill < 6; kill += 1)
      feed.die({ killer: { name: 'Carl' }, victim: { name: `v${kill}` } });
    feed.die({ killer: { name: 'Carl' }, victim: { name: 'Anna' } });
    await feed.run(minute);
    await feed.run(minute);
    const before = feed.texts();
    expect(before.join()).toContain('Anna');
    feed.deaths.rename('Anna', null);
    await feed.run(second);
    const after = feed.texts();
    expect(after).toHaveLength(before.length);
    expect(after.join()).not.toContain('Anna');
    for (const text of ['Bert', 'Carl', 'v0', 'v5']) expect(after.join()).toContain(text);
    feed.deaths.rename(null as never, 'Anna');
    await feed.run(second);
    expect(feed.texts()).toEqual(before);
  });

  it('vanishes from messages of a feed that the config no longer has, and those of while the bot was away', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    feed.die({ killer: { name: 'Anna' } });
    await feed.run();
    await feed.world.bot.stop();
    feed.deaths.rename('Anna', null);
    feed.config.killFeeds = [];
    await feed.world.restart();
    await feed.run();
    expect(feed.texts().join()).not.toContain('Anna');
    expect(feed.texts().join()).toContain('Bert');
  });

  it('vanishes from the newest message first, however many there are', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    for (let kill = 0; kill < 30; kill += 1) {
      feed.die({ killer: { name: 'Anna' }, victim: { name: `v${kill}` } });
      await feed.run(10 * second);
    }
    const ids = feed.world.discord.messages(channelId).map(({ id }) => id);
    expect(ids).toHaveLength(30);
    feed.deaths.rename('Anna', null);
    await feed.run();
    const edited = feed.world.discord.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    expect(edited.slice(0, 20).toSorted()).toEqual(ids.slice(10));
    expect(edited.slice(20).toSorted()).toEqual(ids.slice(0, 10));
    expect(edited[0]).toBe(ids.at(-1));
    expect(feed.texts().join()).not.toContain('Anna');
  });

  it('vanishes from a channel although an edit in another one takes long', async () => {
    const slowId = '1100000000000000299';
    const channels = [channelId, slowId].map((id) => ({ id, name: id }));
    const feed = await startFeedWorld({
      discord: { guilds: [{ id: guildId, name: 'Northwood', channels }] },
      feeds: [{}, { channelId: slowId }],
    });
    await using _ = feed.world;
    feed.die({ killer: { name: 'Anna' } });
    await feed.run();
    expect(feed.texts(slowId)).toHaveLength(1);
    feed.world.discord.fail(
      { method: 'PATCH', path: new RegExp(`/channels/${slowId}/`) },
      { delayMs: 60_000 },
    );
    feed.deaths.rename('Anna', null);
    void feed.run();
    await until(() => !feed.texts().join().includes('Anna'));
    expect(feed.texts(slowId).join()).toContain('Anna');
  });

  it('vanishes though the project is suspended meanwhile', async () => {
    const handlers: FeedWorldOptions['handlers'] = {};
    const feed = await startFeedWorld({ handlers });
    await using _ = feed.world;
    feed.die({ killer: { name: 'Anna' } });
    await feed.run();
    handlers.listServers = () => Promise.reject(serviceError('project_suspended'));
    feed.deaths.rename('Anna', null);
    await feed.run();
    expect(feed.texts().join()).not.toContain('Anna');
  });

  it('vanishes from all messages but one that cannot be edited, which is told once and tried again', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    for (const name of ['Bert', 'Carl']) {
      feed.die({ killer: { name: 'Anna' }, victim: { name } });
      await feed.run();
    }
    const [first] = feed.world.discord.messages(channelId);
    const method = 'PATCH';
    const lift = feed.world.discord.fail(
      (request) => request.method === method && request.path.endsWith(`/messages/${first?.id}`),
      { status: 404, body: '<html>' },
      Infinity,
    );
    feed.deaths.rename('Anna', null);
    for (let i = 0; i < 3; i += 1) await feed.run(20 * second);
    expect(feed.texts().map((text) => text.includes('Anna'))).toEqual([true, false]);
    expect(feed.world.lines.filter(({ msg }) => msg.includes('could not edit messages'))).toHaveLength(1);
    lift();
    await feed.run(20 * second);
    expect(feed.texts().join()).not.toContain('Anna');
  });

  it('vanishes from a message in a thread that was archived since, which is opened for that', async () => {
    const threadId = '1100000000000000778';
    const feed = await startFeedWorld({
      feed: { channelId: threadId },
      prepare: (discord) => discord.addThread(channelId, { id: threadId, name: 'kills' }),
    });
    await using _ = feed.world;
    feed.die({ killer: { name: 'Anna' } });
    await feed.run();
    feed.world.discord.setThread(threadId, { archived: true });
    feed.deaths.rename('Anna', null);
    await feed.run();
    expect(feed.texts(threadId)).toEqual([expect.stringContaining('Bert')]);
    expect(feed.texts(threadId).join()).not.toContain('Anna');
  });

  it('vanishes once Discord takes the token again', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    feed.die({ killer: { name: 'Anna' } });
    await feed.run();
    const lift = feed.world.discord.fail(({ method }) => method === 'PATCH', { status: 401 }, Infinity);
    feed.deaths.rename('Anna', null);
    await feed.run();
    lift();
    await feed.run(20 * second);
    expect(feed.texts().join()).not.toContain('Anna');
  });

  it('costs a warning, and no more, in a message that is gone', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    feed.die({ killer: { name: 'Anna' } });
    await feed.run();
    feed.world.discord.deleteMessage(channelId, feed.world.discord.messages(channelId)[0]!.id);
    feed.deaths.rename('Anna', null);
    await feed.run();
    await feed.run();
    expect(feed.world.lines.filter(({ msg }) => msg.includes('cannot be edited'))).toHaveLength(1);
    expect(JSON.stringify(feed.world.lines)).not.toContain('Anna');
    feed.die({ killer: { name: 'Carl' } });
    await feed.run();
    expect(feed.texts()).toHaveLength(1);
  });

  it('is in no message that waits to be sent, whether it arrived or not', async () => {
    for (const afterwards of [false, true]) {
      const feed = await startFeedWorld();
      await using _ = feed.world;
      const lift = feed.world.discord.fail(
        ({ method, path }) => method === 'POST' && path.endsWith(`/channels/${channelId}/messages`),
        { cut: true, afterwards },
        Infinity,
      );
      feed.die({ killer: { name: 'Annabella' } });
      await feed.run();
      expect(stateOf(feed)).not.toContain('Annabella');
      feed.deaths.rename('Annabella', null);
      lift();
      await feed.run(20 * second);
      await feed.run(20 * second);
      expect(feed.texts()).toHaveLength(1);
      expect(feed.texts().join()).not.toContain('Annabella');
      expect(feed.texts().join()).toContain('Bert');
    }
  });
});
