import { lookup } from 'node:dns/promises';
import { resolve } from 'node:path';
import { needsPassphrase } from 'game-files';
import { port as portSchema, timezone as timezoneSchema } from '../../config/schema/values.ts';
import { CommandFailure } from '../output.ts';
import { type GameAddress, readGameAddress, readLoginAddress } from './address.ts';
import type { Answers, World } from './answers.ts';
import { addressOnly, findAtHost, findAtNitrado, findHere, rentedAtNitrado } from './find.ts';
import { logIn } from './login.ts';
import { readOptionFile } from './options.ts';
import { question, type Question, UsageMistake } from './question.ts';
import { planServers, triedAddress } from './plan.ts';

/** The end of a question that leads back to the one before it. */
const orBack = '(Enter alone: back)';

/** What is asked of the game server, in this order. */
export const serverQuestions: readonly Question[] = [
  question({
    key: 'place',
    when: () => true,
    given({ options }) {
      const place = placeOf(options);
      return place && { origin: '', read: () => place };
    },
    ask: async (prompts) =>
      await prompts.select('Where is your DayZ server?', [
        { value: 'folder', label: 'In a folder on this machine' },
        { value: 'login', label: 'At a host, by SFTP or FTP' },
        { value: 'nitrado', label: 'At Nitrado (PC, Xbox, PlayStation)' },
        { value: 'address', label: 'Somewhere else: show only its status' },
        { value: 'none', label: 'I have none yet' },
      ]),
    check(place) {
      if (place !== null) return place as Answers['place'];
      throw new CommandFailure(
        'Nothing says where the game server is, and nobody is asked: name it with --folder, --login, --nitrado-token-file or --address, or add --no-server.',
      );
    },
  }),
  question({
    key: 'found',
    option: 'folder',
    when: ({ place }) => place === 'folder',
    ask: async (prompts) =>
      await prompts.text(
        `Folder of the game server ${orBack}`,
        process.platform === 'win32' ? 'C:\\DayZServer' : '/home/dayz/serverfiles',
      ),
    back: 'place',
    check: async (folder) => [await findHere(folder as string)],
  }),

  question({
    key: 'login',
    option: 'login',
    when: ({ place }) => place === 'login',
    ask: async (prompts) =>
      await prompts.text(`SFTP or FTP address, with the user name ${orBack}`, 'sftp://user@host:2022'),
    back: 'place',
    check: (text) => readLoginAddress(text as string),
  }),
  question({
    key: 'key',
    option: 'keyFile',
    when: ({ login }) => login !== undefined,
    async check(file) {
      if (file === null) return null;
      const text = readOptionFile(file);
      // A relative path in the config is taken from its folder.
      if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
        return { file: resolve(file), text, needsPassphrase: await needsPassphrase(text) };
      throw new CommandFailure(`${file} is no private key in OpenSSH's or PEM's form`);
    },
  }),
  question({
    key: 'secret',
    option: 'passphraseFile',
    isSecretFile: true,
    when: ({ key }) => key?.needsPassphrase === true,
    ask: async (prompts, { key }) => await prompts.secret(`Passphrase of ${key?.file}`),
    async check(passphrase, answers, { prompts }) {
      const key = answers.key as NonNullable<Answers['key']>;
      if (passphrase === null && prompts === null)
        throw new CommandFailure(
          `--passphrase-file is missing: ${key.file} has a passphrase, expected a file that holds it`,
        );
      if (passphrase === null || (await needsPassphrase(key.text, passphrase)))
        throw new CommandFailure(`This is not the passphrase of ${key.file}.`);
      return { keyFile: key.file, privateKey: key.text, passphrase };
    },
  }),
  question({
    key: 'secret',
    when: ({ key }) => key != null,
    check: (_, { key }) => ({ keyFile: key?.file as string, privateKey: key?.text as string }),
  }),
  // Some panels show addresses that contain one.
  question({
    key: 'secret',
    when: ({ login }) => login?.password != null,
    check: (_, { login }) => ({ password: login?.password as string }),
  }),
  question({
    key: 'secret',
    option: 'passwordFile',
    isSecretFile: true,
    when: ({ login }) => login !== undefined,
    ask: async (prompts, { login }) => await prompts.secret(`Password of ${login?.username} ${orBack}`),
    back: 'login',
    check(password) {
      if (password !== null) return { password };
      throw new CommandFailure('--password-file is missing: expected a file that holds the password');
    },
  }),
  question({
    key: 'host',
    when: ({ secret }) => secret !== undefined,
    check: async (_, { login, secret }, world) =>
      await logIn(login as Answers['login'], secret as Answers['secret'], world),
  }),
  question({
    key: 'found',
    when: ({ host }) => host !== undefined,
    back: 'login',
    check: async (_, { host }, world) => [await findAtHost(host as Answers['host'], world)],
  }),

  question({
    key: 'account',
    option: 'nitradoTokenFile',
    isSecretFile: true,
    when: ({ place }) => place === 'nitrado',
    async ask(prompts) {
      prompts.info(
        'Create a long-life token with the scope "service": https://server.nitrado.net/developer/tokens',
      );
      return await prompts.secret(`Token of Nitrado ${orBack}`);
    },
    back: 'place',
    async check(token, _, { environment }) {
      const account = { token: token as string, baseUrl: environment.nitradoApiUrl };
      return { account, rented: await rentedAtNitrado(account) };
    },
  }),
  question({
    key: 'found',
    option: 'nitradoService',
    when: ({ account }) => account !== undefined,
    async ask(prompts, { account }) {
      const { rented } = account as Answers['account'];
      if (rented.length === 1) return '';
      return await prompts.select('Which server?', [
        ...rented.map(({ serviceId, name, game }) => ({
          value: serviceId,
          label: name,
          hint: `${game}, ${serviceId}`,
        })),
        { value: '', label: `All ${rented.length}` },
      ]);
    },
    async check(text, answers, world) {
      const { account, rented } = answers.account as Answers['account'];
      const ids = text === null ? rented.map(({ serviceId }) => serviceId) : text.split(',');
      const chosen = ids.map((id) => {
        const server = rented.find(({ serviceId }) => serviceId === id);
        if (server !== undefined) return server;
        const list = rented.map(({ serviceId, name }) => `${serviceId} (${name})`).join(', ');
        throw new CommandFailure(`This account has no DayZ server ${id}. It has ${list}.`);
      });
      const found = [];
      for (const server of chosen) found.push(await findAtNitrado(account, server, world));
      return found;
    },
  }),

  question({
    key: 'address',
    option: 'address',
    when: ({ place }) => place === 'address',
    ask: async (prompts) =>
      await prompts.text(`Address of the game server, as players see it ${orBack}`, '203.0.113.7:2302'),
    back: 'place',
    check: async (text) => await knownAddress(text as string),
  }),
  question({
    key: 'queryPort',
    option: 'queryPort',
    when: ({ place }) => place !== 'none',
    check(text) {
      if (text === null) return null;
      const queryPort = Number(text);
      if (portSchema.safeParse(queryPort).success) return queryPort;
      throw new UsageMistake('Expected a port from 1 to 65535');
    },
  }),
  question({
    key: 'address',
    option: 'address',
    when: ({ place }) => place !== 'none',
    async ask(prompts, answers) {
      // Most hosts answer queries under the address of the SFTP server. Only where that is not so, the owner is asked.
      const { servers: [server, ...others] = [], hosts = [] } = answers.found?.[0] ?? {};
      if (answers.place !== 'login' || server === undefined || others.length > 0) return '';
      if ((await triedAddress(server, hosts, answers)).answer !== null) return '';
      return await prompts.text(
        `Address of ${server.name}, as players see it (Enter alone: ${hosts[0]})`,
        '203.0.113.7:2302',
      );
    },
    check: async (text) => (text === null ? null : await knownAddress(text)),
  }),
  question({ key: 'name', option: 'name', when: () => true, check: (name) => name }),
  question({
    key: 'found',
    when: ({ place }) => place === 'address',
    check: (_, { address, name }) => [addressOnly(address as GameAddress, name ?? null)],
  }),
  question({
    key: 'servers',
    when: () => true,
    check: async (_, answers, world) => await planServers(answers, world),
  }),
  question({
    key: 'timezone',
    option: 'timezone',
    when: ({ place }) => place !== 'none',
    ask: async (prompts, { servers = [] }) =>
      servers.some(({ logs }) => logs !== null)
        ? await prompts.text(
            `Time zone of the machine with the logs (Enter alone: ${machineZone()})`,
            'Europe/Berlin',
          )
        : '',
    check(zone, { servers = [] }, { prompts, report }) {
      if (zone !== null && !timezoneSchema.safeParse(zone).success)
        throw new (prompts === null ? UsageMistake : CommandFailure)(
          'Expected an IANA time zone such as Europe/Berlin or UTC',
        );
      if (zone !== null) return { zone, isGuess: false };
      const own = machineZone();
      if (servers.some(({ logs }) => logs !== null))
        report(`The logs are read by the clock of ${own}, the time zone of this machine.`);
      return { zone: own, isGuess: prompts === null };
    },
  }),
];

const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

function placeOf(options: World['options']): Answers['place'] | null {
  if (!options.server) return 'none';
  if (options.folder !== undefined) return 'folder';
  if (options.login !== undefined) return 'login';
  if (options.nitradoTokenFile !== undefined) return 'nitrado';
  return options.address === undefined ? null : 'address';
}

/** Queries are sent over IPv4. @throws CommandFailure when the host has no such address */
async function knownAddress(text: string): Promise<GameAddress> {
  const address = readGameAddress(text);
  const found = await lookup(address.host, { family: 4 }).catch(() => null);
  if (found?.family === 4) return address;
  throw new CommandFailure(
    `No IPv4 address was found for ${address.host}. Check its spelling, and that this machine has a network.`,
  );
}
