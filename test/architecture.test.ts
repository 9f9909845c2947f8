import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { circles, exceptions, longFiles as mayBeLong } from './architecture/rules.ts';
import { readSource, readSourceFiles, type SourceFile } from './architecture/source-file.ts';
import {
  environmentReaders,
  forbiddenImports,
  importCircles,
  loadedWith,
  longFiles,
  type Violation,
} from './architecture/violations.ts';

const files = readSourceFiles();
const messages = (violations: readonly Violation[]): string[] => violations.map(({ message }) => message);
const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

interface Manifest {
  name?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const readManifest = (file: string): Manifest =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};

/** Whether a folder of `packages/` may import a package: itself, by its own package.json, or as a tool of the repository. */
function declared(file: string, name: string): boolean {
  const own = readManifest(file.replace(/^(packages\/[^/]+)\/.*/, '$1/package.json'));
  const tools = readManifest('package.json').devDependencies;
  if (own.name === name) return true;
  const lists = [own.dependencies, own.devDependencies, own.peerDependencies, tools];
  return lists.some((list) => list?.[name] !== undefined);
}

const isExcepted =
  ({ file, to }: Violation) =>
  ({ from, to: target }: { from: string; to: string }): boolean =>
    to !== null && isIn(file, from) && isIn(to, target);

it('imports only what the table of rooms allows', () => {
  expect(files.length).toBeGreaterThan(300);
  const violations = forbiddenImports(files, declared);
  expect(messages(violations.filter((violation) => !exceptions.some(isExcepted(violation))))).toEqual([]);
  const unused = exceptions.filter((exception) => !violations.some((one) => isExcepted(one)(exception)));
  expect(unused, 'exceptions that are not needed any more').toEqual([]);
});

it('has no circle of imports, types included', () => {
  const found = importCircles(files);
  expect(found.filter((circle) => !circles.some(({ file }) => circle.includes(file)))).toEqual([]);
  const unused = circles.filter(({ file }) => !found.some((circle) => circle.includes(file)));
  expect(unused, 'exceptions that are not needed any more').toEqual([]);
});

it('has no long file', () => {
  const found = longFiles(files);
  expect(messages(found.filter(({ file }) => !mayBeLong.some((one) => one.file === file)))).toEqual([]);
  const unused = mayBeLong.filter((one) => !found.some(({ file }) => one.file === file));
  expect(unused, 'exceptions that are not needed any more').toEqual([]);
});

it('reads the environment in one place', () => {
  expect(messages(environmentReaders(files))).toEqual([]);
});

it('loads discord.js only where a bot runs, which halves the start of a service without one', () => {
  const loaded = loadedWith('src/compose/compose.ts', files);
  expect(loaded).toContain('fastify');
  expect(loaded).not.toContain('discord.js');
  expect(loaded).not.toContain('@discordjs/rest');
  expect(loadedWith('src/bot/bot.ts', files)).toContain('discord.js');
});

it('loads the driver of PostgreSQL only with a URL', () => {
  const loaded = loadedWith('src/compose/compose.ts', files);
  expect(loaded).toContain('src/server/store/engine/postgres/pool.ts');
  expect(loaded).not.toContain('pg');
});

const games = files
  .map(({ path }) => path)
  .filter((path) => /^src\/server\/games\/[^/]+\/index\.ts$/.test(path));

it('shows and names games without the code that reads their files', () => {
  expect(games).not.toEqual([]);
  for (const entry of ['src/embeds/maps.ts', 'src/config/schema/server.ts', 'src/cli/program.ts']) {
    const loaded = loadedWith(entry, files);
    expect(loaded).toContain('src/server/games/table.ts');
    expect(loaded.filter((path) => games.includes(path))).toEqual([]);
  }
});

it("names a game's files in the folders of the game alone", () => {
  const named = files
    .map(({ path }) => path)
    // The demo plays a DayZ server.
    .filter(
      (path) => path.startsWith('src/') && !/^src\/(?:demo|cli\/dayz|server\/games\/[^/]+)\//.test(path),
    )
    .filter((path) => {
      const code = readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
      return /\.adm\b|\.rpt\b|serverconsole|serverdz|\bbans?\.txt|banlist\.json|mpmissions/i.test(code);
    });
  expect(named).toEqual([]);
});

it('loads neither a package nor the config for --help and --version, but what they print', () => {
  const loaded = loadedWith('src/cli/program.ts', files);
  expect(loaded.filter((name) => !name.includes('/'))).toEqual(['commander']);
  for (const name of ['src/config/load.ts', 'src/server/store/engine/database.ts'])
    expect(loaded).not.toContain(name);
});

it.each(['@napi-rs/canvas', 'basic-ftp', 'pino-pretty', 'sax', 'ssh2'])(
  'loads %s with its first use, which saves memory where it is not used',
  (name) => {
    const entries = ['cli/start', 'compose/compose', 'compose/follow-process', 'bot/bot'];
    const paths = [...entries.map((entry) => `src/${entry}.ts`), ...games];
    for (const path of paths) expect(loadedWith(path, files)).not.toContain(name);
  },
);

const imports: readonly [what: string, file: string, text: string, refused: string][] = [
  [
    'the store knowing http',
    'src/server/store/engine/planted.ts',
    "import { Problem } from '../../http/answers/problem.ts';",
    'src/server/http/answers/problem.ts',
  ],
  [
    'the bot knowing the schema of the config',
    'src/bot/planted.ts',
    "import type { DiscordConfig } from '../config/schema.ts';",
    'src/config/schema.ts',
  ],
  [
    'local-discord knowing Outpost',
    'packages/local-discord/src/planted.ts',
    "export type { Server } from '../../../src/api/resources.ts';",
    'src/api/resources.ts',
  ],
  [
    'http loading live when it is needed',
    'src/server/http/documentation/planted.ts',
    "export const load = () => import('../../live/query.ts');",
    'src/server/live/query.ts',
  ],
  [
    'ingest naming a type of live in place',
    'src/server/ingest/planted.ts',
    "export type Query = import('../live/query.ts').QueryServer;",
    'src/server/live/query.ts',
  ],
  [
    'the config passing on what the server exports',
    'src/config/planted.ts',
    "export * from '../server/store/repositories/projects/reconcile.ts';",
    'src/server/store/repositories/projects/reconcile.ts',
  ],
  [
    'live starting the process that follows files',
    'src/server/live/planted.ts',
    "import { entryModule } from '../../process/own-files.ts';\nexport const module = entryModule('compose/follow-process');",
    'src/compose/follow-process.ts',
  ],
  ['SQL outside the store', 'src/server/http/planted.ts', "import type { Kysely } from 'kysely';", 'kysely'],
  [
    'discord.js in an embed',
    'src/embeds/planted.ts',
    "import { EmbedBuilder } from 'discord.js';",
    'discord.js',
  ],
  [
    'GameDig outside live',
    'src/cli/planted.ts',
    "import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('gamedig');",
    'gamedig',
  ],
  [
    'a log of its own',
    'src/bot/planted.ts',
    "import { createLogger } from '../process/log.ts';",
    'src/process/log.ts',
  ],
];

function plant(path: string, text: string): SourceFile {
  return readSource(path, text, new Set(files.map((file) => file.path)));
}

it.each(imports)('refuses %s', (_what, path, text, refused) => {
  const found = forbiddenImports([...files, plant(path, text)], declared);
  expect(found.filter(({ file }) => file === path).map(({ to }) => to)).toEqual([refused]);
});

it('finds its files where the build puts them', () => {
  const build = readFileSync('scripts/build.js', 'utf8');
  for (const { path } of files.filter((file) => /^src\/.*\.tsx?$/.test(file.path))) {
    const text = readFileSync(path, 'utf8');
    if (path !== 'src/process/own-files.ts') expect(text, path).not.toMatch(/new URL\([^)]*import\.meta/);
    for (const [, entry] of text.matchAll(/entryModule\('(.+?)'\)/g)) expect(build).toContain(`'${entry}'`);
  }
});

it('refuses a circle of types', () => {
  const one = plant(
    'src/embeds/planted-one.ts',
    "import type { B } from './planted-two.ts';\nexport type A = B;",
  );
  const two = plant(
    'src/embeds/planted-two.ts',
    "import type { A } from './planted-one.ts';\nexport type B = A;",
  );
  const three = { ...one, files: ['src/embeds/planted-two.ts'] };
  expect(importCircles([...files, three, two])).toContainEqual([one.path, two.path]);
});

it.each(['process.env.TOKEN', "process['env']", 'const { env } = process;'])(
  'refuses %s outside of the config',
  (text) => {
    expect(environmentReaders([plant('src/bot/planted.ts', text)])).toHaveLength(1);
  },
);

it('refuses a file of 351 lines, and a folder that is in no table', () => {
  expect(longFiles([plant('src/bot/planted.ts', '\n'.repeat(351))])).toHaveLength(1);
  expect(longFiles([plant('src/bot/planted.ts', '\n'.repeat(350))])).toEqual([]);
  expect(forbiddenImports([plant('src/planted/planted.ts', '')], declared)).toHaveLength(1);
});
