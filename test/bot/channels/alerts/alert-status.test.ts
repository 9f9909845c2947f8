import { describe, expect, it } from 'vitest';
import { contractClient, type Handlers } from '../../../commands/contract-client.ts';
import { createTestClock } from '../../../harness/clock.ts';
import * as data from '../../../embeds/contract-data.ts';
import { channelId, guildId, startWorld, type World } from '../../discord-world.ts';

const minute = 60_000;
const alertsId = '1100000000000000210';
const channels = [
  { id: channelId, name: 'general' },
  { id: alertsId, name: 'alerts' },
];
const manager = { id: '1100000000000000303', username: 'owner', permissions: 1n << 5n };

/** Alerts that a member has placed in a channel of their own. */
async function startPlaced(): Promise<{
  world: World;
  watch: (minutes: number) => Promise<void>;
  see: (over: Parameters<typeof data.server>[0]) => void;
}> {
  const clock = createTestClock(data.now);
  const handlers: Partial<Handlers> = {};
  const see = (over: Parameters<typeof data.server>[0]): void => {
    handlers.listServers = () => {
      const checkedAt = new Date(clock.now()).toISOString();
      return { servers: [data.server({ checkedAt, ...over })] };
    };
  };
  see({});
  const world = await startWorld({
    client: contractClient(handlers, clock.now),
    discord: { guilds: [{ id: guildId, name: 'Northwood', channels }] },
    bot: {
      now: clock.now,
      monotonic: clock.monotonic,
      timing: { staggerMs: 0 },
    },
  });
  await world.bot.ready;
  const options = { down: true };
  const invocation = { guildId, channelId: alertsId, user: manager, commandName: 'outpost alert', options };
  await world.discord.invoke(invocation);
  const watch = async (minutes: number): Promise<void> => {
    for (let check = 0; check < minutes; check += 1) {
      clock.advance(minute);
      await world.bot.jobs?.run();
    }
  };
  return { world, watch, see };
}

/** What `/outpost posts` says in another channel. */
async function postsIn({ discord }: World): Promise<string> {
  const answer = await discord.invoke({ guildId, channelId, user: manager, commandName: 'outpost posts' });
  return answer.message?.embeds[0]?.description ?? '';
}

describe('alerts that reach nobody', () => {
  it.each(['while the bot runs', 'before it starts'])(
    'are named by /outpost posts once their channel was deleted %s',
    async (when) => {
      const { world, watch } = await startPlaced();
      await using _ = world;
      await watch(1);
      expect(await postsIn(world)).toContain('active');
      world.discord.deleteChannel(alertsId);
      if (when === 'before it starts') await world.restart();
      // The answer comes behind what the gateway says of the channel.
      await postsIn(world);
      await watch(3);
      expect(await postsIn(world)).toContain('The channel no longer exists.');
      expect(world.lines.filter(({ level }) => level >= 50)).toHaveLength(1);
    },
  );
});
