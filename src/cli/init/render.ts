import { namesOfFiles } from 'dayz-files';
import type { Place } from 'game-files';
import { stringify } from 'yaml';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { logFormatsOf } from '../../server/games/index.ts';
import type { InitGuild } from '../../bot/init-bot.ts';
import type { Bot, PlannedPost } from './discord-questions.ts';
import { displayName, slugOf, variableOf } from './names.ts';
import type { PlannedServer } from './plan.ts';
import type { TimeZone } from './server-questions.ts';

/** What the owner wants, and what was found. Holds secrets. */
export interface Setup {
  /** Of the community; null: it is named after the Discord server or the game server. */
  name: string | null;
  servers: readonly PlannedServer[];
  timezone: TimeZone;
  httpPort: number;
  hasPage: boolean;
  /** Null: there is no bot. */
  bot: Pick<Bot, 'application' | 'guilds'> | null;
  posts: readonly PlannedPost[];
}

interface ConfigText {
  text: string;
  /** Secrets that the config refers to, by the name of their variable. */
  secrets: Map<string, string>;
  /** The ids of the servers, in the order of the setup. */
  serverIds: string[];
}

interface RenderOptions {
  /** Whether the JSON schema lies beside the config, for editors. */
  hasSchema: boolean;
  /** Whether a variable may hold a secret: it is free, or holds the same one already. */
  mayUse: (variable: string, secret: string) => boolean;
}

export const usualHttpPort = 8080;

const style = { lineWidth: 0, singleQuote: true, blockQuote: false } as const;

/** The config of a setup as commented YAML. */
export function render(setup: Setup, { hasSchema, mayUse }: RenderOptions): ConfigText {
  const { servers, bot, posts, httpPort, hasPage, timezone } = setup;
  const guilds = homeGuilds(setup);
  const { slug, name } = nameOf(setup, guilds);
  const serverIds = servers.map((_, index) => `${slug}-${index + 1}`);
  const secrets = new Map<string, string>();
  const secretOf = (id: string, kind: string, secret: string): { env: string } => {
    const base = variableOf(id, kind);
    let variable = base;
    for (let number = 2; !mayUse(variable, secret); number++) variable = `${base}_${number}`;
    secrets.set(variable, secret);
    return { env: variable };
  };
  const banlist = banlistOf(servers, serverIds, slug, name);
  const project = {
    slug,
    name,
    servers: servers.map((server, index) => {
      const id = serverIds[index] as string;
      return serverOf(server, id, timezone.name, (kind, secret) => secretOf(id, kind, secret));
    }),
    ...(banlist.sources.length > 0 && { banlists: [banlist] }),
  };
  const http = { ...(httpPort !== usualHttpPort && { port: httpPort }), ...(hasPage && { page: {} }) };
  const config = {
    ...(Object.keys(http).length > 0 && { http }),
    projects: [project],
    ...(bot !== null && { discord: discordOf(guilds, posts, serverIds) }),
  };
  const yaml = stringify(config, { ...style, aliasDuplicateObjects: false });
  const spaced = yaml.replaceAll(/\n(?=projects:|discord:)/g, '\n\n');
  const head = [
    ...(hasSchema ? ['# yaml-language-server: $schema=./outpost.schema.json', ''] : []),
    '# Written by "outpost init". outpost.example.yaml explains every key.',
    '# After a change: outpost check-config. Restart Outpost then (on Linux, SIGHUP is enough).',
    '',
  ].join('\n');
  return { text: `${head}\n${withComments(spaced, setup, guilds)}`, secrets, serverIds };
}

/** The comment behind the first line with each key. */
const comments: Readonly<Record<string, string>> = {
  slug: 'never change it, applications use it',
  id: 'never change it, all history belongs to it',
  host: 'where the game server answers queries',
  queryPort: `${dayz.words.queryPort} in ${dayz.words.configFile}`,
  timezone: 'of the machine that writes the logs',
  files: 'where its files lie; the paths are paths there',
  logs: `the folder of its ${namesOfFiles(logFormatsOf(dayz.type), 'and')} files`,
  playersDb: 'for infected and animals killed',
  schedules: 'the restart that messages.xml announces',
  discord: 'the bot. Its token is DISCORD_TOKEN in .env',
  guilds: 'your own Discord servers',
  page: 'the public page; docs/page.md',
  statusPosts: 'a message that the bot keeps up to date',
  metric: 'docs/bot.md lists the others',
  recapPosts: 'a message a week: who was first',
  killFeeds: 'a message for each kill',
};

/** No value goes over several lines, so a line with a key is that key's. */
function withComments(yaml: string, { posts, httpPort }: Setup, guilds: readonly InitGuild[]): string {
  const left = new Map(Object.entries(comments));
  if (httpPort !== usualHttpPort) left.set('port', `${usualHttpPort} was in use`);
  const lines = yaml.split('\n').map((line) => {
    const key = /^[\s-]*(\w+):/.exec(line)?.[1] ?? '';
    let comment = left.get(key);
    left.delete(key);
    const id = /'(\d+)'$/.exec(line)?.[1];
    const guild = guilds.find((one) => one.id === id);
    const channel = posts.find((post) => post.channel.id === id)?.channel;
    if (guild !== undefined) comment = displayName(guild.name, guild.id);
    if (channel !== undefined) comment = `#${displayName(channel.name, channel.id)}`;
    return comment === undefined ? line : `${line} # ${comment}`;
  });
  return lines.join('\n');
}

/** The Discord servers with posts, else the only one that the bot is in. */
function homeGuilds({ bot, posts }: Setup): InitGuild[] {
  if (posts.length > 0)
    return [...new Map(posts.map(({ channel: { guild } }) => [guild.id, guild])).values()];
  return bot?.guilds.length === 1 ? bot.guilds : [];
}

/** Of the community. A name that is made of an address is no id, since the address may change. */
function nameOf(
  { name: given, servers: [first] }: Setup,
  guilds: readonly InitGuild[],
): { slug: string; name: string } {
  const named = given ?? guilds[0]?.name;
  const name = displayName(named ?? first?.name ?? '', 'My community');
  const slug = named === undefined && first?.isNamed === false ? dayz.type : slugOf(name);
  return { slug: slug ?? 'community', name };
}

/** Puts the secret of a server into a variable, and returns how the config names it. */
type SecretOf = (kind: string, secret: string) => { env: string };

function serverOf(server: PlannedServer, id: string, timezone: string, secretOf: SecretOf): object {
  const { place, keyFile, logs, playersDb, messagesFile, queryPort } = server;
  const isUsualFolder = place?.type === 'nitrado' && logs === dayz.usualLogs.nitrado;
  return {
    id,
    name: displayName(server.name, id),
    host: server.host,
    port: server.port,
    ...(queryPort !== null && { queryPort }),
    timezone,
    ...(place !== null && { files: placeOf(place, keyFile, secretOf) }),
    ...(logs !== null && !isUsualFolder && { logs }),
    ...(playersDb !== null && { playersDb }),
    ...(messagesFile !== null && { schedules: [{ source: 'messages.xml', file: messagesFile }] }),
  };
}

function placeOf(place: Place, keyFile: string | null, secretOf: SecretOf): object {
  if (place.type === 'nitrado') {
    const { type, serviceId, token } = place;
    return { type, serviceId: Number(serviceId), token: secretOf('NITRADO_TOKEN', token) };
  }
  const { type, host, port, username, password = '' } = place;
  const passphrase = type === 'sftp' ? place.passphrase : undefined;
  const secret =
    keyFile === null
      ? { password: secretOf(`${type.toUpperCase()}_PASSWORD`, password) }
      : {
          privateKey: { file: keyFile },
          ...(passphrase !== undefined && { passphrase: secretOf('SFTP_PASSPHRASE', passphrase) }),
        };
  return { type, host, port, username, ...secret };
}

function banlistOf(
  servers: readonly PlannedServer[],
  serverIds: readonly string[],
  slug: string,
  name: string,
): { id: string; name: string; sources: object[] } {
  const sources = servers.flatMap(({ banFiles, place }, index) => {
    const id = serverIds[index] as string;
    return banFiles.map(({ file, format }) => ({
      // The names in the settings at Nitrado have no file.
      ...(format !== 'nitrado' && { file }),
      ...(place !== null && { filesOf: id }),
      format,
      ...(servers.length > 1 && { servers: [id] }),
    }));
  });
  const listName = displayName(`${name.slice(0, 90)} bans`, 'Bans');
  return { id: `${slug}-bans`, name: listName, sources };
}

function discordOf(
  guilds: readonly InitGuild[],
  posts: readonly PlannedPost[],
  servers: readonly string[],
): object {
  const list = (kind: PlannedPost['kind'], keys: object): object[] =>
    posts.filter((post) => post.kind === kind).map(({ channel }) => ({ channelId: channel.id, ...keys }));
  const lists = {
    guilds: guilds.map(({ id }) => ({ id })),
    statusPosts: list('status', { servers }),
    leaderboardPosts: list('leaderboard', { metric: 'PLAYER_KILLS' }),
    recapPosts: list('recap', {}),
    killFeeds: list('kill-feed', { servers }),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, entries]) => entries.length > 0));
}
