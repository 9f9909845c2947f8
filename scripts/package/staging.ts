import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runsNewestDriver } from '../../src/server/store/engine/driver.ts';
import installedPackages from '../installed-packages.json' with { type: 'json' };
import { isKept, isLicense } from './kept-files.ts';
import { productionPackages } from './production-packages.ts';

/** A Node.js as its makers distribute it. */
export interface NodeDistribution {
  binary: string;
  license: string;
}

/** Of this project, beside `dist/`: what the program reads. */
const ofProgram = ['package.json', 'LICENSE', 'config/demo'];
/** For the person who installs it. */
export const forOwner = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  '.env.example',
  'docs',
  'deploy',
  'config/outpost.example.yaml',
  'config/outpost.schema.json',
  'config/project.schema.json',
];

/** Part of the page of `local-discord`. */
const builtIntoPage = '@skyra/discord-components-core';

/** Copies the built program and the packages that it needs into a folder, from which any Node.js of this ABI runs it. */
export function stageApp(root: string, folder: string): void {
  for (const name of ofProgram) copyTree(join(root, name), join(folder, name));
  copyTree(join(root, 'dist'), join(folder, 'dist'), (path) => isKept('outpost', path));
  const unusedDriver = runsNewestDriver() ? 'better-sqlite3' : 'better-sqlite3-13';
  const installed = new Set(
    productionPackages(root, [unusedDriver, builtIntoPage], installedPackages).map(({ place }) => place),
  );
  for (const { place, folder: from } of productionPackages(root, [unusedDriver])) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    // Of those that are part of dist/, only the licenses.
    const isNeeded = (path: string): boolean => (installed.has(place) ? isKept(name, path) : isLicense(path));
    // Packages within it have entries of their own.
    const isOwn = (path: string): boolean => !/(?:^|\/)node_modules\//.test(path);
    copyTree(join(root, from), join(folder, place), (path) => isOwn(path) && isNeeded(path));
  }
}

/** Fills the folder of a release archive: the app, its Node.js, the launcher, and what its owner reads and adapts. */
export function stageArchive(
  root: string,
  folder: string,
  node: NodeDistribution,
  platform = process.platform,
): void {
  const isWindows = platform === 'win32';
  stageApp(root, join(folder, 'app'));
  const binary = join(folder, 'node', isWindows ? 'node.exe' : 'node');
  copyFile(node.binary, binary, true);
  copyFile(node.license, join(folder, 'node', 'LICENSE'));
  const launcher = isWindows ? 'outpost.cmd' : 'outpost';
  copyFile(join(root, 'packaging/launchers', launcher), join(folder, launcher), true);
  const service = isWindows ? 'windows' : 'systemd';
  if (platform !== 'darwin') copyTree(join(root, 'packaging', service), join(folder, 'service'));
  if (platform === 'linux')
    copyFile(join(root, 'packaging/pterodactyl/start.sh'), join(folder, 'service/panel-start.sh'), true);
  for (const name of forOwner) copyTree(join(root, name), join(folder, name));
}

/** Copies a file, or the files of a folder that pass. What is not there is left out. */
function copyTree(from: string, to: string, passes: (path: string) => boolean = () => true): void {
  if (!existsSync(from)) return;
  if (!statSync(from).isDirectory()) return copyFile(from, to);
  for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const file = join(from, path);
    if (statSync(file).isDirectory() || !passes(path.replaceAll('\\', '/'))) continue;
    copyFile(file, join(to, path));
  }
}

/** Modes do not depend on who packs. */
function copyFile(from: string, to: string, isProgram = false): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, isProgram ? 0o755 : 0o644);
}
