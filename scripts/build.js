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
 * What is built, in this order: the modules that are started or imported from outside, the folders of its src/ whose files for
 * browsers are copied, and the modules that browsers load. Without modules of the first kind, the compiler writes each file's own.
 */
const builds = {
  'packages/dayz-files': { entries: [], pages: [], scripts: [] },
  'packages/game-files': { entries: [], pages: [], scripts: [] },
  'packages/local-discord': { entries: [], pages: ['page'], scripts: ['page/main'] },
  '.': {
    entries: ['main', 'api/index', 'compose/follow-process'],
    pages: ['server/http/documentation/page', 'page/browser'],
    scripts: [],
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

async function build(folder, { entries, pages, scripts }) {
  const dist = join(folder, 'dist');
  const fresh = mkdtempSync(join(folder, '.dist-'));
  const previous = `${fresh}-previous`;
  try {
    // Types are checked by check:types. An install without development dependencies lacks those of libraries.
    const options = ['-p', 'tsconfig.build.json', '--outDir', fresh, '--noCheck'];
    execFileSync(process.execPath, [compiler, ...options], { cwd: folder, stdio: 'inherit' });
    if (entries.length > 0) await bundleModules(folder, entries, fresh);
    if (scripts.length > 0) await bundleScripts(folder, scripts, fresh);
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
    ...bundled(folder, entries, dist),
    chunkNames: 'shared/[hash]',
    tsconfig: join(folder, 'tsconfig.build.json'),
    splitting: true,
    platform: 'node',
    target: 'node20',
    external: [...installed, ...unused],
    // CommonJS packages load Node.js's own modules by this.
    banner: {
      js: "import { createRequire as forPackages } from 'node:module'; const require = forPackages(import.meta.url);",
    },
    legalComments: 'none',
  });
}

/** Each script becomes one file with all that it imports. It names the authors of the packages in it. */
async function bundleScripts(folder, scripts, dist) {
  await bundle({
    ...bundled(folder, scripts, dist),
    platform: 'browser',
    target: 'es2023',
    legalComments: 'eof',
  });
}

/** What all bundles have in common. */
function bundled(folder, modules, dist) {
  return {
    entryPoints: modules.map((module) => join(folder, 'src', `${module}.ts`)),
    outbase: join(folder, 'src'),
    outdir: dist,
    bundle: true,
    format: 'esm',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  };
}
