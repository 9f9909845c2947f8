import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../commands/contract-client.ts';
import * as data from '../../embeds/contract-data.ts';
import { startTimedWorld, until } from '../discord-world.ts';

async function startPresence(handlers: Partial<Handlers> = {}) {
  const { world, clock, run } = await startTimedWorld({ handlers, config: { presence: true } });
  const activity = () => world.discord.gateway.presence()?.activity;
  await until(() => activity() !== null);
  return { world, activity, run: (seconds: number) => run(seconds * 1000), advance: clock.advance };
}

describe("the bot's presence", () => {
  it('shows how many are playing, and follows changes', async () => {
    const handlers: Partial<Handlers> = {};
    const { world, activity, run } = await startPresence(handlers);
    await using _ = world;
    expect(activity()).toBe('37 / 100 players');
    handlers.listServers = () => ({ servers: [data.server({ players: 12 })] });
    await run(20);
    await until(() => activity() === '12 / 60 players');
  });

  it('changes no more often than Discord lets it', async () => {
    const handlers: Partial<Handlers> = {};
    const { world, activity, run } = await startPresence(handlers);
    await using _ = world;
    const seen: (string | null | undefined)[] = [];
    world.discord.subscribe((event) => {
      if (event.type === 'bot') seen.push(event.activity);
    });
    for (let players = 1; players <= 60; players += 1) {
      handlers.listServers = () => ({ servers: [data.server({ players })] });
      await run(1);
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
      advance(20_000);
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
    const { world, activity, run } = await startPresence(handlers);
    await using _ = world;
    handlers.listServers = () => Promise.reject(new Error('no answer'));
    await run(20);
    await until(() => activity() === 'Server status unknown');
    expect(world.discord.gateway.presence()?.status).toBe('idle');
  });
});
