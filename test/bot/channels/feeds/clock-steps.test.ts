import { describe, expect, it } from 'vitest';
import { minute, second, startFeedWorld } from './feed-world.ts';

describe.each([-60, 6, 60])('a wall clock that somebody sets by %i minutes', (minutes) => {
  it('changes no delay, before a message or of a digest', async () => {
    const { world, die, run, texts, clock } = await startFeedWorld({ feed: { delaySeconds: 300 } });
    await using _ = world;
    die();
    await run();
    clock.step(minutes * minute);
    await run(299 * second);
    expect(texts()).toEqual([]);
    for (let kill = 0; kill < 6; kill += 1) die({ killer: { name: 'Carl' } });
    await run();
    await run(second);
    expect(texts()).toEqual(['🔫 **Anna** killed **Bert** · M4-A1 · 120.4 m']);
    await run(200 * second);
    clock.step(-minutes * minute);
    await run(138 * second);
    expect(texts()).toHaveLength(1);
    await run(second);
    expect(texts()).toHaveLength(2);
    expect(texts()[1]).toMatch(/^6 kills\n/);
  });

  it('holds nothing back that was stored before the bot started', async () => {
    const { world, die, run, texts, clock } = await startFeedWorld({ feed: { delaySeconds: 300 } });
    await using _ = world;
    await world.bot.stop();
    die();
    clock.step(minutes * minute);
    await world.restart();
    await run();
    await run(300 * second);
    expect(texts()).toHaveLength(1);
  });
});
