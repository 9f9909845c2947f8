import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { scopes, type Scope } from '../../src/api/access.ts';
import { compose } from '../../src/compose/compose.ts';
import { readConfig } from '../../src/config/load.ts';
import { configSchema, type Config } from '../../src/config/schema.ts';
import { startSimulatedGameServer } from '../../src/demo/game-server.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../src/server/store/repositories/applications/credentials.ts';
import { createApplication } from '../../src/server/store/repositories/applications/applications.ts';
import { openWriter, storeFile, type Database } from '../../src/server/store/engine/database.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { storeRoster } from '../harness/northwood.ts';
import { activeSources } from '../../src/server/ingest/follower/sources.ts';
import { createSourceWatch } from '../harness/logs.ts';

export interface WorldApplication {
  id: string;
  secret: string;
}

/** The real service on the demo's data, with what it takes to be refused in every way. */
export interface World {
  url: string;
  /** A new application of a project: `northwood` (PRO), `fernhill` (FREE) or `suspended`. */
  application(projectSlug: string, held?: readonly Scope[]): Promise<WorldApplication>;
  /** Suspends the project `suspended`, which is active until then. */
  suspend(): Promise<void>;
  close(): Promise<void>;
}

/** Of `northwood`, besides the demo's own servers: one without a query port, one that never answers. */
export const mute = 'northwood-mute';
export const dead = 'northwood-dead';

export async function startWorld(): Promise<World> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'outpost-openapi-'));
  const gameServers = await Promise.all([
    startSimulatedGameServer({ name: 'Northwood 1', map: 'chernarusplus', maxPlayers: 60, players: 37 }),
    startSimulatedGameServer({ name: 'Northwood 2', map: 'enoch', maxPlayers: 40, players: 12 }),
  ]);
  const config = worldConfig(gameServers.map(({ port }) => port));
  const writer = await openWriter(storeFile(dataFolder));
  await reconcile(writer.db, config);
  await importSources(writer.db, config);
  await storeRoster(writer.db, 'northwood-1', { a: 'Mira', b: 'Old Tom', c: 'zoë' }, Date.now());
  const outpost = await compose({
    config,
    log: pino({ level: 'silent' }),
    environment: withoutDiscord(dataFolder),
  });
  await outpost.poll();
  return {
    url: outpost.url,
    async application(projectSlug, held = scopes) {
      const id = newApplicationId();
      const secret = newSecret();
      const application = { id, projectSlug, name: 'test', secretHash: hashSecret(secret), scopes: held };
      await createApplication(writer.db, application, Date.now());
      return { id, secret };
    },
    async suspend() {
      await reconcile(writer.db, {
        ...config,
        projects: config.projects.map((project) =>
          project.slug === 'suspended' ? { ...project, suspended: true } : project,
        ),
      });
    },
    async close() {
      await outpost.close();
      await writer.close();
      for (const server of gameServers) await server.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

function worldConfig(queryPorts: readonly number[]): Config {
  const demo = readConfig(fileURLToPath(new URL('../../config/demo/outpost.yaml', import.meta.url)));
  const extra = configSchema.parse({
    projects: [
      {
        slug: 'northwood',
        name: 'Northwood',
        servers: [
          { id: mute, name: 'Northwood | Sakhal', host: '127.0.0.1', port: 2502 },
          { id: dead, name: 'Northwood | Namalsk', host: '127.0.0.1', port: 2602, queryPort: 1 },
        ],
      },
      { slug: 'fernhill', name: 'Fernhill', plan: 'FREE' },
      { slug: 'suspended', name: 'Suspended' },
    ],
  });
  const [northwood, ...others] = extra.projects;
  const [project] = demo.projects;
  if (project === undefined || northwood === undefined) throw new Error('the demo has no project');
  for (const [index, port] of queryPorts.entries()) {
    const server = project.servers[index];
    if (server !== undefined) server.queryPort = port;
  }
  project.servers.push(...northwood.servers);
  const http = { ...demo.http, port: 0 };
  return { http, live: { pollSeconds: 240 }, projects: [project, ...others] };
}

async function importSources(db: Database, config: Config): Promise<void> {
  const outcomes = await createSourceWatch(db).importChanged(activeSources(config));
  const failed = outcomes.find((outcome) => outcome.error !== undefined);
  if (failed !== undefined) throw new Error(`the demo's data is damaged: ${failed.error}`);
}
