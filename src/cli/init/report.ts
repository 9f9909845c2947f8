import { existsSync } from 'node:fs';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { shownUrl } from '../../server/store/engine/postgres/url.ts';
import type { GroupedFinding } from '../checks/run-rows.ts';
import type { Known } from './answers.ts';
import { unnamedHost } from './find.ts';

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
  /** What was left out, as sentences. */
  missing: string[];
  /** What the doctor finds wrong, or suspicious. */
  findings: GroupedFinding[];
  /** The command to run now. */
  next: string;
}

/** What was written, and where. */
export interface Written {
  serverIds: readonly string[];
  variables: string[];
  /** Variables whose value in the environment wins over the one in `.env`. */
  overridden: readonly string[];
  configFile: string;
  storeUrl: string | undefined;
  findings: readonly GroupedFinding[];
}

export function reportOf({ servers = [], bot = null, timezone }: Known, written: Written): Report {
  const { serverIds, variables, overridden, configFile, storeUrl, findings } = written;
  const missing = overridden.map(
    (name) => `${name} has another value in the environment, which wins over .env: remove it there.`,
  );
  for (const { name, place, host } of servers)
    if (place?.type === 'nitrado' && host === unnamedHost)
      missing.push(`Set "host" and "port" of ${name} in the config: Nitrado does not name them.`);
  // The clock of another machine may show another time.
  if (timezone?.isGuess === true && servers.some(({ place, logs }) => place !== null && logs !== null))
    missing.push(
      `Check "timezone" in the config: it is ${timezone.zone}, that of this machine. The times in the logs are those of the machine that writes them.`,
    );
  for (const { name, logs } of servers)
    if (logs === null)
      missing.push(
        `Only the status of ${name} is shown. For kills and leaderboards, ${dayz.words.startLogsIn('FOLDER')}, and set "logs" to that folder in the config; for a rented server, "files" too (docs/files.md).`,
      );
  if (servers.length === 0)
    missing.push('Add your game server to the config (docs/configuration.md, "A second game server").');
  if (bot === null)
    missing.push(
      'The bot is off: put its token into .env as DISCORD_TOKEN, and add discord: {} to the config.',
    );
  return {
    config: configFile,
    env: variables,
    store: storeUrl === undefined ? null : shownUrl(storeUrl),
    servers: servers.map(({ name, host, port, queryPort }, index) => {
      return { id: serverIds[index] as string, name, host, port, queryPort };
    }),
    invite: bot && bot.application.inviteUrl,
    missing,
    findings: findings.filter(({ status }) => status !== 'good'),
    next: existsSync('package.json') ? 'npm start' : 'outpost start',
  };
}

export function writtenText({ config, env, store, missing, findings }: Report): string {
  return [
    `Written: ${config}`,
    ...(env.length === 0 ? [] : [`         .env (${env.join(', ')})`]),
    ...(store === null ? [] : [`Store:   ${store}; "outpost doctor" checks it`]),
    ...(missing.length + findings.length === 0 ? [] : ['', 'Still to do:']),
    ...missing.map((one) => `- ${one}`),
    ...findings.flatMap(({ key, tried, found, next }) => [`- ${key} (${tried}): ${found}`, `  → ${next}`]),
  ].join('\n');
}

export const nextText = ({ next }: Report): string =>
  `Next: ${next}\n\nA public page of your servers, for those without Discord: add "page: {}" under "http" in the config (docs/page.md).`;
