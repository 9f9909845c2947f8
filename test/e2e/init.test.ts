import { readFileSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type SimulatedGameServer, startSimulatedGameServer } from '../../src/demo/game-server.ts';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const token = 'MTAwMDAwMDAwMDAwMDAwMDAw.GabcdE.local';
const channelId = '1100000000000000201';

let workplace: Workplace;
let discord: LocalDiscord;
let game: SimulatedGameServer;
beforeEach(async () => {
  const channels = [
    { id: '1100000000000000200', name: 'general' },
    { id: channelId, name: 'server-status' },
  ];
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: '1100000000000000100', name: 'Northwood', channels }],
  });
  game = await startSimulatedGameServer({ name: 'x', map: 'enoch', maxPlayers: 60, players: 23 });
  workplace = await createWorkplace();
  workplace.environment['DISCORD_API_URL'] = discord.apiUrl;
});
afterEach(async () => {
  await workplace.remove();
  await discord.close();
  await game.close();
});

it('leads from a game server and a token to the first status post, without a question', async () => {
  await mkdir(join(workplace.folder, 'dayz/profiles'), { recursive: true });
  await workplace.write(
    'dayz/serverDZ.cfg',
    `\uFEFFhostname = "[EU] North: #1 \\n"; // name\r\nsteamQueryPort = ${game.port};\r\ninstanceId = 1;\r\n`,
  );
  await workplace.write('dayz/profiles/DayZServer_x64.ADM', '\nAdminLog started on 2026-11-22 at 10:00:00\n');
  const options = [
    '--folder',
    'dayz',
    '--timezone',
    'Europe/Berlin',
    '--channel',
    '#server-status',
    '--show',
    'status,page',
  ];
  const tokenFile = await workplace.write('token.txt', `${token}\n`);
  const report = await workplace.outpostJson('init', '--yes', ...options, '--discord-token-file', tokenFile);
  expect(report).toMatchObject({
    config: join(workplace.folder, 'outpost.yaml'),
    env: ['DISCORD_TOKEN'],
    servers: [{ id: 'northwood-1', name: '[EU] North: #1 \\n', queryPort: game.port }],
    invite: expect.stringContaining('client_id='),
    posts: [{ kind: 'status', channel: 'server-status' }],
    page: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    missing: [],
    findings: expect.arrayContaining([
      expect.objectContaining({ next: expect.stringContaining('adminLogPlayerList = 1;') }),
      expect.objectContaining({ next: expect.stringContaining('keep the .RPT files') }),
    ]),
    next: 'outpost start',
  });
  expect(JSON.stringify(report)).not.toContain(token);
  if (process.platform !== 'win32')
    expect((await stat(join(workplace.folder, '.env'))).mode & 0o777).toBe(0o600);

  const checked = await workplace.outpostJson('check-config');
  expect(checked.findings.filter(({ status }: { status: string }) => status === 'wrong')).toEqual([]);

  const again = await workplace.outpost('init', '--yes');
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toContain('already, so nothing was written');

  // Other tests may use the port at the same time.
  const written = await readFile(join(workplace.folder, 'outpost.yaml'), 'utf8');
  const { http: _, ...config } = parse(written);
  await workplace.configure(config);
  const running = await workplace.start();
  const posted = () => discord.messages(channelId).map(({ embeds: [embed] }) => embed?.description);
  // The post may come before the first check of the game server, but does not stay like that until it is due again.
  await expect.poll(posted, { timeout: 30_000 }).toEqual([expect.stringContaining('23 / 60 players')]);
  await running.stop();
});

it('needs nothing but what it finds, and says what is missing', async () => {
  const { stdout, code } = await workplace.outpost('init', '--yes', '--no-server');
  expect(code).toBe(0);
  expect(stdout).toContain('Add your game server to the config');
  expect(stdout).toContain('The bot is off');
  expect(stdout).toContain('Next: outpost start');
  expect(readFileSync(join(workplace.folder, 'outpost.yaml'), 'utf8')).toContain('slug: my-community');
  expect((await workplace.outpostJson('check-config')).ok).toBe(true);
});

it('writes nothing where Discord refuses the token', async () => {
  workplace.environment['DISCORD_TOKEN'] = 'MTAw.wrong.token';
  const { code, stderr } = await workplace.outpost('init', '--yes', '--no-server');
  expect(code).toBe(1);
  expect(stderr).toContain('DISCORD_TOKEN: Discord does not know this token');
  await expect(stat(join(workplace.folder, 'outpost.yaml'))).rejects.toThrow('ENOENT');
});
