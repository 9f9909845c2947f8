import type { Command } from 'commander';
import { readConfig, readEnvironment } from '../config.ts';
import type { Config } from '../config-schema.ts';
import { FailedResult, printResult, withJson, type Output } from './output.ts';
import { checkHomeGuilds } from './discord-checks.ts';
import { checkBanFiles, checkServerFiles, type Finding } from './source-checks.ts';

interface Options {
  json?: boolean;
  offline?: boolean;
}

export function addCheckConfigCommand(program: Command, output: Output): void {
  withJson(program.command('check-config'))
    .description('check the config file and try every path and query port in it, without starting anything')
    .argument('[file]', 'the config file (default: OUTPOST_CONFIG or config/outpost.yaml)')
    .option('--offline', 'query no game server')
    .action(async (file: string | undefined, options: Options) => {
      const path = file ?? readEnvironment().configFile;
      const config = readConfig(path);
      const findings = await tryEverything(config, options, output);
      const wrong = findings.filter(({ status }) => status === 'wrong').length;
      const servers = config.projects.flatMap((project) => project.servers).length;
      const banlists = config.projects.flatMap((project) => project.banlists).length;
      const contents = `${count(config.projects.length, 'project')}, ${count(servers, 'server')}, ${count(banlists, 'ban list')}`;
      const verdict =
        wrong === 0
          ? 'is a good config'
          : `can be read, but ${count(wrong, 'thing')} in it cannot work as ${wrong === 1 ? 'it is' : 'they are'}`;
      const lines = [`${path} ${verdict}: ${contents}.`, ...findings.map(lineOf)];
      printResult(output, options, { ok: wrong === 0, file: path, findings }, lines.join('\n'));
      if (wrong > 0) throw new FailedResult();
    });
}

/** What is switched off in the config is not tried. */
async function tryEverything(config: Config, options: Options, output: Output): Promise<Finding[]> {
  const servers = config.projects.flatMap((project) => project.servers).filter(({ active }) => active);
  const banlists = config.projects.flatMap((project) => project.banlists).filter(({ active }) => active);
  const findings: Finding[] = [];
  for (const server of servers) findings.push(...(await checkServerFiles(server)));
  for (const banlist of banlists) findings.push(...(await checkBanFiles(banlist)));
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
