import { describe, expect, it } from 'vitest';
import { isPost } from '../../discord-world.ts';
import { minute, second, startFeedWorld, type FeedWorld } from './feed-world.ts';

const anna = '🔫 **Anna** killed **Bert** · M4-A1 · 120.4 m';
const carl = '🔫 **Carl** killed **Bert** · M4-A1 · 120.4 m';

/** Posts a kill whose outcome nobody knows: it arrived, or it did not. */
async function lose({ world, die, run }: FeedWorld, arrived: boolean): Promise<void> {
  const lift = world.discord.fail(isPost, { cut: true, afterwards: arrived }, Infinity);
  die();
  await run();
  lift();
}

describe.each([true, false])('a message without an answer that arrived: %s', (arrived) => {
  it('is repeated with the same nonce', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, arrived);
    feed.die({ killer: { name: 'Carl' } });
    await feed.run(2 * second);
    expect(feed.texts()).toEqual([anna, carl]);
  });

  it('is repeated by the next process, within three minutes', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, arrived);
    await feed.world.bot.stop();
    feed.clock.advance(150 * second);
    // They would make a digest with the one in doubt.
    for (let kill = 0; kill < 5; kill += 1) feed.die({ killer: { name: 'Carl' } });
    await feed.world.restart();
    await feed.run(2 * second);
    expect(feed.texts()).toEqual([anna, expect.stringMatching(/^5 kills/)]);
  });

  it('is left out after three minutes, which the log says', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, arrived);
    await feed.world.bot.stop();
    feed.clock.advance(181 * second);
    await feed.world.restart();
    feed.die({ killer: { name: 'Carl' } });
    await feed.run();
    expect(feed.texts()).toEqual(arrived ? [anna, carl] : [carl]);
    expect(feed.world.lines.filter(({ msg }) => msg.includes('it is not sent again'))).toHaveLength(1);
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
      feed.clock.advance(round % 3 === 0 ? 2 * minute : 10 * second);
      await feed.world.restart();
      await feed.run(2 * second);
    }
    await feed.run(minute);
    const posted = feed
      .texts()
      .flatMap((text) => [...text.matchAll(/\*\*(v[\d-]+)\*\*/g)].map(([, name]) => name));
    expect(posted).toEqual(names);
  });

  it('go on after a message in doubt whose death is no longer kept', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    await lose(feed, false);
    feed.deaths.all.length = 0;
    feed.die({ id: 2, killer: { name: 'Carl' } });
    await feed.run(2 * second);
    await feed.run(2 * second);
    expect(feed.texts()).toEqual([carl]);
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

  it('have no names in what is kept for the next process', async () => {
    const feed = await startFeedWorld();
    await using _ = feed.world;
    const lift = feed.world.discord.fail(isPost, { cut: true }, Infinity);
    feed.die({ killer: { name: 'Annabella' } });
    await feed.run();
    lift();
    const kept = JSON.stringify([...(feed.world.keyv.store as Map<string, unknown>)]);
    expect(kept).toContain('inDoubt');
    expect(kept).not.toContain('Annabella');
    feed.deaths.rename('Annabella', null);
    await feed.run(20 * second);
    expect(feed.texts()).toEqual([expect.stringContaining('Bert')]);
  });
});
