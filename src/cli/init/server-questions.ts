import { existsSync } from 'node:fs';
import { lookup } from 'node:dns/promises';
import { resolve } from 'node:path';
import { needsPassphrase } from 'game-files';
import { port as portSchema, timezone as timezoneSchema } from '../../config/schema/values.ts';
import { CommandFailure } from '../output.ts';
import {
  addressOnly,
  findAtHost,
  findAtNitrado,
  findHere,
  type FoundServer,
  rentedAtNitrado,
} from './find.ts';
import {
  type GameAddress,
  logIn,
  type Login,
  type LoginSecret,
  readGameAddress,
  readLoginAddress,
} from './login.ts';
import { readOptionFile } from './options.ts';
import { AskAgain, UsageMistake, type World } from './questions.ts';

/** The options that say where a game server is. */
const placeOptions = ['folder', 'login', 'nitradoTokenFile', 'address'] as const;

const exampleFolder = process.platform === 'win32' ? 'C:\\DayZServer' : '/home/dayz/serverfiles';
const howToSayWhere = `Say where your DayZ server is by one of these:
  its folder on this machine   ${exampleFolder}
  SFTP or FTP                  sftp://user@host:2022, as the panel of your host shows it
  a server at Nitrado          nitrado
  its address alone            203.0.113.7:2302, to show only its status`;

/** Asks where the game servers are, and finds them there; none: there is none yet. @throws CommandFailure */
export async function findGameServers(world: World): Promise<FoundServer[]> {
  const { options, questions } = world;
  if (!options.server) return [];
  const named = placeOptions.find((name) => options[name] !== undefined);
  return await questions.answer({
    option: named,
    async ask(prompts) {
      prompts.info(howToSayWhere);
      return await prompts.text('Where is your DayZ server? (Enter alone: I have none yet)', exampleFolder);
    },
    missing:
      'Nothing says where the game server is, and nobody is asked: name it with --folder, --login, --nitrado-token-file or --address, or add --no-server.',
    async check(text, isAsked) {
      if (text === null) return [];
      return await findAt(isAsked || named === undefined ? optionFor(text) : named, text, world);
    },
  });
}

/** The option that would say what was typed. */
function optionFor(text: string): (typeof placeOptions)[number] {
  const startsAsPath = /^(?:["'/\\~.]|[a-z]:[\\/])/i.test(text);
  if (startsAsPath || existsSync(text)) return 'folder';
  if (/^nitrado$/i.test(text)) return 'nitradoTokenFile';
  return /@|^\w+:\/\//.test(text) ? 'login' : 'address';
}

async function findAt(
  option: (typeof placeOptions)[number],
  text: string,
  world: World,
): Promise<FoundServer[]> {
  switch (option) {
    case 'folder':
      return [await findHere(text)];
    case 'login':
      return [await findAtHost(await logInAs(text, world), world)];
    case 'nitradoTokenFile':
      return await findRented(world);
    case 'address':
      return [addressOnly(await knownAddress(text), world.options.name ?? null)];
  }
}

const orBack = '(Enter alone: back)';

/** Logs in at a host. A wrong password is asked for again, until Enter alone leads back to the address. */
async function logInAs(text: string, world: World): Promise<Login> {
  const address = readLoginAddress(text);
  const { questions } = world;
  const key = await readKey(world);
  if (key !== null) return await logIn(address, key, world);
  // Some panels show addresses that contain one.
  if (address.password !== null) return await logIn(address, { password: address.password }, world);
  const login = await questions.answer({
    option: 'passwordFile',
    isSecretFile: true,
    ask: async (prompts) => await prompts.secret(`Password of ${address.username} ${orBack}`),
    missing: '--password-file is missing: expected a file that holds the password',
    check: async (password) => (password === null ? null : await logIn(address, { password }, world)),
  });
  if (login === null) throw new AskAgain();
  return login;
}

/** The private key that an option names; null: the login is by password. */
async function readKey({ questions }: World): Promise<LoginSecret | null> {
  const file = questions.take('keyFile');
  if (file === undefined) return null;
  const privateKey = readOptionFile(file);
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(privateKey))
    throw new CommandFailure(`--key-file: ${file} is no private key in OpenSSH's or PEM's form`);
  // A relative path in the config is taken from its folder.
  const key = { keyFile: resolve(file), privateKey };
  if (!(await needsPassphrase(privateKey))) return key;
  return await questions.answer({
    option: 'passphraseFile',
    isSecretFile: true,
    ask: async (prompts) => await prompts.secret(`Passphrase of ${key.keyFile}`),
    missing: `--passphrase-file is missing: ${key.keyFile} has a passphrase, expected a file that holds it`,
    async check(passphrase) {
      if (passphrase !== null && !(await needsPassphrase(privateKey, passphrase)))
        return { ...key, passphrase };
      throw new CommandFailure(`This is not the passphrase of ${key.keyFile}.`);
    },
  });
}

/** All DayZ servers of an account at Nitrado, or those that an option names. */
async function findRented(world: World): Promise<FoundServer[]> {
  const { questions, environment } = world;
  const account = await questions.answer({
    option: 'nitradoTokenFile',
    isSecretFile: true,
    async ask(prompts) {
      prompts.info(
        'Create a long-life token with the scope "service": https://server.nitrado.net/developer/tokens',
      );
      return await prompts.secret(`Token of Nitrado ${orBack}`);
    },
    async check(token) {
      if (token === null) return null;
      const login = { token, baseUrl: environment.nitradoApiUrl };
      return { login, rented: await rentedAtNitrado(login) };
    },
  });
  if (account === null) throw new AskAgain();
  const { login, rented } = account;
  const chosen = await questions.answer({
    option: 'nitradoService',
    check: (ids) =>
      (ids?.split(',') ?? rented.map(({ serviceId }) => serviceId)).map((id) => {
        const server = rented.find(({ serviceId }) => serviceId === id.trim());
        if (server !== undefined) return server;
        const list = rented.map(({ serviceId, name }) => `${serviceId} (${name})`).join(', ');
        throw new CommandFailure(`This account has no DayZ server ${id}. It has ${list}.`);
      }),
  });
  const found: FoundServer[] = [];
  for (const server of chosen) {
    try {
      found.push(await findAtNitrado(login, server, world));
    } catch (error) {
      // One of several may be suspended.
      if (!(error instanceof CommandFailure) || chosen.length === 1) throw error;
      world.warn(error.message);
    }
  }
  if (found.length === 0) throw new CommandFailure('None of the servers of this account can be reached.');
  return found;
}

/** The query port of the game server; null: it is found. */
export const askQueryPort = async ({ questions }: World): Promise<number | null> =>
  await questions.answer({
    option: 'queryPort',
    check(text) {
      if (text === null) return null;
      const queryPort = Number(text);
      if (portSchema.safeParse(queryPort).success) return queryPort;
      throw new UsageMistake('Expected a port from 1 to 65535');
    },
  });

/** Where players connect; null: where the files are. @param ask left out: it is not asked */
export const askAddress = async (
  { questions }: World,
  ask?: { server: string; host: string },
): Promise<GameAddress | null> =>
  await questions.answer({
    option: 'address',
    ask:
      ask &&
      (async (prompts) =>
        await prompts.text(
          `Address of ${ask.server}, as players see it (Enter alone: ${ask.host})`,
          '203.0.113.7:2302',
        )),
    check: async (text) => (text === null ? null : await knownAddress(text)),
  });

/** Queries are sent over IPv4. @throws CommandFailure when the host has no such address */
async function knownAddress(text: string): Promise<GameAddress> {
  const address = readGameAddress(text);
  const found = await lookup(address.host, { family: 4 }).catch(() => null);
  if (found?.family === 4) return address;
  throw new CommandFailure(
    `No IPv4 address was found for ${address.host}. Check its spelling, and that this machine has a network.`,
  );
}

/** Of the machine that writes the logs. */
export interface TimeZone {
  name: string;
  /** The zone of this machine was taken, because there was no terminal to ask on. */
  isGuess: boolean;
}

/** Logs on this machine are most likely written here, so the zone is asked only for others. */
export async function askTimezone(
  servers: readonly { logs: string | null; place: object | null }[],
  world: World,
): Promise<TimeZone> {
  const { prompts, questions, report } = world;
  if (servers.length === 0) return { name: 'UTC', isGuess: false };
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  const withLogs = servers.filter(({ logs }) => logs !== null);
  const isAsked = withLogs.some(({ place }) => place !== null);
  return await questions.answer({
    option: 'timezone',
    ask: isAsked
      ? async (terminal) =>
          await terminal.text(`Time zone of the machine with the logs (Enter alone: ${own})`, 'Europe/Berlin')
      : undefined,
    check(name) {
      if (name !== null && !timezoneSchema.safeParse(name).success)
        throw new (prompts === null ? UsageMistake : CommandFailure)(
          'Expected an IANA time zone such as Europe/Berlin or UTC',
        );
      if (name === null && withLogs.length > 0)
        report(`The logs are read by the clock of ${own}, the time zone of this machine.`);
      return { name: name ?? own, isGuess: name === null && prompts === null };
    },
  });
}
