import { InvalidArgumentError, Option, type Command } from 'commander';
import { identifierExpectation, parseIdentifier, type Identifier } from '../api/identifiers.ts';
import { banCategories, type Ban } from '../api/resources.ts';
import { readEnvironment } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { addBan, liftBan } from '../server/ingest/bans/by-hand.ts';
import { withConfiguredStore, withStore } from './open-store.ts';
import { CommandFailure, printResult, withJson, type Output } from './output.ts';

interface Target {
  json?: boolean;
  banlist: string;
  player: Identifier;
}

export function addBanCommands(program: Command, output: Output): void {
  const command = program.command('ban').description('add and lift bans by hand');

  targeted(command.command('add'))
    .description('ban a player on a list; PENDING on a server until its own file bans the player')
    .addOption(
      new Option('--category <category>', 'the kind of offence').choices(banCategories).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'shown to members')
    .option('--for <duration>', 'such as 12h, 7d or 2w (default: permanent)', parseDuration)
    .action(async (options: Target & { category: Ban['category']; reason: string; for?: number }) => {
      const { banlist: listId, player, category, reason } = options;
      const expiresAt = options.for === undefined ? null : Date.now() + options.for;
      const writable = await withConfiguredStore(readEnvironment(), async (db, config) => {
        await addBan(db, { listId, player, category, reason, expiresAt });
        return writableFiles(config, listId);
      });
      const until = expiresAt === null ? null : new Date(expiresAt).toISOString();
      const next =
        writable.length === 0
          ? [
              '  PENDING on a server until its ban file contains it: add it there, or set write: true on the source.',
            ]
          : writable.map((file) => `  A running Outpost writes it into ${file} within seconds.`);
      const text = `${player.value} is banned on ${listId} ${until === null ? 'permanently' : `until ${until}`}.`;
      const result = { banlist: listId, player, category, reason, expiresAt: until, writable };
      printResult(output, options, result, [text, ...next].join('\n'));
    });

  targeted(command.command('lift'))
    .description('lift the bans of a player that were made by hand or imported')
    .action(async (options: Target) => {
      const { banlist: listId, player } = options;
      const { lifted, stillIn, removedFrom } = await withConfiguredStore(
        readEnvironment(),
        async (db, config) => {
          const report = await liftBan(db, { listId, player });
          // In files that Outpost may no longer write, the line has to be removed by hand.
          const writable = new Set(writableFiles(config, listId));
          const isWritable = (source: string) => writable.has(source.slice(source.indexOf(':') + 1));
          return {
            lifted: report.lifted,
            stillIn: [...report.stillIn, ...report.written.filter((source) => !isWritable(source))],
            removedFrom: report.written.filter(isWritable),
          };
        },
        withStore,
      );
      const next = [
        ...removedFrom.map((source) => `\n  a running Outpost removes it from ${source} within seconds`),
        ...stillIn.map((source) => `\n  still banned by ${source}: remove the line from that file`),
      ].join('');
      if (lifted === 0) {
        throw new CommandFailure(`${player.value} has no ban made by hand or imported on ${listId}.${next}`);
      }
      const result = { banlist: listId, player, lifted, stillIn, removedFrom };
      printResult(output, options, result, `Lifted.${next}`);
    });
}

/** The files of a list that Outpost may write. */
function writableFiles({ projects }: Config, listId: string): string[] {
  const lists = projects.flatMap(({ banlists }) => banlists);
  const sources = lists.find(({ id }) => id === listId)?.sources ?? [];
  return sources.filter(({ write }) => write).map(({ file }) => file);
}

function targeted(command: Command): Command {
  return withJson(command)
    .requiredOption('--banlist <id>', 'the ban list, as in the config')
    .requiredOption('--player <identifier>', identifierExpectation, parsePlayer);
}

function parsePlayer(text: string): Identifier {
  const identifier = parseIdentifier(text);
  if (identifier === null) throw new InvalidArgumentError(`Expected ${identifierExpectation}.`);
  return identifier;
}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const longestDuration = 100 * 365.25 * 86_400_000;

/** `7d` in milliseconds. */
function parseDuration(text: string): number {
  const [, figure, unit = ''] = /^([1-9][0-9]{0,5})([mhdw])$/.exec(text) ?? [];
  const length = units[unit];
  if (figure === undefined || length === undefined) {
    throw new InvalidArgumentError('Expected a number and m, h, d or w, such as 12h or 7d.');
  }
  const duration = Number(figure) * length;
  if (duration > longestDuration) {
    throw new InvalidArgumentError('Expected at most 100 years; leave it out for a permanent ban.');
  }
  return duration;
}
