import { describe, expect, it } from 'vitest';
import type { Community } from '../../../../src/commands/interfaces/community.ts';
import type { RecapView } from '../../../../src/embeds/recap.ts';
import {
  channelId,
  choose,
  guildId,
  isPost,
  startTimedWorld,
  type TimedWorldOptions,
  useOutpost,
  type DiscordInput,
} from '../../discord-world.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { createLedger } from '../test-ledger.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Monday, 23 November 2026, 10:00 on this machine. */
const monday = new Date(2026, 10, 23, 10).getTime();

interface RecapWorldOptions extends TimedWorldOptions {
  recap?: Partial<NonNullable<DiscordInput['recapPosts']>[number]>;
  community?: Partial<Community>;
}

/** A bot with weekly recaps that post when the test says so, in which Anna killed most. */
async function startRecapWorld({ recap, config, bot, community, ...options }: RecapWorldOptions = {}) {
  const ledger = createLedger();
  const asked: { at: number; servers: readonly string[] | undefined }[] = [];
  const weekBefore = async (at: number, servers?: readonly string[]): Promise<RecapView | null> => {
    asked.push({ at, servers });
    const figures = [{ kind: 'kills' as const, value: 41, before: 38, players: [1] }];
    const recap = { from: at - 7 * day, until: at, timezone: 'UTC', servers: [], figures };
    return { recap, names: new Map([[1, 'Anna']]) };
  };
  const timed = await startTimedWorld({
    ...options,
    clock: createTestClock(monday + day),
    config: { locale: 'en-US', recapPosts: [{ channelId, cron: '0 10 * * 1', ...recap }], ...config },
    bot: {
      community: { weekBefore, ...community },
      records: { ledger, unlistedRevision: ledger.revision },
      ...bot,
    },
  });
  return {
    ...timed,
    ledger,
    asked,
    texts: (channel = channelId) =>
      timed.world.discord.messages(channel).map(({ embeds: [embed] }) => embed?.description ?? ''),
  };
}

const anna = 'Most kills: Anna, 41 kills (week before: 38)';
describe('a weekly recap', () => {
  it('is posted when it is set up, of the last moment, and then once at each moment', async () => {
    const recaps = await startRecapWorld();
    await using _ = recaps.world;
    expect(recaps.texts()).toEqual([anna]);
    expect(recaps.asked.map(({ at }) => at)).toEqual([monday]);
    await recaps.run(5 * day);
    await recaps.run();
    expect(recaps.texts()).toHaveLength(1);
    await recaps.run(day);
    await recaps.run(minute);
    expect(recaps.texts()).toHaveLength(2);
    expect(recaps.asked.at(-1)?.at).toBe(new Date(2026, 10, 30, 10).getTime());
  });

  it('is not posted again by the next process, and made up for where its moment passed meanwhile', async () => {
    const recaps = await startRecapWorld();
    await using _ = recaps.world;
    await recaps.world.restart();
    await recaps.run();
    expect(recaps.texts()).toHaveLength(1);
    await recaps.world.bot.stop();
    recaps.clock.advance(9 * day);
    await recaps.world.restart();
    await recaps.run();
    await recaps.run();
    expect(recaps.texts()).toHaveLength(2);
  });

  it('is posted once for several moments that passed', async () => {
    const recaps = await startRecapWorld({ recap: { cron: '0 * * * *' } });
    await using _ = recaps.world;
    await recaps.run(5 * hour);
    expect(recaps.texts()).toHaveLength(2);
  });

  it.each([true, false])('is posted once though an answer is lost (it arrived: %s)', async (arrived) => {
    const recaps = await startRecapWorld();
    await using _ = recaps.world;
    const lift = recaps.world.discord.fail(isPost, { cut: true, afterwards: arrived }, Infinity);
    await recaps.run(6 * day);
    lift();
    expect(recaps.texts()).toHaveLength(arrived ? 2 : 1);
    // The next process repeats it with the same nonce.
    await recaps.world.restart();
    await recaps.run(10 * second);
    await recaps.run(10 * second);
    expect(recaps.texts()).toHaveLength(2);
  });

  it('is deleted once somebody in it is hidden or forgotten', async () => {
    const recaps = await startRecapWorld();
    await using _ = recaps.world;
    await recaps.run(6 * day);
    expect(recaps.texts()).toEqual([anna, anna]);
    recaps.ledger.hide(1);
    await expect.poll(() => recaps.texts()).toEqual([]);
  });

  it('is not posted again where the bot leaves the Discord server and comes back', async () => {
    const recaps = await startRecapWorld({ config: { guilds: [{ id: guildId }] } });
    await using _ = recaps.world;
    const { discord, lines } = recaps.world;
    const id = discord.messages(channelId)[0]!.id;
    discord.removeGuild(guildId);
    await expect.poll(() => lines.some(({ msg }) => msg.includes('the bot left the guild'))).toBe(true);
    await recaps.run(minute);
    discord.addGuild({ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] });
    await recaps.run(minute);
    await recaps.run(minute);
    expect(discord.messages(channelId).map((message) => message.id)).toEqual([id]);
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('can be placed by a member, and removed: none follows', async () => {
    const recaps = await startRecapWorld({ config: { recapPosts: [] } });
    await using _ = recaps.world;
    const { world } = recaps;
    world.discord.denyBot(channelId, 1n << 15n);
    const placed = await choose(world, await useOutpost(world, 'setup', { kind: 'recap' }));
    expect(placed.message?.embeds[0]?.title).toBe('✅ Weekly recap is on');
    expect(placed.message?.embeds[0]?.description).toContain('There is no chart');
    const again = await choose(world, await useOutpost(world, 'setup', { kind: 'recap' }));
    expect(again.followUps[0]?.embeds[0]?.description ?? again.message?.embeds[0]?.description).toContain(
      'already has “Weekly recap of **Northwood | Chernarus**”',
    );
    await recaps.run();
    expect(recaps.texts()).toEqual([anna]);
    expect(recaps.asked.map(({ servers }) => servers)).toEqual([['northwood-1']]);
    await recaps.world.restart();
    await recaps.run();
    await recaps.run(7 * day);
    expect(recaps.texts()).toEqual([anna, anna]);
    const listed = await useOutpost(world, 'posts');
    expect(listed.message?.embeds[0]?.description).toContain('Weekly recap of Northwood | Chernarus');
    expect((await choose(world, listed)).message?.components).toEqual([]);
    await recaps.world.restart();
    await recaps.run(7 * day);
    expect(recaps.texts()).toEqual([anna, anna]);
    expect((await useOutpost(world, 'posts')).message?.components).toEqual([]);
  });

  it('is not posted where nothing is known of the week, which the log says once', async () => {
    const recaps = await startRecapWorld({ community: { weekBefore: async () => null } });
    await using _ = recaps.world;
    await recaps.run(minute);
    expect(recaps.texts()).toEqual([]);
    expect(recaps.world.lines.filter(({ msg }) => msg.startsWith('no recap is posted'))).toHaveLength(1);
  });

  it('is posted in a thread that was archived, in its own language and of its own servers', async () => {
    const threadId = '1100000000000000779';
    const recaps = await startRecapWorld({
      recap: { channelId: threadId, locale: 'de', servers: ['northwood-2'] },
      discord: {
        guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] }],
      },
    });
    await using _ = recaps.world;
    expect(recaps.texts()).toEqual([]);
    recaps.world.discord.addThread(channelId, { id: threadId, name: 'weeks' });
    await recaps.run(2 * hour);
    expect(recaps.texts(threadId).join()).toContain('Meiste Kills: Anna');
    expect(recaps.asked).toEqual([{ at: monday, servers: ['northwood-2'] }]);
  });

  it('is a picture alone, with the same in words as its alternative text', async () => {
    const picture = { name: 'recap.png', data: Buffer.from('png'), alt: 'Most kills: Anna' };
    const recaps = await startRecapWorld({ bot: { pictures: { recap: async () => picture } } });
    await using _ = recaps.world;
    const [message] = recaps.world.discord.messages(channelId);
    expect(message?.embeds).toEqual([]);
    expect(message?.attachments.map(({ description }) => description)).toEqual(['Most kills: Anna']);
  });
});
