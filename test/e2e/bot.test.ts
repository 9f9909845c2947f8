import { appendFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { commands } from '../../src/commands/index.ts';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const token = 'local-bot-token';
const channel = '1100000000000000101';
let place: Workplace;
let discord: LocalDiscord;
beforeEach(async () => {
  place = await createWorkplace();
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: '1100000000000000001', name: 'G', channels: [{ id: channel, name: 'status' }] }],
    acknowledgeWithinMs: 60_000,
  });
});
afterEach(async () => {
  await place.remove();
  await discord.close();
});

const config = {
  ...northwood(),
  discord: { statusPosts: [{ channelId: channel, cron: '* * * * * *', servers: ['northwood-1'] }] },
};

it('answers a command over the real Discord protocol, through the service like any other application', async () => {
  await place.configure({ ...config, http: { logRequests: true } });
  const outpost = await place.start({ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl });
  await expect
    .poll(() =>
      discord
        .commands()
        .map(({ name }) => name)
        .toSorted(),
    )
    .toEqual(Object.keys(commands).toSorted());
  expect(Object.keys(commands)).toEqual(
    expect.arrayContaining(['status', 'online', 'top', 'lookup', 'bans', 'schedule']),
  );
  const { message, acknowledgement } = await discord.invoke({
    guildId: '1100000000000000001',
    channelId: channel,
    user: { id: '1100000000000000301', username: 'mira' },
    commandName: 'top',
    options: { metric: 'PLAYER_KILLS' },
  });
  expect(acknowledgement).toBeTruthy();
  expect(JSON.stringify(message)).toContain('Player kills');
  await outpost.logged('"operation":"listLeaderboards"');
  expect(outpost.output()).not.toContain(token);
});

it('keeps the posts of the config and of members over a restart, each once', async () => {
  await place.configure(config);
  const environment = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl };
  const first = await place.start(environment);
  await expect.poll(() => discord.messages(channel).length).toBe(1);
  const { message } = await discord.invoke({
    guildId: '1100000000000000001',
    channelId: channel,
    user: { id: '1100000000000000302', username: 'owner', permissions: 1n << 5n },
    commandName: 'outpost setup',
    options: { kind: 'leaderboard', metric: 'PLAYER_KILLS' },
  });
  expect(message?.embeds[0]?.title).toContain('Post added');
  const posts = () => discord.messages(channel).map(({ id }) => id);
  const before = posts();
  expect(before).toHaveLength(2);
  await first.stop();
  const registrations = discord.requests.filter(({ method }) => method === 'PUT').length;
  await place.start(environment);
  await expect.poll(() => discord.gateway.identifies).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(posts()).toEqual(before);
  expect(discord.requests.filter(({ method }) => method === 'PUT')).toHaveLength(registrations);
});

it('names who is on from the log that it follows, also after it was killed', async () => {
  const time = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const clock = (minutesAgo: number) => time(minutesAgo).slice(11, 19);
  const [id, other] = ['76561198207985320', '76561197998690788'].map(dayzIdOf);
  const header = `AdminLog started on ${time(10).slice(0, 10)} at ${clock(10)}\n`;
  const log = await place.write(
    'DayZServer_x64.ADM',
    `${header}${clock(5)} | Player "Ann"(id=${id}) is connected\n`,
  );
  const [northwoodProject, ...projects] = northwood().projects;
  const servers = northwoodProject?.servers?.map((server) =>
    server.id === 'northwood-2' ? { ...server, logs: place.folder } : server,
  );
  await place.configure({
    ...config,
    projects: [{ ...northwoodProject!, servers }, ...projects],
  });
  const environment = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl };
  const names = async () => {
    const { message } = await discord.invoke({
      guildId: '1100000000000000001',
      channelId: channel,
      user: { id: '1100000000000000301', username: 'mira' },
      commandName: 'online',
      options: { server: 'northwood-2' },
    });
    return message?.embeds[0]?.fields?.[0]?.value ?? '';
  };
  const first = await place.start(environment);
  await expect.poll(() => discord.commands().length).toBeGreaterThan(0);
  await expect.poll(names).toMatch(/^Ann · \d+m$/);
  first.signal('SIGKILL');
  await first.ended;
  await appendFile(log, `${clock(0)} | Player "Bob"(id=${other}) is connected\n`);
  await place.start(environment);
  await expect.poll(() => discord.gateway.identifies).toBe(2);
  await expect.poll(names).toMatch(/^Ann · \d+m\nBob · (?:joining|\d+[sm])$/);
});

it('says in one line that Discord refused the token, and ends', async () => {
  await place.configure(config);
  const outpost = await place.start({
    DISCORD_TOKEN: 'wrong-token-entirely',
    DISCORD_API_URL: discord.apiUrl,
  });
  const { code } = await outpost.ended;
  expect(code).toBe(1);
  const refusals = outpost
    .output()
    .split('\n')
    .filter((line) => line.includes('Discord refuses'));
  expect(refusals).toHaveLength(1);
  expect(refusals[0]).toContain('check DISCORD_TOKEN');
  expect(refusals[0]).toContain('keepServing');
  expect(outpost.output()).not.toContain('wrong-token-entirely');
});

it('keeps the service running without the bot when the config asks for it', async () => {
  await place.configure({ ...config, discord: { ...config.discord, keepServing: true } });
  const environment = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl };
  discord.gateway.refuseIdentify(4014);
  const outpost = await place.start(environment);
  await outpost.logged('may not use the intents');
  expect((await fetch(`${outpost.url}/v1/project`)).status).toBe(401);
  expect((await outpost.stop()).code).toBe(0);
});
