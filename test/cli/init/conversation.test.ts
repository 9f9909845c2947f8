import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CommandFailure } from '../../../src/cli/output.ts';
import { diagnose } from '../../../src/cli/checks/diagnose.ts';
import type { InitOptions } from '../../../src/cli/init/options.ts';
import { Prompts } from '../../../src/cli/init/prompts.ts';
import { runSetup } from '../../../src/cli/init/init.ts';
import { parseEnvironment } from '../../../src/config/environment.ts';
import { parseConfig } from '../../harness/parse-config.ts';
import { type SimulatedGameServer, startSimulatedGameServer } from '../../../src/demo/game-server.ts';
import { startFtp } from '../../../packages/game-files/test/servers/ftp.ts';
import { startNitrado } from '../../../packages/game-files/test/servers/nitrado.ts';
import { newKeys, startSftp } from '../../../packages/game-files/test/servers/sftp.ts';
import { putFile } from '../put-file.ts';
import { keys, type TypedTerminal, typedTerminal } from './terminal-in-test.ts';

const whereQuestion = 'Where is your DayZ server?';
const showQuestion = 'What shall Outpost show?';
const channelQuestion = 'In which channel';
const token = 'MTAwMDAwMDAwMDAwMDAwMDAw.GabcdE.local';
const guild = {
  id: '1100000000000000100',
  name: 'Northwood',
  channels: [
    { id: '1100000000000000200', name: 'general' },
    { id: '1100000000000000201', name: 'server-status' },
  ],
};

let home: string;
let discord: LocalDiscord;
let game: SimulatedGameServer;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'outpost-init-'));
  discord = await startLocalDiscord({ token, guilds: [guild] });
  game = await startSimulatedGameServer({ name: 'x', map: 'enoch', maxPlayers: 60, players: 23 });
});
afterEach(async () => {
  await game.close();
  await discord.close();
  await rm(home, { recursive: true, force: true });
});

const put = async (name: string, content?: string) => await putFile(home, name, content);

/** The files of a game server, below a folder. */
async function putServer(folder: string, hostname = '[EU] North: #1'): Promise<void> {
  const config = `hostname = "${hostname}";\nsteamQueryPort = ${game.port};\nclass Missions { class DayZ { template="dayzOffline.enoch"; }; };\n`;
  await put(`${folder}/serverDZ.cfg`, config);
  await put(`${folder}/profiles/DayZServer_x64.ADM`, '\nAdminLog started on 2026-11-22 at 10:00:00\n');
  await put(`${folder}/mpmissions/dayzOffline.enoch/storage_1/players.db`);
  await put(
    `${folder}/mpmissions/dayzOffline.enoch/db/messages.xml`,
    '<messages><message><deadline>240</deadline><shutdown>1</shutdown><text>x</text></message></messages>',
  );
  await put(`${folder}/ban.txt`);
}

interface Setup {
  typed: TypedTerminal;
  /** Of the command. */
  ended: Promise<string>;
}

/** Starts the command on a terminal. Resolves with the message of its failure; empty: it did all. */
function start(options: Partial<InitOptions> = {}, variables: Record<string, string> = {}): Setup {
  const typed = typedTerminal();
  const print = (text: string) => void typed.terminal.output.write(text);
  const environment = parseEnvironment({
    OUTPOST_CONFIG: join(home, 'outpost/config/outpost.yaml'),
    DISCORD_API_URL: discord.apiUrl,
    ...variables,
  });
  const ended = runSetup(
    { server: true, discord: true, ...options },
    {
      environment,
      envFile: join(home, 'outpost/.env'),
      variable: (name) => variables[name],
      check: async () => [],
      output: { out: print, err: print },
      terminal: options.yes ? null : typed.terminal,
    },
  ).then(
    () => '',
    (error: unknown) => (error instanceof CommandFailure ? error.message : `a bug: ${String(error)}`),
  );
  return { typed, ended };
}

const env = (): NodeJS.Dict<string> => parseEnv(readFileSync(join(home, 'outpost/.env'), 'utf8'));
/** The config that was written, as Outpost reads it. */
function config() {
  const text = readFileSync(join(home, 'outpost/config/outpost.yaml'), 'utf8');
  const secrets = existsSync(join(home, 'outpost/.env')) ? env() : {};
  return parseConfig(text, 'outpost.yaml', null, (name) => secrets[name]);
}
const firstServer = () => config().projects[0]?.servers[0];

const answerWhere = async (typed: TypedTerminal, where = join(home, 'dayz')): Promise<void> =>
  await typed.answer(whereQuestion, where, keys.enter);

describe('outpost init on a terminal', () => {
  it('keeps a messages.xml that cannot be read, which the check at the end explains', async () => {
    await putServer('dayz');
    const broken = 'dayz/mpmissions/dayzOffline.enoch/db/messages.xml';
    await put(broken, '<messages><message><text>PvP & PvE</text></message></messages>');
    expect(await start({ yes: true, folder: join(home, 'dayz'), discord: false }).ended).toBe('');
    expect(firstServer()?.schedules).toMatchObject([{ source: 'messages.xml', file: join(home, broken) }]);
  });

  it('needs four answers for a game server on this machine, with four posts and a page', async () => {
    await putServer('dayz');
    const { typed, ended } = start();
    await answerWhere(typed);
    await typed.answer("Paste the bot's token", token, keys.enter);
    // Status, leaderboard and recap are chosen already.
    const feedAndPage = [keys.down, keys.down, keys.down, keys.space, keys.down, keys.space];
    await typed.answer(showQuestion, ...feedAndPage, keys.enter);
    await typed.answer(channelQuestion, keys.down, keys.enter);
    expect(await ended).toBe('');
    expect(typed.shown()).toContain('23 of 60 players on enoch');
    expect(typed.shown()).not.toContain(token);
    expect(env()).toEqual({ DISCORD_TOKEN: token });
    const { projects, discord: bot } = config();
    expect(projects).toMatchObject([{ slug: 'northwood', name: 'Northwood' }]);
    expect(firstServer()).toMatchObject({
      id: 'northwood-1',
      name: '[EU] North: #1',
      host: '127.0.0.1',
      port: 2302,
      queryPort: game.port,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      logs: join(home, 'dayz/profiles'),
      playersDb: join(home, 'dayz/mpmissions/dayzOffline.enoch/storage_1/players.db'),
      schedules: [
        { source: 'messages.xml', file: join(home, 'dayz/mpmissions/dayzOffline.enoch/db/messages.xml') },
      ],
    });
    expect(projects[0]?.banlists[0]?.sources).toMatchObject([
      { file: join(home, 'dayz/ban.txt'), format: 'dayz' },
    ]);
    expect(bot?.guilds).toEqual([{ id: guild.id }]);
    const channelId = '1100000000000000201';
    const servers = ['northwood-1'];
    expect(bot).toMatchObject({
      statusPosts: [{ channelId, servers }],
      leaderboardPosts: [{ channelId, metric: 'PLAYER_KILLS' }],
      recapPosts: [{ channelId }],
      killFeeds: [{ channelId, servers }],
    });
    expect(config().http.page).toBeDefined();
    expect(typed.shown()).toMatch(/Posts: +status, leaderboard, recap, kill-feed in #server-status/);
    vi.stubEnv('DISCORD_TOKEN', token);
    onTestFinished(() => void vi.unstubAllEnvs());
    const checked = await diagnose({
      isOffline: true,
      configFile: join(home, 'outpost/config/outpost.yaml'),
    });
    expect(checked.filter(({ status }) => status === 'wrong')).toEqual([]);
  });

  it('offers of a server without logs what needs none', async () => {
    const { typed, ended } = start({ address: '127.0.0.1:2302', queryPort: String(game.port) });
    await typed.answer("Paste the bot's token", token, keys.enter);
    await typed.answer(showQuestion, keys.down, keys.space, keys.enter);
    await typed.answer(channelQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(config().http.page).toBeDefined();
    expect(config().discord).toMatchObject({
      statusPosts: [{ channelId: '1100000000000000200' }],
      recapPosts: [],
    });
  });

  it('asks for no channel where nothing is to be posted', async () => {
    await putServer('dayz');
    const { typed, ended } = start();
    await answerWhere(typed);
    await typed.answer("Paste the bot's token", token, keys.enter);
    const none = [keys.space, keys.down, keys.space, keys.down, keys.space];
    await typed.answer(showQuestion, ...none, keys.enter);
    expect(await ended).toBe('');
    expect(config().http.page).toBeUndefined();
    expect(config().discord).toMatchObject({ guilds: [{ id: guild.id }], statusPosts: [], recapPosts: [] });
  });

  it('posts by its options, each in its own channel or in the one for all', async () => {
    await putServer('dayz');
    const show = 'status, kill-feed=general,page';
    const options = { yes: true, folder: join(home, 'dayz'), show, channel: '#server-status' };
    const { ended } = start(options, { DISCORD_TOKEN: token });
    expect(await ended).toBe('');
    expect(config().http.page).toBeDefined();
    expect(config().discord).toMatchObject({
      statusPosts: [{ channelId: '1100000000000000201' }],
      killFeeds: [{ channelId: '1100000000000000200' }],
      leaderboardPosts: [],
    });
  });

  it('wants a channel for what its options name, and posts nothing by itself', async () => {
    await putServer('dayz');
    const options = { yes: true, folder: join(home, 'dayz') };
    const variables = { DISCORD_TOKEN: token };
    expect(await start({ ...options, show: 'status' }, variables).ended).toMatch(/^--channel is missing/);
    expect(await start(options, variables).ended).toBe('');
    expect(config().discord).toMatchObject({ guilds: [{ id: guild.id }], statusPosts: [] });
  });

  it('breaks its last hint between words', async () => {
    await putServer('dayz');
    const { typed, ended } = start({ discord: false, name: 'x' });
    await answerWhere(typed);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    const end = typed.shown().split('Next: ')[1] ?? '';
    expect(end).toMatch(/A public page of your servers.*\n +\S/);
    expect(Math.max(...end.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('says whose time zone it takes for logs on this machine', async () => {
    await putServer('dayz');
    const { typed, ended } = start({ discord: false, folder: join(home, 'dayz') });
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(typed.shown()).toContain(`by the clock of ${timeZone}, the time zone`);
  });

  it('asks which server is meant where the folder holds several', async () => {
    await putServer('dayz/one', 'One');
    await putServer('dayz/two', 'Two');
    const { typed, ended } = start({ discord: false, name: 'Both' });
    await answerWhere(typed);
    await typed.answer('There are several DayZ servers', '');
    await answerWhere(typed, join(home, 'dayz/two/serverDZ.cfg'));
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(config().projects[0]?.servers).toMatchObject([
      { id: 'both-1', name: 'Two', logs: join(home, 'dayz/two/profiles') },
    ]);
  });

  it('asks for the folder again where no game server is in it, and takes that of a file', async () => {
    await putServer('.host');
    const { typed, ended } = start({ discord: false });
    await typed.answer(whereQuestion, join(home, 'nowhere'), keys.enter);
    await typed.answer('There is no such file or folder', '');
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    await typed.answer(whereQuestion, '~/.host/serverDZ.cfg', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(firstServer()).toMatchObject({ name: '[EU] North: #1', logs: join(home, '.host/profiles') });
  });

  it('takes a folder in quotes, and leads back to where the server is', async () => {
    await putServer('.host');
    const { typed, ended } = start({ discord: false });
    await typed.answer(whereQuestion, 'kim@127.0.0.1:1', keys.enter);
    await typed.answer('Password of kim', keys.enter);
    await typed.answer(whereQuestion, 'nitrado', keys.enter);
    await typed.answer('Token of Nitrado', keys.enter);
    await typed.answer(whereQuestion, 'nowhere.invalid:2302', keys.enter);
    await typed.answer('No IPv4 address was found for nowhere.invalid', '');
    await answerWhere(typed, `"${join(home, '.host')}"`);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(firstServer()).toMatchObject({ name: '[EU] North: #1' });
  });

  it('prints the invitation and waits for the bot to be added', async () => {
    discord.removeGuild(guild.id);
    const { typed, ended } = start({ server: false });
    await typed.answer("Paste the bot's token", token, keys.enter);
    await typed.answer('Waiting until it is there');
    expect(typed.shown().replaceAll(/\s/g, '')).toContain(
      'scope=bot+applications.commands&permissions=52224',
    );
    discord.addGuild(guild);
    await typed.answer('The bot is in Northwood.');
    expect(await ended).toBe('');
    expect(config().discord?.guilds).toEqual([{ id: guild.id }]);
  });

  it('goes on without the invitation after Enter', async () => {
    discord.removeGuild(guild.id);
    const { typed, ended } = start({ server: false });
    await typed.answer("Paste the bot's token", token, keys.enter);
    await typed.answer('Press Enter to go on without it', keys.enter);
    expect(await ended).toBe('');
    expect(config().discord?.guilds).toEqual([]);
  });

  it('can skip the game server and Discord', async () => {
    const { typed, ended } = start();
    await typed.answer(whereQuestion, keys.enter);
    await typed.answer("Paste the bot's token", keys.enter);
    expect(await ended).toBe('');
    expect(config()).toMatchObject({ projects: [{ slug: 'my-community', servers: [] }] });
    expect(existsSync(join(home, 'outpost/.env'))).toBe(false);
    expect(typed.shown()).toContain('The bot is off');
    expect(typed.shown()).toContain('Add your game server');
  });

  it.each([
    ['the first question', async (typed: TypedTerminal) => await typed.answer(whereQuestion, keys.cancel)],
    [
      'what to show',
      async (typed: TypedTerminal) => {
        await answerWhere(typed);
        await typed.answer("Paste the bot's token", token, keys.enter);
        await typed.answer(showQuestion, keys.cancel);
      },
    ],
    [
      'the token',
      async (typed: TypedTerminal) => {
        await answerWhere(typed);
        await typed.answer("Paste the bot's token", 'abc', keys.cancel);
      },
    ],
    [
      'the wait for the bot',
      async (typed: TypedTerminal) => {
        discord.removeGuild(guild.id);
        await answerWhere(typed);
        await typed.answer("Paste the bot's token", token, keys.enter);
        await typed.answer('Press Enter to go on without it', keys.cancel);
      },
    ],
  ])('writes nothing after Ctrl+C at %s', async (_, cancel) => {
    await putServer('dayz');
    await mkdir(join(home, 'outpost'));
    const { typed, ended } = start();
    await cancel(typed);
    expect(await ended).toBe('Cancelled. Nothing was written.');
    expect(await readdir(join(home, 'outpost'))).toEqual([]);
  });

  it('asks again for a token that Discord does not know', async () => {
    const { typed, ended } = start({ server: false });
    await typed.answer("Paste the bot's token", '1100000000000000900', keys.enter);
    await typed.answer('This is an application id', '');
    await typed.answer("Paste the bot's token", 'MTAw.wrong.token', keys.enter);
    await typed.answer('Discord does not know this token', '');
    await typed.answer("Paste the bot's token", `Bot ${token}`, keys.enter);
    expect(await ended).toBe('');
    expect(env()).toEqual({ DISCORD_TOKEN: token });
  });

  it('ends after the fourth wrong token, says what to do, and writes nothing', async () => {
    await mkdir(join(home, 'outpost'));
    const { typed, ended } = start({ server: false });
    for (let attempt = 1; attempt <= 4; attempt++)
      await typed.answer("Paste the bot's token", `MTAw.wrong${attempt}.token`, keys.enter);
    expect(await ended).toMatch(/^Discord does not know this token.* Nothing was written/);
    expect(await readdir(join(home, 'outpost'))).toEqual([]);
  });

  it('takes the token that is set already, and replaces only one that Discord does not know', async () => {
    await put('outpost/.env', `# mine\nDISCORD_TOKEN=${token}\n`);
    const known = start({ server: false }, { DISCORD_TOKEN: token });
    expect(await known.ended).toBe('');
    expect(readFileSync(join(home, 'outpost/.env'), 'utf8')).toBe(`# mine\nDISCORD_TOKEN=${token}\n`);
    await rm(join(home, 'outpost/config'), { recursive: true });
    await put('outpost/.env', '# mine\nDISCORD_TOKEN=MTAw.old.token\n');
    const old = start({ server: false }, { DISCORD_TOKEN: 'MTAw.old.token' });
    await old.typed.answer('DISCORD_TOKEN: Discord does not know this token', '');
    await old.typed.answer("Paste the bot's token", token, keys.enter);
    expect(await old.ended).toBe('');
    expect(readFileSync(join(home, 'outpost/.env'), 'utf8')).toBe(`# mine\nDISCORD_TOKEN=${token}\n`);
  });

  it('says where the bot lacks permissions', async () => {
    discord.denyBot('1100000000000000200', 1n << 14n);
    const { typed, ended } = start({
      address: '127.0.0.1:2302',
      queryPort: String(game.port),
      show: 'status',
    });
    await typed.answer("Paste the bot's token", token, keys.enter);
    await typed.answer(channelQuestion, keys.down);
    await typed.answer('the bot lacks Embed Links', keys.enter);
    expect(await ended).toBe('');
  });

  it('finds a rented server by SFTP in seven answers', async () => {
    await putServer('.host');
    await using sftp = await startSftp({ root: join(home, '.host'), username: 'kim', password: 'p#1 "x"' });
    discord.addGuild({
      ...guild,
      id: '1100000000000000111',
      name: 'Other',
      channels: [{ id: '1100000000000000222', name: 'other' }],
    });
    game.isOnline = false;
    const { typed, ended } = start({ queryPort: String(game.port) });
    const address = `sftp://kim@127.0.0.1:${sftp.port}`;
    await typed.answer(whereQuestion, address, keys.enter);
    await typed.answer('Password of kim', sftp.password, keys.enter);
    await typed.answer('Address of [EU] North: #1', keys.enter);
    await typed.answer('Time zone of the machine', 'Berlin', keys.enter);
    await typed.answer('Expected an IANA time zone', '');
    await typed.answer('Time zone of the machine', 'Asia/Tokyo', keys.enter);
    await typed.answer("Paste the bot's token", token, keys.enter);
    await typed.answer(showQuestion, keys.enter);
    await typed.answer(channelQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(typed.shown().replaceAll(/[\s│]+/g, ' ')).toMatch(
      /Logged in to 127\.0\.0\.1 as kim\. Its key: SHA256:/,
    );
    expect(firstServer()).toMatchObject({
      host: '127.0.0.1',
      queryPort: game.port,
      timezone: 'Asia/Tokyo',
      files: { type: 'sftp', host: '127.0.0.1', port: sftp.port, username: 'kim', password: sftp.password },
      logs: '/profiles',
      playersDb: '/mpmissions/dayzOffline.enoch/storage_1/players.db',
    });
    expect(config().projects[0]?.banlists[0]?.sources).toMatchObject([
      { file: '/ban.txt', filesOf: 'northwood-1' },
    ]);
    expect(readFileSync(join(home, 'outpost/config/outpost.yaml'), 'utf8')).not.toContain('p#1');
  });

  it('asks for the password again, leads back to the login, and asks for an address where the host answers no queries', async () => {
    await putServer('.host');
    await using sftp = await startSftp({ root: join(home, '.host'), username: 'kim', password: 'right' });
    game.isOnline = false;
    const { typed, ended } = start({ discord: false });
    await typed.answer(whereQuestion, `kim@127.0.0.1:${sftp.port}`, keys.enter);
    for (const password of ['wrong', 'wrong too']) {
      await typed.answer('Password of kim', password, keys.enter);
      await typed.answer('does not let the user "kim" in', '');
    }
    await typed.answer('Password of kim', keys.enter);
    await typed.answer(whereQuestion, `sftp://kim@127.0.0.1:${sftp.port}`, keys.enter);
    await typed.answer('Password of kim', 'right', keys.enter);
    await typed.answer('Address of [EU] North: #1', '127.0.0.1:2402', keys.enter);
    await typed.answer('Time zone of the machine', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(firstServer()).toMatchObject({ host: '127.0.0.1', port: 2402, queryPort: game.port });
    expect(typed.shown()).toContain('no answer at');
  });

  it('asks for the login again where no game server is found', async () => {
    await mkdir(join(home, '.empty'));
    await putServer('.host');
    await using empty = await startSftp({ root: join(home, '.empty'), username: 'kim', password: 'right' });
    await using sftp = await startSftp({ root: join(home, '.host'), username: 'kim', password: 'right' });
    const { typed, ended } = start({ discord: false });
    await typed.answer(whereQuestion, `kim@127.0.0.1:${empty.port}`, keys.enter);
    await typed.answer('Password of kim', 'right', keys.enter);
    await typed.answer('The login works, but', '');
    await typed.answer(whereQuestion, `kim:right@127.0.0.1:${sftp.port}`, keys.enter);
    await typed.answer('Time zone of the machine', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(firstServer()?.files).toMatchObject({ port: sftp.port, password: 'right' });
  });

  it('takes the first of several servers at a host, and says so', async () => {
    await putServer('.host/one', 'One');
    await putServer('.host/two', 'Two');
    await using sftp = await startSftp({ root: join(home, '.host'), username: 'kim', password: 'right' });
    const { typed, ended } = start({ discord: false });
    await typed.answer(whereQuestion, `kim:right@127.0.0.1:${sftp.port}`, keys.enter);
    await typed.answer('Time zone of the machine', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(typed.shown()).toContain('There are several DayZ servers: /one/serverDZ.cfg');
    expect(config().projects[0]?.servers).toMatchObject([{ name: 'One', logs: '/one/profiles' }]);
  });

  it('names a server after its host where no serverDZ.cfg does', async () => {
    await put('.host/profiles/DayZServer_x64.ADM', '\nAdminLog started on 2026-11-22 at 10:00:00\n');
    await put('.host/old/DayZServer_x64.ADM');
    await using sftp = await startSftp({ root: join(home, '.host'), username: 'kim', password: 'right' });
    // A game server or a demo on this machine may answer at the usual port.
    game.isOnline = false;
    const { typed, ended } = start({ discord: false, queryPort: String(game.port) });
    await typed.answer(whereQuestion, `kim@127.0.0.1:${sftp.port}`, keys.enter);
    await typed.answer('Password of kim', 'right', keys.enter);
    await typed.answer('Address of DayZ at 127.0.0.1', keys.enter);
    await typed.answer('Time zone of the machine', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(firstServer()).toMatchObject({ id: 'dayz-1', name: 'DayZ at 127.0.0.1', host: '127.0.0.1' });
  });

  it('warns of FTP without encryption', async () => {
    await putServer('.host');
    await using ftp = await startFtp({ root: join(home, '.host') });
    const { typed, ended } = start({ discord: false });
    await typed.answer(whereQuestion, `ftp://${ftp.username}@127.0.0.1:${ftp.port}`, keys.enter);
    await typed.answer(`Password of ${ftp.username}`, ftp.password, keys.enter);
    await typed.answer('Time zone of the machine', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(typed.shown()).toContain('no encryption');
    expect(firstServer()).toMatchObject({
      files: { type: 'ftp', password: ftp.password },
      logs: '/profiles',
    });
  });

  it('finds the server where FTP leads to a drive of Windows', async () => {
    await putServer('.host');
    await using ftp = await startFtp({ root: join(home, '.host') });
    ftp.drive = 'C:';
    const { typed, ended } = start({ discord: false });
    await typed.answer(whereQuestion, `ftp://${ftp.username}@127.0.0.1:${ftp.port}`, keys.enter);
    await typed.answer(`Password of ${ftp.username}`, ftp.password, keys.enter);
    await typed.answer('Time zone of the machine', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(firstServer()).toMatchObject({ files: { type: 'ftp' }, logs: 'profiles' });
  });

  it.each([
    ['a console', '/games/ni4711_1/noftp/dayzxb/', undefined, '12 of 32 players on enoch'],
    ['a PC', '/games/ni4711_1/ftproot/dayz/', 'its own', '23 of 60 players on enoch'],
  ])(
    'takes the servers of an account at Nitrado that can be reached, of which one is on %s',
    async (_kind, gamePath, port, status) => {
      await put('console/config/DayZServer_X1_x64_2026-11-22_10-00-00.ADM', '10:00:00 | x\n');
      await using nitrado = await startNitrado({
        root: join(home, 'console'),
        gamePath,
        address: { ip: '127.0.0.1', port: 2302, query_port: game.port },
      });
      nitrado.gameServer = { status: 'started', slots: 32, query: { map: 'enoch', player_current: 12 } };
      const { typed, ended } = start({ discord: false }, { NITRADO_API_URL: nitrado.url });
      await typed.answer(whereQuestion, 'Nitrado', keys.enter);
      await typed.answer('Token of Nitrado', 'wrong', keys.enter);
      await typed.answer('does not accept the token', '');
      await typed.answer('Token of Nitrado', nitrado.token, keys.enter);
      await typed.answer('Time zone of the machine', keys.enter);
      await typed.answer(showQuestion, keys.enter);
      expect(await ended).toBe('');
      expect(firstServer()).toMatchObject({
        name: 'Northwood Xbox',
        host: '127.0.0.1',
        port: 2302,
        files: { type: 'nitrado', serviceId: nitrado.serviceId, token: nitrado.token },
        logs: 'config',
      });
      expect(firstServer()?.queryPort).toBe(port && game.port);
      expect(typed.shown()).toContain(status);
      expect(typed.shown()).toContain('Northwood PS: ');
      const banlist = { sources: [{ format: 'nitrado', filesOf: 'northwood-xbox-1' }] };
      expect(config().projects[0]?.banlists).toMatchObject([banlist]);
    },
  );

  it('writes no query port for a server on a console whose logs come to this machine', async () => {
    await put('xbox/config/DayZServer_X1_x64_2026-11-22_10-00-00.ADM', '10:00:00 | x\n');
    const { typed, ended } = start({ discord: false, yes: true, folder: join(home, 'xbox'), queryPort: '9' });
    expect(await ended).not.toContain('does not answer');
    expect(typed.shown()).toContain('unknown: a server on a console answers no query');
    expect(firstServer()).toMatchObject({ logs: join(home, 'xbox/config') });
    expect(firstServer()).not.toHaveProperty('queryPort');
  });

  it('takes the port where players join from the game where no file names it', async () => {
    await putServer('.dayz');
    await game.close();
    const own = { name: 'x', map: 'enoch', maxPlayers: 60, players: 23, port: game.port, gamePort: 25_000 };
    game = await startSimulatedGameServer(own);
    expect(await start({ discord: false, yes: true, folder: join(home, '.dayz') }).ended).toBe('');
    expect(firstServer()).toMatchObject({ port: 25_000, queryPort: game.port });
  });

  it('shows only the status of a server whose files are out of reach', async () => {
    const { typed, ended } = start({ discord: false, queryPort: String(game.port) });
    await typed.answer(whereQuestion, 'nonsense:x', keys.enter);
    await typed.answer('Expected an address such as', '');
    await typed.answer(whereQuestion, '127.0.0.1:2302', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    expect(firstServer()).toMatchObject({ host: '127.0.0.1', port: 2302, queryPort: game.port });
  });

  it('gives a server that is known by its address only an id without the address', async () => {
    const address = '127.0.0.1:2302';
    const { typed, ended } = start({ discord: false, yes: true, address, queryPort: '9' });
    expect(await ended).toBe('');
    expect(firstServer()).toMatchObject({ id: 'dayz-1', name: 'DayZ at 127.0.0.1', host: '127.0.0.1' });
    expect(typed.shown()).toContain('DayZ at 127.0.0.1: no answer at 127.0.0.1:9');
  });

  it('takes no IPv6 address, to which it sends no query', async () => {
    const { ended } = start({ discord: false, yes: true, address: '[::1]:2302', queryPort: '9' });
    expect(await ended).toContain('No IPv4 address was found for ::1');
  });

  it('asks for the passphrase of a key, again where it is wrong', async () => {
    await putServer('.host');
    const pair = newKeys('open sesame');
    const keyFile = await put('id_ed25519', pair.private);
    await using sftp = await startSftp({
      root: join(home, '.host'),
      username: 'kim',
      publicKey: pair.public,
    });
    const { typed, ended } = start({ discord: false, login: `kim@127.0.0.1:${sftp.port}`, keyFile });
    await typed.answer(`Passphrase of`, 'wrong', keys.enter);
    await typed.answer('This is not the passphrase', '');
    await typed.answer('Passphrase of', 'open sesame', keys.enter);
    await typed.answer('Time zone of the machine', keys.enter);
    await typed.answer(showQuestion, keys.enter);
    expect(await ended).toBe('');
    const text = readFileSync(join(home, 'outpost/config/outpost.yaml'), 'utf8');
    const variable = /passphrase:\s+env: (\w+)/.exec(text)?.[1] ?? '';
    expect(env()[variable]).toBe('open sesame');
    expect(text).not.toContain('sesame');
  });

  it('shows names of others without what would control the terminal', async () => {
    const escape = String.fromCodePoint(27);
    const typed = typedTerminal();
    const prompts = new Prompts(typed.terminal);
    prompts.step(`evil ${escape}[2Jname`);
    const asked = prompts.select('Which?', [
      { value: '1', label: `evil ${escape}[2Jlabel`, hint: `${escape}[2J` },
    ]);
    await typed.answer('Which?', keys.enter);
    expect(await asked).toBe('1');
    expect(typed.raw()).not.toContain(`${escape}[2J`);
  });

  it('never replaces a config', async () => {
    await put('outpost/config/outpost.yaml', 'mine');
    const { ended } = start();
    expect(await ended).toContain('already, so nothing was written');
    expect(readFileSync(join(home, 'outpost/config/outpost.yaml'), 'utf8')).toBe('mine');
  });
});
