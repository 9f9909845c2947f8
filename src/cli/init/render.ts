import { stringify } from 'yaml';
import type { Place } from 'game-files';
import { usualGame } from '../../server/games/index.ts';
import { namesOfFiles } from 'dayz-files';
import type { Answers, PlannedServer } from './answers.ts';
import { commonName, displayName, slugOf, variableOf } from './names.ts';

/** What is written into the config. Holds secrets. */
export type Plan = Pick<Answers, 'name' | 'servers'> & {
  /** Of the machine that writes the logs. */
  timezone: string;
  httpPort: number;
  /** Null: there is no bot. */
  discord: Answers['post'] | null;
};

interface ConfigText {
  text: string;
  /** Secrets that the config refers to, by the name of their variable. */
  secrets: Map<string, string>;
  /** The ids of the servers, in the order of the plan. */
  serverIds: string[];
}

interface RenderOptions {
  /** Whether the JSON schema lies beside the config, for editors. */
  hasSchema: boolean;
  /** Whether a variable may hold a secret: it is free, or holds the same one already. */
  mayUse: (variable: string, secret: string) => boolean;
}

/** The config of a plan as commented YAML. */
export function render(plan: Plan, { hasSchema, mayUse }: RenderOptions): ConfigText {
  const { servers, discord, httpPort } = plan;
  const { slug, name } = nameOf(plan);
  const serverIds = servers.map((_, index) => `${slug}-${index + 1}`);
  const secrets = new Map<string, string>();
  const secretOf: SecretOf = (id, kind, secret) => {
    const base = variableOf(id, kind);
    let variable = base;
    for (let number = 2; !mayUse(variable, secret); number++) variable = `${base}_${number}`;
    secrets.set(variable, secret);
    return `{ env: ${variable} }`;
  };
  const lines = [
    ...(hasSchema ? ['# yaml-language-server: $schema=./outpost.schema.json', ''] : []),
    '# Written by "outpost init". outpost.example.yaml explains every key.',
    '# After a change: outpost check-config. Restart Outpost then (on Linux, SIGHUP is enough).',
    '',
    ...(httpPort === 8080 ? [] : ['http:', `  port: ${httpPort} # 8080 was in use`, '']),
    'projects:',
    `  - slug: ${scalar(slug)} # never change it, applications use it`,
    `    name: ${scalar(name)}`,
    ...(servers.length === 0 ? ['    servers: []'] : ['    servers:']),
    ...servers.flatMap((server, index) =>
      serverLines(server, { id: serverIds[index] as string, isFirst: index === 0, plan, secretOf }),
    ),
    ...banlistLines(servers, serverIds, slug, name),
    ...(discord === null ? [] : ['', ...discordLines(discord, serverIds)]),
  ];
  return { text: `${lines.join('\n')}\n`, secrets, serverIds };
}

/** A text as YAML writes it behind a key. It has no line breaks. */
const scalar = (text: string): string =>
  stringify({ k: text }, { lineWidth: 0, singleQuote: true, blockQuote: false })
    .slice('k: '.length)
    .trimEnd();

/** Of the community. A name that is made of an address has nothing in common with others, and an address may change. */
function nameOf({ name: given, servers, discord }: Plan): { slug: string; name: string } {
  const named = given ?? discord?.guild?.name;
  const [first] = servers;
  const areNamed = servers.every(({ isNamed }) => isNamed);
  const own = areNamed ? commonName(servers.map((server) => server.name)) : (first?.name ?? '');
  const name = displayName(named ?? own, 'My community');
  const slug = named === undefined && first?.isNamed === false ? first.game.type : slugOf(name);
  return { slug: slug ?? 'community', name };
}

/** Puts the secret of a server into a variable, and returns how the config names it. */
type SecretOf = (id: string, kind: string, secret: string) => string;

interface ServerContext {
  id: string;
  /** The first one's comments stand for all. */
  isFirst: boolean;
  plan: Plan;
  secretOf: SecretOf;
}

function serverLines(server: PlannedServer, { id, isFirst, plan, secretOf }: ServerContext): string[] {
  const { game, place, keyFile, logs, playersDb, messagesFile } = server;
  const row = (key: string, value: string | number | null, about = ''): string[] =>
    value === null
      ? []
      : [
          `${key}: ${typeof value === 'number' ? value : scalar(value)}${isFirst && about ? ` # ${about}` : ''}`,
        ];
  const above = (about: string): string[] => (isFirst ? [`# ${about}`] : []);
  const isUsualFolder = place !== null && logs === game.usualLogs?.[place.type];
  const [idLine, ...rest] = [
    ...row('id', id, 'never change it, all history belongs to it'),
    ...row('name', displayName(server.name, id)),
    ...row('game', game === usualGame ? null : game.type),
    ...row('host', server.host, 'where the game server answers queries'),
    ...row('port', server.port, 'the game port'),
    ...row('queryPort', server.queryPort, `${game.words.queryPort} in ${game.words.configFile}`),
    ...row('timezone', plan.timezone, 'of the machine that writes the logs'),
    ...(place === null
      ? []
      : [
          ...above('where its files lie; the paths are paths there'),
          'files:',
          ...placeLines(place, keyFile, (kind, secret) => secretOf(id, kind, secret)).map(
            (line) => `  ${line}`,
          ),
        ]),
    ...row('logs', isUsualFolder ? null : logs, `the folder of its ${namesOfFiles(game.logs, 'and')} files`),
    ...row('playersDb', playersDb, 'for infected and animals killed'),
    ...(messagesFile === null
      ? []
      : [
          ...above('the restart that messages.xml announces'),
          'schedules:',
          '  - source: messages.xml',
          `    file: ${scalar(messagesFile)}`,
        ]),
  ];
  return [`      - ${idLine}`, ...rest.map((line) => `        ${line}`)];
}

function placeLines(
  place: Place,
  keyFile: string | null,
  secretOf: (kind: string, secret: string) => string,
): string[] {
  if (place.type === 'nitrado') {
    const token = secretOf('NITRADO_TOKEN', place.token);
    return ['type: nitrado', `serviceId: ${place.serviceId}`, `token: ${token}`];
  }
  const { type, host, port, username, password } = place;
  const login = [`type: ${type}`, `host: ${scalar(host)}`, `port: ${port}`, `username: ${scalar(username)}`];
  if (keyFile === null)
    return [...login, `password: ${secretOf(`${type.toUpperCase()}_PASSWORD`, password ?? '')}`];
  const passphrase = type === 'sftp' ? place.passphrase : undefined;
  return [
    ...login,
    'privateKey:',
    `  file: ${scalar(keyFile)}`,
    ...(passphrase === undefined ? [] : [`passphrase: ${secretOf('SFTP_PASSPHRASE', passphrase)}`]),
  ];
}

function banlistLines(
  servers: readonly PlannedServer[],
  serverIds: readonly string[],
  slug: string,
  name: string,
): string[] {
  const sources = servers.flatMap(({ banFiles, place }, index) => {
    const id = serverIds[index] as string;
    return banFiles.map(({ file, format }) => [
      // The names in the settings at Nitrado have no file.
      ...(format === 'nitrado' ? [] : [`file: ${scalar(file)}`]),
      ...(place === null ? [] : [`filesOf: ${id}`]),
      `format: ${format}`,
      ...(servers.length === 1 ? [] : [`servers: [${id}]`]),
    ]);
  });
  if (sources.length === 0) return [];
  const listName = displayName(`${Array.from(name).slice(0, 90).join('')} bans`, 'Bans');
  return [
    '    banlists:',
    `      - id: ${slug}-bans`,
    `        name: ${scalar(listName)}`,
    '        sources:',
    ...sources.flatMap(([first, ...rest]) => [
      `          - ${first}`,
      ...rest.map((line) => `            ${line}`),
    ]),
  ];
}

function discordLines({ guild, channel }: Answers['post'], serverIds: readonly string[]): string[] {
  const hasPost = channel !== null && serverIds.length > 0;
  return [
    '# The bot. Its token is DISCORD_TOKEN in .env.',
    guild === null ? 'discord: {}' : 'discord:',
    ...(guild === null
      ? []
      : [
          '  # your own Discord servers',
          '  guilds:',
          `    - id: '${guild.id}' # ${displayName(guild.name, guild.id)}`,
        ]),
    ...(hasPost
      ? [
          '  # a message that the bot keeps up to date',
          '  statusPosts:',
          `    - channelId: '${channel.id}' # #${displayName(channel.name, channel.id)}`,
          `      servers: [${serverIds.join(', ')}]`,
        ]
      : []),
  ];
}
