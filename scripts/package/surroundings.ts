import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Where the license of a Node.js may be: its makers put it beside the binary or above `bin/`, distributions among their
 * documentation, below the same prefix.
 * @param binary path of the Node.js
 */
export function licensePlaces(binary: string): string[] {
  const folder = dirname(binary);
  const share = join(dirname(folder), 'share');
  return [
    join(folder, 'LICENSE'),
    join(dirname(folder), 'LICENSE'),
    ...['licenses/nodejs', 'licenses/node', 'doc/nodejs', 'doc/node'].map((name) =>
      join(share, name, 'LICENSE'),
    ),
    // Debian's own package.
    join(share, 'doc/nodejs/copyright'),
  ];
}

/**
 * Of the commit, so that packing it again gives the same archive. A source archive has no commit, but its files have that
 * time.
 */
export function timeOfRelease(root: string, epoch = process.env['SOURCE_DATE_EPOCH']): Date {
  if (epoch !== undefined) return new Date(Number(epoch) * 1000);
  if (!existsSync(join(root, '.git'))) return statSync(join(root, 'package.json')).mtime;
  const seconds = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return new Date(Number(seconds) * 1000);
}

/** Whether a Node.js needs libraries that its distribution installs beside it, so that it runs nowhere else. */
export function needsLibraries(variables: object = process.config.variables): boolean {
  return Object.entries(variables).some(
    ([name, value]) => name.startsWith('node_shared') && (value === true || value === 'true'),
  );
}
