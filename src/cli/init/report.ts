import { existsSync } from 'node:fs';
import { shownUrl } from '../../server/store/engine/postgres/url.ts';
import { hostAndPort } from '../../server/files/remote/place-name.ts';
import type { SetupGuild } from '../../bot/setup/setup.ts';
import type { Plan, PlannedServer } from './plan.ts';
import type { WrittenSetup } from './write-plan.ts';

/** The result of a setup. Holds no secrets. */
export interface Report {
  config: string;
  /** The variables that were written into `.env`. */
  env: string[];
  /** The database of PostgreSQL that is the store; null: a file in the data folder. */
  store: string | null;
  servers: ({ id: string } & Omit<
    PlannedServer,
    'game' | 'isNamed' | 'place' | 'privateKeyFile' | 'messagesFile' | 'banFiles' | 'missing'
  >)[];
  discord: {
    applicationId: string;
    invite: string;
    guild: SetupGuild | null;
    channel: SetupGuild | null;
  } | null;
  /** What the owner still has to do, as sentences. */
  missing: string[];
  /** The command to run now. */
  next: string;
  /** What else there is; left out after an addition. */
  hint?: string;
}

/** What was written, and where. */
interface Written {
  servers: readonly PlannedServer[];
  setup: WrittenSetup;
  configFile: string;
  storeUrl: string | undefined;
}

export function reportOf({ discord, servers }: Plan, written: Omit<Written, 'servers'>): Report {
  const notes = [
    ...(servers.length === 0 ? ['Add your game server to the config: outpost init --add.'] : []),
    ...discordMissing({ discord, servers }),
  ];
  return {
    ...writtenReport({ ...written, servers }, [], notes),
    discord: discord && {
      applicationId: discord.application.id,
      invite: discord.application.inviteUrl,
      guild: discord.guild,
      channel: discord.channel && { id: discord.channel.id, name: discord.channel.name },
    },
    next: existsSync('package.json') ? 'npm start' : 'outpost start',
    hint: 'A public page of your servers, for those without Discord: add "page: {}" under "http" in the config (docs/page.md).',
  };
}

/** The report of servers that were added to a config. @param others those that it had */
export function additionReport(
  written: Written,
  others: readonly Addressed[],
  notes: readonly string[],
): Report {
  const restart = 'restart Outpost';
  return {
    ...writtenReport(written, others, notes),
    discord: null,
    next: written.setup.variables.length === 0 ? `${restart} (on Linux, SIGHUP is enough)` : restart,
  };
}

function writtenReport(
  { servers, setup, configFile, storeUrl }: Written,
  others: readonly Addressed[],
  notes: readonly string[],
): Omit<Report, 'discord' | 'next'> {
  return {
    config: configFile,
    env: setup.variables,
    store: storeUrl === undefined ? null : shownUrl(storeUrl),
    servers: servers.map(
      ({ name, host, port, queryPort, timezone, timezoneBasis, logs, playersDb }, index) => {
        const id = setup.serverIds[index] as string;
        return { id, name, host, port, queryPort, timezone, timezoneBasis, logs, playersDb };
      },
    ),
    missing: [
      ...servers.flatMap(({ missing }) => missing),
      ...samePorts([...others, ...servers]),
      ...notes,
      ...setup.overridden.map(
        (name) => `${name} has another value in the environment, which wins over .env: remove it there.`,
      ),
    ],
  };
}

type Addressed = Pick<PlannedServer, 'name' | 'host' | 'port'>;

/** Servers in one folder whose start nothing shows have the usual port, all of them. */
function samePorts(servers: readonly Addressed[]): string[] {
  const addresses = [...new Set(servers.map(hostAndPort))];
  return addresses.flatMap((address) => {
    const names = servers.filter((one) => hostAndPort(one) === address).map(({ name }) => name);
    return names.length === 1
      ? []
      : [
          `${names.join(' and ')} have the same address, ${address}: set the "port" that each is started with (-port=), and the "queryPort" of each.`,
        ];
  });
}

function discordMissing({ discord, servers }: Pick<Plan, 'discord' | 'servers'>): string[] {
  if (discord === null)
    return ['The bot is off: put its token into .env as DISCORD_TOKEN, and add discord: {} to the config.'];
  const { guild, channel, application, guilds } = discord;
  if (guild === null && guilds.length > 0) {
    const ids = guilds.map(({ id, name }) => `${id} is ${name}`).join(', ');
    return [
      `The bot is in several Discord servers, and --guild names none: name yours under discord.guilds in the config (${ids}).`,
    ];
  }
  if (guild === null) {
    return [
      `Add the bot to your Discord server, and name the server under discord.guilds in the config: ${application.inviteUrl}`,
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

export const nextText = ({ next, hint }: Report): string =>
  hint === undefined ? `Next: ${next}` : `Next: ${next}\n\n${hint}`;
