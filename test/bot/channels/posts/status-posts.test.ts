import { Keyv } from 'keyv';
import { describe, expect, it } from 'vitest';
import { ServiceUnreachableError } from '../../../../src/api/client-types.ts';
import type { Community } from '../../../../src/commands/interfaces/community.ts';
import { createTestClock } from '../../../harness/clock.ts';
import { serviceError, type Handlers } from '../../../commands/contract-client.ts';
import * as data from '../../../embeds/contract-data.ts';
import {
  channelId,
  guildId,
  startTimedWorld,
  startWorld,
  type TimedWorldOptions,
  until,
  type World,
} from '../../discord-world.ts';

/** A bot with one status post that only runs when the test says so. */
async function startPost(
  handlers: Partial<Handlers> = {},
  options: TimedWorldOptions & { servers?: string[]; names?: boolean } = {},
) {
  const { servers = ['northwood-1'], names, ...others } = options;
  const statusPosts = [{ channelId, cron: '0 0 1 1 *', servers, names }];
  const clock = createTestClock(data.now);
  const checked = (): string => new Date(clock.now() - 1000).toISOString();
  const fresh: Partial<Handlers> = {
    listServers: () => ({ servers: [data.server({ checkedAt: checked() })] }),
    ...handlers,
  };
  return await startTimedWorld({
    clock,
    config: { locale: 'en-US', statusPosts },
    handlers: fresh,
    ...others,
  });
}

/** Where Keyv keeps its values: a disk that can be full or broken. */
function createDisk() {
  const values = new Map<string, unknown>();
  const disk = {
    reads: true,
    writes: true,
    store: {
      get: async (key: string) => {
        if (!disk.reads) throw new Error('disk I/O error');
        return values.get(key);
      },
      set: async (key: string, value: unknown) => {
        if (!disk.writes) throw new Error('database or disk is full');
        values.set(key, value);
      },
      delete: async (key: string) => values.delete(key),
      clear: async () => values.clear(),
    },
  };
  return disk;
}

const shown = (world: World) => world.discord.messages(channelId);
const edits = (world: World) => world.discord.requests.filter((request) => request.method === 'PATCH');
/** Waits until the post stands and its id is kept. */
async function firstPost(world: World): Promise<void> {
  await until(() => shown(world).length === 1);
  await world.bot.jobs?.run();
}

describe('a status post', () => {
  it('is posted once and edited in place when the player count changes', async () => {
    const { world, handlers } = await startPost();
    await using _ = world;
    await firstPost(world);
    const [before] = shown(world);
    expect(before?.embeds[0]?.description).toContain('## 37 / 60 players');
    await world.bot.jobs?.run();
    handlers.listServers = () => ({ servers: [data.server({ players: 38 })] });
    await world.bot.jobs?.run();
    const after = shown(world);
    expect(after.map((message) => message.id)).toEqual([before?.id]);
    expect(after[0]?.embeds[0]?.description).toContain('## 38 / 60 players');
  });

  it('shows soon after a start what the first check of a server found', async () => {
    let checkedAt: string | null = null;
    const { world, clock } = await startPost(
      {
        listServers: () => {
          const checked = { status: 'ONLINE', checkedAt } as const;
          return { servers: [data.server(checkedAt === null ? { status: 'UNKNOWN', checkedAt } : checked)] };
        },
      },
      { timing: { cachedServersMs: 300 } },
    );
    await using _ = world;
    await until(() => shown(world).length === 1);
    expect(shown(world)[0]?.embeds[0]?.description).not.toContain('37 / 60 players');
    checkedAt = new Date(clock.now()).toISOString();
    await until(() => shown(world)[0]?.embeds[0]?.description?.includes('37 / 60 players') === true);
  });

  it('is left alone while only the time of the check moves on, until the heartbeat', async () => {
    const { world, clock } = await startPost();
    await using _ = world;
    await firstPost(world);
    for (let run = 0; run < 4; run += 1) {
      clock.advance(120_000);
      await world.bot.jobs?.run();
    }
    expect(edits(world)).toHaveLength(0);
    clock.advance(120_000);
    await world.bot.jobs?.run();
    expect(edits(world)).toHaveLength(1);
  });

  it('is found again after a restart', async () => {
    const { world } = await startPost();
    await using _ = world;
    await firstPost(world);
    const [before] = shown(world);
    await world.restart();
    await world.bot.jobs?.run();
    expect(shown(world).map((message) => message.id)).toEqual([before?.id]);
  });

  it('is found by its nonce when the process ended before it knew that Discord has it', async () => {
    const { world, clock } = await startPost();
    await using _ = world;
    await firstPost(world);
    world.discord.deleteMessage(channelId, shown(world)[0]!.id);
    clock.advance(600_000);
    const lift = world.discord.fail(
      { method: 'POST', path: /\/messages$/ },
      { cut: true, afterwards: true },
      Infinity,
    );
    await world.bot.jobs?.run();
    const [posted] = shown(world);
    await world.bot.stop();
    lift();
    await world.restart();
    await world.bot.jobs?.run();
    expect(posted).toBeDefined();
    expect(shown(world).map(({ id }) => id)).toEqual([posted?.id]);
  });

  it("is posted again where the stored message is another bot's, as after a change of the token", async () => {
    const { world, clock } = await startPost();
    await using _ = world;
    await firstPost(world);
    const [before] = shown(world);
    const body = { code: 50005, message: 'Cannot edit a message authored by another user' };
    const path = new RegExp(`/messages/${before!.id}$`);
    world.discord.fail({ method: 'PATCH', path }, { status: 403, body }, Infinity);
    clock.advance(600_000);
    await world.bot.jobs?.run();
    clock.advance(600_000);
    await world.bot.jobs?.run();
    expect(shown(world).map(({ id }) => id === before!.id)).toEqual([true, false]);
  });

  it('pauses when Discord rejects the token once, and continues with it', async () => {
    const { world, clock } = await startPost();
    await using _ = world;
    await firstPost(world);
    const body = { code: 0, message: '401: Unauthorized' };
    world.discord.fail({ method: 'PATCH' }, { status: 401, body });
    clock.advance(600_000);
    await world.bot.jobs?.run();
    const edits = () =>
      world.discord.requests.filter(({ method }) => method === 'PATCH').map((each) => each.status);
    await world.bot.jobs?.run();
    expect(edits()).toEqual([401]);
    clock.advance(60_000);
    await world.bot.jobs?.run();
    expect(edits()).toEqual([401, 200]);
  });

  it('waits while Cloudflare blocks the bot, and says so once', async () => {
    const { world, clock } = await startPost();
    await using _ = world;
    await firstPost(world);
    const headers = { 'retry-after': '6', 'content-type': 'text/html' };
    const end = world.discord.fail({}, { status: 429, headers, body: 'error code: 1015' }, Infinity);
    const warnings = () => world.lines.filter(({ level }) => level >= 40).map(({ msg }) => msg);
    for (let i = 0; i < 3; i += 1) {
      clock.advance(600_000);
      await world.bot.jobs?.run();
    }
    expect(warnings()).toEqual([
      expect.stringMatching(/waits: Discord takes no requests of the bot for . s$/),
    ]);
    end();
    const worksAgain = () => world.lines.some(({ msg }) => msg === 'status post works again');
    while (!worksAgain()) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      clock.advance(600_000);
      await world.bot.jobs?.run();
    }
  });

  it('and answers do not warn of a suspended project, which is the decision of its owner', async () => {
    const { world, handlers } = await startPost();
    await using _ = world;
    await firstPost(world);
    handlers.listServers = () => Promise.reject(serviceError('project_suspended'));
    await world.bot.jobs?.run();
    const user = { id: '1100000000000000301', username: 'mira', permissions: 0n };
    const answer = await world.discord.invoke({ guildId, channelId, user, commandName: 'status' });
    expect(answer.message?.embeds[0]?.description).toContain('This project is suspended');
    expect(shown(world)[0]!.embeds[0]?.title).toBe('⚪ Status unavailable');
    expect(world.lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('shows no figures while the service gives no answer, and corrects itself', async () => {
    const { world, handlers, clock } = await startPost();
    await using _ = world;
    await firstPost(world);
    const works = handlers.listServers!;
    handlers.listServers = () => Promise.reject(new ServiceUnreachableError('no answer'));
    await world.bot.jobs?.run();
    const [embed] = shown(world)[0]!.embeds;
    expect(embed?.title).toBe('⚪ Status unavailable');
    expect(embed?.description).toContain(`<t:${data.now / 1000}:R>`);
    expect(JSON.stringify(embed)).not.toContain('37');
    await world.bot.jobs?.run();
    expect(edits(world)).toHaveLength(1);

    handlers.listServers = () => ({
      data: { servers: [data.server()] },
      receivedAt: clock.now() - 90_000,
      stale: true,
    });
    await world.bot.jobs?.run();
    expect(shown(world)[0]?.embeds[0]?.title).toBe('⚪ Status unavailable');
    handlers.listServers = works;
    await world.bot.jobs?.run();
    expect(shown(world)[0]?.embeds[0]?.title).toBe('🟢 Northwood | Chernarus');
  });

  it('takes an answer that is a minute old for none, and leaves what stands there until then', async () => {
    const { world, handlers, clock } = await startPost();
    await using _ = world;
    await firstPost(world);
    const stale = (age: number) => () => ({
      data: { servers: [data.server({ players: 12 })] },
      receivedAt: clock.now() - age,
      stale: true,
    });
    handlers.listServers = stale(60_000);
    await world.bot.jobs?.run();
    expect(edits(world)).toHaveLength(0);
    handlers.listServers = stale(60_001);
    await world.bot.jobs?.run();
    expect(shown(world)[0]?.embeds[0]?.title).toBe('⚪ Status unavailable');
    expect(JSON.stringify(shown(world)[0]?.embeds)).not.toContain('12');
  });

  it('is posted once even while its id cannot be kept, and kept as soon as it can', async () => {
    const disk = createDisk();
    disk.writes = false;
    const { world, clock } = await startPost({}, { bot: { keyv: new Keyv({ store: disk.store }) } });
    await using _ = world;
    await firstPost(world);
    for (let run = 0; run < 3; run += 1) {
      clock.advance(600_000);
      await world.bot.jobs?.run();
    }
    expect(shown(world)).toHaveLength(1);
    expect(edits(world)).toHaveLength(3);
    expect(world.lines.filter((line) => line.msg.includes('could not save the message id'))).toHaveLength(1);
    disk.writes = true;
    await world.bot.jobs?.run();
    await world.restart();
    await world.bot.jobs?.run();
    expect(shown(world)).toHaveLength(1);
  });

  it('is not posted a second time because its id cannot be read', async () => {
    const disk = createDisk();
    const { world, clock } = await startPost({}, { bot: { keyv: new Keyv({ store: disk.store }) } });
    await using _ = world;
    await firstPost(world);
    const [before] = shown(world);
    disk.reads = false;
    await world.restart();
    await world.bot.jobs?.run();
    expect(shown(world)).toHaveLength(1);
    disk.reads = true;
    clock.advance(600_000);
    await world.bot.jobs?.run();
    expect(shown(world).map((message) => message.id)).toEqual([before?.id]);
    expect(edits(world)).toHaveLength(1);
  });

  it('says that a server of it is gone', async () => {
    const { world } = await startPost({}, { servers: ['northwood-1', 'gone'] });
    await using _ = world;
    await firstPost(world);
    expect(shown(world)[0]?.embeds[0]?.description).toContain('One server in this post no longer exists.');
  });

  it('never runs twice at once', async () => {
    const { world, clock } = await startPost();
    await using _ = world;
    await firstPost(world);
    clock.advance(600_000);
    await Promise.all([world.bot.jobs?.run(), world.bot.jobs?.run(), world.bot.jobs?.run()]);
    expect(edits(world)).toHaveLength(1);
  });

  it('runs on its cron', async () => {
    await using world = await startWorld({
      bot: {
        config: {
          locale: 'en-US',
          guildIds: [],
          statusPosts: [{ channelId, cron: '* * * * * *', servers: ['northwood-1'] }],
        },
        timing: { staggerMs: 0, heartbeatMs: 0 },
      },
    });
    await until(() => edits(world).length >= 2);
    expect(shown(world)).toHaveLength(1);
  });
});

describe('a status post with names', () => {
  /** Who is on northwood-1 according to its log. */
  function logged(clock: { now: number }) {
    const seconds = { at: 60 };
    const names = ['zoe', '*Anna*'];
    const loggedPlayers: Partial<Community>['loggedPlayers'] = async (ids) => {
      seconds.at += 1;
      const players = names.map((name) => ({ name, seconds: seconds.at, isLoading: seconds.at % 2 === 0 }));
      const of = { players, asOf: clock.now - seconds.at * 1000, isComplete: true };
      return new Map(ids.filter((id) => id === 'northwood-1').map((id) => [id, of]));
    };
    return { names, community: { loggedPlayers } };
  }
  const namesField = (world: World): string | undefined =>
    shown(world)[0]?.embeds[0]?.fields?.find(({ name }) => name === 'Names')?.value;

  it('lists them, and is edited when somebody joins but not as the log grows older', async () => {
    const { names, community } = logged(data);
    const { world } = await startPost({}, { names: true, bot: { community } });
    await using _ = world;
    await firstPost(world);
    expect(namesField(world)).toMatch(
      /^\\\*Anna\\\*, zoe\n-# 37 online, 2 known by name \(server log, updated <t:\d+:R>\)\.$/,
    );
    for (let update = 0; update < 3; update += 1) await world.bot.jobs?.run();
    const before = edits(world).length;
    for (let update = 0; update < 3; update += 1) await world.bot.jobs?.run();
    expect(edits(world).length).toBe(before);
    names.push('Bert');
    await world.bot.jobs?.run();
    expect(namesField(world)).toContain('\\*Anna\\*, Bert, zoe');
  });

  it('names players of several servers next to each of them', async () => {
    const servers = [data.server(), data.server({ id: 'northwood-2' })];
    const { community } = logged(data);
    const handlers = { listServers: () => ({ servers }) };
    const ids = servers.map(({ id }) => id);
    const { world } = await startPost(handlers, { names: true, servers: ids, bot: { community } });
    await using _ = world;
    await firstPost(world);
    const values = shown(world)[0]?.embeds[0]?.fields?.map(({ value }) => value);
    expect(values?.[0]).toContain('Anna');
    expect(values?.[1]).not.toContain('Anna');
  });

  it('does not list them where the owner does not want it', async () => {
    const { community } = logged(data);
    const post = { channelId, cron: '0 0 1 1 *', servers: ['northwood-1'], names: false };
    const config = { locale: 'en-US', guildIds: [guildId], statusPosts: [post] };
    const { world } = await startPost({}, { bot: { community, config } });
    await using _ = world;
    await firstPost(world);
    expect(namesField(world)).toBeUndefined();
  });
});
