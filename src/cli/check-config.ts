import { accessSync, constants } from 'node:fs';
import type { Command } from 'commander';
import { readConfig, readEnvironment } from '../config.ts';
import type { Config } from '../config-schema.ts';
import { printResult, withJson, type Output } from './output.ts';

interface PathFinding {
  key: string;
  path: string;
  readable: boolean;
}

export function addCheckConfigCommand(program: Command, output: Output): void {
  withJson(program.command('check-config'))
    .description('check the config file and the environment, without starting anything')
    .argument('[file]', 'the config file (default: OUTPOST_CONFIG or config/outpost.yaml)')
    .action((file: string | undefined, options: { json?: boolean }) => {
      const path = file ?? readEnvironment().configFile;
      const config = readConfig(path);
      const paths = checkPaths(config);
      const servers = config.projects.flatMap((project) => project.servers).length;
      const banlists = config.projects.flatMap((project) => project.banlists).length;
      const lines = [
        `${path} is a good config: ${count(config.projects.length, 'project')}, ${count(servers, 'server')}, ${count(banlists, 'ban list')}.`,
        ...paths.map(
          ({ key, path, readable }) => `  ${readable ? 'found' : 'NOT READABLE'}  ${key}: ${path}`,
        ),
      ];
      printResult(output, options, { ok: true, file: path, paths }, lines.join('\n'));
    });
}

const count = (figure: number, thing: string): string => `${figure} ${thing}${figure === 1 ? '' : 's'}`;

function checkPaths(config: Config): PathFinding[] {
  return config.projects.flatMap((project) => [
    ...project.servers.flatMap(({ id, logs, playersDb }) => [
      ...(logs === undefined ? [] : [finding(`${id}.logs`, logs)]),
      ...(playersDb === undefined ? [] : [finding(`${id}.playersDb`, playersDb)]),
    ]),
    ...project.banlists.flatMap(({ id, sources }) =>
      sources.map(({ file }) => finding(`${id}.sources`, file)),
    ),
  ]);
}

function finding(key: string, path: string): PathFinding {
  try {
    accessSync(path, constants.R_OK);
    return { key, path, readable: true };
  } catch {
    return { key, path, readable: false };
  }
}
