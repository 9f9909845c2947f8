import { tokenProblem } from '../../bot/token-form.ts';
import type { Environment } from '../../config/environment.ts';
import type { Reader } from '../../server/store/engine/database.ts';
import { count } from '../output.ts';
import { checkBotConfig, checkHalfBot, checkTokenForm } from './bot-checks.ts';
import { checkAddresses, checkSharedFiles, checkStoredIds } from './config-checks.ts';
import { checkBanSource, checkFiles } from './file-checks.ts';
import { about, type Findings } from './finding.ts';
import type { Installation, Machine } from './installation.ts';
import { checkSharedRuns, checkTimeZones } from './log-checks.ts';
import { checkDotEnv, checkDotEnvMode, programVersion } from './program-checks.ts';
import { checkQuery } from './query-checks.ts';
import type { Group, Row } from './run-rows.ts';
import { checkPublicUrl, checkRemoteService, checkService } from './service-checks.ts';
import { checkDataFolder, checkPostgres, checkStore, listProcesses } from './store-checks.ts';

type MakeRow = (group: Group, subject: string, run: Row['run']) => Row;

/** A check that asks nobody but this machine's disks. */
const offline: MakeRow = (group, subject, run) => ({ group, subject, offline: true, run });
/** A check that asks another machine, a game server or a running service. */
const online: MakeRow = (group, subject, run) => ({ group, subject, offline: false, run });

/** What is checked even if nothing else can be. */
export const programRows = (machine: Machine): Row[] => [
  offline('program', 'version', async () => programVersion()),
  offline('program', '.env', async () => [checkDotEnv(machine), checkDotEnvMode(machine)].flat()),
];

/** What is checked whatever the config says. */
export const environmentRows = (
  { dataFolder, storeUrl, discordToken }: Environment,
  machine: Machine,
): Row[] => [
  offline('data', 'the data folder', async () => await checkDataFolder(dataFolder, machine)),
  storeUrl === undefined
    ? offline('data', 'the store', async () => checkStore(dataFolder))
    : online('data', 'the store', async () => await checkPostgres(storeUrl)),
  offline('discord', 'DISCORD_TOKEN', async () => checkTokenForm(discordToken)),
];

/** What is checked of a valid config, beside the bot's section. What is inactive is not. */
export function configRows({ config, environment, read, holder, machine, access }: Installation): Row[] {
  if (config === null) return [];
  const { configFile, storeUrl } = environment;
  const { publicUrl } = config.http;
  const isOnPostgres = storeUrl !== undefined;
  const inStore = (group: Group, subject: string, check: (db: Reader) => Promise<Findings>): Row =>
    (isOnPostgres ? online : offline)(group, subject, async () => await read(check, []));
  const atPlace = (place: object | undefined): MakeRow => (place === undefined ? offline : online);
  const servers = config.projects.flatMap((project) => project.servers);
  const active = servers.filter((server) => server.active);
  const banlists = config.projects.flatMap((project) => project.banlists);
  const size = [
    count(config.projects.length, 'project'),
    count(servers.length, 'server'),
    count(banlists.length, 'ban list'),
  ];
  return [
    offline('config', configFile, async () => about('config', configFile).good(`valid: ${size.join(', ')}`)),
    offline('config', 'addresses', async () => checkAddresses(config)),
    inStore('config', 'ids in the store', async (db) => await checkStoredIds(config, db)),
    inStore('servers', 'time zones', async (db) => await checkTimeZones(active, db)),
    inStore('servers', 'shared runs', checkSharedRuns),
    ...(isOnPostgres ? [inStore('data', 'the processes', listProcesses)] : []),
    online(
      'service',
      'the service',
      async () => await checkService(config, holder, configFile, isOnPostgres),
    ),
    ...(publicUrl === undefined || holder === null
      ? []
      : [online('service', 'http.publicUrl', async () => await checkPublicUrl(publicUrl))]),
    offline('servers', 'shared files', async () => await checkSharedFiles(config)),
    ...active.flatMap((server) => [
      online(
        'servers',
        `query of ${server.id}`,
        async () => await checkQuery(server, access, machine.isContainer),
      ),
      atPlace(server.files)('servers', `files of ${server.id}`, async () => await checkFiles(server, access)),
    ]),
    ...banlists
      .filter((banlist) => banlist.active)
      .flatMap((banlist) =>
        banlist.sources.map((source) => {
          const place = servers.find(({ id }) => id === source.filesOf)?.files;
          const check = async () => await checkBanSource(banlist, source, place, access);
          return atPlace(place)('servers', `ban files of ${banlist.id}`, check);
        }),
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
    ...(remoteService === null
      ? []
      : [online('service', 'the remote service', async () => checkRemoteService(remoteService, discord))]),
    halfBot,
    offline('discord', 'the section discord', async () => checkBotConfig(discord, config)),
    online('discord', 'Discord', async () => {
      if (token === null || tokenProblem(token) !== null) return [];
      // Loaded here, because an offline run needs no discord.js.
      const { checkDiscord } = await import('./discord-checks.ts');
      return await checkDiscord(one, discord, token);
    }),
  ];
}
