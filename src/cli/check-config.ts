import type { Command } from 'commander';
import type { Environment } from '../config/environment.ts';
import { readBotConfig, readEnvironment } from '../config/load.ts';
import { botConfigSchema, type Config } from '../config/schema.ts';
import { withLocalFiles } from './local-files.ts';
import { FailedResult, printResult, withJson, type Output } from './output.ts';
import { checkHomeGuilds } from './discord-checks.ts';
import { checkBanFiles, checkServerFiles, type Finding } from './source-checks.ts';
import { readConfig } from './read-config.ts';

interface Options {
  json?: boolean;
  offline?: boolean;
}

export function addCheckConfigCommand(program: Command, output: Output): void {
  withJson(program.command('check-config'))
    .description('check the config file and try every path and query port in it, without starting anything')
    .argument('[file]', 'the config file (default: OUTPOST_CONFIG or config/outpost.yaml)')
    .option('--offline', 'ask no game server, and no service that the bot reads')
    .action(async (file: string | undefined, options: Options) => {
      const environment = readEnvironment();
      const path = file ?? environment.configFile;
      const { findings, contents } =
        environment.remoteService === null
          ? await checkProjects(path, options, output)
          : await checkBot(path, environment.remoteService, options);
      const wrong = findings.filter(({ status }) => status === 'wrong').length;
      const verdict =
        wrong === 0
          ? 'is a good config'
          : `can be read, but ${count(wrong, 'thing')} in it cannot work as ${wrong === 1 ? 'it is' : 'they are'}`;
      const lines = [`${path} ${verdict}: ${contents}.`, ...findings.map(lineOf)];
      printResult(output, options, { ok: wrong === 0, file: path, findings }, lines.join('\n'));
      if (wrong > 0) throw new FailedResult();
    });
}

interface Checked {
  findings: Finding[];
  /** What is in the config, in figures. */
  contents: string;
}

async function checkProjects(path: string, options: Options, output: Output): Promise<Checked> {
  const config = readConfig(path);
  const servers = config.projects.flatMap((project) => project.servers).length;
  const banlists = config.projects.flatMap((project) => project.banlists).length;
  return {
    findings: await tryEverything(config, options, output),
    contents: `${count(config.projects.length, 'project')}, ${count(servers, 'server')}, ${count(banlists, 'ban list')}`,
  };
}

/** Where `OUTPOST_API_URL` is set, the process is a bot alone, which needs no config file. */
async function checkBot(
  path: string,
  remoteService: NonNullable<Environment['remoteService']>,
  options: Options,
): Promise<Checked> {
  const { discord } = readBotConfig(path) ?? botConfigSchema.parse({});
  const { statusPosts, leaderboardPosts, schedulePosts, alerts } = discord;
  const posts = statusPosts.length + leaderboardPosts.length + schedulePosts.length;
  const contents = `a bot for the service at ${remoteService.apiUrl}, ${count(posts, 'post')}, ${count(alerts.length, 'alert')}`;
  const findings = checkHomeGuilds({ discord });
  if (options.offline) return { findings, contents };
  const { checkService } = await import('./service-checks.ts');
  return { findings: [...findings, ...(await checkService(remoteService, discord))], contents };
}

/** What is switched off in the config is not tried. */
async function tryEverything(config: Config, options: Options, output: Output): Promise<Finding[]> {
  const servers = config.projects.flatMap((project) => project.servers).filter(({ active }) => active);
  const banlists = config.projects.flatMap((project) => project.banlists).filter(({ active }) => active);
  const findings: Finding[] = [];
  const found = await withLocalFiles((files) =>
    Promise.all([
      ...servers.map((server) => checkServerFiles(server, files)),
      ...banlists.map((banlist) => checkBanFiles(banlist, files)),
    ]),
  );
  findings.push(...found.flat());
  findings.push(...checkHomeGuilds(config));
  if (options.offline || servers.length === 0) return findings;
  const progress = (done: number): void => {
    if (!options.json) output.err(`  ${done} of ${servers.length} game servers asked`);
  };
  progress(0);
  // Loaded only here: what asks game servers takes long to load.
  const { checkPorts } = await import('./port-checks.ts');
  return [...findings, ...(await checkPorts(servers, progress))];
}

const marks = { good: '✓', warning: '!', wrong: '✗' } as const;

function lineOf({ key, tried, status, found, next }: Finding): string {
  const line = `  ${marks[status]} ${key}  ${tried}: ${found}`;
  return next === undefined ? line : `${line}\n      → ${next}`;
}

const count = (figure: number, thing: string): string => `${figure} ${thing}${figure === 1 ? '' : 's'}`;
