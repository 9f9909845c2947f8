import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from '../src/index.ts';
import { channelId, guildId, token } from './bot.ts';

let discord: LocalDiscord;
beforeAll(async () => {
  const channels = [{ id: channelId, name: 'general' }];
  discord = await startLocalDiscord({ token, guilds: [{ id: guildId, name: 'Northwood', channels }] });
});
afterAll(() => discord.close());

describe('the page answers nobody but itself', () => {
  /** Status of a request with exactly these headers, which a browser's fetch would not let one set. */
  const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(new URL(path, discord.pageUrl), { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(method === 'POST' ? JSON.stringify({ channelId: channelId, content: 'forged' }) : undefined);
    });
  const json = { 'content-type': 'application/json' };

  test('neither to another name that points here, nor to another site', async () => {
    const { host, origin } = new URL(discord.pageUrl);
    expect(await ask('/client/state', { host: 'attacker.example' })).toBe(403);
    expect(await ask('/client/state', { host })).toBe(200);
    expect(await ask('/client/send', { ...json, origin: 'https://attacker.example' }, 'POST')).toBe(403);
    expect(await ask('/client/send', json, 'POST')).toBe(403);
    expect(await ask('/client/send', { origin, 'content-type': 'text/plain' }, 'POST')).toBe(403);
    expect(discord.messages(channelId).some((message) => message.content === 'forged')).toBe(false);
    expect(await ask('/client/send', { ...json, origin }, 'POST')).toBe(200);
  });

  test('and serves no file but its own', async () => {
    for (const path of ['/page/../index.js', '/page/%2e%2e/index.js', '/page/', '/page/none.js', '/none'])
      expect(await ask(path, {})).toBe(404);
    for (const path of ['/', '/page/main.js', '/page/layout.css']) expect(await ask(path, {})).toBe(200);
  });
});
