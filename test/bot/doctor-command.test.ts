import { expect, it } from 'vitest';
import type { HealthProblem } from '../../src/embeds/health.ts';
import { locales } from '../../src/locales/language.ts';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { channelId, guildId, startWorld, type WorldOptions } from './discord-world.ts';

const manager = { id: '1100000000000000303', username: 'owner', permissions: 1n << 5n };
const embedLinks = 1n << 14n;

async function ask(
  handlers: Partial<Handlers>,
  options: WorldOptions = {},
  user: { locale?: string; permissions?: bigint } = {},
) {
  await using world = await startWorld({ client: contractClient(handlers, Date.now), ...options });
  await world.bot.ready;
  const invoke = async () =>
    await world.discord.invoke({
      guildId,
      channelId,
      user: { ...manager, ...user },
      commandName: 'outpost doctor',
      evenIfHidden: true,
      ...(user.locale === undefined ? {} : { locale: user.locale }),
    });
  return { ...(await invoke()), requests: world.discord.requests };
}

const well = () => ({ servers: [data.server({ status: 'ONLINE' })] });
const textOf = ({ message }: Awaited<ReturnType<typeof ask>>) => message?.embeds[0]?.description ?? '';

it('answers privately that nothing is wrong', async () => {
  const answer = await ask({ listServers: well }, { bot: { ports: { health: async () => [] } } });
  expect(answer.message).toMatchObject({ flags: 64 });
  expect(textOf(answer)).toContain('✅ No problems found.');
  expect(textOf(answer)).not.toContain('another machine');
});

it('names servers that are down, what the installation reports, a wrong clock, and missing permissions', async () => {
  const problems: HealthProblem[] = [
    { kind: 'logsSilent', server: 'Northwood', updatedAt: 1_790_000_000_000 },
    { kind: 'bansFailed', list: 'Bans' },
    { kind: 'diskFull' },
  ];
  const answer = await ask(
    {
      listServers: () => ({
        servers: [
          data.server({ name: 'Down *one*', status: 'OFFLINE' }),
          data.server({
            id: 'unchecked',
            name: 'Unchecked',
            status: 'UNKNOWN',
            checkedAt: '2026-03-01T12:00:00.000Z',
          }),
        ],
      }),
    },
    {
      prepare: (discord) => discord.denyBot(channelId, embedLinks),
      bot: {
        now: () => Date.now() + 90_000,
        ports: { health: async () => problems },
        config: {
          guildIds: [],
          presence: false,
          statusPosts: [],
          leaderboardPosts: [{ channelId, metric: 'DEATHS', limit: 5, cron: '0 0 1 1 *' }],
        },
      },
    },
  );
  const lines = textOf(answer).split('\n');
  expect(lines.filter((line) => line.startsWith('- '))).toEqual([
    expect.stringMatching(/^- \*\*Down \\\*one\\\*\*\* isn't responding\. Start it/),
    expect.stringMatching(/^- \*\*Unchecked\*\* couldn't be checked\./),
    expect.stringMatching(
      /^- Players are on \*\*Northwood\*\*, but its log was last updated <t:1790000000:R>/,
    ),
    expect.stringMatching(/^- A file of the ban list \*\*Bans\*\* can't be read or written/),
    expect.stringMatching(/^- The disk of Outpost's machine is almost full/),
    expect.stringMatching(/^- The clock of Outpost's machine is off by (?:89|90|91) seconds/),
    `- <#${channelId}>: The bot needs these permissions: **Embed Links**. Grant them in the channel settings.`,
  ]);
  expect(lines[0]).toBe('⚠️ 7 problems found:');
});

it('names alerts whose role is gone, or is not notified', async () => {
  const roles = ['1100000000000000901', '1100000000000000902', '1100000000000000903'] as const;
  const [loud, muted] = roles;
  const answer = await ask(
    { listServers: well },
    {
      discord: {
        guilds: [
          {
            id: guildId,
            name: 'Northwood',
            channels: [{ id: channelId, name: 'general' }],
            roles: [
              { id: loud, name: 'Loud', mentionable: true },
              { id: muted, name: 'Muted' },
            ],
          },
        ],
      },
      bot: {
        ports: { health: async () => [] },
        config: {
          guildIds: [],
          presence: false,
          statusPosts: [],
          alerts: roles.map((roleId) => ({
            channelId,
            servers: ['northwood-1'],
            down: { afterMinutes: 5, roleId },
            restart: { minutesBefore: 5, roleId },
          })),
        },
      },
    },
  );
  const lines = textOf(answer).split('\n');
  expect(lines.filter((line) => line.startsWith('- '))).toEqual([
    `- <#${channelId}>: Alerts mention a role here, but its members aren't notified. To notify its members, allow anyone to mention the role, or allow the bot to mention all roles.`,
    `- <#${channelId}>: The role that alerts mention here no longer exists. Remove these alerts and add them again with another role.`,
  ]);
});

it('names a server that has never answered, unless its log shows that it runs', async () => {
  const checked = { status: 'UNKNOWN', map: null, maxPlayers: null } as const;
  const servers = ['logged', 'silent', 'mute'].map((id) => data.server({ ...checked, id, name: id }));
  const asOf = Date.now();
  const logs = new Map([
    ['logged', { players: [], asOf, isComplete: true }],
    ['silent', { players: null, asOf, isComplete: true }],
  ]);
  const ports = { health: async () => [], loggedPlayers: async () => logs };
  const answer = await ask({ listServers: () => ({ servers }) }, { bot: { ports } });
  const lines = textOf(answer).split('\n');
  expect(lines.filter((line) => line.startsWith('- '))).toEqual([
    expect.stringMatching(/^- \*\*silent\*\* has never answered a query\. Servers on Xbox/),
    expect.stringMatching(/^- \*\*mute\*\* has never answered a query\./),
  ]);
});

it('a bot on a remote service says that it does not know the files', async () => {
  expect(textOf(await ask({ listServers: well }))).toContain('on another machine');
});

it('is for members who may manage the server, in home guilds', async () => {
  const health = async (): Promise<HealthProblem[]> => [{ kind: 'diskFull' }];
  const refused = await ask({ listServers: well }, { bot: { ports: { health } } }, { permissions: 0n });
  expect(textOf(refused)).not.toContain('disk');
  const elsewhere = await ask(
    { listServers: well },
    {
      bot: {
        ports: { health },
        config: { guildIds: [], statusPosts: [], guilds: [{ id: '1100000000000000999' }], presence: false },
      },
    },
  );
  expect(textOf(elsewhere)).toMatch(/only works in Discord servers that the bot's owner has approved/);
  expect(textOf(elsewhere)).not.toContain('disk');
});

it.each(locales)('speaks %s', async (locale) => {
  const health = async (): Promise<HealthProblem[]> => [{ kind: 'storeUnwritable' }];
  const answer = await ask({ listServers: well }, { bot: { ports: { health } } }, { locale });
  expect(answer.message?.embeds[0]?.title).toMatch(/^🩺 \S/);
  if (locale !== 'en-US') expect(textOf(answer)).not.toContain("can't write its database");
});

it('fits into one answer however much is wrong', async () => {
  const health = async (): Promise<HealthProblem[]> =>
    Array.from({ length: 300 }, (_, i) => ({ kind: 'offline', server: `Server ${i} ${'x'.repeat(60)}` }));
  const text = textOf(await ask({ listServers: well }, { bot: { ports: { health } } }));
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(text).toMatch(/…and 2\d\d more/);
});
