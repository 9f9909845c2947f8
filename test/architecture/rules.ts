import { readdirSync } from 'node:fs';

/** Which room may import which. A test holds every import of `src/` and `packages/` against these tables. */

/** The layers of the store, each of which may import those before it. */
const store = ['engine', 'repositories', 'cluster', 'operations'].map((layer) => `src/server/store/${layer}`);

/** The names of commands, and who sees their answers: the config has them, too. */
const visibilities = 'src/commands/visibilities.ts';

/** The kinds of channel jobs: lists of the config, which commands place and the bot runs. */
const channelJobs = 'src/config/schema/channel-jobs.ts';

/** The section `discord` of the config. */
const discordSection = 'src/config/schema/discord.ts';

/** The interfaces of what the service serves to everyone besides the contract. */
const publicParts = 'src/server/http/public/public-parts.ts';

/** The layers of reading logs, each of which may import those before it. */
const logs = ['reading', 'writing', 'following', 'importing'].map(
  (layer) => `src/server/ingest/logs/${layer}`,
);

const server = [
  'src/server/http',
  ...store,
  'src/server/live',
  'src/server/files',
  'src/server/games',
  'src/server/games/index.ts',
  'src/server/games/table.ts',
  'src/server/ingest',
  ...logs,
];

/** Each game is a room, which only the table of games opens; it loads what is in there for `games/index.ts`. */
const games = readdirSync('src/server/games', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `src/server/games/${name}`);

/** In it: what is known without its code. */
const gameFacts = games.map((game) => `${game}/facts`);

/** What is known of games as plain data: whoever shows or names it imports the table alone. */
const gameTable = ['src/server/games/table.ts', 'src/server/games/facts.ts'];

/** What reading game servers' files stands on. */
const forIngest = [
  'src/api',
  'src/process',
  ...store,
  'src/server/files',
  'src/server/games',
  'src/server/games/index.ts',
  'src/server/games/table.ts',
];

/**
 * Room → what it may import besides its own files. The row with the longest matching path counts, so that a single file can
 * be a room: `src/process` does not open `src/process/log.ts`.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  // api ← embeds ← commands ← bot ← compose
  'src/api': ['src/process/bounded-cache.ts', 'src/process/time-limit.ts'],
  'src/locales': [],
  'src/embeds': ['src/api', 'src/locales', ...gameTable],
  'src/commands': [
    'src/api',
    'src/locales',
    'src/embeds',
    visibilities,
    channelJobs,
    discordSection,
    'src/process/time-limit.ts',
  ],
  [visibilities]: [],
  'src/bot': [
    'src/api',
    'src/locales',
    'src/embeds',
    'src/commands',
    visibilities,
    channelJobs,
    discordSection,
    'src/process',
  ],
  // the public page: another application of the contract, which fills in what the service serves to everyone
  'src/page': ['src/api', 'src/locales', 'src/embeds', 'src/process', publicParts],
  [publicParts]: [],

  // api ← server ← compose; within the server, what stands on the store never meets
  ...Object.fromEntries(
    store.map((layer, index) => [
      layer,
      ['src/api', 'src/process', 'src/server/store/engine/driver.ts', ...store.slice(0, index)],
    ]),
  ),
  // what the owner decides, which the store is made to agree with
  'src/server/store/repositories': [
    'src/api',
    'src/process',
    'src/server/store/engine',
    'src/server/store/engine/driver.ts',
    'src/config/schema.ts',
  ],
  'src/server/store/engine/driver.ts': [],
  'src/server/http': ['src/api', 'src/process', publicParts, ...store],
  'src/server/live': ['src/api', 'src/process', ...store],
  'src/server/files': [],
  'src/server/ingest': [...forIngest, ...logs],
  ...Object.fromEntries(
    logs.map((layer, index) => [layer, [...forIngest, 'src/server/ingest', ...logs.slice(0, index)]]),
  ),
  'src/server/games': [],
  'src/server/games/index.ts': ['src/server/games', ...gameTable],
  'src/server/games/table.ts': ['src/server/games/facts.ts', ...games, ...gameFacts],
  'src/server/games/facts.ts': [],
  ...Object.fromEntries(games.map((game) => [game, ['src/server/games', `${game}/facts`]])),
  ...Object.fromEntries(gameFacts.map((facts) => [facts, ['src/server/games/facts.ts']])),

  // what everyone stands on, and what knows everyone
  'src/process': [],
  'src/process/log.ts': [],
  'src/config': ['src/api', 'src/locales', visibilities, channelJobs, discordSection, ...gameTable],
  [channelJobs]: ['src/api', 'src/config'],
  [discordSection]: ['src/config', visibilities, channelJobs],
  'src/config/load.ts': ['src/config'],
  // what the owner's guilds see beyond the contract: `Community` of commands, out of the store
  'src/community': [
    'src/api',
    'src/embeds',
    'src/commands',
    'src/bot',
    ...server,
    'src/process',
    'src/config',
  ],
  'src/compose': [
    'src/community',
    'src/api',
    'src/embeds',
    'src/commands',
    'src/bot',
    'src/page',
    publicParts,
    ...server,
    'src/process',
    'src/config',
    channelJobs,
    'src/config/load.ts',
  ],
  'src/cli': [
    'src/api',
    'src/bot',
    ...server,
    ...gameFacts,
    'src/process',
    'src/process/log.ts',
    'src/config',
    channelJobs,
    'src/config/load.ts',
    'src/community',
    'src/compose',
    'src/demo',
  ],
  'src/demo': [
    'src/api',
    ...server,
    'src/process',
    'src/process/log.ts',
    'src/config',
    'src/config/load.ts',
    'src/compose',
  ],
  'src/main.ts': ['src/cli', 'src/process'],
  'packages/dayz-files': [],
  'packages/game-files': [],
  'packages/local-discord': [],
  'packages/sqlite3': [],
};

/** Package of npm → the rooms that may import it. What `packages/` import stands in their own package.json. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  '@clack/prompts': ['src/cli'],
  '@discordjs/rest': ['src/bot'],
  '@fastify/cors': ['src/server/http'],
  '@keyv/sqlite': [...store],
  '@napi-rs/canvas': ['src/embeds', 'src/page'],
  'badge-maker': ['src/page'],
  'better-sqlite3': ['src/server/store/engine/driver.ts'],
  'better-sqlite3-13': ['src/server/store/engine/driver.ts'],
  commander: ['src/cli'],
  'discord-api-types': ['src/embeds', 'src/page'],
  'discord.js': ['src/bot', 'src/commands'],
  'dayz-files': [
    'src/server/store/engine',
    'src/server/games/index.ts',
    'src/server/games',
    ...games,
    'src/server/ingest',
    ...logs,
    'src/community',
    'src/cli',
  ],
  fastify: ['src/server/http', 'src/page', 'src/compose'],
  'game-files': [
    'src/server/store/repositories',
    'src/server/files',
    'src/server/ingest',
    ...logs,
    'src/compose',
    'src/cli',
  ],
  gamedig: ['src/server/live'],
  i18next: ['src/locales'],
  keyv: ['src/bot', ...store, 'src/server/http'],
  kysely: [...store],
  leven: ['src/config'],
  'local-discord': ['src/demo'],
  'ipaddr.js': ['src/server/http', 'src/cli'],
  'lru-cache': [
    'src/process',
    'src/community',
    'src/api',
    'src/locales',
    'src/embeds',
    'src/bot',
    'src/page',
    ...store,
    'src/server/http',
    'src/server/live',
  ],
  luxon: ['src/embeds', 'src/page', ...store, 'src/demo'],
  'node-cron': ['src/process', 'src/config'],
  pg: [...store],
  pino: ['src/process/log.ts', 'src/bot', ...server, 'src/community', 'src/compose', 'src/cli'],
  'pino-pretty': ['src/process/log.ts'],
  preact: ['src/page'],
  'preact-render-to-string': ['src/page'],
  'rate-limiter-flexible': [...store],
  yaml: ['src/config', 'src/cli'],
  zod: [
    'src/api',
    'src/config',
    channelJobs,
    discordSection,
    'src/server/http',
    ...store,
    'src/server/ingest',
    ...logs,
  ],
};

export const maxLines = 350;

/** The only file of `src/` that reads `process.env`. */
export const environmentReader = 'src/config/load.ts';

/** What breaks a rule and why it may. One that is not needed any more fails the test. */
export const exceptions: readonly { from: string; to: string; because: string }[] = [];

/** Circles of imports that may be, by one of their files. */
export const circles: readonly { file: string; because: string }[] = [];

/** Files that may be longer than `maxLines`. */
export const longFiles: readonly { file: string; because: string }[] = [];
