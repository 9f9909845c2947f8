import { placeKinds } from '../../config/schema/files.ts';
import { fileProblem } from '../../server/files/errors.ts';
import { needsPassphrase } from '../../server/files/remote/sftp/sftp-client.ts';
import type { FilePort } from '../../server/files/file-port.ts';
import { CommandFailure } from '../output.ts';
import { problemOf, readLoginAddress, type LoginAddress } from './address.ts';
import { askForGameAddress } from './ask-address.ts';
import type { Context } from './context.ts';
import {
  type HostPlace,
  hostKindNames,
  hostKindOfType,
  typesOfHost,
  hostOptions,
  type HostOption,
} from './host-kinds.ts';
import { keyAddressOf } from '../known-hosts.ts';
import { type FoundGameServer, logName, serversIn } from './find/servers-in.ts';
import { games } from '../../server/games/index.ts';
import { configFiles } from '../../server/games/table.ts';
import { Search, SearchBudget } from '../../server/games/search.ts';
import { orBack, type Prompts } from './prompts.ts';
import { readOptionFile, readSecretFile } from './options.ts';
import { planServer, tried, triedAddress } from './plan-server.ts';
import type { PlannedServer } from './plan.ts';
import type { TriedAddress } from './query-port.ts';
import { clockOfLogs } from './time-zone.ts';

const logNames = games.map(logName).join(' or ');

/** Hosts allow few requests at once, and each takes a while. */
const limits = { folders: 120, deadlineMs: 60_000 };
const attempts = 5;

/** Asks for the login of a host until it lets the user in, and looks for a game server there. Null: Enter alone. */
export async function askForHost(context: Context, prompts: Prompts): Promise<PlannedServer[] | null> {
  return await prompts.until(
    async () =>
      await prompts.text(`${hostKindNames} address, with the user name ${orBack}`, {
        placeholder: 'sftp://user@host:2022',
        check: (answer) => (answer === '' ? null : problemOf(() => readLoginAddress(answer))),
      }),
    async (text) => {
      const address = readLoginAddress(text);
      const ask = async () => await prompts.secret(`Password of ${address.username}`, required);
      return await serverAtHost(context, placesOf(address, address.password ?? (await ask()), null));
    },
    attempts,
  );
}

/** With the options alone. @throws CommandFailure */
export async function hostOfOptions(context: Context): Promise<PlannedServer[]> {
  const { options } = context;
  const { sftpKeyFile } = options;
  const option = hostOptions.find((one) => options[one] !== undefined) ?? 'sftp';
  const address = readLoginAddress(options[option] as string);
  if (sftpKeyFile !== undefined) {
    const privateKey = readKeyFile(sftpKeyFile);
    const passphrase = await passphraseOf(context, sftpKeyFile, privateKey);
    const key = { privateKey, ...(passphrase !== null && { passphrase }) };
    const place = { ...loginOf(address, 'sftp'), ...key };
    return await serverAtHost(context, [place], sftpKeyFile);
  }
  const file = options[`${option}PasswordFile`];
  const flag = `--${option}-password-file`;
  if (file === undefined && address.password === null) {
    throw new CommandFailure(`${flag} is missing: expected a file that holds the password`);
  }
  const password = file === undefined ? (address.password as string) : readSecretFile(file, flag);
  return await serverAtHost(context, placesOf(address, password, option));
}

/** In the order in which they are tried. */
const placesOf = (address: LoginAddress, password: string, option: HostOption | null): HostPlace[] =>
  typesOfHost(address, option).map((type) => ({ ...loginOf(address, type), password }));

const loginOf = <Type extends HostPlace['type']>({ host, port, username }: LoginAddress, type: Type) => ({
  type,
  host,
  port: port ?? (placeKinds[type].usualPort as number),
  username,
});

async function serverAtHost(
  context: Context,
  places: readonly HostPlace[],
  privateKeyFile?: string,
): Promise<PlannedServer[]> {
  const { place, files } = await logIn(context, places);
  context.report('Looking for the game server there. This can take a minute.');
  const search = new Search(files, new SearchBudget(limits));
  const { servers } = await serversIn(search, await rootOf(search), { isOneServers: true });
  const usable = servers.filter(({ logs, configFile }) => logs !== null || configFile !== null);
  if (usable.length === 0) {
    throw new CommandFailure(
      `The login works, but the folders there hold no ${configFiles} and no ${logNames}. ` +
        'Check that it is the login of the game server.',
    );
  }
  const planned: PlannedServer[] = [];
  for (const found of usable) planned.push(await planAtHost(context, found, place, files, privateKeyFile));
  return planned;
}

/** @throws CommandFailure */
async function logIn(
  { remote, trust, report, warn }: Context,
  places: readonly HostPlace[],
): Promise<{ place: HostPlace; files: FilePort }> {
  for (const [index, place] of places.entries()) {
    try {
      const at = remote.at(place);
      await at.login();
      const address = keyAddressOf(place);
      const key = address === null ? null : await trust.find(address);
      report(`Logged in to ${place.host} as ${place.username}${key === null ? '' : `. Its key: ${key}`}.`);
      if (placeKinds[place.type].isUnencrypted)
        warn('The host offers no encryption. The password and all data are sent unencrypted.');
      return { place, files: at.of('init') };
    } catch (error) {
      const problem = fileProblem(error);
      const isNext = index < places.length - 1 && /offers no TLS/.test(problem);
      if (!isNext) throw new CommandFailure(`${capital(problem)}. ${nextOf(place)}`, { cause: error });
    }
  }
  throw new Error('expected a place');
}

/** An address keeps its small letters. */
const capital = (text: string): string =>
  /^[a-z]+:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

const nextOf = ({ type }: HostPlace): string =>
  `Compare address, port, user name and password with what the panel of your host shows for ${hostKindOfType(type).name}.`;

/** Where the login leads, unless that is the root of everything that can be seen. */
async function rootOf(search: Search): Promise<string> {
  const [home, root] = [await search.names('.'), await search.names('/')];
  return home === null || (root !== null && root.join('/') === home.join('/')) ? '/' : '.';
}

async function planAtHost(
  context: Context,
  found: FoundGameServer,
  place: HostPlace,
  files: FilePort,
  privateKeyFile: string | undefined,
): Promise<PlannedServer> {
  // Without a config of its own, its folder is named after the login.
  const { game, isNamed } = found;
  const named = isNamed ? found : { ...found, name: `${game.name} at ${place.host}` };
  const tried = await gameAddress(context, named, place.host);
  const clock = await clockOfLogs(context, files, found, place);
  const located = { found: named, tried, port: files, place, clock, privateKeyFile };
  return { ...(await planServer(context, located)), isNamed };
}

/** Most hosts answer queries under the address of the SFTP server. Only where that is not so, the owner is asked. */
async function gameAddress(
  context: Context,
  { game, gamePort, queryPort, name }: FoundGameServer,
  host: string,
): Promise<TriedAddress> {
  const { options, prompts } = context;
  if (options.address !== undefined)
    return await triedAddress(context, game, options.address, gamePort, queryPort);
  const at = await tried(context, game, [host], gamePort, queryPort);
  if (at.answer !== null || prompts === null) return at;
  const question = `Address of ${name}, as players see it (Enter alone: ${host})`;
  return (await askForGameAddress(context, prompts, game, question, gamePort, queryPort)) ?? at;
}

const required = (answer: string): string | null => (answer === '' ? 'Expected a password.' : null);

/** Null: the key has none. @throws CommandFailure */
async function passphraseOf(
  { options, prompts }: Context,
  keyFile: string,
  privateKey: string,
): Promise<string | null> {
  if (!needsPassphrase(privateKey)) return null;
  const { sftpPassphraseFile: file } = options;
  const mistake = `This is not the passphrase of ${keyFile}.`;
  if (file !== undefined) {
    const passphrase = readSecretFile(file, '--sftp-passphrase-file');
    if (!needsPassphrase(privateKey, passphrase)) return passphrase;
    throw new CommandFailure(`--sftp-passphrase-file: ${file}: ${mistake}`);
  }
  if (prompts !== null) {
    return await prompts.secret(`Passphrase of ${keyFile}`, (answer) =>
      needsPassphrase(privateKey, answer) ? mistake : null,
    );
  }
  throw new CommandFailure(
    `--sftp-passphrase-file is missing: ${keyFile} has a passphrase, expected a file that holds it`,
  );
}

function readKeyFile(file: string): string {
  const key = readOptionFile(file, '--sftp-key-file');
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) return key;
  throw new CommandFailure(`--sftp-key-file: ${file} is no private key in OpenSSH's or PEM's form`);
}
