import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { BotTiming } from '../../src/bot/bot.ts';
import { startLink, type Link } from '../harness/link.ts';
import { northwood } from '../harness/northwood.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { channelId, guildId, member, startWorld, type World } from './discord-world.ts';
import { ask, expectAnsweredOnce } from './faults.ts';

let service: TestService;
let link: Link;
/** How far the bot's clock is ahead: what it knows has aged by that. */
let aheadMs = 0;

beforeAll(async () => {
  service = await startTestService(northwood());
  link = await startLink(service.url);
});
afterAll(async () => {
  await link[Symbol.asyncDispose]();
  await service.close();
});

/** A bot that knows nothing yet, with the real client on the real service. */
async function startBotOnLink(timing: Partial<BotTiming> = {}): Promise<World> {
  const { id, secret } = await service.application('northwood');
  const now = () => Date.now() + aheadMs;
  const client = createClient({ baseUrl: link.url, applicationId: id, secret, now, monotonic: now });
  const world = await startWorld({ client, bot: { now, monotonic: now, timing } });
  await world.bot.ready;
  return world;
}

const textOf = (answer: Awaited<ReturnType<typeof ask>>) => JSON.stringify(answer.message?.embeds);
const complete = (world: World, value: string) =>
  world.discord.autocomplete({
    guildId,
    channelId,
    user: member,
    commandName: 'status',
    focused: { name: 'server', value },
  });

describe('a service', () => {
  it('that is away is said to be, and serves again as soon as it is back', async () => {
    await using world = await startBotOnLink();
    link.cut();
    const away = await ask(world.discord, 'schedule');
    expectAnsweredOnce(world.discord, away);
    expect(textOf(away)).toContain("The data service isn't responding");
    expect(await complete(world, '')).toEqual([]);
    link.mend();
    const back = await ask(world.discord, 'schedule');
    expectAnsweredOnce(world.discord, back);
    expect(textOf(back)).toContain('Restart');
    expect(await complete(world, '')).not.toEqual([]);
  });

  it('that goes away is answered for with what is known, and its age', async () => {
    await using world = await startBotOnLink();
    expect(textOf(await ask(world.discord, 'status'))).toContain('Chernarus');
    link.cut();
    aheadMs = 60_000;
    try {
      const answers = await Promise.all(
        ['status', 'status', 'status'].map((name) => ask(world.discord, name)),
      );
      for (const answer of answers) {
        expectAnsweredOnce(world.discord, answer);
        expect(textOf(answer)).toContain('Chernarus');
        expect(textOf(answer)).toContain('Last updated <t:');
      }
    } finally {
      aheadMs = 0;
      link.mend();
    }
  });

  it('that takes five seconds leads to a deferral in time, one answer, and completions in time', async () => {
    await using world = await startBotOnLink({ deferAfterMs: 1_500 });
    await ask(world.discord, 'status');
    link.delayMs = 5_000;
    try {
      const [slow, choices] = await Promise.all([
        ask(world.discord, 'top', { metric: 'DEATHS' }),
        complete(world, 'chern'),
      ]);
      expectAnsweredOnce(world.discord, slow);
      expect(slow).toMatchObject({ deferred: true, ephemeral: false, followUps: [] });
      expect(slow.message?.embeds[0]?.title).toContain('Deaths');
      // What the bot has in memory needs no service.
      expect(choices.map(({ name }) => name)).toEqual(['Northwood | Chernarus']);
    } finally {
      link.delayMs = 0;
    }
  });
});
