import { InvalidArgumentError, Option, type Command } from 'commander';
import { identifierExpectation, parseIdentifier, type Identifier } from '../api/identifiers.ts';
import { banCategories, type Ban } from '../api/resources.ts';
import { readEnvironment } from '../config.ts';
import { addBan, liftBan } from '../server/ingest/bans.ts';
import { withConfiguredStore } from './open-store.ts';
import { CommandFailure, printResult, withJson, type Output } from './output.ts';

interface Target {
  json?: boolean;
  banlist: string;
  player: Identifier;
}

export function addBanCommands(program: Command, output: Output): void {
  const command = program.command('ban').description('bans made by hand, beside those of ban files');

  targeted(command.command('add'))
    .description('ban a player on a list; PENDING unless a game server’s own file bans the player')
    .addOption(new Option('--category <category>').choices(banCategories).makeOptionMandatory())
    .requiredOption('--reason <text>', 'what members are told')
    .option('--for <duration>', 'such as 12h, 7d or 2w; left out: for good', parseDuration)
    .action(async (options: Target & { category: Ban['category']; reason: string; for?: number }) => {
      const { banlist: listId, player, category, reason } = options;
      const expiresAt = options.for === undefined ? null : Date.now() + options.for;
      await withConfiguredStore(readEnvironment(), (db) =>
        addBan(db, { listId, player, category, reason, expiresAt }),
      );
      const until = expiresAt === null ? null : new Date(expiresAt).toISOString();
      const text = `${player.value} is banned on ${listId} ${until === null ? 'for good' : `until ${until}`}.`;
      printResult(output, options, { banlist: listId, player, category, reason, expiresAt: until }, text);
    });

  targeted(command.command('lift'))
    .description('lift the bans of a player that were made by hand or imported')
    .action(async (options: Target) => {
      const { banlist: listId, player } = options;
      const report = await withConfiguredStore(readEnvironment(), (db) => liftBan(db, { listId, player }));
      const still = report.stillIn.map(
        (source) => `\n  still banned by ${source}: take the line out of that file`,
      );
      if (report.lifted === 0) {
        throw new CommandFailure(
          `${player.value} has no ban made by hand or imported on ${listId}.${still.join('')}`,
        );
      }
      printResult(output, options, { banlist: listId, player, ...report }, `Lifted.${still.join('')}`);
    });
}

function targeted(command: Command): Command {
  return withJson(command)
    .requiredOption('--banlist <id>')
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
    throw new InvalidArgumentError('Expected at most 100 years; leave it out to ban for good.');
  }
  return duration;
}
