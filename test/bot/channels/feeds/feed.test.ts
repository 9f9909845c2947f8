import { describe, expect, it } from 'vitest';
import { noCommunity } from '../../../../src/community/no-community.ts';
import { channelId, isPost, useOutpost } from '../../discord-world.ts';
import {
  aDeath,
  minute,
  second,
  startFeedWorld,
  type FeedWorld,
  type FeedWorldOptions,
} from './feed-world.ts';

const start = (feed: FeedWorldOptions['feed'], others: FeedWorldOptions = {}): Promise<FeedWorld> =>
  startFeedWorld({ feed: feed ?? {}, ...others });

describe('a kill feed', () => {
  it('posts each kill with killer, victim, weapon and distance, and none from before it was set up', async () => {
    const { world, die, run, texts } = await start({}, { past: [aDeath] });
    await using _ = world;
    await run(second);
    expect(texts()).toEqual([]);
    die();
    die({ killer: { name: 'Carl' }, weapon: null, meters: null });
    await run(second);
    expect(texts()).toEqual(['🔫 **Anna** killed **Bert** · M4-A1 · 120.4 m', '🔫 **Carl** killed **Bert**']);
    await run(second);
    expect(texts()).toHaveLength(2);
    await world.restart();
    await run(second);
    expect(texts()).toHaveLength(2);
  });

  it('shows streaks, and whose streak ends', async () => {
    const { world, die, run, texts } = await start({});
    await using _ = world;
    die({ streak: 5, endedStreak: 3 });
    die({ streak: 2, endedStreak: null });
    await run();
    expect(texts()[0]).toContain('-# 5 kills without dying · ends a streak of 3 kills');
    expect(texts()[1]).not.toContain('-#');
  });

  it('posts other deaths only where `show` names them', async () => {
    const others = { killer: null, weapon: null, meters: null };
    const causes = ['suicide', 'animal', 'infected', 'vehicle', 'fall', 'drowned', 'self'] as const;
    const shownIn = async (show: NonNullable<FeedWorldOptions['feed']>['show']): Promise<string[]> => {
      const { world, die, run, texts } = await start({ show: show ?? [] });
      await using _ = world;
      for (const cause of causes) {
        die({ cause, ...others });
        await run(5 * second);
      }
      return texts();
    };
    expect(await shownIn([])).toEqual([]);
    expect(await shownIn(['suicides', 'animals', 'falls'])).toEqual([
      '💀 **Bert** committed suicide',
      '🐺 **Bert** was killed by an animal',
      '🪂 **Bert** fell to their death',
      '💀 **Bert** was killed by their own weapon',
    ]);
  });

  it('is a line of text for each death where it is compact, without previews of links', async () => {
    const { world, die, run } = await start({ compact: true, positions: true, show: ['falls'] });
    await using _ = world;
    die({ weaponKind: 'rifle', streak: 3 });
    die({ weapon: 'M4-A1', position: null, killer: { name: '*x*' } });
    die({ cause: 'fall', killer: null, weapon: null, meters: null, position: null });
    await run(5 * second);
    const map = 'https://www.izurvive.com/chernarusplussatmap/#location=4568;9877;6';
    const messages = world.discord.messages(channelId);
    expect(messages.flatMap(({ content }) => content.split('\n'))).toEqual([
      `**Anna** 🎯 **Bert** · M4\u2011A1 · 120.4\u00a0m · 📍\u00a0[Map](${map}) · 3 kills without dying`,
      '**\\*x\\*** 🔫 **Bert** · M4\u2011A1 · 120.4\u00a0m',
      '🪂 **Bert** fell to their death',
    ]);
    expect(messages.map(({ embeds, flags }) => [embeds.length, flags])).toEqual(messages.map(() => [0, 4]));
  });

  it('waits a moment for the line that names the killer', async () => {
    const { world, die, run, texts, deaths } = await start({ show: [] });
    await using _ = world;
    const death = die({ cause: 'died', killer: null });
    await run(second);
    deaths.all[death.id - 1] = { ...death, cause: 'player', killer: { name: 'Anna' } };
    die({ victim: { name: 'Carl' } });
    await run(second);
    expect(texts()).toHaveLength(2);
  });

  it('names nobody by what a name pretends to be', async () => {
    const { world, die, run, texts } = await start({});
    await using _ = world;
    die({
      victim: { name: '@everyone **x** <@1>' },
      killer: { name: null },
      weapon: '[a](https://b.example)',
    });
    await run();
    expect(texts()[0]).not.toMatch(/@everyone|\*\*x\*\*|[^\\]\]\(|[^\\]:\/\//);
    expect(texts()[0]).toContain('A player killed');
  });

  it('keeps its delay, from when the log was read', async () => {
    const { world, die, run, texts, clock } = await start({ delaySeconds: 300 });
    await using _ = world;
    // A log whose time zone is wrong by two hours.
    die({ at: clock.now() + 120 * minute });
    die({ at: clock.now() - 5 * minute, killer: { name: 'Carl' } });
    await run(299 * second);
    expect(texts()).toEqual([]);
    await run(second);
    expect(texts()).toHaveLength(2);
  });

  it('gives no position away, unless positions are turned on', async () => {
    const sentWith = async (positions: boolean): Promise<string> => {
      const { world, die, run } = await start({ positions });
      await using _ = world;
      die();
      await run();
      return JSON.stringify(world.discord.requests.filter(isPost).map(({ body }) => body));
    };
    const without = await sentWith(false);
    expect(without).toContain('M4\u2011A1');
    expect(without).not.toMatch(/4567|4568|9876|9877|izurvive/i);
    expect(await sentWith(true)).toContain(
      '📍\u00a0[Map](https://www.izurvive.com/chernarusplussatmap/#location=4568;9877;6)',
    );
  });

  it('names the server where it has several', async () => {
    const { world, die, run, texts } = await start({ servers: ['northwood-1', 'northwood-2'] });
    await using _ = world;
    die();
    die({ serverId: 'northwood-3' });
    await run();
    expect(texts()).toEqual([expect.stringContaining('\nNorthwood | Chernarus')]);
  });
});

describe('many kills at once', () => {
  it('come as digests, none lost and none twice', async () => {
    const { world, die, run, texts } = await start({});
    await using _ = world;
    const names: string[] = [];
    for (let tick = 0; tick < 10; tick += 1) {
      for (let kill = 0; kill < 17; kill += 1) {
        names.push(`v${tick * 17 + kill}`);
        die({ victim: { name: names.at(-1)! } });
      }
      await run(2 * second);
    }
    const posted = texts().flatMap((text) => [...text.matchAll(/\*\*(v\d+)\*\*/g)].map(([, name]) => name));
    expect(posted).toEqual(names);
    expect(texts()).toHaveLength(10);
    expect(texts()[0]).toMatch(/^17 kills\n/);
    // Up to four come alone.
    for (let kill = 0; kill < 4; kill += 1) die({ victim: { name: 'last' } });
    await run(2 * second);
    expect(texts().slice(10)).toEqual(Array(4).fill(expect.stringMatching(/^🔫 .*\*\*last\*\*/)));
  });
});

describe('after an outage', () => {
  it('says how many kills there were instead of posting old ones', async () => {
    const { world, die, run, texts, clock } = await start({});
    await using _ = world;
    await run(60 * minute);
    // The log was away: it is read only now.
    for (let kill = 0; kill < 17; kill += 1) die({ at: clock.now() - 11 * minute });
    die({ at: clock.now() - 9 * minute });
    await run();
    expect(texts()).toEqual([
      '⏳ 17 kills while the feed was down',
      '🔫 **Anna** killed **Bert** · M4-A1 · 120.4 m',
    ]);
  });

  it('does not count what happened before it was set up', async () => {
    const { world, die, run, texts, clock } = await start({});
    await using _ = world;
    await run(15 * minute);
    // The owner has put an old log into the folder, or the first log was read in several parts.
    die({ at: clock.now() - 16 * minute });
    await run();
    expect(texts()).toEqual([]);
    await world.restart();
    // The first run of the new process ends before the next death.
    await run();
    die({ at: clock.now() - 14 * minute });
    await run();
    expect(texts()).toEqual(['⏳ 1 kill while the feed was down']);
  });

  it('posts what a provider hands over late as usual, up to what that takes', async () => {
    const { world, die, run, texts, clock } = await start({});
    await using _ = world;
    await run(60 * minute);
    die({ at: clock.now() - 41 * minute, lateByMs: 30 * minute });
    die({ at: clock.now() - 39 * minute, lateByMs: 30 * minute });
    await run();
    expect(texts()).toEqual([
      '⏳ 1 kill while the feed was down',
      '🔫 **Anna** killed **Bert** · M4-A1 · 120.4 m',
    ]);
  });

  it('of the bot, too', async () => {
    const { world, die, run, texts, clock } = await start({ show: ['infected'] });
    await using _ = world;
    await world.bot.stop();
    for (let kill = 0; kill < 500; kill += 1) die({ ...(kill % 2 && { killer: null, cause: 'infected' }) });
    clock.advance(11 * minute);
    await world.restart();
    await run();
    expect(texts()).toEqual(['⏳ 500 deaths while the feed was down']);
  });
});

describe('a channel that refuses', () => {
  it('is tried again once the bot may post, and the list of posts says so', async () => {
    const { world, die, run, texts } = await start({});
    await using _ = world;
    const body = { code: 50_013, message: 'Missing Permissions' };
    const lift = world.discord.fail(isPost, { status: 403, body }, Infinity);
    die();
    await run();
    const description = async () => (await useOutpost(world, 'posts')).message?.embeds[0]?.description;
    expect(await description()).toContain('Kill feed of Northwood');
    expect(await description()).toContain("The bot can't send messages");
    expect(world.bot.postStates()).toEqual([{ kind: 'feed', state: 'failing' }]);
    const errors = () => world.lines.filter(({ level, msg }) => level === 50 && msg.includes('kill feed'));
    expect(errors()).toHaveLength(1);
    const attempts = () => world.discord.requests.filter(isPost).length;
    const before = attempts();
    await run(minute);
    expect(attempts()).toBe(before);
    lift();
    // Something changes in the channel.
    world.discord.denyBot(channelId, 1n << 15n);
    await expect
      .poll(async () => {
        await run();
        return texts();
      })
      .toHaveLength(1);
    expect(await description()).toContain('active');
    expect(world.bot.postStates()).toEqual([{ kind: 'feed', state: 'shown' }]);
  });

  it('more messages for a while is asked again afterwards, and is no failure', async () => {
    const { world, die, run, texts } = await start({});
    await using _ = world;
    const body = { message: 'You are being rate limited.', retry_after: 90, global: false };
    world.discord.fail(isPost, { status: 429, headers: { 'retry-after': '90' }, body });
    const attempts = () => world.discord.requests.filter(isPost).length;
    die();
    await run();
    await run(80 * second);
    expect(attempts()).toBe(1);
    expect(world.bot.postStates()).toEqual([{ kind: 'feed', state: 'shown' }]);
    expect(world.lines.filter(({ level }) => level >= 40)).toEqual([]);
    await run(20 * second);
    expect(texts()).toHaveLength(1);
  });

  it.each([50_008, 50_024])(
    'because nobody can write in the channel leaves out nothing: %i',
    async (code) => {
      const { world, die, run, texts } = await start({});
      await using _ = world;
      const body = { code, message: 'Cannot send messages in a non-text channel' };
      const end = world.discord.fail(isPost, { status: 400, body }, Infinity);
      for (let count = 0; count < 3; count += 1) {
        die();
        await run(second);
      }
      const errors = world.lines.filter(({ level }) => level >= 40).map(({ msg }) => msg);
      expect(errors).toEqual([expect.stringContaining('name a text channel or a thread')]);
      end();
      await run(60 * minute);
      expect(texts()).not.toEqual([]);
    },
  );

  it('by a proxy that answers in its place is tried again, and logged once', async () => {
    const { world, die, run, texts } = await start({});
    await using _ = world;
    world.discord.fail(isPost, { status: 200, body: {} }, 3);
    die();
    for (let count = 0; count < 6; count += 1) await run(5 * second);
    expect(texts()).toEqual([expect.stringContaining('**Bert**')]);
    const lines = world.lines.map(({ msg }) => msg).filter((msg) => msg.includes('kill feed'));
    expect(lines).toEqual([expect.stringContaining('keeps trying'), 'kill feed works again']);
  });

  it('because of what a message says leaves out that message alone', async () => {
    const { world, die, run, texts } = await start({});
    await using _ = world;
    const body = { code: 200_000, message: 'Message was blocked by automatic moderation' };
    world.discord.fail(isPost, { status: 400, body });
    die({ victim: { name: 'Rude' } });
    die();
    await run();
    expect(texts()).toEqual([expect.stringContaining('**Bert**')]);
  });
});

describe('a channel that the bot does not see', () => {
  const elsewhere = '1100000000000000777';

  it('is reported once, and asked for again after an hour', async () => {
    const { world, die, run } = await start({ channelId: elsewhere });
    await using _ = world;
    die();
    await run(minute);
    const errors = () => world.lines.filter(({ level, msg }) => level === 50 && msg.includes('kill feed'));
    expect(errors().map(({ msg }) => msg)).toEqual([expect.stringContaining('the channel does not exist')]);
    const isLookup = ({ path }: { path: string }): boolean => path === `/channels/${elsewhere}`;
    expect(world.discord.requests.filter(isLookup)).toHaveLength(1);
    await run(60 * minute);
    expect(world.discord.requests.filter(isLookup)).toHaveLength(2);
    expect(errors()).toHaveLength(1);
  });

  it('may be an archived thread, which a kill opens again', async () => {
    const { world, die, run, texts } = await start(
      { channelId: elsewhere },
      {
        prepare(discord) {
          discord.addThread(channelId, { id: elsewhere, name: 'kills' });
          discord.setThread(elsewhere, { archived: true });
        },
      },
    );
    await using _ = world;
    die();
    await run();
    expect(texts(elsewhere)).toHaveLength(1);
  });
});

describe('a bot on a service elsewhere', () => {
  it('says that it has no kill feeds', async () => {
    const { world } = await start({}, { community: noCommunity });
    await using _ = world;
    expect(world.lines.filter(({ msg }) => msg.startsWith('kill feed: off'))).toHaveLength(1);
  });
});
