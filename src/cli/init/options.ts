import type { Command } from 'commander';
import { readTextIfThere } from '../../config/text-file.ts';
import { dayz } from '../../server/games/dayz/facts/index.ts';
import { ofAllGames } from '../../server/games/table.ts';
import { CommandFailure } from '../output.ts';

/** The options that answer questions, by the name that commander gives them. */
const serverOptions = {
  folder: [
    '--folder <folder>',
    `the folder of a game server on this machine, or its ${dayz.words.configFile}`,
  ],
  login: [
    '--login <address>',
    "where a rented server's files are: sftp://user@host:2022 or ftp://user@host:21",
  ],
  passwordFile: ['--password-file <file>', 'a file with the password'],
  keyFile: ['--key-file <file>', 'a private key for SFTP, instead of the password'],
  passphraseFile: ['--passphrase-file <file>', 'a file with the passphrase of that key'],
  nitradoTokenFile: [
    '--nitrado-token-file <file>',
    'a file with a long-life token of Nitrado, scope "service"',
  ],
  nitradoService: ['--nitrado-service <ids>', 'which servers of the account, with commas; default: all'],
  address: [
    '--address <host:port>',
    'where players connect to the game server; alone: only its status is shown',
  ],
  queryPort: ['--query-port <port>', `${ofAllGames(({ words }) => words.queryPort)} of the game server`],
  timezone: [
    '--timezone <zone>',
    'of the machine that writes the logs, such as Europe/Berlin; default: that of this machine',
  ],
} as const;

const botOptions = {
  name: ['--name <name>', "the community's name; default: that of the Discord server"],
  discordTokenFile: ['--discord-token-file <file>', "a file with the bot's token; default: DISCORD_TOKEN"],
  guild: ['--guild <id or name>', 'your Discord server; default: the only one that the bot is in'],
  show: [
    '--show <list>',
    'what to show, with commas: status, leaderboard, kill-feed, recap (each in --channel, or as recap=CHANNEL in its own) and page, the public page; default: status,leaderboard,recap as far as there are logs',
  ],
  channel: ['--channel <id or name>', 'the channel of the posts; default: none, so that nothing is posted'],
} as const;

const rows = { ...serverOptions, ...botOptions };
export type OptionName = keyof typeof rows;
export const optionNames = Object.keys(rows) as OptionName[];

export interface InitOptions extends Partial<Record<OptionName, string>> {
  yes?: boolean;
  /** False with `--no-server`. */
  server: boolean;
  /** False with `--no-discord`. */
  discord: boolean;
}

export function withInitOptions(command: Command): Command {
  command.option('--yes', 'ask nothing: take what the options say and what is found');
  for (const [flags, about] of Object.values(serverOptions)) {
    const option = command.createOption(flags, about);
    if (flags === serverOptions.nitradoService[0]) option.argParser(joined);
    command.addOption(option);
  }
  command.option('--no-server', 'set up no game server');
  for (const [flags, about] of Object.values(botOptions)) command.option(flags, about);
  return command.option('--no-discord', 'set up no bot');
}

/** An option that is repeated means the same as one with commas. */
const joined = (value: string, before?: string): string =>
  before === undefined ? value : `${before},${value}`;

/** `--password-file` */
export const flagOf = (name: OptionName): string => rows[name][0].replace(/ .*/, '');

/** A password or token in a file, without the line break at its end. @throws CommandFailure */
export function readSecretFile(file: string): string {
  const text = readOptionFile(file).trim();
  if (/[\r\n]/.test(text)) throw new CommandFailure(`${file} has several lines, one was expected`);
  return text;
}

/** @throws CommandFailure or ConfigError */
export function readOptionFile(file: string): string {
  const text = readTextIfThere(file);
  if (text === null) throw new CommandFailure(`there is no file ${file}. Create it, or correct the path.`);
  if (text.trim() === '') throw new CommandFailure(`${file} is empty`);
  return text;
}
