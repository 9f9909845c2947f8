// Builds the packages of this repository: a folder's src/ becomes its dist/. The new dist/ replaces the old one in one step,
// so that a process that starts meanwhile finds a whole one. Without arguments: everything.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);

/**
 * What is built, in this order: its compiler projects, the modules that are started or imported from outside, and the folders
 * of its src/ whose files for browsers are copied. Without such modules, the compiler writes each file's own.
 */
const builds = {
  'packages/dayz-files': { projects: ['tsconfig.build.json'], entries: [], pages: [] },
  'packages/game-files': { projects: ['tsconfig.build.json'], entries: [], pages: [] },
  'packages/local-discord': {
    projects: ['tsconfig.build.json', 'src/page/tsconfig.json'],
    entries: [],
    pages: ['page'],
  },
  '.': {
    projects: ['tsconfig.build.json'],
    entries: ['main', 'api/index', 'compose/follow-process'],
    pages: ['server/http/documentation/page', 'page/browser'],
  },
};

/**
 * The packages that a built program loads from `node_modules`, with what they bring: native ones, those whose files it reads,
 * and those that are loaded by `createRequire`, if at all. All others are part of its modules.
 */
const installed = JSON.parse(readFileSync(join(root, 'scripts/installed-packages.json'), 'utf8'));
/** What discord.js and its parts try to load, and do without. */
const unused = ['bufferutil', 'utf-8-validate', 'zlib-sync'];

for (const [folder, parts] of Object.entries(builds)) {
  const asked = process.argv.slice(2);
  if (asked.length === 0 || asked.includes(folder)) await build(join(root, folder), parts);
}

async function build(folder, { projects, entries, pages }) {
  const dist = join(folder, 'dist');
  const fresh = mkdtempSync(join(folder, '.dist-'));
  const previous = `${fresh}-previous`;
  try {
    for (const project of projects) {
      // Types are checked by check:types. An install without development dependencies lacks those of libraries.
      const options = ['-p', project, '--outDir', fresh, '--noCheck'];
      execFileSync(process.execPath, [compiler, ...options], { cwd: folder, stdio: 'inherit' });
    }
    if (entries.length > 0) await bundleModules(folder, entries, fresh);
    const isForBrowsers = (path) => !/\.(?:tsx?|json)$/.test(path);
    for (const page of pages) {
      cpSync(join(folder, 'src', page), join(fresh, page), { recursive: true, filter: isForBrowsers });
    }
    // A temporary folder is its owner's alone; whoever runs Outpost may be another user.
    chmodSync(fresh, 0o755);
    if (existsSync(dist)) renameSync(dist, previous);
    renameSync(fresh, dist);
  } finally {
    for (const leftover of [fresh, previous]) rmSync(leftover, { recursive: true, force: true });
  }
}

/**
 * Each entry becomes a module at its own path, and what several need a module of its own. Packages are put into them: to load
 * some hundred files instead of some thousands makes a start a second shorter.
 */
async function bundleModules(folder, entries, dist) {
  await bundle({
    entryPoints: entries.map((entry) => join(folder, 'src', `${entry}.ts`)),
    outbase: join(folder, 'src'),
    outdir: dist,
    chunkNames: 'shared/[hash]',
    tsconfig: join(folder, 'tsconfig.build.json'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...installed, ...unused],
    // CommonJS packages load Node.js's own modules by this.
    banner: {
      js: "import { createRequire as forPackages } from 'node:module'; const require = forPackages(import.meta.url);",
    },
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
}
