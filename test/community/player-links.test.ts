import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Invocation, type LocalDiscord, startLocalDiscord } from 'local-discord';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { gestures } from '../../src/server/games/dayz/facts/gestures.ts';
import { northwood } from '../harness/northwood.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000100';
const channelId = '1100000000000000204';
const manager = { id: '1100000000000000302', username: 'owner', permissions: 1n << 5n };
const aksel = { id: '1100000000000000303', username: 'aksel', permissions: 0n };
const berit = { id: '1100000000000000304', username: 'berit', permissions: 0n };
/** On an Xbox, so that there is no other identifier. */
const ids = { aksel: 'A'.repeat(39) + '1', carl: 'B'.repeat(39) + '2' };
const polled = { timeout: 60_000, interval: 500 };

let folder: string;
let log: string;
let lines: string[];
let discord: LocalDiscord;
let outpost: Outpost;

const time = (): string => new Date().toISOString();
const make = async (who: keyof typeof ids, gesture: string): Promise<void> =>
  await appendFile(
    log,
    `${time().slice(11, 19)} | Player "${who}" (id=${ids[who]} pos=<1.0, 2.0, 3.0>) performed ${gesture}\n`,
  );

async function start(links?: 'claimed'): Promise<void> {
  const logs = join(folder, 'logs');
  const [project, ...others] = northwood().projects;
  const servers = project?.servers?.map((server) =>
    server.id === 'northwood-2' ? { ...server, host: 'game.invalid', logs, timezone: 'UTC' } : server,
  );
  const config = configSchema.parse({
    http: { port: 0 },
    projects: [{ ...project, servers }, ...others],
    discord: { ...(links && { links }), guilds: [{ id: guildId }] },
  });
  lines = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const dataFolder = join(folder, 'data');
  const environment = { configFile: '', dataFolder, discordToken: token, discordApiUrl: discord.apiUrl };
  outpost = await compose({ config, environment, log: logger });
  await expect.poll(() => lines.some((line) => line.includes('the bot is online')), polled).toBe(true);
  await expect.poll(() => discord.commands().length + discord.commands(guildId).length).toBeGreaterThan(0);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-links-'));
  await mkdir(join(folder, 'logs'));
  log = join(folder, 'logs', 'DayZServer_x64.ADM');
  await writeFile(log, `AdminLog started on ${time().slice(0, 10)} at ${time().slice(11, 19)}\n`);
  const channels = [{ id: channelId, name: 'talk' }];
  discord = await startLocalDiscord({ token, guilds: [{ id: guildId, name: 'Northwood', channels }] });
});
afterEach(async () => {
  await outpost.close();
  await discord.close();
  await rm(folder, { recursive: true, force: true });
});

type Member = typeof aksel;
const use = async (user: Member, commandName: string, options: Record<string, string> = {}) =>
  await discord.invoke({ guildId, channelId, user, commandName, options });
const textOf = (message: Invocation['message'] | undefined): string =>
  JSON.stringify([message?.embeds, message?.components]);
/** As the member sees the answer now. */
const shown = (user: Member, { message }: Invocation) =>
  discord.messages(channelId, user.id).find(({ id }) => id === message?.id);

async function press(user: Member, answer: Invocation, label: string): Promise<void> {
  const message = shown(user, answer);
  const buttons = message?.components.flatMap(({ components = [] }) => components) ?? [];
  const button = buttons.find((one) => 'label' in one && one.label === label) as { custom_id: string };
  const messageId = message?.id ?? '';
  await discord.click({ messageId, customId: button.custom_id, user });
}

/** The gestures in an answer, by the log's words, in their order. */
function asked(answer: Invocation): string[] {
  const text = textOf(answer.message);
  return Object.entries(gestures)
    .map(([code, name]) => [text.indexOf(`. **${name}**`), code] as const)
    .filter(([index]) => index >= 0)
    .toSorted(([one], [other]) => one - other)
    .map(([, code]) => code);
}

it(
  'a member proves by gestures who they are, sees their card, hides, and a manager undoes it',
  { timeout: 240_000 },
  async () => {
    await start();
    await expect.poll(() => lines.some((line) => line.includes('source read')), polled).toBe(true);
    const answer = await use(aksel, 'link');
    expect(answer.ephemeral).toBe(true);
    expect(textOf(shown(aksel, answer))).toContain('Any other gesture in between means starting over');
    const [first, ...others] = asked(answer) as [string, ...string[]];
    expect(new Set(others).size).toBe(5);

    // Carl has seen all but the last, and makes them later. Aksel has to start over after another gesture.
    await make('aksel', first);
    await expect.poll(() => textOf(shown(aksel, answer)), polled).toContain('✅ 1.');
    await make('aksel', 'EmoteSitA with R12');
    await expect.poll(() => textOf(shown(aksel, answer)), polled).not.toContain('✅');
    for (const gesture of [first, ...others]) {
      await make('aksel', gesture);
      if (gesture !== others.at(-1)) await make('carl', gesture);
    }
    await expect.poll(() => textOf(shown(aksel, answer)), polled).toContain('**aksel** has made them all');
    await press(aksel, answer, "That's me");
    await expect.poll(() => textOf(shown(aksel, answer)), polled).toContain('aksel** · ✔ proven');

    expect(textOf((await use(aksel, 'me')).message)).toContain('This is you · ✔ proven');
    expect(textOf((await use(berit, 'lookup', { member: aksel.id })).message)).toContain('📍 ✔ proven');
    expect(textOf((await use(berit, 'me')).message)).toContain('not linked to a player yet');

    // Somebody else's gestures by the same player are refused.
    const other = await use(berit, 'link');
    for (const gesture of asked(other)) await make('aksel', gesture);
    await expect.poll(() => textOf(shown(berit, other)), polled).toContain('linked to another member');
    expect(textOf(shown(berit, other))).not.toContain(aksel.id);

    const own = await use(aksel, 'link');
    await press(aksel, own, 'Hide me');
    await expect.poll(() => textOf(shown(aksel, own)), polled).toContain('Hide yourself?');
    await press(aksel, own, 'Hide me');
    await expect.poll(() => textOf(shown(aksel, own)), polled).toContain('You are hidden');
    expect(textOf((await use(berit, 'lookup', { member: aksel.id })).message)).toContain('not linked');
    await press(aksel, own, 'Show me again');
    await expect.poll(() => textOf(shown(aksel, own)), polled).not.toContain('You are hidden');

    const undone = await use(manager, 'outpost player unlink', { member: aksel.id });
    expect(textOf(undone.message)).toContain('not linked to a player');
    expect(textOf((await use(aksel, 'me')).message)).toContain('not linked to a player yet');
    const logged = lines.filter((line) => line.includes('the link of a member to a player changed'));
    expect(logged.at(-1)).toContain(manager.id);
    expect(lines.join('')).not.toContain(ids.aksel);
  },
);
