import { existsSync } from 'node:fs';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { shownUrl } from '../../server/store/engine/postgres/url.ts';
import type { GroupedFinding } from '../checks/run-rows.ts';
import { unnamedHost } from './find.ts';
import type { Setup } from './render.ts';

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

type Report = ReturnType<typeof reportOf>;

/** The result of a setup. Holds no secrets. */
export function reportOf(setup: Setup, written: Written) {
  const { servers, bot, posts, hasPage, httpPort } = setup;
  const { serverIds, variables, configFile, storeUrl, findings } = written;
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
    missing: missingOf(setup, written),
    findings: findings.filter(({ status }) => status !== 'good'),
    /** The command to run now. */
    next: existsSync('package.json') ? 'npm start' : 'outpost start',
  };
}

/** What was left out, as sentences. */
function missingOf({ servers, timezone, bot }: Setup, { overridden }: Written): string[] {
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
  return missing;
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
      ? 'A public page of your servers, for those without Discord, takes two lines in the config: docs/page.md shows them.'
      : `The public page is at ${page} then. docs/page.md says how others reach it.`,
  ].join('\n\n');
