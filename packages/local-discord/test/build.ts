import { execSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A browser reads the page as it is built. */
export default function buildPage(): void {
  execSync('npm run --silent build', {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  });
}
