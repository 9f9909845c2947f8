import { existsSync } from 'node:fs';
import { shownUrl } from '../../server/store/engine/postgres/url.ts';
import type { Known } from './answers.ts';

/** The result of a setup. Holds no secrets. */
export interface Report {
  config: string;
  /** The variables that were written into `.env`. */
  env: string[];
  /** The database of PostgreSQL that is the store; null: a file in the data folder. */
  store: string | null;
  servers: { id: string; name: string; host: string; port: number; queryPort: number | null }[];
  /** Opens Discord's page that adds the bot to a server; null: there is no bot. */
  invite: string | null;
  /** What the owner still has to do, as sentences. */
  missing: string[];
  /** The command to run now. */
  next: string;
  /** What else there is. */
  hint: string;
}

/** What was written, and where. */
export interface Written {
  serverIds: readonly string[];
  variables: string[];
  /** Variables whose value in the environment wins over the one in `.env`. */
  overridden: readonly string[];
  configFile: string;
  storeUrl: string | undefined;
}

export function reportOf(answers: Known, written: Written): Report {
  const { servers = [], bot = null } = answers;
  return {
    config: written.configFile,
    env: written.variables,
    store: written.storeUrl === undefined ? null : shownUrl(written.storeUrl),
    servers: servers.map(({ name, host, port, queryPort }, index) => {
      return { id: written.serverIds[index] as string, name, host, port, queryPort };
    }),
    invite: bot && bot.application.inviteUrl,
    missing: [
      ...servers.flatMap(({ missing }) => missing),
      ...zoneMissing(answers),
      ...(servers.length === 0
        ? ['Add your game server to the config (docs/configuration.md, "A second game server").']
        : []),
      ...discordMissing(answers),
      ...written.overridden.map(
        (name) => `${name} has another value in the environment, which wins over .env: remove it there.`,
      ),
    ],
    next: existsSync('package.json') ? 'npm start' : 'outpost start',
    hint: 'A public page of your servers, for those without Discord: add "page: {}" under "http" in the config (docs/page.md).',
  };
}

/** The clock of another machine may show another time. */
function zoneMissing({ servers = [], timezone }: Known): string[] {
  const isElsewhere = servers.some(({ place, logs }) => place !== null && logs !== null);
  if (!isElsewhere || timezone?.isGuess !== true) return [];
  return [
    `Check "timezone" in the config: it is ${timezone.zone}, that of this machine. The times in the logs are those of the machine that writes them.`,
  ];
}

function discordMissing({ bot = null, guilds = [], post, servers = [] }: Known): string[] {
  if (bot === null)
    return ['The bot is off: put its token into .env as DISCORD_TOKEN, and add discord: {} to the config.'];
  const { guild = null, channel = null } = post ?? {};
  if (guild === null && guilds.length > 0) {
    const ids = guilds.map(({ id, name }) => `${id} is ${name}`).join(', ');
    return [
      `The bot is in several Discord servers, and --guild names none: name yours under discord.guilds in the config (${ids}).`,
    ];
  }
  if (guild === null) {
    return [
      `Add the bot to your Discord server, and name the server under discord.guilds in the config: ${bot.application.inviteUrl}`,
    ];
  }
  if (channel === null)
    return servers.length === 0 ? [] : ['For a status post, use /outpost setup in a channel of Discord.'];
  if (channel.missing.length === 0) return [];
  return [`Give the bot these permissions in #${channel.name}: ${channel.missing.join(', ')}.`];
}

export function reportText({ config, env, store, missing }: Report): string {
  return [
    `Written: ${config}`,
    ...(env.length === 0 ? [] : [`         .env (${env.join(', ')})`]),
    ...(store === null ? [] : [`Store:   ${store}; "outpost doctor" checks it`]),
    ...(missing.length === 0 ? [] : ['', 'Still to do:']),
    ...missing.map((one) => `- ${one}`),
  ].join('\n');
}

export const nextText = ({ next, hint }: Report): string => `Next: ${next}\n\n${hint}`;
