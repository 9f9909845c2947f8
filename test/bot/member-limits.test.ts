import { afterEach, describe, expect, it } from 'vitest';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import { channelId, guildId, startWorld, type World } from './discord-world.ts';

let world: World;
afterEach(async () => world[Symbol.asyncDispose]());

const memberNamed = (number: number, locale = 'en-US') => ({
  id: `12000000000000${String(number).padStart(5, '0')}`,
  username: `member${number}`,
  locale,
});
const use = (user: ReturnType<typeof memberNamed>, commandName = 'status') =>
  world.discord.invoke({ guildId, channelId, user, commandName });
const titleOf = ({ message }: Awaited<ReturnType<typeof use>>) => message?.embeds[0]?.title;

describe('a member who asks without end', () => {
  it('privately reads when to try again, at once and in their language, while others are answered', async () => {
    const memberRate = { burst: 3, everyMs: 60_000 };
    world = await startWorld({ bot: { timing: { memberRate } } });
    await world.bot.ready;
    const [one, other] = [memberNamed(1, 'de'), memberNamed(2)];
    const answers = await Promise.all(Array.from({ length: 30 }, () => use(one)));
    const polite = answers.filter((answer) => titleOf(answer)?.includes('Gleich noch einmal versuchen'));
    expect(polite).toHaveLength(27);
    for (const { deferred, ephemeral, followUps, message } of polite) {
      expect({ deferred, ephemeral, followUps }).toEqual({ deferred: false, ephemeral: true, followUps: [] });
      expect(message?.embeds[0]?.description).toMatch(/zu schnell.*<t:\d+:R>/);
    }
    expect(titleOf(await use(other))).toBe('Server status');
  });

  it('who presses a button leaves the message as it is', async () => {
    world = await startWorld({ bot: { timing: { memberRate: { burst: 1, everyMs: 60_000 } } } });
    await world.bot.ready;
    const { message } = await use(memberNamed(1));
    const button = message!.components
      .flatMap((row) => row.components ?? [])
      .find(({ type, custom_id }) => type === 2 && custom_id);
    const pressed = await world.discord.click({
      messageId: message!.id,
      customId: button!.custom_id!,
      user: memberNamed(1),
    });
    expect(pressed).toMatchObject({ deferred: false, ephemeral: true });
    expect(pressed.message?.embeds[0]?.title).toContain('Try again shortly');
    expect(world.discord.messages(channelId).find(({ id }) => id === message!.id)?.embeds).toEqual(
      message!.embeds,
    );
  });

  it('takes nothing of what completes their typing, which has a bound of its own', async () => {
    const timing = {
      memberRate: { burst: 1, everyMs: 60_000 },
      completionRate: { burst: 2, everyMs: 60_000 },
    };
    world = await startWorld({ bot: { timing } });
    await world.bot.ready;
    const type = () =>
      world.discord.autocomplete({
        guildId,
        channelId,
        user: memberNamed(1),
        commandName: 'status',
        focused: { name: 'server', value: '' },
      });
    await use(memberNamed(1));
    await use(memberNamed(1));
    expect([(await type()).length, (await type()).length, (await type()).length]).toEqual([3, 3, 0]);
  });
});

it('answers a raid of many accounts in turn, and refuses those beyond the limit at once', async () => {
  const handlers: Partial<Handlers> = {};
  world = await startWorld({
    client: contractClient(handlers, Date.now),
    bot: { timing: { answersAtOnce: 4, answersWaiting: 20 } },
  });
  await world.bot.ready;
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  let [most, now] = [0, 0];
  const { getProject } = contractClient({}, Date.now);
  handlers.getProject = async () => {
    now += 1;
    most = Math.max(most, now);
    await gate;
    now -= 1;
    return (await getProject()).data;
  };
  const asked = Array.from({ length: 60 }, (_, number) => use(memberNamed(number)));
  const isBusy = (answer: Awaited<(typeof asked)[number]>) => titleOf(answer)?.includes('Try again shortly');
  const firstBusy = await Promise.race(asked.map(async (each) => (await each, await each)));
  expect(isBusy(firstBusy)).toBe(true);
  release();
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => !isBusy(answer))).toHaveLength(24);
  expect(most).toBe(4);
});
