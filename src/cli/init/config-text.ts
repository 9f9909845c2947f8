import { Document, isMap, isScalar, isSeq, type Scalar, type YAMLMap } from 'yaml';
import type { Game } from '../../server/games/game.ts';
import { gameOf, usualGame } from '../../server/games/index.ts';
import { namesOfFiles } from '../../server/ingest/logs/formats/log-format.ts';
import type { Place } from '../../server/files/remote/place.ts';
import { commonName, displayName, slugOf, variableOf } from './names.ts';
import type { Plan, PlannedServer } from './plan.ts';

interface ConfigText {
  text: string;
  /** Secrets that the config refers to, by the name of their variable. */
  secrets: Map<string, string>;
  /** The ids of the servers, in the order of the plan. */
  serverIds: string[];
}

interface ConfigTextOptions {
  /** Whether the JSON schema lies beside the config, for editors. */
  hasSchema: boolean;
  /** Whether a variable may hold a secret: it is free, or holds the same one already. */
  mayUse: (variable: string, secret: string) => boolean;
}

type Values = Record<string, unknown>;

/** The config of a plan as commented YAML. */
export function configText(plan: Plan, { hasSchema, mayUse }: ConfigTextOptions): ConfigText {
  const given = plan.name ?? plan.discord?.guild?.name;
  const [first] = plan.servers;
  const name = displayName(given ?? nameOf(plan.servers), 'My community');
  // An id never changes, but an address may.
  const slug =
    (given === undefined && first?.isNamed === false ? gameOfServer(first).type : slugOf(name)) ??
    'community';
  const serverIds = plan.servers.map((_, index) => `${slug}-${index + 1}`);
  const secrets = new Map<string, string>();
  const secretOf = secretsInto(secrets, mayUse);
  const servers = plan.servers.map((server, index) =>
    serverValues(server, serverIds[index] as string, secretOf),
  );
  const banlist = banlistValues(plan, slug, name, serverIds);
  const project = withoutNull({ slug, name, servers, banlists: banlist && [banlist] });
  const document = new Document({
    ...(plan.httpPort === 8080 ? {} : { http: { port: plan.httpPort } }),
    projects: [project],
    ...discordValues(plan, serverIds),
  });
  comment(document, plan, hasSchema);
  const text = document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
  return { text, secrets, serverIds };
}

/** Of the community, by its servers. A name that is made of an address has nothing in common with others. */
const nameOf = (servers: readonly PlannedServer[]): string =>
  servers.every(({ isNamed }) => isNamed !== false)
    ? commonName(servers.map(({ name }) => name))
    : (servers[0]?.name ?? '');

const gameOfServer = ({ game }: Pick<PlannedServer, 'game'>): Game =>
  (game === undefined ? null : gameOf(game)) ?? usualGame;

/** Puts the secret of a server into a variable, and returns how the config names it. */
type SecretOf = (id: string, kind: string, secret: string) => Values;

export function secretsInto(secrets: Map<string, string>, mayUse: ConfigTextOptions['mayUse']): SecretOf {
  return (id, kind, secret) => {
    const base = variableOf(id, kind);
    for (let number = 1; ; number++) {
      const variable = number === 1 ? base : `${base}_${number}`;
      if (!mayUse(variable, secret)) continue;
      secrets.set(variable, secret);
      return { env: variable };
    }
  };
}

export function serverValues(server: PlannedServer, id: string, secretOf: SecretOf): Values {
  const { name, host, port, queryPort, timezone, place, logs, playersDb, messagesFile, privateKeyFile } =
    server;
  const game = gameOfServer(server);
  const isUsualFolder = place !== null && logs === game.usualLogs?.[place.type];
  return withoutNull({
    id,
    name: displayName(name, id),
    game: game === usualGame ? null : game.type,
    host,
    port,
    queryPort,
    timezone,
    files: place && placeValues(place, privateKeyFile, (kind, secret) => secretOf(id, kind, secret)),
    logs: isUsualFolder ? null : logs,
    playersDb,
    schedules: messagesFile === null ? null : [{ source: 'messages.xml', file: messagesFile }],
  });
}

const withoutNull = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function placeValues(
  place: Place,
  privateKeyFile: string | undefined,
  secretOf: (kind: string, secret: string) => Values,
): Values {
  if (place.type === 'nitrado') {
    const { type, serviceId, token } = place;
    return { type, serviceId: Number(serviceId), token: secretOf('NITRADO_TOKEN', token) };
  }
  const { type, host, port, username, password } = place;
  const login = { type, host, port, username };
  if (privateKeyFile !== undefined) {
    const passphrase = type === 'sftp' ? place.passphrase : undefined;
    return {
      ...login,
      privateKey: { file: privateKeyFile },
      ...(passphrase !== undefined && { passphrase: secretOf('SFTP_PASSPHRASE', passphrase) }),
    };
  }
  return { ...login, password: secretOf(`${type.toUpperCase()}_PASSWORD`, password ?? '') };
}

function banlistValues({ servers }: Plan, slug: string, name: string, serverIds: string[]): Values | null {
  const sources = servers.flatMap((server, index) => {
    const id = serverIds[index] as string;
    return banSources(server, id).map((source) =>
      servers.length === 1 ? source : { ...source, servers: [id] },
    );
  });
  return sources.length === 0 ? null : { id: `${slug}-bans`, name: banlistName(name), sources };
}

export const banlistName = (name: string): string =>
  displayName(`${Array.from(name).slice(0, 90).join('')} bans`, 'Bans');

export const banSources = ({ banFiles, place }: PlannedServer, id: string): Values[] =>
  banFiles.map(({ file, format }) =>
    // The names in the settings at Nitrado have no file.
    withoutNull({ file: format === 'nitrado' ? null : file, filesOf: place && id, format }),
  );

function discordValues({ discord }: Plan, serverIds: string[]): Values {
  if (discord === null) return {};
  const { guild, channel } = discord;
  const posts =
    channel === null || serverIds.length === 0 ? null : [{ channelId: channel.id, servers: serverIds }];
  return { discord: withoutNull({ guilds: guild && [{ id: guild.id }], statusPosts: posts }) };
}

const header = [
  ' Written by "outpost init". outpost.example.yaml explains every key.',
  ' After a change: outpost check-config. Restart Outpost then (on Linux, SIGHUP is enough).',
];

/** What a key of a server is for, where its name does not say it. */
const commentsOf = ({ words, logs }: Game): Readonly<Record<string, string>> => ({
  id: ' never change it, all history belongs to it',
  host: ' where the game server answers queries',
  port: ' the game port',
  queryPort: ` ${words.queryPort} in ${words.configFile}`,
  timezone: ' of the machine that writes the logs',
  files: ' where its files lie; the paths are paths there',
  logs: ` the folder of its ${namesOfFiles(logs, 'and')} files`,
  playersDb: ' for infected and animals killed',
  schedules: ' the restart that messages.xml announces',
});

function comment(document: Document, plan: Plan, hasSchema: boolean): void {
  const schema = hasSchema ? [' yaml-language-server: $schema=./outpost.schema.json', ''] : [];
  document.commentBefore = [...schema, ...header].join('\n');
  if (document.has('http')) keyOf(document.contents as YAMLMap, 'projects').spaceBefore = true;
  const project = document.getIn(['projects', 0], true) as YAMLMap;
  commentNode(project, 'slug', ' never change it, applications use it');
  const servers: unknown = project.get('servers', true);
  // The first one stands for all.
  const first: unknown = isSeq(servers) ? servers.items[0] : undefined;
  if (isMap(first)) commentServer(first);
  for (const server of isSeq(servers) ? servers.items : []) {
    if (isMap(server)) inOneLine(server);
  }
  const discord: unknown = document.get('discord', true);
  if (isMap(discord)) commentDiscord(document.contents as YAMLMap, discord, plan);
}

function commentDiscord(root: YAMLMap, discord: YAMLMap, { discord: planned }: Plan): void {
  const key = keyOf(root, 'discord');
  key.spaceBefore = true;
  key.commentBefore = ' The bot. Its token is DISCORD_TOKEN in .env.';
  commentNode(discord, 'guilds', ' your own Discord servers');
  commentNode(discord, 'statusPosts', ' a message that the bot keeps up to date');
  const { guild = null, channel = null } = planned ?? {};
  const guildMap: unknown = discord.getIn(['guilds', 0], true);
  if (isMap(guildMap) && guild !== null) commentNode(guildMap, 'id', ` ${displayName(guild.name, guild.id)}`);
  const post: unknown = discord.getIn(['statusPosts', 0], true);
  if (isMap(post) && channel !== null)
    commentNode(post, 'channelId', ` #${displayName(channel.name, channel.id)}`);
}

/** Behind a value; above the key of a list or map. */
function commentNode(map: YAMLMap, key: string, text: string): void {
  const node: unknown = map.get(key, true);
  if (isScalar(node)) node.comment = text;
  else if (node !== undefined) keyOf(map, key).commentBefore = text;
}

function keyOf(map: YAMLMap, key: string): Scalar {
  const pair = map.items.find((one) => isScalar(one.key) && one.key.value === key);
  if (pair === undefined) throw new Error(`expected the key ${key}`);
  return pair.key as Scalar;
}

/** Says what the keys of a server are for. */
export function commentServer(server: YAMLMap): void {
  const type: unknown = server.get('game') ?? usualGame.type;
  for (const [key, text] of Object.entries(commentsOf(gameOfServer({ game: String(type) })))) {
    if (server.has(key)) commentNode(server, key, text);
  }
}

/** Writes the secrets of a server as `{ env: NAME }`. */
export function inOneLine(server: YAMLMap): void {
  for (const key of ['password', 'token', 'privateKey', 'passphrase']) {
    const node: unknown = server.getIn(['files', key], true);
    if (isMap(node)) node.flow = true;
  }
}
