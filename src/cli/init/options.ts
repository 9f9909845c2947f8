import type { Command } from 'commander';
import { ConfigError } from '../../config/error.ts';
import { readProblem, readTextFile } from '../../config/text-file.ts';
import { gameNames, ofAllGames } from '../../server/games/table.ts';
import { CommandFailure } from '../output.ts';

/** An option that answers a question of `questions.ts`. */
interface OptionRow {
  flags: string;
  about: string;
  /** Where it has no effect otherwise, as the end of "--guild has no effect here: it needs …". */
  needs: string;
  isRepeatable?: true;
}

const onePlace = 'to be the only place that is named, and no --no-server';
const aLogin = '--login, and one secret only';
const aServer = 'a game server';
const aBot = "the bot's token (--discord-token-file, or DISCORD_TOKEN)";

const rows = {
  folder: {
    flags: '--folder <folder>',
    about: 'the folder of a game server on this machine, or one that holds several',
    needs: onePlace,
  },
  login: {
    flags: '--login <address>',
    about: "where a rented server's files are: sftp://user@host:2022 or ftp://user@host:21",
    needs: onePlace,
  },
  passwordFile: { flags: '--password-file <file>', about: 'a file with the password', needs: aLogin },
  keyFile: {
    flags: '--key-file <file>',
    about: 'a private key for SFTP, instead of the password',
    needs: aLogin,
  },
  passphraseFile: {
    flags: '--passphrase-file <file>',
    about: 'a file with the passphrase of that key',
    needs: '--key-file with a key that has a passphrase',
  },
  nitradoTokenFile: {
    flags: '--nitrado-token-file <file>',
    about: 'a file with a long-life token of Nitrado, scope "service"',
    needs: onePlace,
  },
  nitradoService: {
    flags: '--nitrado-service <id>',
    about: `which server of the account; repeatable; default: all ${gameNames} servers`,
    needs: '--nitrado-token-file',
    isRepeatable: true,
  },
  address: {
    flags: '--address <host:port>',
    about: 'where players connect to the game server; alone: only its status is shown',
    needs: aServer,
  },
  queryPort: {
    flags: '--query-port <port>',
    about: `${ofAllGames(({ words }) => words.queryPort)} of the game server`,
    needs: aServer,
  },
  timezone: {
    flags: '--timezone <zone>',
    about: 'of the machine that writes the logs, such as Europe/Berlin; default: that of this machine',
    needs: aServer,
  },
  name: {
    flags: '--name <name>',
    about: "the community's name; default: that of the Discord server",
    needs: '',
  },
  discordTokenFile: {
    flags: '--discord-token-file <file>',
    about: "a file with the bot's token; default: DISCORD_TOKEN",
    needs: 'no --no-discord',
  },
  guild: {
    flags: '--guild <id or name>',
    about: 'your Discord server; default: the only one that the bot is in',
    needs: aBot,
  },
  channel: {
    flags: '--channel <id or name>',
    about: 'the channel of the status post; default: none',
    needs: aBot,
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

export type OptionName = keyof typeof rows;

export const optionRows: Readonly<Record<OptionName, OptionRow>> = rows;

export const optionNames = Object.keys(rows) as OptionName[];

export interface InitOptions extends Partial<Record<OptionName, string | string[]>> {
  yes?: boolean;
  json?: boolean;
  /** False with `--no-server`. */
  server: boolean;
  /** False with `--no-discord`. */
  discord: boolean;
}

export function withInitOptions(command: Command): Command {
  command.option('--yes', 'ask nothing: take what the options say and what is found');
  const all = Object.values(optionRows);
  const ofBot = all.indexOf(optionRows.name);
  all.slice(0, ofBot).forEach((row) => add(command, row));
  command.option('--no-server', 'set up no game server');
  all.slice(ofBot).forEach((row) => add(command, row));
  return command.option('--no-discord', 'set up no bot');
}

function add(command: Command, { flags, about, isRepeatable }: OptionRow): void {
  const collect = (value: string, all: string[] = []): string[] => [...all, value];
  if (isRepeatable) command.option(flags, about, collect);
  else command.option(flags, about);
}

/** `--password-file` */
export const flagOf = (name: OptionName): string => optionRows[name].flags.replace(/ .*/, '');

/** A password or token in a file, without the line break at its end. @throws CommandFailure */
export function readSecretFile(file: string): string {
  const text = readOptionFile(file).trim();
  if (/[\r\n]/.test(text)) throw new CommandFailure(`${file} has several lines, one was expected`);
  return text;
}

/** @throws CommandFailure */
export function readOptionFile(file: string): string {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandFailure(error.message);
    const problem = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      problem.code === 'ENOENT'
        ? `there is no file ${file}. Create it with the secret in it, or correct the path.`
        : readProblem(file, problem),
    );
  }
  if (text.trim() === '') throw new CommandFailure(`${file} is empty`);
  return text;
}
