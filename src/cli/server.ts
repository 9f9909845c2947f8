import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { pino } from 'pino';
import { createPlacementStore } from '../bot/placement-store.ts';
import type { Environment } from '../config/environment.ts';
import { readEnvironment } from '../config/load.ts';
import {
  forgetServer,
  readServerContents,
  renameServer,
  type ServerContents,
} from '../server/store/server-identity.ts';
import { openSmallStore } from '../server/store/small-store.ts';
import { refreshStale } from '../server/store/stale-statistics.ts';
import { withStore } from './open-store.ts';
import { CommandFailure, type Output, printResult, withJson } from './output.ts';
import { readConfig } from './read-config.ts';

interface JsonOption {
  json?: boolean;
}

export function addServerCommands(program: Command, output: Output): void {
  const command = program.command('server').description('rename a server, or delete what is known of it');

  withJson(command.command('rename'))
    .description('give what is known of a server to its new id, after it was renamed in the config')
    .argument('<old>', 'the id under which it is known')
    .argument('<new>', 'the id that the config gives it now')
    .action(async (from: string, to: string, options: JsonOption) => {
      const environment = readEnvironment();
      const contents = await withStore(environment, (db) => renameServer(db, from, to));
      const placements = await renameInPlacements(environment, from, to);
      const next = isConfigured(environment, to)
        ? 'Restart Outpost: until then it fails to read this server.'
        : `Name it ${to} in the config, then restart Outpost: until then it fails to read this server.`;
      const text = [
        `${from} is ${to} now: ${words(contents)}; ${placements} posts and alerts that members placed.`,
        `  ${next}`,
      ];
      printResult(output, options, { from, to, ...contents, placements }, text.join('\n'));
    });

  withJson(command.command('forget'))
    .description(
      'delete what is known of a server that is no longer in the config; the figures are derived anew',
    )
    .argument('<id>', 'the server')
    .option('--yes', 'do not ask')
    .action(async (id: string, options: JsonOption & { yes?: boolean }) => {
      const environment = readEnvironment();
      if (isConfigured(environment, id)) {
        throw new CommandFailure(
          `${id} is in the config, so its files would be read again: take it out, and restart Outpost or send it ` +
            'SIGHUP, then forget it.',
        );
      }
      const contents = await withStore(environment, async (db) => {
        if (options.yes !== true) await confirm(id, await readServerContents(db, id));
        const forgotten = await forgetServer(db, id);
        await refreshStale(db);
        return forgotten;
      });
      const text = `${id} is forgotten: ${words(contents)}. The figures of ${contents.players} players are derived anew.`;
      printResult(output, options, { id, ...contents }, text);
    });
}

const words = ({ runs, files, characters, samples }: ServerContents): string =>
  `${runs} log runs, ${files} files, ${characters} characters, ${samples} samples for charts`;

function isConfigured({ configFile }: Environment, id: string): boolean {
  return readConfig(configFile).projects.some(({ servers }) => servers.some((server) => server.id === id));
}

async function confirm(id: string, contents: ServerContents): Promise<void> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) throw new CommandFailure('This deletes for good: add --yes.');
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`Delete ${words(contents)} of ${id} for good? (yes/no) `);
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('Nothing was deleted.');
  } finally {
    terminal.close();
  }
}

async function renameInPlacements({ dataFolder }: Environment, from: string, to: string): Promise<number> {
  const small = await openSmallStore(dataFolder, pino({ level: 'silent' }));
  try {
    return await createPlacementStore(small.of('bot')).renameServer(from, to);
  } finally {
    await small.close();
  }
}
