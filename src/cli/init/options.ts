import type { Command } from 'commander';
import { readTextFile } from '../../config/text-file.ts';
import { CommandFailure } from '../output.ts';

export interface InitOptions {
  yes?: boolean;
  json?: boolean;
  add?: boolean;
  project?: string;
  /** False with `--no-server`. */
  server: boolean;
  serverConfig?: string[];
  address?: string;
  queryPort?: string;
  timezone?: string;
  sftp?: string;
  sftpPasswordFile?: string;
  sftpKeyFile?: string;
  sftpPassphraseFile?: string;
  ftp?: string;
  ftpPasswordFile?: string;
  nitradoTokenFile?: string;
  nitradoService?: string[];
  name?: string;
  /** False with `--no-discord`. */
  discord: boolean;
  discordTokenFile?: string;
  guild?: string;
  channel?: string;
}

const collect = (value: string, all: string[] = []): string[] => [...all, value];

export function withInitOptions(command: Command): Command {
  return command
    .option('--yes', 'ask nothing: take what the options say and what is found')
    .option('--add', 'add a game server to the config that is there')
    .option('--project <slug>', 'the project that it is added to; default: the only one')
    .option(
      '--server-config <file>',
      'the serverDZ.cfg of a game server on this machine, or its folder; repeatable',
      collect,
    )
    .option(
      '--address <host:port>',
      'where players connect to the game server; alone: only its status is shown',
    )
    .option('--query-port <port>', 'steamQueryPort of the game server')
    .option('--timezone <zone>', 'of the machine that writes the logs, such as Europe/Berlin')
    .option('--sftp <user@host:port>', "where a rented server's files are")
    .option('--sftp-password-file <file>', 'a file with the password')
    .option('--sftp-key-file <file>', 'a private key, instead of the password')
    .option('--sftp-passphrase-file <file>', 'a file with the passphrase of that key')
    .option('--ftp <user@host:port>', 'the same by FTP; with TLS where the host offers it')
    .option('--ftp-password-file <file>', 'a file with the password')
    .option('--nitrado-token-file <file>', 'a file with a long-life token of Nitrado, scope "service"')
    .option(
      '--nitrado-service <id>',
      'which server of the account; repeatable; default: all DayZ servers',
      collect,
    )
    .option('--no-server', 'set up no game server')
    .option('--name <name>', "the community's name; default: that of the Discord server")
    .option('--discord-token-file <file>', "a file with the bot's token; default: DISCORD_TOKEN")
    .option('--guild <id or name>', 'your Discord server; default: the only one that the bot is in')
    .option('--channel <id or name>', 'the channel of the status post; default: none')
    .option('--no-discord', 'set up no bot');
}

/** A password or token in a file, without the line break at its end. @throws CommandFailure */
export function readSecretFile(file: string, flag: string): string {
  const text = readOptionFile(file, flag).trim();
  if (/[\r\n]/.test(text)) throw new CommandFailure(`${flag}: ${file} has several lines, one was expected`);
  return text;
}

/** @throws CommandFailure */
export function readOptionFile(file: string, flag: string): string {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw new CommandFailure(`${flag}: cannot read ${file}: ${(error as Error).message}`);
  }
  if (text.trim() === '') throw new CommandFailure(`${flag}: ${file} is empty`);
  return text;
}
