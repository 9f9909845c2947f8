import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inputs = [
  'src',
  'packages/dayz-files/src',
  'packages/game-files/src',
  'packages/local-discord/src',
  'scripts/build.js',
  'scripts/installed-packages.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];

/** Tests that start the real process run dist/. It is built when anything that it is made of is newer. */
export default function buildOnce(): void {
  if (changedAt(join(root, 'dist')) > Math.max(...inputs.map((path) => changedAt(join(root, path))))) return;
  execFileSync(process.execPath, ['scripts/build.js'], { cwd: root, stdio: 'inherit' });
}

/** When the newest file or folder below a path was changed; 0 where there is none. */
function changedAt(path: string): number {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 0;
  const below = entry.isDirectory() ? readdirSync(path) : [];
  return Math.max(entry.mtimeMs, ...below.map((name) => changedAt(join(path, name))));
}
