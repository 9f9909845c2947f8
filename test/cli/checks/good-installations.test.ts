import { symlinkSync, utimesSync } from 'node:fs';
import { PermissionFlagsBits } from 'discord.js';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compose } from '../../../src/compose/compose.ts';
import { readConfig } from '../../../src/config/load.ts';
import { readEnvironment } from '../../../src/config/load.ts';
import { startSimulatedGameServer } from '../../../src/demo/game-server.ts';
import { outpost } from '../../harness/command-line.ts';
import { startTestService } from '../../harness/service.ts';
import { northwood } from '../../harness/northwood.ts';
import { consoleLog, consoleLogName } from '../../server/ingest/console-logs.ts';
import { seededRandom } from '../../../src/demo/random.ts';
import {
  channelId,
  guildId,
  install,
  roleId,
  reportName,
  serverDz,
  serverOf,
  troubles,
  type Installation,
} from './installation.ts';

const minuteMs = 60_000;

/** A service without a bot. */
function withoutBot(one: Installation): void {
  delete one.config.discord;
  vi.stubEnv('DISCORD_TOKEN', '');
}

async function isWell(one: Installation): Promise<void> {
  expect(troubles(await one.diagnose())).toEqual([]);
}

test('an installation with everything', async () => await isWell(await install()));

test('a bot that gives a role below its own', async () => {
  const one = await install();
  const [own = ''] = one.discord.memberRoles(guildId, one.discord.applicationId) ?? [];
  one.discord.setRole(guildId, own, { position: 10 });
  one.discord.grantBotRole(guildId, PermissionFlagsBits.ManageRoles);
  one.config.discord = { ...one.config.discord, roles: [{ roleId, linked: true }] };
  const findings = await one.diagnose();
  expect(troubles(findings)).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({ key: 'discord.roles[0]', found: 'the bot may give and take it' }),
  );
});

test('a service without a bot, of a server without files', async () => {
  const one = await install();
  withoutBot(one);
  one.config.projects[0] = { slug: 'p', name: 'P', servers: [{ ...bare(one), id: 's' }] };
  await isWell(one);
});

const bare = (one: Installation) => ({ name: 'S', host: '127.0.0.1', port: 2302, queryPort: one.game.port });

test('a bot that reads a service elsewhere, without a config', async () => {
  const one = await install();
  const service = await startTestService(northwood());
  onTestFinished(async () => await service.close());
  const { id, secret } = await service.application('northwood');
  vi.stubEnv('OUTPOST_API_URL', service.url);
  vi.stubEnv('OUTPOST_APPLICATION_ID', id);
  vi.stubEnv('OUTPOST_SECRET', secret);
  one.config = {
    projects: [],
    discord: { guilds: one.config.discord?.guilds, statusPosts: [{ channelId, servers: ['northwood-1'] }] },
  };
  await isWell(one);
});

test('a console server whose logs come to this machine', async () => {
  const one = await install();
  const startedAt = '2026-11-20 18:00:01';
  const name = consoleLogName('playstation', startedAt);
  const log = one.write(`copied/${name}`, consoleLog('playstation', startedAt, seededRandom(1)));
  utimesSync(log, new Date(startedAt), new Date(startedAt));
  withoutBot(one);
  const server = { id: 's', name: 'S', host: '127.0.0.1', port: 9, logs: one.path('copied') };
  one.config.projects[0] = { slug: 'p', name: 'P', servers: [server] };
  await isWell(one);
  one.config.projects[0] = { slug: 'p', name: 'P', servers: [{ ...server, queryPort: 9 }] };
  expect(troubles(await one.diagnose())).toEqual([
    expect.stringMatching(/^warning s\.queryPort .* → leave queryPort out, or it is shown as offline$/),
  ]);
});

test('a server of another game', async () => {
  const one = await install();
  withoutBot(one);
  one.config.projects[0] = { slug: 'p', name: 'P', servers: [{ ...bare(one), id: 's', game: 'rust' }] };
  await isWell(one);
});

test('several projects, and servers that are switched off', async () => {
  const one = await install();
  one.config.projects.push(
    { slug: 'q', name: 'Q', servers: [{ ...bare(one), id: 't' }] },
    {
      slug: 'r',
      name: 'R',
      servers: [{ ...bare(one), id: 'u', logs: 'nowhere', queryPort: 1, active: false }],
    },
  );
  await isWell(one);
});

test('two servers in one folder, each with a config of its own', async () => {
  const one = await install();
  const other = await startSimulatedGameServer({ name: 'T', map: 'enoch', players: 0, maxPlayers: 60 });
  onTestFinished(async () => await other.close());
  one.write('game/serverDZ2.cfg', serverDz({ steamQueryPort: other.port, instanceId: 2, hostname: '"Two"' }));
  one.writeLog('game/two/DayZServer_x64.ADM', { ageMinutes: 3 * 24 * 60 });
  one.write(`game/two/${reportName(Date.now() - 73 * 60 * minuteMs)}`, 'x');
  one.config.projects[0]?.servers?.push({
    ...bare(one),
    id: 't',
    queryPort: other.port,
    logs: one.path('game/two'),
  });
  await isWell(one);
});

test('a game server that has just started for the first time', async () => {
  const one = await install();
  const now = new Date().toISOString();
  one.write(
    'game/profiles/DayZServer_x64.ADM',
    `\n\n${'*'.repeat(78)}\nAdminLog started on ${now.slice(0, 10)} at ${now.slice(11, 19)}\n\n`,
  );
  await isWell(one);
});

test.skipIf(process.platform === 'win32')('paths as Windows writes them', async () => {
  const one = await install();
  symlinkSync(one.path('game/profiles'), one.path('C:\\DayZ\\profiles'));
  serverOf(one).logs = 'C:\\DayZ\\profiles';
  await isWell(one);
});

test('a service that runs, with the bot', async () => {
  const one = await install();
  await one.diagnose();
  const outpost = await compose({
    config: readConfig(one.path('outpost.yaml')),
    environment: { ...readEnvironment(), discordToken: null },
    log: pino({ level: 'silent' }),
  });
  onTestFinished(outpost.close);
  one.config.http = { port: Number(new URL(outpost.url).port), publicUrl: outpost.url };
  const findings = await one.diagnose();
  expect(troubles(findings)).toEqual([]);
  expect(findings.map(({ found }) => found)).toEqual(
    expect.arrayContaining([
      'ready',
      'reaches this service',
      expect.stringMatching(/^process \d+ on .*, version/),
    ]),
  );
});

test('check-config finds no fault either, and asks nobody', async () => {
  const one = await install();
  await one.diagnose();
  const before = one.discord.requests.length;
  one.game.isOnline = false;
  const { code, out } = await outpost('check-config');
  expect([code, out]).toEqual([0, expect.stringMatching(/All is well: \d+ checks\.$/)]);
  expect(one.discord.requests).toHaveLength(before);
});
