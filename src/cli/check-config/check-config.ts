import type { Environment } from '../../config/environment.ts';
import { readBotConfig, readEnvironment } from '../../config/load.ts';
import { botConfigSchema, type Config } from '../../config/schema.ts';
import { activeSources } from '../../server/ingest/follower/sources.ts';
import { FollowedSources } from '../followed-sources.ts';
import { withKnownHosts } from '../known-hosts.ts';
import { withSourceFiles } from '../source-files.ts';
import { count, FailedResult, printResult, type Output } from '../output.ts';
import { checkAddresses } from './address-checks.ts';
import { checkHomeGuilds } from './discord-checks.ts';
import { checkKillFeeds, remoteKillFeeds } from './kill-feed-checks.ts';
import { brokenFiles } from './broken-files.ts';
import { checkCountedTwice } from './counted-twice.ts';
import type { Finding } from './finding.ts';
import { checkBanFiles } from './source-checks.ts';
import { checkServer } from './server-checks.ts';
import { readConfig } from '../read-config.ts';

interface Options {
  json?: boolean;
  offline?: boolean;
}

export async function checkConfig(output: Output, file: string | undefined, options: Options): Promise<void> {
  const environment = readEnvironment();
  const path = file ?? environment.configFile;
  const { findings, contents } =
    environment.remoteService === null
      ? await checkProjects(path, environment, options, output)
      : await checkBot(path, environment.remoteService, options);
  const wrong = findings.filter(({ status }) => status === 'wrong').length;
  const verdict = wrong === 0 ? 'is valid' : `has ${count(wrong, 'problem')}`;
  const lines = [`${path} ${verdict}: ${contents}.`, ...findings.map(lineOf)];
  printResult(output, options, { ok: wrong === 0, file: path, findings }, lines.join('\n'));
  if (wrong > 0) throw new FailedResult();
}

interface Checked {
  findings: Finding[];
  /** Counts of what the config contains. */
  contents: string;
}

async function checkProjects(
  path: string,
  environment: Environment,
  options: Options,
  output: Output,
): Promise<Checked> {
  const config = readConfig(path);
  const servers = config.projects.flatMap((project) => project.servers).length;
  const banlists = config.projects.flatMap((project) => project.banlists).length;
  return {
    findings: [...brokenFiles(config), ...(await tryEverything(config, environment, options, output))],
    contents: `${count(config.projects.length, 'project')}, ${count(servers, 'server')}, ${count(banlists, 'ban list')}`,
  };
}

/** With `OUTPOST_API_URL` the process is only a bot, which needs no config file. */
async function checkBot(
  path: string,
  remoteService: NonNullable<Environment['remoteService']>,
  options: Options,
): Promise<Checked> {
  const { discord } = readBotConfig(path) ?? botConfigSchema.parse({});
  const { statusPosts, leaderboardPosts, schedulePosts, alerts, killFeeds } = discord;
  const posts = statusPosts.length + leaderboardPosts.length + schedulePosts.length;
  const contents = `a bot for the service at ${remoteService.apiUrl}, ${count(posts, 'post')}, ${count(alerts.length, 'alert')}`;
  const findings = checkHomeGuilds({ discord });
  if (killFeeds.length > 0) findings.push(remoteKillFeeds);
  if (options.offline) return { findings, contents };
  const { checkService } = await import('./service-checks.ts');
  return { findings: [...findings, ...(await checkService(remoteService, discord))], contents };
}

/** Inactive servers and ban lists are not checked. */
async function tryEverything(
  config: Config,
  environment: Environment,
  options: Options,
  output: Output,
): Promise<Finding[]> {
  const servers = config.projects.flatMap((project) => project.servers).filter(({ active }) => active);
  const findings: Finding[] = [];
  findings.push(...(await tryFiles(config, environment, options)));
  findings.push(...(await checkCountedTwice(config, environment)));
  findings.push(...checkAddresses(config), ...checkHomeGuilds(config), ...checkKillFeeds(config));
  // Loaded on demand, because the query library takes long to load.
  const { checkPorts, checkQueryKeys } = await import('./port-checks.ts');
  findings.push(...servers.flatMap(checkQueryKeys));
  if (options.offline) return findings;
  const { checkForeignServers } = await import('./foreign-servers.ts');
  findings.push(...(await checkForeignServers(config, environment)));
  if (servers.length === 0) return findings;
  const progress = (done: number): void => {
    if (!options.json) output.err(`  ${done} of ${servers.length} game servers queried`);
  };
  progress(0);
  return [...findings, ...(await checkPorts(servers, progress))];
}

async function tryFiles(config: Config, environment: Environment, options: Options): Promise<Finding[]> {
  const sources = activeSources(config);
  const isTried = (serverId: string | undefined): boolean =>
    options.offline !== true || serverId === undefined || sources.places?.has(serverId) !== true;
  const servers = config.projects.flatMap((project) => project.servers).filter(({ active }) => active);
  const banlists = config.projects.flatMap((project) => project.banlists).filter(({ active }) => active);
  const followed = await FollowedSources.read(environment, sources);
  const found = await withKnownHosts(environment, (trust) =>
    withSourceFiles(sources, trust, (files) =>
      Promise.all([
        ...servers
          .filter(({ id }) => isTried(id))
          .map((server) => checkServer(server, files, trust, followed)),
        ...banlists.map((banlist) => checkBanFiles(banlist, files, followed, isTried)),
      ]),
    ),
  );
  return found.flat();
}

const marks = { good: '✓', warning: '!', wrong: '✗' } as const;

function lineOf({ key, tried, status, found, next }: Finding): string {
  const line = `  ${marks[status]} ${key}  ${tried}: ${found}`;
  return next === undefined ? line : `${line}\n      → ${next}`;
}
