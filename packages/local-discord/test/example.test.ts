import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the example runs, and its bot answers a member on the page', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const bot = spawn(process.execPath, ['--import', 'tsx', 'example/bot.ts', '0'], { cwd: root });
  const closed = once(bot, 'close');
  try {
    const [line] = (await once(createInterface(bot.stdout), 'line')) as [string];
    const origin = /http:\/\/[\d.:]+/.exec(line)?.[0] ?? line;
    const state = (await (await fetch(`${origin}/client/state`)).json()) as {
      guilds: { id: string; channels: { id: string }[]; commands: { name: string }[] }[];
      personas: { id: string; displayName: string }[];
    };
    const [guild] = state.guilds;
    const [persona] = state.personas;
    expect(guild?.commands.map(({ name }) => name)).toEqual(['ping']);
    const channelId = guild?.channels[0]?.id ?? '';
    const body = { guildId: guild?.id, channelId, userId: persona?.id, commandName: 'ping' };
    const headers = { 'content-type': 'application/json', origin };
    await fetch(`${origin}/client/invoke`, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = await fetch(`${origin}/client/messages?channel=${channelId}`);
    expect(await answer.json()).toMatchObject({
      messages: [{ content: `Pong, ${persona?.displayName}!`, interaction: { commandName: 'ping' } }],
    });
  } finally {
    bot.kill();
    await closed;
  }
});
