import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema, type ConfigInput } from '../../src/config/schema.ts';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../src/demo/game-server.ts';
import { figureColumns } from '../../src/server/store/engine/schema/metric-columns.ts';
import { savePeople } from '../../src/server/store/repositories/players/players.ts';
import { addSamples } from '../../src/server/store/repositories/projects/history.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { serveFiles } from '../harness/serve-files.ts';
import { northwood, storeBan } from '../harness/northwood.ts';
import { type NewStore, onPostgres, openNewStore } from '../harness/new-store.ts';
import { importLogs } from '../harness/logs.ts';
import { idA, idB, run } from '../server/ingest/fixture.ts';

/** What nobody may see on the page, whatever is asked for. */
export const secrets = {
  victim: 'Known by the log',
  killer: 'Also known by the log',
  reason: 'SecretReasonOfTheBan',
  list: 'InternalListOfBans',
  hidden: 'HiddenHarriet',
  host: 'game.invalid',
  victimAt: ['7777.7', '8888.8'],
  killerAt: ['6666.6', '5555.5'],
} as const;

/** Names that try to leave their place. */
export const hostileNames = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u202Egnol dna desrever\u202E',
  'مرحبا بالعالم',
  '﷽'.repeat(64),
  'W'.repeat(128),
  '👩‍👩‍👧‍👦'.repeat(12),
  'Z̴͚͝a̸̛͎l̷̥̈́g̶̈́͜ȍ̷̝',
] as const;

/** The smallest PNG. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Where kills of the log happened, whichever separators a number has. */
export const anyPosition = /\b[5-8][,.\s]?\d{3}[.,][5-8]\b/;

/** What other people's pages and programs ask for. */
export const pathsForOthers = [
  ...['/badge', '/badge/northwood-1', '/badge/northwood-2'].flatMap((path) =>
    ['status.svg', 'status.json', 'players.svg', 'players.json'].map((file) => `${path}/${file}`),
  ),
  '/calendar/schedules.ics',
  '/calendar/northwood-1/schedules.ics',
  '/picture/preview.png',
  '/picture/northwood-1/preview.png',
  '/picture/northwood-2/preview.png',
  '/widget/northwood-1',
  '/widget/northwood-2',
];

export const steamIdOf = (index: number): string => String(76561198000000000n + BigInt(index));

/** A whole Outpost with a page, whose store holds a community. */
export interface PageWorld {
  url: string;
  outpost: Outpost;
  /** The store, open for a second process: hides and forgets in it as the command line does. */
  store: NewStore;
  gameServer: SimulatedGameServer;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  text(path: string, headers?: Record<string, string>): Promise<string>;
  close(): Promise<void>;
}

export interface WorldOptions {
  page?: NonNullable<NonNullable<ConfigInput['http']>['page']> | null;
  cors?: NonNullable<ConfigInput['http']>['cors'];
  /** Default: one project with servers, players and bans. */
  projects?: ConfigInput['projects'];
  /** Their number, besides those with hostile names; as many kills stand in the log. Each twentieth player is hidden. */
  players?: number;
}

export async function startPageWorld(options: WorldOptions = {}): Promise<PageWorld> {
  const { page = {}, players = 30 } = options;
  const pictures = await serveFiles({ '/logo': png, '/banner': png });
  const gameServer = await startSimulatedGameServer({
    name: 'Northwood 1',
    map: 'chernarusplus',
    maxPlayers: 60,
    players: 37,
  });
  const [usual] = northwood({
    killPositions: true,
    // The players whose bans must not be named are on the boards.
    leaderboards: { banned: 'show' },
    support: {
      title: 'Northwood',
      description: 'Two servers & <one> community.',
      accentColor: '#3BA55D',
      discordUrl: 'https://discord.gg/northwood',
      logoUrl: `${pictures.url}/logo`,
      bannerUrl: `${pictures.url}/banner`,
    },
    servers: servers(gameServer.port),
    banlists: [{ id: 'internal', name: secrets.list, public: false }],
  }).projects;
  const projects = options.projects ?? (usual === undefined ? [] : [usual]);
  const config = configSchema.parse({
    http: {
      port: 0,
      trustProxy: ['127.0.0.1'],
      publicUrl: 'https://example.org',
      cors: options.cors,
      ...(page !== null && { page }),
    },
    live: { pollSeconds: 1 },
    projects,
  });
  const dataFolder = await mkdtemp(join(tmpdir(), 'outpost-page-'));
  const store = await openNewStore(join(dataFolder, 'outpost.sqlite'));
  await reconcile(store.db, config);
  if (options.projects === undefined) await fill(store, dataFolder, players);
  const outpost = await compose({
    config,
    environment: withoutDiscord(dataFolder, onPostgres ? { storeUrl: store.location } : {}),
    log: pino({ level: 'silent' }),
  });
  const isPolled = async () => (await store.db.selectFrom('server_state').selectAll().execute()).length > 0;
  // On PostgreSQL, the process may get its leases a moment later.
  do await outpost.poll();
  while (options.projects === undefined && !(await isPolled()));
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL(path, outpost.url), { headers, redirect: 'manual' });
  return {
    url: outpost.url,
    outpost,
    store,
    gameServer,
    get,
    text: async (path, headers) => await (await get(path, headers)).text(),
    async close() {
      await outpost.close();
      await store.close();
      await gameServer.close();
      await pictures.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

function servers(queryPort: number): ConfigInput['projects'][number]['servers'] {
  return [
    {
      id: 'northwood-1',
      name: 'Northwood | Chernarus',
      host: '127.0.0.1',
      port: 2302,
      queryPort,
      timezone: 'Europe/Berlin',
      joinAddress: 'play.example.org:2302',
      schedules: [
        {
          kind: 'RESTART',
          title: 'Restart <b>now</b>',
          recurrence: 'INTERVAL',
          intervalMinutes: 240,
          timeOfDay: '02:00',
          public: true,
        },
        { kind: 'WIPE', title: 'Secret wipe', recurrence: 'DAILY', timeOfDay: '04:00' },
      ],
    },
    { id: 'northwood-2', name: hostileNames[5].slice(0, 100), host: secrets.host, port: 2402 },
  ];
}

async function fill({ db }: NewStore, folder: string, count: number): Promise<void> {
  const { id: projectId } = await db.selectFrom('project').select('id').executeTakeFirstOrThrow();
  const names = [...hostileNames, ...Array.from({ length: count }, (_, index) => `Player${index}`)];
  const seen = { firstSeenAt: Date.parse('2026-01-01'), lastSeenAt: Date.parse('2026-02-01') };
  const isHidden = (index: number): boolean => index % 20 === 0;
  const people = [secrets.hidden, ...names]
    .map((name, index) => (isHidden(index) ? `${secrets.hidden}${index}` : name))
    .map((name, index) => ({
      identity: { steamId64: steamIdOf(index) },
      names: [[name, seen]] as [string, typeof seen][],
      ...seen,
    }));
  const { ids } = await savePeople(db, projectId, people);
  // Other people are first on each board.
  const scattered = (index: number, by: number): number => (index * by) % 1_009;
  const stats = ids.map((id, index) => ({
    player_id: id as number,
    project_id: projectId,
    ...figureColumns({
      PLAYER_KILLS: 2_000 - index,
      DEATHS: 1 + scattered(index, 211),
      PLAYTIME: 400_000 - scattered(index, 503) * 300,
      LONGEST_LIFE: 90_000 - scattered(index, 719),
      LONGEST_HIT: 812.43,
      LONGEST_KILL: 1_009 - scattered(index, 887),
    }),
  }));
  await db.insertInto('player_stats').values(stats).execute();
  await db
    .updateTable('player')
    .set({ hidden: 1 })
    .where('id', 'in', ids.filter((_, index) => isHidden(index)) as number[])
    .execute();
  for (const [index, id] of ids.entries()) {
    if (index % 3 !== 0) continue;
    const ban = { key: `key${index}`, playerId: id as number, reason: `${secrets.reason}${index}` };
    await storeBan(db, 'internal', ban);
  }
  const at = ([east, north]: readonly string[]): string => `pos=<${east}, ${north}, 1.0>`;
  const kill = (victimAt: readonly string[], killerAt: readonly string[]): string =>
    `12:00:05 | Player "${secrets.victim}" (DEAD) (id=${idA} ${at(victimAt)}) killed by Player "${secrets.killer}" (id=${idB} ${at(killerAt)}) with M4A1 from 50.5 meters`;
  const near = (places: readonly string[], index: number): string[] =>
    places.map((place) => `${place[0]}${String(index).padStart(3, '0')}${place.slice(-2)}`);
  const log = join(folder, 'DayZServer_x64.ADM');
  await writeFile(
    log,
    run(
      kill(secrets.victimAt, secrets.killerAt),
      ...Array.from({ length: count }, (_, index) =>
        kill(near(secrets.victimAt, index), near(secrets.killerAt, index)),
      ),
    ),
  );
  await importLogs(db, { serverId: 'northwood-1', files: [log] });
  const now = Date.now();
  await addSamples(
    db,
    'northwood-1',
    Array.from({ length: 600 }, (_, index) => ({
      sampledAt: Math.floor(now / 60_000 - index * 2) * 60_000,
      players: Math.round(20 + 15 * Math.sin(index / 40)),
      maxPlayers: 60,
    })),
  );
}
