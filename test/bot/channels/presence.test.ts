import { describe, expect, it } from 'vitest';
import { contractClient, type Handlers } from '../../commands/contract-client.ts';
import * as data from '../../embeds/contract-data.ts';
import { startWorld, until } from '../discord-world.ts';

async function startPresence(handlers: Partial<Handlers> = {}) {
  let time = data.now;
  const world = await startWorld({
    client: contractClient(handlers, () => time),
    bot: { now: () => time, monotonic: () => time, config: { guildIds: [], statusPosts: [] } },
  });
  await world.bot.ready;
  await world.bot.jobs?.run();
  const activity = () => world.discord.gateway.presence()?.activity;
  await until(() => activity() !== null);
  return { world, activity, advance: (seconds: number) => void (time += seconds * 1000) };
}

describe("the bot's presence", () => {
  it('shows how many are playing, and follows changes', async () => {
    const handlers: Partial<Handlers> = {};
    const { world, activity, advance } = await startPresence(handlers);
    await using _ = world;
    expect(activity()).toBe('37 / 100 players');
    handlers.listServers = () => ({ servers: [data.server({ players: 12 })] });
    advance(20);
    await world.bot.jobs?.run();
    await until(() => activity() === '12 / 60 players');
  });

  it('changes no more often than Discord lets it', async () => {
    const handlers: Partial<Handlers> = {};
    const { world, activity, advance } = await startPresence(handlers);
    await using _ = world;
    const seen: (string | null | undefined)[] = [];
    world.discord.subscribe((event) => {
      if (event.type === 'bot') seen.push(event.activity);
    });
    for (let players = 1; players <= 60; players += 1) {
      handlers.listServers = () => ({ servers: [data.server({ players })] });
      advance(1);
      await world.bot.jobs?.run();
    }
    await until(() => activity() === '60 / 60 players');
    expect(seen).toEqual(['15', '30', '45', '60'].map((players) => `${players} / 60 players`));
  });

  it('is shown again in a new session, which starts without one', async () => {
    const { world, activity, advance } = await startPresence();
    await using _ = world;
    const { gateway } = world.discord;
    gateway.invalidateSessions(false);
    await until(() => gateway.identifies === 2 && gateway.connected === 1);
    await until(() => {
      advance(20);
      void world.bot.jobs?.run();
      return activity() === '37 / 100 players';
    });
  });

  it('counts only servers that are known to be offline', async () => {
    const servers = (['OFFLINE', 'UNKNOWN'] as const).map((status) =>
      data.server({ id: status, status, players: null }),
    );
    const { world, activity } = await startPresence({ listServers: () => ({ servers }) });
    await using _ = world;
    await until(() => activity() === 'Server offline');
  });

  it('says that nothing is known instead of an old figure', async () => {
    const handlers: Partial<Handlers> = {};
    const { world, activity, advance } = await startPresence(handlers);
    await using _ = world;
    handlers.listServers = () => Promise.reject(new Error('no answer'));
    advance(20);
    await world.bot.jobs?.run();
    await until(() => activity() === 'Server status unknown');
    expect(world.discord.gateway.presence()?.status).toBe('idle');
  });
});
