import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLocalDiscord } from 'local-discord';
import { DateTime } from 'luxon';
import { scopes } from '../api/access.ts';
import { type Closers, openInOrder } from '../compose/closers.ts';
import { compose } from '../compose/compose.ts';
import { readConfig } from '../config/load.ts';
import type { Config, ServerConfig } from '../config/schema.ts';
import { createLogger } from '../process/log.ts';
import { packageFile } from '../process/own-files.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../server/store/repositories/applications/credentials.ts';
import { SourceWatch } from '../server/ingest/follower/source-watch.ts';
import { activeSources } from '../server/ingest/follower/sources.ts';
import { createApplication } from '../server/store/repositories/applications/applications.ts';
import { openReader, openWriter, storeFile } from '../server/store/engine/database.ts';
import { saveServerStates } from '../server/store/repositories/projects/servers.ts';
import { findProjectId } from '../server/store/repositories/projects/projects.ts';
import { addEntry } from '../server/store/repositories/watch/watch-list.ts';
import { addSamples } from '../server/store/repositories/projects/history.ts';
import { reconcile } from '../server/store/repositories/projects/reconcile.ts';
import { firstRequests } from './first-requests.ts';
import { freePort } from './free-port.ts';
import { makeGestures } from './gestures.ts';
import { guild, members } from './guild.ts';
import { copyAsRecent } from './copy-as-recent.ts';
import { startServerWithPast } from './past.ts';
import { community } from './players.ts';

export interface DemoFacts {
  /** The local Discord's page. */
  pageUrl: string;
  /** The public page, for those without Discord. */
  publicUrl: string;
  serviceUrl: string;
  applicationId: string;
  secret: string;
  /** Commands that read the service. */
  requests: string;
}

const projectSlug = 'northwood';
const loopback = '127.0.0.1';
const preferredPagePort = 8090;
/** Only the local Discord accepts it. */
const botToken = 'local-discord-demo-token';
const everybody = community();
/** Who plays there, and near which towns. Some play on both servers. */
const simulated = [
  {
    map: 'chernarusplus',
    towns:
      'NW Airfield,Elektrozavodsk,Chernogorsk,Tisy base,Berezino,Severograd,Stary Sobor,Zelenogorsk,Krasnostav,Svetloyarsk,Vybor,Gorka',
    maxPlayers: 60,
    players: 37,
    seed: 7,
    restartHours: [2, 6, 10, 14, 18, 22],
    regulars: everybody.slice(0, 240),
  },
  {
    map: 'enoch',
    towns: 'Topolin,Lukow Airfield,Nadbór,Brena,Swarog,Radunin,Tarnow,Gieraltów,Sitnik',
    maxPlayers: 40,
    players: 12,
    seed: 11,
    restartHours: [4.5],
    regulars: everybody.slice(220).toReversed(),
  },
] as const;
const arrivesAfterMs = 20_000;
const watchReason = 'Combat logging, twice last week.';
const manageRoles = 1n << 28n;

/** A server of the config, and the simulated one in its place. */
interface SimulatedServer extends Awaited<ReturnType<typeof startServerWithPast>> {
  server: ServerConfig;
  map: string;
}

/** Starts everything without an account or network. Its data is in a temporary folder, which is deleted at the end. */
export async function startDemo(say: (text: string) => void) {
  const log = createLogger('warn');
  return await openInOrder(log, async (closers) => await open(say, log, closers));
}

export type Demo = Awaited<ReturnType<typeof startDemo>>;

async function open(say: (text: string) => void, log: ReturnType<typeof createLogger>, closers: Closers) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'outpost-demo-'));
  closers.push(() => rm(dataFolder, { recursive: true, force: true }));

  const config = demoConfig();
  const servers = await simulateServers(config, dataFolder, closers);
  const [first] = servers as [SimulatedServer];
  say('Reading three weeks of simulated logs, and older ones of two real servers (anonymised) …');
  const { applicationId, secret } = await fillStore(dataFolder, config, servers, first.adminLog.keepAway());

  // Not before it is needed, so that nothing else takes the port meanwhile.
  config.http.port = await freePort(config.http.port);
  const serviceUrl = `http://${config.http.host}:${config.http.port}`;
  config.http.publicUrl = serviceUrl;
  const requests = firstRequests({ serviceUrl, applicationId, secret });
  const facts = { publicUrl: `${serviceUrl}/`, serviceUrl, applicationId, secret, requests };
  const discord = await startDiscord(facts);
  closers.push(() => discord.close());
  const pictureOf = async (name: string): Promise<string> =>
    discord.addPicture(name, 'image/png', await readFile(packageFile(`config/demo/${name}`)));
  for (const { support } of config.projects) {
    support.logoUrl = await pictureOf('logo.png');
    support.bannerUrl = await pictureOf('banner.png');
    support.discordUrl = discord.pageUrl;
  }
  const environment = { configFile: '', dataFolder, discordToken: botToken, discordApiUrl: discord.apiUrl };
  const outpost = await compose({ config, log, environment });
  closers.push(() => outpost.close());
  await startCommunity(dataFolder, first, closers);
  return {
    facts: { pageUrl: discord.pageUrl, ...facts } satisfies DemoFacts,
    /** The simulated game servers, in the order of the config. */
    gameServers: servers.map(({ gameServer }) => gameServer),
    /** Their admin logs, which the service follows. */
    adminLogs: servers.map(({ adminLog }) => adminLog),
  };
}

/** The demo's config, with seasons and a wipe within the days of its logs. */
function demoConfig(): Config {
  const config = readConfig(fileURLToPath(packageFile('config/demo/outpost.yaml')));
  // Like the local Discord, whatever OUTPOST_HTTP_HOST says, as it does in a container.
  config.http.host = loopback;
  const daysAgo = (days: number): DateTime => DateTime.now().minus({ days }).startOf('day');
  for (const project of config.projects) {
    const { year } = daysAgo(12);
    project.seasons = [
      { name: String(year - 1), start: daysAgo(60).toMillis() },
      { name: String(year), start: daysAgo(12).toMillis() },
    ];
    project.wipes = [daysAgo(8).toMillis()];
  }
  return config;
}

const serversOf = ({ projects }: Config): ServerConfig[] => projects.flatMap(({ servers }) => servers);

/**
 * Starts a game server for each server of the config, whose query port it becomes. It writes into a log folder of its own, where
 * the demo's older logs lie.
 */
async function simulateServers(
  config: Config,
  dataFolder: string,
  closers: Closers,
): Promise<SimulatedServer[]> {
  return await Promise.all(
    simulated.map(async (state, index) => {
      const server = serversOf(config)[index] as ServerConfig;
      const { timezone } = server;
      const folder = join(dataFolder, 'logs', server.id);
      const today = DateTime.now().setZone(timezone).startOf('day');
      await copyAsRecent(server.logs ?? '', folder, today.minus({ days: 23 }));
      const where = { name: `Northwood ${index + 1}`, folder, timezone, towns: state.towns.split(',') };
      const started = await startServerWithPast({ ...state, ...where });
      closers.push(started.close);
      Object.assign(server, { queryPort: started.gameServer.port, logs: folder });
      return { ...started, server, map: state.map };
    }),
  );
}

/** A Discord in which the bot may give roles. */
async function startDiscord(facts: Omit<DemoFacts, 'pageUrl'>) {
  const { publicUrl, serviceUrl, applicationId, secret, requests } = facts;
  const discord = await startLocalDiscord({
    token: botToken,
    botName: 'Outpost',
    port: await freePort(preferredPagePort),
    guilds: [guild],
    page: {
      title: 'Outpost demo',
      introduction: 'A Discord on this machine, with the real bot in it. Type / in the box below.',
      notices: [
        { label: 'Public page', text: publicUrl },
        { label: 'Service', text: `${serviceUrl}/v1`, copyable: true },
        { label: 'application_id', text: applicationId, copyable: true },
        { label: 'secret', text: secret, copyable: true },
        { label: 'Try it', text: requests, copyable: true },
      ],
    },
  });
  const [ownRole = ''] = discord.memberRoles(guild.id, discord.applicationId) ?? [];
  discord.setRole(guild.id, ownRole, { position: 10 });
  discord.grantBotRole(guild.id, manageRoles);
  return discord;
}

/** A watched player who joins soon, and players who make the gestures that members are asked for. */
async function startCommunity(
  dataFolder: string,
  { adminLog, gameServer }: SimulatedServer,
  closers: Closers,
): Promise<void> {
  const reader = openReader(storeFile(dataFolder));
  closers.push(() => reader.close());
  const projectId = await findProjectId(reader.db, projectSlug);
  closers.push(makeGestures(reader, adminLog, { projectId, members: Object.values(members) }));
  const arrival = setTimeout(() => {
    adminLog.letIn();
    gameServer.join();
  }, arrivesAfterMs);
  closers.push(async () => clearTimeout(arrival));
}

/**
 * Imports the demo's logs before anything starts, so that the first answers have data, and creates an application.
 * @param watched the name of a player to be watched
 */
async function fillStore(
  dataFolder: string,
  config: Config,
  servers: readonly SimulatedServer[],
  watched: string,
): Promise<{ applicationId: string; secret: string }> {
  const writer = await openWriter(storeFile(dataFolder), { busyTimeoutMs: 1_000 });
  try {
    const { db } = writer;
    await reconcile(db, config);
    const watch = new SourceWatch(writer);
    watch.apply({ sources: activeSources(config), leases: null });
    const failed = (await watch.poll(true)).find(({ error }) => error !== undefined);
    if (failed !== undefined) throw new Error(`the demo's data is damaged: ${failed.error}`);
    const now = Date.now();
    // Samples of the past weeks, so that charts and the recap have data, and what a check would have found just now.
    for (const { server, map, gameServer, samples } of servers) {
      await addSamples(db, server.id, samples);
      const { players, maxPlayers } = gameServer;
      const state = { map, players, maxPlayers, status: 'ONLINE', checkedAt: now } as const;
      await saveServerStates(db, [{ serverId: server.id, ...state }]);
    }
    const projectId = await findProjectId(db, projectSlug);
    const details = { reason: watchReason, expiresAt: null, addedBy: members.aksel, guildId: guild.id };
    await addEntry(db, projectId, { name: watched }, details, now);
    const [applicationId, secret] = [newApplicationId(), newSecret()];
    const application = { name: 'Demo', projectSlug, secretHash: hashSecret(secret), scopes };
    await createApplication(db, { id: applicationId, ...application }, now);
    return { applicationId, secret };
  } finally {
    await writer.close();
  }
}
