import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One entry of `package-lock.json`. */
interface LockEntry {
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** A package that the program needs. Paths have /, from the project's folder. */
export interface ProductionPackage {
  /** Where it is below `node_modules`, such as `node_modules/pino`. */
  place: string;
  /** Its folder; for a workspace, another one than its place. */
  folder: string;
}

/** This project's own dependencies that only building `dist/` needs. */
const neededToBuild = new Set(['esbuild', 'typescript']);
/** Dependencies of packages that only installing them needs: they download or compile, or send statistics. */
const neededToInstall = new Set([
  '@scarf/scarf',
  'cpu-features',
  'nan',
  'node-addon-api',
  'node-gyp',
  'prebuild-install',
  'tar',
]);

/**
 * The installed packages that the program needs to run, in order of their places.
 * @param without further packages to leave out
 * @param only of this project's own dependencies, those to follow
 */
export function productionPackages(
  root: string,
  without: readonly string[] = [],
  only?: readonly string[],
): ProductionPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const found = new Map<string, string>();
  const visit = (from: string): void => {
    const entry = packages[from] ?? {};
    const unneeded = from === '' ? neededToBuild : neededToInstall;
    for (const name of runtimeDependencies(entry)) {
      if (from === '' && only?.includes(name) === false) continue;
      if (unneeded.has(name) || name.startsWith('@types/') || without.includes(name)) continue;
      const place = placeOf(packages, from, name);
      if (place === null || found.has(place)) continue;
      const { link, resolved } = packages[place] ?? {};
      const folder = link === true && resolved !== undefined ? resolved : place;
      // What is for another platform is in the lock, but not installed.
      if (!existsSync(join(root, folder))) continue;
      found.set(place, folder);
      visit(folder);
    }
  };
  visit('');
  return [...found].map(([place, folder]) => ({ place, folder })).toSorted(byPlace);
}

const byPlace = (one: ProductionPackage, other: ProductionPackage): number =>
  one.place < other.place ? -1 : 1;

function runtimeDependencies(entry: LockEntry): string[] {
  const peers = Object.keys(entry.peerDependencies ?? {});
  return [
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
    ...peers.filter((name) => entry.peerDependenciesMeta?.[name]?.optional !== true),
  ];
}

/** Where Node.js finds a package that another one imports: in the nearest `node_modules` above. Null: nowhere. */
function placeOf(packages: Record<string, LockEntry>, from: string, name: string): string | null {
  for (let folder = from; ; folder = parentOf(folder)) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return null;
  }
}

/** The folder above, skipping `node_modules` itself. */
function parentOf(folder: string): string {
  const above = folder.split('/').slice(0, -1);
  while (above.at(-1) === 'node_modules' || above.at(-1)?.startsWith('@') === true) above.pop();
  return above.join('/');
}
