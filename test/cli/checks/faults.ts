import { hostname } from 'node:os';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PermissionFlagsBits } from 'discord.js';
import { SQLite } from '../../../src/server/store/engine/driver.ts';
import { onTestFinished, vi } from 'vitest';
import { version } from '../../../src/process/version.ts';
import { openWriter, storeFile } from '../../../src/server/store/engine/database.ts';
import { startFtp } from '../../../packages/game-files/test/servers/ftp.ts';
import {
  channelId,
  guildId,
  otherChannelId,
  otherGuildId,
  roleId,
  serverDz,
  serverOf,
  token,
  type Installation,
} from './installation.ts';

export interface Fault {
  name: string;
  /** Breaks an installation in which everything is well. */
  plant: (one: Installation) => void | Promise<void>;
  /** The findings that the doctor has then, each as "status key tried: found → next", and no others. */
  expected: RegExp[];
}

const minuteMs = 60_000;
const { EmbedLinks, AttachFiles, ViewChannel } = PermissionFlagsBits;

const discordOf = (one: Installation) => one.config.discord as NonNullable<typeof one.config.discord>;

async function newStore(one: Installation): Promise<string> {
  const file = storeFile(one.path('data'));
  const writer = await openWriter(file);
  await writer.close();
  for (const name of ['data/outpost.sqlite']) chmodSync(one.path(name), 0o600);
  return file;
}

async function atHostWithoutResume(one: Installation): Promise<void> {
  const ftp = await startFtp({ root: one.folder });
  onTestFinished(async () => await ftp[Symbol.asyncDispose]());
  ftp.rest = 502;
  const password = { file: one.write('password', ftp.password) };
  const { port, username } = ftp;
  Object.assign(serverOf(one), {
    files: { type: 'ftp', host: '127.0.0.1', port, username, password },
    logs: '/game/profiles',
    playersDb: '/game/mpmissions/dayzOffline.chernarusplus/storage_1/players.db',
  });
}

/** A program on this machine that answers each request; the config names its port. */
async function listener(one: Installation, status: number, body: unknown): Promise<void> {
  const http = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  one.config.http = { port: (http.address() as AddressInfo).port };
}

/** A service that runs on the data folder, as its lock says. */
function running(one: Installation, changes: { config?: string; version?: string } = {}): void {
  const since = new Date(Date.now() - 60 * minuteMs).toISOString();
  one.holder = { pid: 71, host: hostname(), since, config: one.path('outpost.yaml'), version, ...changes };
}

export const faults: Fault[] = [
  {
    name: '.env that everyone can read',
    plant: (one) => chmodSync(one.path('.env'), 0o644),
    expected: [/^warning \.env .*: every user of this machine can read the secrets in it → run: chmod 600 /],
  },
  {
    name: '.env.txt instead of .env',
    plant: (one) => {
      rmSync(one.path('.env'));
      one.write('.env.txt', `DISCORD_TOKEN=${token}\n`);
    },
    expected: [/^warning \.env .*\.env\.txt is not read: rename it/],
  },
  {
    name: 'only one of three variables that belong together',
    plant: () => void vi.stubEnv('OUTPOST_API_URL', 'http://127.0.0.1:1'),
    expected: [/^wrong config reading: OUTPOST_API_URL, .* belong together.* → /],
  },
  {
    name: 'no config',
    plant: (one) => void vi.stubEnv('OUTPOST_CONFIG', one.path('elsewhere.yaml')),
    expected: [/^wrong config reading: There is no config at .*elsewhere\.yaml → /],
  },
  {
    name: 'an unknown key in the config',
    plant: (one) => void Object.assign(serverOf(one), { queryport: 1 }),
    expected: [
      /^wrong projects\[0\]\.servers\[0\]\.queryport .*outpost\.yaml, line \d+: unknown key; expected one of id, .* → correct/,
    ],
  },
  {
    name: 'a file in place of the data folder',
    plant: (one) => void one.write('data', 'x'),
    expected: [
      /^wrong OUTPOST_DATA .*data: ENOTDIR: not a directory.* → let the user that runs Outpost .* OUTPOST_DATA; docs\/operation\.md/,
    ],
  },
  {
    name: 'a full disk',
    plant: (one) => void (one.freeBytes = 20 * 1024 ** 2),
    expected: [
      /^wrong OUTPOST_DATA disk of .*: 20 MB free: Outpost can soon store nothing more → free some space/,
    ],
  },
  {
    name: 'a damaged store',
    plant: (one) => void one.write('data/outpost.sqlite', Buffer.alloc(8192, 'damage')),
    expected: [
      /^wrong OUTPOST_DATA .*outpost\.sqlite: the database .* is damaged .* → .*restore the latest backup/,
    ],
  },
  {
    name: 'a store of a newer version',
    plant: async (one) => {
      const store = new SQLite(await newStore(one));
      store.exec("INSERT INTO kysely_migration VALUES ('1.1.0-future', '2030')");
      store.close();
    },
    expected: [
      /^wrong OUTPOST_DATA .*outpost\.sqlite: the store .* was made by a newer Outpost.* → Start that version/,
    ],
  },
  {
    name: 'another Outpost on the data folder',
    plant: (one) => running(one, { config: '/srv/other.yaml' }),
    expected: [
      /^wrong OUTPOST_DATA .*: the data folder belongs to another Outpost: process 71 .*config \/srv\/other\.yaml → give each/,
    ],
  },
  {
    name: 'a running service of an earlier version',
    plant: (one) => running(one, { version: '0.0.9' }),
    expected: [
      /^warning OUTPOST_DATA .*: process 71 .* runs version 0\.0\.9, and this program is .* → restart Outpost/,
    ],
  },
  {
    name: 'a running service that does not answer',
    plant(one) {
      running(one);
      one.config.http = { port: 1 };
    },
    expected: [
      /^wrong http\.port http:\/\/127\.0\.0\.1:1\/readyz: an Outpost runs .* but does not answer here → /,
    ],
  },
  {
    name: 'a running service that cannot write',
    async plant(one) {
      running(one);
      await listener(one, 503, { status: 'unavailable', checks: { store: true, writing: false } });
    },
    expected: [/^wrong http\.port .*: not ready: writing → see its log/],
  },
  {
    name: 'a port that another program uses',
    plant: async (one) => await listener(one, 200, { hello: 'there' }),
    expected: [
      /^wrong http\.port 127\.0\.0\.1:\d+: something else listens there already \(another Outpost\?\) → stop what uses it/,
    ],
  },
  {
    name: "a container's own address as that of the game server",
    plant(one) {
      serverOf(one).queryPort = 1;
      one.machine.isContainer = true;
    },
    expected: [
      /^warning s\.queryPort 127\.0\.0\.1:1: no answer → .* set host to host\.docker\.internal, as compose\.yaml/,
      /^warning s\.queryPort .*serverDZ\.cfg: /,
    ],
  },
  {
    name: 'an address that this machine does not have',
    plant: (one) => void (one.config.http = { host: '192.0.2.7', port: 0 }),
    expected: [
      /^wrong http\.port 192\.0\.2\.7:0: this machine has no such address → .* change http\.port or its host/,
    ],
  },
  {
    name: 'a game server at an IPv6 address, to which no query is sent',
    plant: (one) => void Object.assign(serverOf(one), { host: '::1' }),
    expected: [
      /^warning s\.queryPort \[::1\]:\d+: the game server could not be asked: .* no IPv4 address.* → set host to an IPv4 address/,
    ],
  },
  {
    name: 'a game server that does not answer, by another query port than in serverDZ.cfg',
    plant(one) {
      serverOf(one).queryPort = 1;
    },
    expected: [
      /^warning s\.queryPort 127\.0\.0\.1:1: no answer → is the server running\?/,
      /^warning s\.queryPort .*serverDZ\.cfg: the game answers queries on port \d+ \(steamQueryPort\), not 1 → set queryPort: \d+/,
    ],
  },
  {
    name: 'two servers with the same logs, by a symbolic link',
    plant(one) {
      const linked = one.path('linked');
      symlinkSync(one.path('game/profiles'), linked, 'junction');
      one.config.projects[0]?.servers?.push({
        ...serverOf(one),
        id: 't',
        logs: linked,
        playersDb: undefined,
        schedules: [],
      });
    },
    expected: [
      /^wrong t\.logs .*linked: leads to the same files as that of the server "s", .* twice → .*"outpost server forget t"/,
    ],
  },
  {
    name: 'adminLogPlayerHitsOnly = 1',
    plant: (one) =>
      void one.write(
        'game/serverDZ.cfg',
        serverDz({ steamQueryPort: one.game.port, adminLogPlayerHitsOnly: 1 }),
      ),
    expected: [
      /^warning s\.logs .*: hits by infected .* → set adminLogPlayerHitsOnly = 0; in line 4 of serverDZ\.cfg/,
    ],
  },
  {
    name: 'adminLogPlayerList = 0, in a config of another name',
    plant(one) {
      rmSync(one.path('game/serverDZ.cfg'));
      one.write('game/server2.cfg', serverDz({ steamQueryPort: one.game.port, adminLogPlayerList: 0 }));
    },
    expected: [
      /^warning s\.logs .*: the list of players is not logged.* → set adminLogPlayerList = 1; in line 7 of server2\.cfg/,
    ],
  },
  {
    name: 'a serverDZ.cfg as it is shipped, without adminLogPlayerList',
    plant: (one) =>
      void one.write(
        'game/serverDZ.cfg',
        serverDz({ steamQueryPort: one.game.port }).replace(/adminLogPlayerList.*\r\n/, ''),
      ),
    expected: [
      /^warning s\.logs .*: the list of players is not logged.* → add adminLogPlayerList = 1; to serverDZ\.cfg, above/,
    ],
  },
  {
    name: 'a ban file whose folder is left out',
    plant(one) {
      mkdirSync(one.path('battleye'));
      renameSync(one.path('bans.txt'), one.path('battleye/bans.txt'));
    },
    expected: [
      /^warning b\.sources\[0\] .*bans\.txt: does not exist, but .*battleye.bans\.txt has \d+ bans → correct the path/,
    ],
  },
  {
    name: 'a ban file that is not there',
    plant(one) {
      const [list] = one.config.projects[0]?.banlists ?? [];
      Object.assign(list?.sources?.[0] ?? {}, { file: one.path('ban.txt'), format: 'dayz' });
    },
    expected: [/^warning b\.sources\[0\] .*ban\.txt: does not exist yet: no bans → check the path/],
  },
  {
    name: 'a public page in a folder of another site',
    plant(one) {
      one.config.http = { port: 0, publicUrl: 'http://127.0.0.1/outpost', page: {} };
    },
    expected: [
      /^wrong http\.publicUrl .*: the public page cannot be in a folder of .* → give the page a name/,
    ],
  },
  {
    name: 'buttons to join that lead to this machine',
    plant(one) {
      one.config.http = { port: 0, publicUrl: 'http://203.0.113.7' };
    },
    expected: [
      /^warning s\.joinAddress 127\.0\.0\.1:\d+: the buttons to join lead there, .* → set joinAddress to what players type/,
    ],
  },
  {
    name: 'a host of the files where nothing answers',
    plant(one) {
      const password = { file: one.write('password', 'x') };
      Object.assign(serverOf(one), {
        files: { type: 'ftp', host: '127.0.0.1', port: 1, username: 'x', password },
        logs: '/game/profiles',
        playersDb: '/game/players.db',
        schedules: [],
      });
    },
    // The address stands there once.
    expected: [
      /^wrong s\.files ftp:\/\/x@127\.0\.0\.1:1: nothing accepts connections at .* → check the host/,
    ],
  },
  {
    name: 'a host of the files that cannot resume a download',
    plant: atHostWithoutResume,
    expected: [
      /^wrong s\.files ftp:\/\/.*: the host cannot resume a download, so its files cannot be followed: .* → ask the host for SFTP/,
    ],
  },
  {
    name: 'a client secret in place of the token',
    plant: () => void vi.stubEnv('DISCORD_TOKEN', 'aB3dEfGh1jKlMn0pQrStUvWxYz_-1234'),
    expected: [
      /^wrong DISCORD_TOKEN form: is a client secret, not the token of the bot → .*Bot > Reset Token/,
    ],
  },
  {
    name: 'an application id in place of the token',
    plant: () => void vi.stubEnv('DISCORD_TOKEN', '1100000000000000900'),
    expected: [/^wrong DISCORD_TOKEN form: is an application id, not the token of the bot → .*Reset Token/],
  },
  {
    name: 'a token in quotes, as docker --env-file passes it on',
    plant: () => void vi.stubEnv('DISCORD_TOKEN', `"${token}"`),
    expected: [/^wrong config reading: The environment has a mistake .* → DISCORD_TOKEN: remove the quotes/],
  },
  {
    name: 'a token that Discord does not know',
    plant: () => void vi.stubEnv('DISCORD_TOKEN', 'another-token'),
    expected: [
      /^wrong DISCORD_TOKEN Discord: does not know the token: .* → .*Reset Token.* into \.env, unless the environment/,
    ],
  },
  {
    name: 'a token without the section discord',
    plant: (one) => void delete one.config.discord,
    expected: [/^warning discord the bot: DISCORD_TOKEN is set, but the config has no section discord.* → /],
  },
  {
    name: 'a Discord that cannot be reached',
    plant: () => void vi.stubEnv('DISCORD_API_URL', 'http://127.0.0.1:1/api'),
    expected: [
      /^warning DISCORD_TOKEN Discord: cannot be reached: connect ECONNREFUSED .* → check the network/,
    ],
  },
  {
    name: 'a Discord server that the bot is not in',
    plant: (one) => void discordOf(one).guilds?.push({ id: '1100000000000000009' }),
    expected: [
      /^wrong discord\.guilds Discord server 1100000000000000009: the bot is not in it → .*oauth2\/authorize\?client_id=/,
    ],
  },
  {
    name: 'no home guild',
    plant: (one) => {
      delete discordOf(one).guilds;
      delete discordOf(one).killFeeds;
    },
    expected: [/^warning discord\.guilds your Discord servers: none is named.* → name it/],
  },
  {
    name: 'commands that the running bot could not register',
    async plant(one) {
      running(one);
      await listener(one, 200, { status: 'ready', checks: {} });
      one.discord.fail({ method: 'GET', path: /\/commands$/ }, { status: 200, body: [] }, Infinity);
    },
    expected: [/^warning commands everywhere: not all are registered → run: outpost deploy-commands/],
  },
  {
    name: 'a bot that was added without the scope for commands',
    plant(one) {
      discordOf(one).guildIds = [guildId];
      const refusal = { status: 403, body: { code: 50_001, message: 'Missing Access' } };
      one.discord.fail({ method: 'GET', path: /\/guilds\/.*\/commands$/ }, refusal, Infinity);
    },
    expected: [/^wrong commands in Discord server \d+: Discord refuses them: .* → add it again with https/],
  },
  {
    name: 'a channel that was deleted',
    plant: (one) =>
      void Object.assign(discordOf(one), {
        schedulePosts: [{ channelId: '1100000000000000199', servers: ['s'] }],
      }),
    expected: [
      /^wrong discord\.schedulePosts\[0\] channel 1100000000000000199: there is no such channel.* → copy the id anew/,
    ],
  },
  {
    name: 'a channel that the bot cannot see',
    plant(one) {
      one.discord.addChannel(guildId, { id: '1100000000000000160', name: 'staff' });
      one.discord.denyBot('1100000000000000160', ViewChannel);
      discordOf(one).leaderboardPosts = [{ channelId: '1100000000000000160', metric: 'DEATHS' }];
    },
    expected: [
      /^wrong discord\.leaderboardPosts\[0\] channel \d+: the bot cannot see the channel.* → .*View Channel/,
    ],
  },
  {
    name: 'a channel without the right to embed links',
    plant: (one) => one.discord.denyBot(channelId, EmbedLinks),
    expected: [
      /^wrong discord\.statusPosts\[0\] #status .*: the bot lacks Embed Links → grant the bot it/,
      /^wrong discord\.alerts\[0\] #status .*: the bot lacks Embed Links → /,
      /^wrong discord\.killFeeds\[0\] #status .*: the bot lacks Embed Links → /,
    ],
  },
  {
    name: 'a post with a chart and no right to attach files',
    plant: (one) => one.discord.denyBot(channelId, AttachFiles),
    expected: [
      /^warning discord\.statusPosts\[0\] #status .*: the bot lacks Attach Files, so there is no picture → grant the bot it/,
    ],
  },
  {
    name: 'a role that was deleted',
    plant: (one) =>
      void (discordOf(one).alerts = [
        { channelId, servers: ['s'], down: { afterMinutes: 5, roleId: '1100000000000000799' } },
      ]),
    expected: [
      /^wrong discord\.alerts\[0\] #status .*: its Discord server has no role 1100000000000000799 → copy/,
    ],
  },
  {
    name: 'a role that the bot may not give, and one that does not exist',
    plant: (one) =>
      void (discordOf(one).roles = [
        { roleId, linked: true },
        { roleId: '1100000000000000799', linked: true },
      ]),
    expected: [
      /^wrong discord\.roles\[0\] role "Staff" .*: the bot lacks Manage Roles → grant it in the settings/,
      /^wrong discord\.roles\[1\] role 1100000000000000799: none of your Discord servers .* has such a role → copy the id/,
    ],
  },
  {
    name: 'a kill feed outside of the home guilds',
    plant: (one) => void (discordOf(one).killFeeds = [{ channelId: otherChannelId, servers: ['s'] }]),
    expected: [
      /^wrong discord\.killFeeds\[0\] #status .*: its Discord server is not one of.* → .*- \{ id: "1100000000000000002" \}/,
    ],
  },
  {
    name: 'posts whose servers belong to another project than their Discord server shows',
    plant(one) {
      one.config.projects.push({ slug: 'q', name: 'Q', servers: [] });
      discordOf(one).guilds = [{ id: guildId }, { id: otherGuildId, project: 'q' }];
      discordOf(one).killFeeds = [{ channelId: otherChannelId, servers: ['s'] }];
      discordOf(one).schedulePosts = [{ channelId: otherChannelId, servers: ['s'] }];
    },
    expected: [
      /^wrong discord\.schedulePosts\[0\] #status .*: server s belongs to the project p, but Discord server 1100000000000000002 shows the project q, so nothing is posted → name servers of q, .*guilds: \[\{ id: "1100000000000000002", project: p \}\]/,
      /^wrong discord\.killFeeds\[0\] #status .*: server s belongs to the project p/,
    ],
  },
  {
    name: 'a Discord that answers some requests with errors',
    plant(one) {
      one.discord.fail({ path: /\/commands$/ }, { status: 500 }, Infinity);
      one.discord.fail({ path: `/channels/${channelId}` }, { status: 500 }, Infinity);
      delete discordOf(one).alerts;
      delete discordOf(one).killFeeds;
    },
    expected: [
      /^warning commands everywhere: Discord does not say whether they are registered → /,
      /^warning discord\.statusPosts\[0\] channel \d+: could not be checked: .* → run the check again/,
    ],
  },
  {
    name: 'a kill feed of a server without logs',
    plant: (one) => void delete serverOf(one).logs,
    expected: [
      /^warning s\.schedules\[0\] .* → set logs as well/,
      /^warning discord\.killFeeds\[0\] .*: server s has no logs, so there is nothing to post about it → set logs/,
    ],
  },
];

/** Where root may read everything, no right can be missing. */
export const isRoot = process.getuid?.() === 0;

if (!isRoot) {
  faults.push({
    name: 'a folder of logs that this user may not read',
    plant(one) {
      mkdirSync(one.path('closed'), { mode: 0o000 });
      serverOf(one).logs = one.path('closed');
    },
    expected: [
      /^wrong s\.logs .*: may not be read: no permission → give the user that runs Outpost the right/,
    ],
  });
}
