import { existsSync } from 'node:fs';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { shownUrl } from '../../server/store/engine/postgres/url.ts';
import type { GroupedFinding } from '../checks/run-rows.ts';
import type { Bot, PlannedPost } from './discord-questions.ts';
import { unnamedHost } from './find.ts';
import type { PlannedServer } from './plan.ts';
import type { TimeZone } from './server-questions.ts';

/** The result of a setup. Holds no secrets. */
export interface Report {
  config: string;
  /** The variables that were written into `.env`. */
  env: string[];
  /** The database of PostgreSQL that is the store; null: a file in the data folder. */
  store: string | null;
  servers: { id: string; name: string; host: string; port: number; queryPort: number | null }[];
  /** What the bot posts, by the name that `--show` has for it, and the name of the channel. */
  posts: { kind: string; channel: string }[];
  /** The public page, as this machine reaches it; null: there is none. */
  page: string | null;
  /** Opens Discord's page that adds the bot to a server; null: there is no bot. */
  invite: string | null;
  /** What was left out, as sentences. */
  missing: string[];
  /** What the doctor finds wrong, or suspicious. */
  findings: GroupedFinding[];
  /** The command to run now. */
  next: string;
}

/** What was set up, and where it was written. */
export interface Written {
  servers: readonly PlannedServer[];
  timezone: TimeZone;
  bot: Pick<Bot, 'application'> | null;
  posts: readonly PlannedPost[];
  hasPage: boolean;
  httpPort: number;
  serverIds: readonly string[];
  variables: string[];
  /** Variables whose value in the environment wins over the one in `.env`. */
  overridden: readonly string[];
  configFile: string;
  storeUrl: string | undefined;
  findings: readonly GroupedFinding[];
}

export function reportOf(written: Written): Report {
  const { servers, timezone, bot, posts, hasPage, httpPort } = written;
  const { serverIds, variables, overridden, configFile, storeUrl, findings } = written;
  const missing = overridden.map(
    (name) => `${name} has another value in the environment, which wins over .env: remove it there.`,
  );
  for (const { name, place, host } of servers)
    if (place?.type === 'nitrado' && host === unnamedHost)
      missing.push(`Set "host" and "port" of ${name} in the config: Nitrado does not name them.`);
  // The clock of another machine may show another time.
  if (timezone.isGuess && servers.some(({ place, logs }) => place !== null && logs !== null))
    missing.push(
      `Check "timezone" in the config: it is ${timezone.name}, that of this machine. The times in the logs are those of the machine that writes them.`,
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
    posts: posts.map(({ kind, channel }) => ({ kind, channel: channel.name })),
    page: hasPage ? `http://127.0.0.1:${httpPort}` : null,
    invite: bot && bot.application.inviteUrl,
    missing,
    findings: findings.filter(({ status }) => status !== 'good'),
    next: existsSync('package.json') ? 'npm start' : 'outpost start',
  };
}

export function writtenText({ config, env, store, posts, missing, findings }: Report): string {
  const places = [...new Set(posts.map(({ channel }) => channel))].map((name) => {
    const kinds = posts.filter(({ channel }) => channel === name).map(({ kind }) => kind);
    return `${kinds.join(', ')} in #${name}`;
  });
  return [
    `Written: ${config}`,
    ...(env.length === 0 ? [] : [`         .env (${env.join(', ')})`]),
    ...(store === null ? [] : [`Store:   ${store}; "outpost doctor" checks it`]),
    ...(places.length === 0 ? [] : [`Posts:   ${places.join('; ')}`]),
    ...(missing.length + findings.length === 0 ? [] : ['', 'Still to do:']),
    ...missing.map((one) => `- ${one}`),
    ...findings.flatMap(({ key, tried, found, next }) => [`- ${key} (${tried}): ${found}`, `  → ${next}`]),
  ].join('\n');
}

export const nextText = ({ next, page, posts }: Report): string =>
  [
    `Next: ${next}`,
    ...(posts.length === 0 ? [] : ['For a post in another channel, type /outpost setup there.']),
    page === null
      ? 'A public page of your servers, for those without Discord: add "page: {}" under "http" in the config (docs/page.md).'
      : `The public page is at ${page} then. docs/page.md says how others reach it.`,
  ].join('\n\n');
