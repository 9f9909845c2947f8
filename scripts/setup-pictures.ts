// `outpost init` and `outpost doctor` as a new owner sees them: in a real terminal (tmux), with a simulated game server and a
// local Discord.
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLocalDiscord } from 'local-discord';
import { startSimulatedGameServer } from '../src/demo/game-server.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Shown in the pictures. */
const home = '/tmp/northwood';
const token = 'MTAwMDAwMDAwMDAwMDAwMDAw.GabcdE.local';
/** The permission Embed Links, as a bit. */
const embedLinks = 1n << 14n;
const timeZone = 'Europe/Berlin';
const hostname = 'Northwood | Livonia';

const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-L', 'outpost-pictures', '-f', '/dev/null', ...args], { encoding: 'utf8' });
const screen = (): string => tmux('capture-pane', '-p', '-S', '-', '-t', 'p').trimEnd();
const picture = (): string => tmux('capture-pane', '-e', '-p', '-S', '-', '-t', 'p').trimEnd();

async function waitFor(text: string): Promise<void> {
  for (let i = 0; i < 600; i += 1) {
    if (screen().includes(text)) return;
    await sleep(200);
  }
  throw new Error(`expected "${text}" on the terminal, got\n${screen()}`);
}

async function type(shown: string, ...keys: string[]): Promise<void> {
  await waitFor(shown);
  for (const key of keys) {
    await sleep(300);
    tmux('send-keys', '-t', 'p', key);
  }
}

async function run(command: string): Promise<void> {
  tmux('send-keys', '-t', 'p', 'clear', 'Enter');
  await sleep(500);
  tmux('clear-history', '-t', 'p');
  tmux('send-keys', '-t', 'p', command, 'Enter');
}

async function putGameServer(port: number): Promise<void> {
  const [day, time] = new Date().toLocaleString('sv-SE', { timeZone }).split(' ');
  const files: Record<string, string> = {
    'serverDZ.cfg': `hostname = "${hostname}";\nsteamQueryPort = ${port};\nadminLogPlayerList = 1;\nclass Missions { class DayZ { template="dayzOffline.enoch"; }; };\n`,
    'profiles/DayZServer_x64.ADM': `\nAdminLog started on ${day} at ${time}\n`,
    'mpmissions/dayzOffline.enoch/db/messages.xml':
      '<messages><message><deadline>240</deadline><shutdown>1</shutdown><text>#name restarts</text></message></messages>',
    'ban.txt': '',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(home, 'dayz', name, '..'), { recursive: true });
    await writeFile(join(home, 'dayz', name), content);
  }
}

export async function takeSetupPictures(
  save: (name: string, screen: string, title: string) => Promise<void>,
): Promise<void> {
  await rm(home, { recursive: true, force: true });
  const game = await startSimulatedGameServer({
    name: hostname,
    map: 'enoch',
    maxPlayers: 60,
    players: 23,
  });
  const channels = [
    { id: '1100000000000000200', name: 'general' },
    { id: '1100000000000000201', name: 'server-status' },
  ];
  const discord = await startLocalDiscord({
    token,
    guilds: [{ id: '1100000000000000100', name: 'Northwood', channels }],
  });
  try {
    await putGameServer(game.port);
    await mkdir(join(home, 'bin'));
    await mkdir(join(home, 'outpost'));
    await writeFile(join(home, 'bin/outpost'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
      mode: 0o755,
    });
    const variables = {
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
      PS1: '$ ',
      TZ: timeZone,
      LANG: 'C.UTF-8',
      DISCORD_API_URL: discord.apiUrl,
    };
    // Not by tmux's own option: a login shell would set PATH anew.
    const shell = ['env', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`), 'sh'];
    tmux('new-session', '-d', '-s', 'p', '-x', '80', '-y', '60', '-c', join(home, 'outpost'), ...shell);
    await run('outpost init');
    await type('Where is your', 'Enter');
    await type('Folder of the game server', '../dayz', 'Enter');
    await type('Time zone of the machine', 'Enter');
    await type("Paste the bot's token", token, 'Enter');
    await type('In which channel', 'Down', 'Enter');
    await waitFor('outpost start');
    await sleep(1_000);
    await save('init', picture(), 'outpost init: a game server, a bot and a channel');
    discord.denyBot('1100000000000000201', embedLinks);
    await run('outpost doctor');
    await waitFor(' fine.');
    await save('doctor', picture(), 'outpost doctor');
  } finally {
    tmux('kill-session', '-t', 'p');
    await discord.close();
    await game.close();
    await rm(home, { recursive: true, force: true });
  }
}
