// Compiles src/ to dist/ and puts beside it what the compiler does not carry over. The new dist/ replaces the old one
// in one step, so that a process that starts meanwhile finds a whole one.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const fresh = mkdtempSync(join(root, '.dist-'));
const former = `${fresh}-former`;
try {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  const options = ['-p', 'tsconfig.build.json', '--outDir', fresh];
  execFileSync(process.execPath, [compiler, ...options], { cwd: root, stdio: 'inherit' });
  // Pages are plain browser files.
  for (const page of [join('demo', 'page'), join('server', 'http', 'documentation', 'page')]) {
    cpSync(join(root, 'src', page), join(fresh, page), { recursive: true });
  }
  // A temporary folder is its owner's alone; whoever runs Outpost may be another user.
  chmodSync(fresh, 0o755);
  if (existsSync(dist)) renameSync(dist, former);
  renameSync(fresh, dist);
} finally {
  for (const folder of [fresh, former]) rmSync(folder, { recursive: true, force: true });
}
