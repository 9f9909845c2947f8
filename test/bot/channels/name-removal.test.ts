import { describe, expect, it } from 'vitest';
import { channelId, guildId, until } from '../discord-world.ts';
import { type FeedWorldOptions, second, startFeedWorld } from './feeds/feed-world.ts';
import { createLedger } from './test-ledger.ts';

const [anna, bert] = [11, 12];

/** A kill feed whose messages are in a ledger. */
async function start(options: FeedWorldOptions = {}) {
  const ledger = createLedger();
  const records = { ledger, unlistedRevision: ledger.revision };
  const feed = await startFeedWorld({ ...options, bot: { records } });
  const deletions = () => feed.world.discord.requests.filter(({ method }) => method === 'DELETE');
  return { ...feed, ledger, deletions };
}

describe('a player who is hidden or forgotten', () => {
  it('is gone with the messages that name him, digests among them, and no others', async () => {
    const { world, ledger, die, run, texts } = await start();
    await using _ = world;
    die({ killer: { name: 'Anna' }, players: [anna, bert] });
    await run();
    for (let kill = 0; kill < 6; kill += 1) die({ victim: { name: `v${kill}` }, players: [20 + kill, anna] });
    await run();
    die({ killer: { name: 'Carl' }, players: [bert] });
    await run();
    expect(texts()).toHaveLength(3);
    ledger.hide(anna);
    await until(() => texts().length === 1);
    expect(texts()).toEqual([expect.stringContaining('Carl')]);
    await until(() => ledger.messages.length === 1);
  });

  it('is gone from a message that could be put into the ledger only minutes after it was sent', async () => {
    const { world, ledger, die, run, texts } = await start();
    await using _ = world;
    const { add } = ledger;
    ledger.add = () => Promise.reject(new Error('the store is away'));
    die({ players: [anna] });
    await run();
    await run(240 * second);
    ledger.add = add;
    await run(10 * second);
    expect(texts()).toHaveLength(1);
    expect(ledger.messages).toHaveLength(1);
    ledger.hide(anna);
    await until(() => texts().length === 0);
  });

  it('is gone from messages of a feed that the config no longer has, after the bot was away', async () => {
    const { world, ledger, die, run, texts, config } = await start();
    await using _ = world;
    die({ players: [anna] });
    await run();
    await world.bot.stop();
    ledger.hide(anna);
    config.killFeeds = [];
    await world.restart();
    await until(() => texts().length === 0);
  });

  it('is gone from the newest message first, however many there are', async () => {
    const { world, ledger, die, run, texts, deletions } = await start();
    await using _ = world;
    for (let kill = 0; kill < 30; kill += 1) {
      die({ players: [anna] });
      await run(10 * second);
    }
    const ids = world.discord.messages(channelId).map(({ id }) => id);
    expect(ids).toHaveLength(30);
    ledger.hide(anna);
    await run();
    const deleted = deletions().map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    expect(deleted.slice(0, 20).toSorted()).toEqual(ids.slice(10));
    expect(deleted[0]).toBe(ids.at(-1));
    expect(texts()).toEqual([]);
  });

  it('is gone from a channel although a deletion in another one takes long', async () => {
    const slowId = '1100000000000000299';
    const channels = [channelId, slowId].map((id) => ({ id, name: id }));
    const { world, ledger, die, run, texts } = await start({
      discord: { guilds: [{ id: guildId, name: 'Northwood', channels }] },
      feeds: [{}, { channelId: slowId }],
    });
    await using _ = world;
    die({ players: [anna] });
    await run();
    expect(texts(slowId)).toHaveLength(1);
    world.discord.fail({ method: 'DELETE', path: new RegExp(`/channels/${slowId}/`) }, { delayMs: 60_000 });
    ledger.hide(anna);
    await until(() => texts().length === 0);
    expect(texts(slowId)).toHaveLength(1);
  });

  it('is gone from all messages but one that cannot be deleted, which is logged once and tried again', async () => {
    const { world, ledger, die, run, texts } = await start();
    await using _ = world;
    for (let kill = 0; kill < 2; kill += 1) {
      die({ players: [anna] });
      await run();
    }
    const [first] = world.discord.messages(channelId);
    const lift = world.discord.fail(
      ({ method, path }) => method === 'DELETE' && path.endsWith(`/messages/${first?.id}`),
      { status: 404, body: '<html>' },
      Infinity,
    );
    ledger.hide(anna);
    for (let count = 0; count < 3; count += 1) await run();
    expect(texts()).toHaveLength(1);
    expect(world.lines.filter(({ msg }) => msg.includes('could not delete messages'))).toHaveLength(1);
    lift();
    await run();
    expect(texts()).toEqual([]);
  });

  it('is gone from a thread that was archived since, which is opened for that', async () => {
    const threadId = '1100000000000000778';
    const { world, ledger, die, run, texts } = await start({
      feed: { channelId: threadId },
      prepare: (discord) => discord.addThread(channelId, { id: threadId, name: 'kills' }),
    });
    await using _ = world;
    die({ players: [anna] });
    await run();
    expect(texts(threadId)).toHaveLength(1);
    world.discord.setThread(threadId, { archived: true });
    ledger.hide(anna);
    await run();
    expect(texts(threadId)).toEqual([]);
  });

  it('costs one warning in a channel that the bot has lost, and nothing where the message is gone', async () => {
    const { world, ledger, die, run } = await start();
    await using _ = world;
    for (let kill = 0; kill < 2; kill += 1) {
      die({ players: [anna] });
      await run();
    }
    const [first, second] = world.discord.messages(channelId);
    world.discord.deleteMessage(channelId, first!.id);
    const refusal = { status: 403, body: { code: 50_001, message: 'Missing Access' } };
    world.discord.fail(({ method, path }) => method === 'DELETE' && path.endsWith(second!.id), refusal);
    ledger.hide(anna);
    await run();
    await run();
    expect(world.lines.filter(({ msg }) => msg.includes('cannot be deleted'))).toHaveLength(1);
    expect(ledger.messages).toEqual([]);
  });

  it('is gone from a message that was on its way meanwhile', async () => {
    const { world, ledger, die, run, texts } = await start();
    await using _ = world;
    world.discord.fail(({ method, path }) => method === 'POST' && path.endsWith('/messages'), {
      delayMs: 300,
    });
    die({ players: [anna] });
    const running = run();
    ledger.hide(anna);
    await running;
    await until(() => texts().length === 0);
    expect(world.discord.requests.some(({ method }) => method === 'DELETE')).toBe(true);
  });

  it('is gone from a message that arrived without an answer, and was composed again without the name', async () => {
    const { world, ledger, die, run, texts, deaths } = await start();
    await using _ = world;
    const isPost = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.endsWith('/messages');
    const lift = world.discord.fail(isPost, { cut: true, afterwards: true }, Infinity);
    die({ killer: { name: 'Anna' }, players: [anna, bert] });
    await run();
    lift();
    expect(texts()).toEqual([expect.stringContaining('Anna')]);
    ledger.hide(anna);
    deaths.rename('Anna', null);
    deaths.all[0] = { ...deaths.all[0]!, players: [bert] };
    await run(20 * second);
    await until(() => texts().length === 0);
  });
});
