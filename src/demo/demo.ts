import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DateTime } from 'luxon';
import { scopes } from '../api/access.ts';
import { type Closers, openInOrder } from '../compose/closers.ts';
import { compose } from '../compose/compose.ts';
import { readConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { createLogger } from '../process/log.ts';
import { packageFile } from '../process/own-files.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../server/store/repositories/applications/credentials.ts';
import { SourceWatch } from '../server/ingest/follower/source-watch.ts';
import { createApplication } from '../server/store/repositories/applications/applications.ts';
import { openReader, openWriter, storeFile, type Database } from '../server/store/engine/database.ts';
import { saveServerStates } from '../server/store/repositories/projects/servers.ts';
import { findProjectId } from '../server/store/repositories/projects/projects.ts';
import { addEntry } from '../server/store/repositories/watch/watch-list.ts';
import { addSamples } from '../server/store/repositories/projects/history.ts';
import { reconcile } from '../server/store/repositories/projects/reconcile.ts';
import { SimulatedAdminLog } from './admin-log.ts';
import { startLocalDiscord } from 'local-discord';
import { firstRequests } from './first-requests.ts';
import { freePort } from './free-port.ts';
import { makeGestures } from './gestures.ts';
import { startSimulatedGameServer, type SimulatedGameServer } from './game-server.ts';
import { driftPlayers } from './player-drift.ts';
import { pastOf } from './player-past.ts';
import { copyAsRecent } from './recent-logs.ts';

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

interface DemoOptions {
  /** Of posts and feeds. */
  locale?: string;
}

export interface Demo {
  facts: DemoFacts;
  /** The simulated game servers, in the order of the config. */
  gameServers: readonly SimulatedGameServer[];
  /** Their admin logs, which the service follows. */
  adminLogs: readonly SimulatedAdminLog[];
  close(): Promise<void>;
}

const loopback = '127.0.0.1';
const preferredPagePort = 8090;
/** Only the local Discord accepts it. */
const botToken = 'local-discord-demo-token';
const watchersRole = '1100000000000000201';
const moderatorsRole = '1100000000000000202';
const members = { mira: '1100000000000000301', aksel: '1100000000000000302' };
const guild = {
  id: '1100000000000000001',
  name: 'Northwood',
  roles: [
    { id: watchersRole, name: 'Watchers', mentionable: true },
    { id: moderatorsRole, name: 'Moderators', mentionable: true },
    { id: '1100000000000000203', name: 'Survivor' },
    { id: '1100000000000000204', name: 'Veteran' },
  ],
  members: [
    { id: members.mira, username: 'mira', displayName: 'Mira', roles: [watchersRole] },
    { id: members.aksel, username: 'aksel', displayName: 'Aksel', roles: [moderatorsRole] },
  ],
  channels: [
    { id: '1100000000000000101', name: 'server-status', topic: 'The post below edits itself.' },
    { id: '1100000000000000102', name: 'general', topic: 'Type / to see what the bot can do.' },
    { id: '1100000000000000103', name: 'moderators', topic: 'Act as Aksel to check bans.' },
    {
      id: '1100000000000000104',
      name: 'leaderboards',
      topic: 'The post below edits itself, too.',
    },
    {
      id: '1100000000000000106',
      name: 'kill-feed',
      topic: 'What the logs of the two servers report, as it happens.',
    },
    { id: '1100000000000000107', name: 'weekly-recap', topic: 'Each Monday: who and what was first.' },
    { id: '1100000000000000105', name: 'alerts', topic: 'Posts when many are playing, or a server is down.' },
  ],
};
const simulated = [
  { server: { map: 'chernarusplus', maxPlayers: 60, players: 37 }, seed: 7 },
  { server: { map: 'enoch', maxPlayers: 40, players: 12 }, seed: 11 },
] as const;
const driftEveryMs = 6_000;
const arrivesAfterMs = 20_000;
const watchReason = 'Combat logging, twice last week.';
const manageRoles = 1n << 28n;
const deedEveryMs = 4_000;

/**
 * Starts everything without an account or network. Its data is in a temporary folder, which is deleted at the end.
 */
export async function startDemo(say: (text: string) => void, options: DemoOptions = {}): Promise<Demo> {
  const log = createLogger('warn');
  return await openInOrder(log, async (closers) => await open(say, log, closers, options));
}

async function open(
  say: (text: string) => void,
  log: ReturnType<typeof createLogger>,
  closers: Closers,
  { locale }: DemoOptions,
): Promise<Omit<Demo, 'close'>> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'outpost-demo-'));
  closers.push(() => rm(dataFolder, { recursive: true, force: true }));

  const gameServers = await Promise.all(
    simulated.map(({ server }, index) =>
      startSimulatedGameServer({ name: `Northwood ${index + 1}`, ...server }),
    ),
  );
  for (const [index, server] of gameServers.entries()) {
    closers.push(() => server.close());
    const drift = driftPlayers(server, { seed: simulated[index]?.seed ?? 1, intervalMs: driftEveryMs });
    closers.push(async () => drift.stop());
  }

  const config = demoConfig(gameServers);
  if (locale !== undefined && config.discord !== undefined) config.discord.locale = locale;
  const adminLogs = await startAdminLogs(config, gameServers, dataFolder);
  for (const adminLog of adminLogs) closers.push(async () => adminLog.stop());
  say('Reading the logs of two real servers (anonymised) …');
  const { applicationId, secret } = await fillStore(dataFolder, config, adminLogs[0]?.keepAway());

  // Not before it is needed, so that nothing else takes the port meanwhile.
  config.http.port = await freePort(config.http.port);
  const serviceUrl = `http://${config.http.host}:${config.http.port}`;
  config.http.publicUrl = serviceUrl;
  const requests = firstRequests({ serviceUrl, applicationId, secret });
  const discord = await startLocalDiscord({
    token: botToken,
    botName: 'Outpost',
    port: await freePort(preferredPagePort),
    guilds: [guild],
    page: {
      title: 'Outpost demo',
      introduction: 'A Discord on this machine, with the real bot in it. Type / in the box below.',
      notices: [
        { label: 'Public page', text: `${serviceUrl}/` },
        { label: 'Service', text: `${serviceUrl}/v1`, copyable: true },
        { label: 'application_id', text: applicationId, copyable: true },
        { label: 'secret', text: secret, copyable: true },
        { label: 'Try it', text: requests, copyable: true },
      ],
    },
  });
  closers.push(() => discord.close());
  const [ownRole = ''] = discord.memberRoles(guild.id, discord.applicationId) ?? [];
  discord.setRole(guild.id, ownRole, { position: 10 });
  discord.grantBotRole(guild.id, manageRoles);
  const outpost = await compose({
    config,
    log,
    environment: {
      configFile: '',
      dataFolder,
      discordToken: botToken,
      discordApiUrl: discord.apiUrl,
    },
  });
  closers.push(() => outpost.close());
  await startCommunity(dataFolder, adminLogs, gameServers, closers);
  return {
    facts: {
      pageUrl: discord.pageUrl,
      publicUrl: `${serviceUrl}/`,
      serviceUrl,
      applicationId,
      secret,
      requests,
    },
    gameServers,
    adminLogs,
  };
}

/** A watched player who joins soon, and players who make the gestures that members are asked for. */
async function startCommunity(
  dataFolder: string,
  [log]: readonly SimulatedAdminLog[],
  [gameServer]: readonly SimulatedGameServer[],
  closers: Closers,
): Promise<void> {
  if (log === undefined || gameServer === undefined) return;
  const reader = openReader(storeFile(dataFolder));
  closers.push(() => reader.close());
  const projectId = await findProjectId(reader.db, 'northwood');
  closers.push(makeGestures(reader, log, { projectId, members: Object.values(members) }));
  const arrival = setTimeout(() => {
    log.letIn();
    gameServer.join();
  }, arrivesAfterMs);
  closers.push(async () => clearTimeout(arrival));
}

/** The demo's config, with the simulated game servers. */
function demoConfig(gameServers: readonly SimulatedGameServer[]): Config {
  const config = readConfig(fileURLToPath(packageFile('config/demo/outpost.yaml')));
  // Like the local Discord, whatever OUTPOST_HTTP_HOST says, as it does in a container.
  config.http.host = loopback;
  const servers = config.projects.flatMap((project) => project.servers);
  for (const [index, server] of servers.entries()) {
    const port = gameServers[index]?.port;
    if (port !== undefined) server.queryPort = port;
  }
  addSeasons(config);
  return config;
}

/** Seasons and a wipe within the days of the demo's logs. */
function addSeasons({ projects: [project] }: Config): void {
  const daysAgo = (days: number): number => DateTime.now().minus({ days }).startOf('day').toMillis();
  if (project === undefined) return;
  project.seasons = [
    { name: 'One', start: daysAgo(60) },
    { name: 'Two', start: daysAgo(12) },
  ];
  project.wipes = [daysAgo(8)];
}

/** Gives each server its own log folder, with the demo's older logs, in which it writes its own. */
async function startAdminLogs(
  config: Config,
  gameServers: readonly SimulatedGameServer[],
  dataFolder: string,
): Promise<SimulatedAdminLog[]> {
  const servers = config.projects.flatMap((project) => project.servers);
  const started: SimulatedAdminLog[] = [];
  for (const [index, gameServer] of gameServers.entries()) {
    const server = servers[index];
    if (server?.logs === undefined) continue;
    const folder = join(dataFolder, 'logs', server.id);
    const { timezone } = server;
    await copyAsRecent(server.logs, folder, DateTime.now().setZone(timezone));
    server.logs = folder;
    const seed = simulated[index]?.seed ?? 1;
    started.push(new SimulatedAdminLog(gameServer, { folder, timezone, seed, intervalMs: deedEveryMs }));
  }
  return started;
}

/**
 * Imports the demo's logs before anything starts, so that the first answers have data, and creates an application.
 * @param watched the name of a player to be watched
 */
async function fillStore(
  dataFolder: string,
  config: Config,
  watched: string | undefined,
): Promise<{ applicationId: string; secret: string }> {
  const writer = await openWriter(storeFile(dataFolder), { busyTimeoutMs: 1_000 });
  try {
    await reconcile(writer.db, config);
    const watch = new SourceWatch(writer);
    const sources = {
      servers: config.projects.flatMap((project) => project.servers),
      banlists: config.projects.flatMap((project) => project.banlists),
    };
    await watch.apply({ sources, leases: null });
    const outcomes = await watch.poll(true);
    const failed = outcomes.find((outcome) => outcome.error !== undefined);
    if (failed !== undefined) throw new Error(`the demo's data is damaged: ${failed.error}`);
    await addPast(writer.db, config);
    if (watched !== undefined) {
      const details = { reason: watchReason, expiresAt: null, addedBy: members.aksel, guildId: guild.id };
      await addEntry(
        writer.db,
        await findProjectId(writer.db, 'northwood'),
        { name: watched },
        details,
        Date.now(),
      );
    }
    const applicationId = newApplicationId();
    const secret = newSecret();
    const application = {
      id: applicationId,
      name: 'Demo',
      projectSlug: 'northwood',
      secretHash: hashSecret(secret),
      scopes,
    };
    await createApplication(writer.db, application, Date.now());
    return { applicationId, secret };
  } finally {
    await writer.close();
  }
}

/** Adds samples of the past weeks, so that charts and the recap have data, and what a check would have found just now. */
async function addPast(db: Database, config: Config): Promise<void> {
  const servers = config.projects.flatMap((project) => project.servers);
  for (const [index, { server, seed }] of simulated.entries()) {
    const id = servers[index]?.id;
    if (id === undefined) continue;
    const now = Date.now();
    await addSamples(db, id, pastOf({ ...server, seed, now }));
    await saveServerStates(db, [{ ...server, serverId: id, status: 'ONLINE', checkedAt: now }]);
  }
}
