import type { Environment } from '../../config/environment.ts';
import type { Config } from '../../config/schema.ts';
import type { Access } from './file-checks.ts';
import { about } from './finding.ts';
import { sizeOf, type Installation, type Machine } from './installation.ts';
import { once } from './once.ts';
import {
  checkDotEnvMode,
  checkHalfBot,
  checkTokenForm,
  checkVariables,
  programVersion,
} from './program-checks.ts';
import type { Group, Row } from './row.ts';

// Loaded when a check needs them: an offline run loads neither discord.js nor what queries game servers.
const configChecks = async () => await import('./config-checks.ts');
const storedIds = async () => await import('./stored-ids.ts');
const dataChecks = async () => await import('./data-checks.ts');
const postgresChecks = async () => await import('./postgres-checks.ts');
const serviceChecks = async () => await import('./service-checks.ts');
const remoteServiceChecks = async () => await import('./remote-service-checks.ts');
const queryChecks = async () => await import('./query-checks.ts');
const fileChecks = async () => await import('./file-checks.ts');
const sharedFiles = async () => await import('./shared-files.ts');
const discordChecks = async () => await import('./discord-checks.ts');

/** A check that asks nobody but this machine's disks. */
const offline = (group: Group, subject: string, run: Row['run']): Row => ({
  group,
  subject,
  offline: true,
  run,
});

/** A check that asks another machine, a game server or a running service. */
const online = (group: Group, subject: string, run: Row['run']): Row => ({
  group,
  subject,
  offline: false,
  run,
});

/** What is checked even if nothing else can be. */
export const programRows = (machine: Machine): Row[] => [
  offline('program', 'version', async () => [programVersion()]),
  offline('program', 'variables', async () => checkVariables(machine)),
  offline('program', '.env', async () => checkDotEnvMode(machine)),
];

/** What is checked whatever the config says. */
export const environmentRows = (
  { dataFolder, storeUrl, discordToken }: Environment,
  machine: Machine,
): Row[] => [
  offline('data', 'the data folder', async () => (await dataChecks()).checkDataFolder(dataFolder, machine)),
  storeUrl === undefined
    ? offline('data', 'the store', async () => (await dataChecks()).checkStore(dataFolder))
    : online('data', 'the store', async () => (await postgresChecks()).checkPostgres(storeUrl)),
  offline('discord', 'DISCORD_TOKEN', async () => checkTokenForm(discordToken)),
];

/** What is checked of a valid config, beside the bot's section. */
export function configRows(config: Config, one: Installation, access: Access): Row[] {
  const { environment, read, holder } = one;
  const { configFile, storeUrl } = environment;
  const { publicUrl } = config.http;
  const onPostgres = storeUrl !== undefined;
  const atStore = onPostgres ? online : offline;
  const where = (serverId: string | undefined) =>
    access.files.placeOf(serverId) === undefined ? offline : online;
  // Inactive servers and ban lists are not checked.
  const servers = config.projects.flatMap((project) => project.servers.filter(({ active }) => active));
  const banlists = config.projects.flatMap((project) => project.banlists.filter(({ active }) => active));
  return [
    offline('config', configFile, async () => [
      about('config', configFile)('config.valid', { size: sizeOf(config) }),
    ]),
    offline('config', 'addresses', async () => (await configChecks()).checkAddresses(config)),
    atStore('config', 'ids in the store', async () =>
      read(async (db) => (await storedIds()).checkStoredIds(config, db), []),
    ),
    online('data', 'the processes', async () => {
      if (!onPostgres) return [];
      const { listProcesses } = await postgresChecks();
      return await read(listProcesses, []);
    }),
    online('service', 'the service', async () =>
      (await serviceChecks()).checkService(config, await holder(), configFile, onPostgres),
    ),
    online('service', 'http.publicUrl', async () =>
      publicUrl === undefined || (await holder()) === null
        ? []
        : (await serviceChecks()).checkPublicUrl(publicUrl),
    ),
    ...servers.flatMap((server) => {
      const { id } = server;
      const port = () => access.files.of(id).of(`${id} checks`);
      const query = once(async () =>
        (await queryChecks()).checkQuery(server, port(), one.machine.isContainer),
      );
      const files = once(async () => (await fileChecks()).checkFiles(server, access));
      return [
        online('servers', `query of ${id}`, async () => [await query()]),
        where(id)('servers', `files of ${id}`, files),
        where(id)('servers', `settings of ${id}`, async () => {
          // Who is not let in does not try again.
          if ((await files()).some(({ code }) => code === 'place.refused')) return [];
          // A server that is not asked counts as one that answers, since a router may pass another port on.
          const isAnswering = one.isOffline || (await query()).status === 'good';
          return (await fileChecks()).checkSettings(server, port(), isAnswering);
        }),
      ];
    }),
    offline('servers', 'files of several servers', async () =>
      (await sharedFiles()).checkSharedFiles(config, access.files),
    ),
    ...banlists.flatMap((banlist) =>
      banlist.sources.map((source) =>
        where(source.filesOf)('servers', `ban files of ${banlist.id}`, async () => [
          await (await fileChecks()).checkBanSource(banlist, source, access),
        ]),
      ),
    ),
  ];
}

/** What is checked of the bot, beside its own service or one elsewhere. */
export function botRows(one: Installation): Row[] {
  const { config, discord, environment } = one;
  const { discordToken: token, remoteService } = environment;
  const halfBot = offline('discord', 'the bot', async () =>
    checkHalfBot(discord !== undefined, token !== null),
  );
  if (discord === undefined) return [halfBot];
  return [
    online('service', 'the remote service', async () =>
      remoteService === null ? [] : (await remoteServiceChecks()).checkRemoteService(remoteService, discord),
    ),
    halfBot,
    offline('discord', 'the section discord', async () =>
      (await configChecks()).checkBotConfig(discord, config),
    ),
    online('discord', 'Discord', async () =>
      token === null || checkTokenForm(token).length > 0
        ? []
        : (await discordChecks()).checkDiscord(one, discord, token),
    ),
  ];
}
