import { describe, expect, it } from 'vitest';
import { channelId } from '../../discord-world.ts';
import { minute, second, startFeedWorld, type FeedWorld } from './feed-world.ts';

const isPost = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'POST' && path.endsWith('/messages');
const isRead = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'GET' && path.endsWith('/messages');

const anna = '🔫 **Anna** killed **Bert** · M4-A1 · 120.4 m';
const carl = '🔫 **Carl** killed **Bert** · M4-A1 · 120.4 m';
const readHistory = 1n << 16n;

/** Posts a kill whose outcome nobody knows: it arrived, or it did not. */
async function lose({ world, die, run }: FeedWorld, arrived: boolean): Promise<void> {
  const lift = world.discord.fail(isPost, { cut: true, afterwards: arrived }, Infinity);
  die();
  await run();
  lift();
}

describe.each([true, false])('a message without an answer that arrived: %s', (arrived) => {
  it('is repeated with the same nonce within a minute', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, arrived);
    feed.die({ killer: { name: 'Carl' } });
    await feed.run(2 * second);
    expect(feed.texts()).toEqual([anna, carl]);
    expect(feed.world.discord.requests.filter(isRead)).toEqual([]);
  });

  it('is repeated with the same nonce by the next process', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, arrived);
    await feed.world.restart();
    await feed.run(30 * second);
    feed.die({ killer: { name: 'Carl' } });
    await feed.run();
    expect(feed.texts()).toEqual([anna, carl]);
  });

  it('is searched for in the channel after more than a minute', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, arrived);
    await feed.world.bot.stop();
    // Discord has forgotten the nonce, and others have written.
    feed.clock.advance(5 * minute);
    await feed.world.restart();
    await feed.run();
    feed.die({ killer: { name: 'Carl' } });
    await feed.run();
    expect(feed.texts()).toEqual([anna, carl]);
    expect(feed.world.discord.requests.filter(isRead)).toHaveLength(1);
  });

  it('is not repeated where the bot may not read messages, which the log says', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, arrived);
    await feed.world.bot.stop();
    feed.world.discord.denyBot(channelId, readHistory);
    feed.clock.advance(5 * minute);
    await feed.world.restart();
    await feed.run();
    feed.die({ killer: { name: 'Carl' } });
    await feed.run();
    expect(feed.texts()).toEqual(arrived ? [anna, carl] : [carl]);
    expect(feed.world.lines.filter(({ msg }) => msg.includes('Read Message History'))).toHaveLength(1);
  });

  it('is not posted when it is found to be missing after an hour', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, arrived);
    await feed.world.bot.stop();
    feed.clock.advance(60 * minute);
    await feed.world.restart();
    await feed.run();
    expect(feed.texts()).toEqual([arrived ? anna : '⏳ 1 kill while the feed was down']);
  });
});

describe('kills', () => {
  it('come once through restarts at any moment', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    const names: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      for (let kill = 0; kill < 3; kill += 1) {
        names.push(`v${round}-${kill}`);
        feed.die({ victim: { name: names.at(-1)! } });
      }
      // The second message of each round goes wrong in one way or the other.
      let posts = 0;
      const isSecond = (request: { method: string; path: string }) => isPost(request) && ++posts >= 2;
      const lift = feed.world.discord.fail(isSecond, { cut: true, afterwards: round % 2 === 0 }, Infinity);
      await feed.run();
      lift();
      // Every third absence outlasts what Discord remembers.
      feed.clock.advance(round % 3 === 0 ? 4 * minute : 10 * second);
      await feed.world.restart();
      await feed.run(2 * second);
    }
    // What is left comes as a digest.
    await feed.run(minute);
    const posted = feed
      .texts()
      .flatMap((text) => [...text.matchAll(/\*\*(v[\d-]+)\*\*/g)].map(([, name]) => name));
    expect(posted).toEqual(names);
  });

  it('are not posted while the state cannot be stored', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    const { keyv } = feed.world;
    const set = keyv.set.bind(keyv);
    keyv.set = () => Promise.reject(new Error('disk full'));
    feed.die();
    await feed.run();
    expect(feed.texts()).toEqual([]);
    keyv.set = set;
    await feed.run(second);
    expect(feed.texts()).toEqual([anna]);
  });
});
