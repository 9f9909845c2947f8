import type { Command } from 'commander';
import { ConfigError } from '../../config/error.ts';
import { readProblem, readTextFile } from '../../config/text-file.ts';
import { configFiles, gameNames, ofAllGames } from '../../server/games/table.ts';
import { CommandFailure } from '../output.ts';
import { type HostOption, hostOptions, hostKinds } from './host-kinds.ts';

type HostOptions = Partial<Record<HostOption | `${HostOption}PasswordFile`, string>>;

export interface InitOptions extends HostOptions {
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
  sftpKeyFile?: string;
  sftpPassphraseFile?: string;
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
  command
    .option('--yes', 'ask nothing: take what the options say and what is found')
    .option('--add', 'add a game server to the config that is there')
    .option('--project <slug>', 'the project that it is added to; default: the only one')
    .option(
      '--server-config <file>',
      `the ${configFiles} of a game server on this machine, or its folder; repeatable`,
      collect,
    )
    .option(
      '--address <host:port>',
      'where players connect to the game server; alone: only its status is shown',
    )
    .option('--query-port <port>', `${ofAllGames(({ words }) => words.queryPort)} of the game server`)
    .option('--timezone <zone>', 'of the machine that writes the logs, such as Europe/Berlin');
  for (const option of hostOptions) withHostOptions(command, option);
  return command
    .option('--nitrado-token-file <file>', 'a file with a long-life token of Nitrado, scope "service"')
    .option(
      '--nitrado-service <id>',
      `which server of the account; repeatable; default: all ${gameNames} servers`,
      collect,
    )
    .option('--no-server', 'set up no game server')
    .option('--name <name>', "the community's name; default: that of the Discord server")
    .option('--discord-token-file <file>', "a file with the bot's token; default: DISCORD_TOKEN")
    .option('--guild <id or name>', 'your Discord server; default: the only one that the bot is in')
    .option('--channel <id or name>', 'the channel of the status post; default: none')
    .option('--no-discord', 'set up no bot');
}

function withHostOptions(command: Command, option: HostOption): void {
  const { about, moreOptions = [] } = hostKinds[option];
  command
    .option(`--${option} <user@host:port>`, about)
    .option(`--${option}-password-file <file>`, 'a file with the password');
  for (const [flags, text] of moreOptions) command.option(flags, text);
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
    if (error instanceof ConfigError) throw new CommandFailure(`${flag}: ${error.message}`);
    const problem = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      problem.code === 'ENOENT'
        ? `${flag}: there is no file ${file}. Create it with the secret in it, or correct the path.`
        : `${flag}: ${readProblem(file, problem)}`,
    );
  }
  if (text.trim() === '') throw new CommandFailure(`${flag}: ${file} is empty`);
  return text;
}
