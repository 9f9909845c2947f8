import { expect, it } from 'vitest';
import type { Asker } from '../../src/commands/command.ts';
import { commands } from '../../src/commands/index.ts';
import { asker, context } from './context.ts';

/** What is for home guilds alone. */
const forHome = { heatmap: { server: 'northwood-1', what: 'kills' }, link: {}, me: {} } as const;

async function answers(who: Partial<Asker>): Promise<(string | undefined)[]> {
  const asked = Object.entries(forHome).map(async ([name, options]) => {
    const { run } = commands[name as keyof typeof forHome];
    return (await run(context({ asker: asker(who), options }))).embeds[0]?.description;
  });
  return await Promise.all(asked);
}

it('tells who asks in a direct message to go to a Discord server, and names no config', async () => {
  const told = 'This command only works in a Discord server, not in direct messages.';
  expect(await answers({ guildId: null, isHome: false })).toEqual([told, told, told]);
});

it('tells the owner of the bot in another Discord server what to add to the config', async () => {
  const told = expect.stringContaining('add this server under `discord.guilds` in its config') as string;
  expect(await answers({ isHome: false })).toEqual([told, told, told]);
});

it('does not blame the Discord server for what a bot on a service elsewhere has not', async () => {
  const [heatMap, link, me] = await answers({});
  expect(heatMap).toContain("the bot doesn't read its logs");
  expect([link, me].every((text) => text?.startsWith('This bot reads another service'))).toBe(true);
});
