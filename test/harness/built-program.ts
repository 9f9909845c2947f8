import { buildSync } from 'esbuild';
import { readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = JSON.parse(readFileSync(join(root, 'scripts/installed-packages.json'), 'utf8')) as string[];

/**
 * Bundles a program of the tests, as `scripts/build.js` does Outpost, and returns its file. A process that loads it from
 * its sources keeps a core busy for seconds first.
 */
export function builtProgram(source: URL): string {
  const file = join(root, 'node_modules/.cache/outpost-tests', `${basename(source.pathname, '.ts')}.mjs`);
  // Other processes of the test run may build the same one.
  const fresh = `${file}-${process.pid}.mjs`;
  buildSync({
    entryPoints: [fileURLToPath(source)],
    outfile: fresh,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: join(root, 'tsconfig.build.json'),
    external: [...installed, 'bufferutil', 'utf-8-validate', 'zlib-sync'],
    // The program finds files of its package, and packages, as if it were built.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'dist/main.js')).href) },
    banner: {
      js: "import { createRequire as forPackages } from 'node:module'; const require = forPackages(import.meta.url);",
    },
    logLevel: 'warning',
  });
  renameSync(fresh, file);
  return file;
}
