// Compiles a folder's src/ to its dist/ and puts beside it what the compiler does not carry over. The new dist/ replaces
// the old one in one step, so that a process that starts meanwhile finds a whole one. Without arguments: everything.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);

/**
 * What is built, in this order: its compiler projects, and the folders of its src/ whose files for browsers are copied.
 */
const builds = {
  'packages/local-discord': { projects: ['tsconfig.build.json', 'src/page/tsconfig.json'], pages: ['page'] },
  '.': { projects: ['tsconfig.build.json'], pages: ['server/http/documentation/page', 'page/browser'] },
};

for (const [folder, parts] of Object.entries(builds)) {
  const asked = process.argv.slice(2);
  if (asked.length === 0 || asked.includes(folder)) build(join(root, folder), parts);
}

function build(folder, { projects, pages }) {
  const dist = join(folder, 'dist');
  const fresh = mkdtempSync(join(folder, '.dist-'));
  const previous = `${fresh}-previous`;
  try {
    for (const project of projects) {
      // Types are checked by check:types. An install without development dependencies lacks those of libraries.
      const options = ['-p', project, '--outDir', fresh, '--noCheck'];
      execFileSync(process.execPath, [compiler, ...options], { cwd: folder, stdio: 'inherit' });
    }
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
