import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startLocalDiscord, type Invocation, type LocalDiscord, type Message } from 'local-discord';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../src/demo/game-server.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000001';
const posts = '1100000000000000101';
const talk = '1100000000000000102';
const user = { id: '1100000000000000301', username: 'mira' };
let place: Workplace;
let discord: LocalDiscord;
let game: SimulatedGameServer;
beforeEach(async () => {
  place = await createWorkplace();
  const channels = [
    { id: posts, name: 'posts' },
    { id: talk, name: 'general' },
  ];
  const guilds = [{ id: guildId, name: 'G', channels }];
  discord = await startLocalDiscord({ token, guilds, acknowledgeWithinMs: 60_000 });
  const logs = fileURLToPath(new URL('../../config/demo/northwood-1', import.meta.url));
  game = await startSimulatedGameServer({ name: 'N', map: 'enoch', maxPlayers: 60, players: 5 });
  const address = { host: '127.0.0.1', port: 2302, queryPort: game.port };
  const server = { id: 'northwood-1', name: 'Northwood', ...address, logs };
  const everySecond = { channelId: posts, cron: '* * * * * *' };
  await place.configure({
    live: { pollSeconds: 1 },
    projects: [{ slug: 'northwood', name: 'Northwood', servers: [server] }],
    discord: {
      statusPosts: [{ ...everySecond, servers: ['northwood-1'] }],
      leaderboardPosts: [{ ...everySecond, metric: 'PLAYER_KILLS' }],
    },
  });
});
afterEach(async () => {
  await place.remove();
  await discord.close();
  await game.close();
});

/** Starts the process and waits until its bot answers. */
async function start(): Promise<Running> {
  const before = discord.gateway.identifies;
  const outpost = await place.start({ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl });
  await outpost.logged('the bot is online');
  await expect.poll(() => discord.gateway.identifies).toBe(before + 1);
  await expect.poll(() => discord.commands().length).toBeGreaterThan(0);
  return outpost;
}

const ask = (commandName: string, options: Record<string, string | number> = {}): Promise<Invocation> =>
  discord.invoke({ guildId, channelId: talk, user, commandName, options });

/** /top, once the logs are read, two places on a page. */
async function openBoard(): Promise<Message> {
  await expect
    .poll(async () => JSON.stringify((await ask('top', { metric: 'PLAYER_KILLS' })).message), {
      interval: 1_000,
    })
    .toContain('Bandit');
  const { message } = await ask('top', { metric: 'PLAYER_KILLS', limit: 2 });
  if (!message) throw new Error('/top has no answer');
  return message;
}

const descriptionOf = (message: Message | null): string => JSON.stringify(message?.embeds ?? '');
const buttonOf = (message: Message, emoji: string): string =>
  message.components.flatMap((row) => row.components ?? []).find((button) => button.emoji?.name === emoji)
    ?.custom_id ?? '';
/** What the process has stored of the bot's posts. */
function storedByTheBot(): string {
  const db = new SQLite(join(place.folder, 'data', 'outpost.sqlite'), { readonly: true });
  try {
    return JSON.stringify(db.prepare('SELECT value FROM keyv').all());
  } finally {
    db.close();
  }
}
const puts = (): number => discord.requests.filter(({ method }) => method === 'PUT').length;

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'after %s the posts are the same, old pages still turn, and no command is registered again',
  async (signal) => {
    const first = await start();
    const board = await openBoard();
    await expect.poll(() => discord.messages(posts).length).toBe(2);
    const before = discord.messages(posts).map(({ id }) => id);
    // A process that is killed between Discord's answer and its own note of it does not know its message.
    for (const id of before) await expect.poll(storedByTheBot).toContain(id);
    const [suggestion] = await discord.autocomplete({
      guildId,
      channelId: talk,
      user,
      commandName: 'lookup',
      focused: { name: 'identifier', value: '' },
    });
    expect(suggestion?.value).toMatch(/^~/);
    const registered = puts();
    expect(registered).toBe(1);
    // Whatever the bot is about when it goes, posts included.
    ask('status').catch(() => null);
    first.signal(signal);
    await first.ended;
    game.setPlayers(23);

    await start();
    const turned = await discord.click({
      messageId: board.id,
      customId: buttonOf(board, '▶️'),
      user,
      until: 'answered',
    });
    // A process that has just started on a busy machine may ask for more time first.
    expect(['update', 'deferredUpdate']).toContain(turned.acknowledgement);
    expect(turned.message?.id).toBe(board.id);
    expect(descriptionOf(turned.message)).not.toBe(descriptionOf(board));
    const menu = turned.message?.components
      .flatMap((row) => row.components ?? [])
      .find(({ type }) => type === 3);
    const picked = await discord.select({
      messageId: board.id,
      customId: menu?.custom_id ?? '',
      values: ['DEATHS'],
      user,
      until: 'answered',
    });
    expect(descriptionOf(picked.message)).toContain('Deaths');
    // A suggestion from before the restart still names the same player.
    const looked = await ask('lookup', { identifier: suggestion?.value ?? '' });
    const card = looked.message?.attachments[0]?.description;
    expect(card?.startsWith(`${suggestion?.name} · `)).toBe(true);
    await expect.poll(() => JSON.stringify(discord.messages(posts))).toContain('23 / 60');
    expect(discord.messages(posts).map(({ id }) => id)).toEqual(before);
    expect(puts()).toBe(registered);
    expect(discord.gateway).toMatchObject({ identifies: 2, resumes: 0, connected: 1 });
  },
);

it('an answer that is under way when the process is told to end is finished first', async () => {
  const outpost = await start();
  const answering = new Promise<void>((resolve) => {
    const isAnswer = ({ path }: { path: string }): boolean => {
      if (path.endsWith('/callback')) resolve();
      return path.endsWith('/callback');
    };
    discord.fail(isAnswer, { delayMs: 300 });
  });
  const asked = ask('status');
  await answering;
  outpost.signal('SIGTERM');
  const { message } = await asked;
  expect(descriptionOf(message)).not.toBe('');
  expect((await outpost.ended).code).toBe(0);
});
