import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests that start the real process run what is built; it is built from the sources under test, once. */
export default function buildOnce(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync(process.execPath, ['scripts/build.js'], { cwd: root, stdio: 'inherit' });
}
