import { environmentReader, maxLines, packages, rooms } from './rules.ts';
import type { SourceFile } from './source-file.ts';

/** A rule that a file breaks. */
export interface Violation {
  file: string;
  /** What it may not import; null: the rule is not about imports. */
  to: string | null;
  message: string;
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The room of a file: the row whose path matches longest; null: it has none. */
function roomOf(path: string): string | null {
  const matching = Object.keys(rooms).filter((room) => isIn(path, room));
  return matching.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

/** What a room may import does not open the rooms within that. */
function mayImport(room: string, target: string): boolean {
  const targetRoom = roomOf(target) ?? target;
  if (targetRoom === room) return true;
  return rooms[room]?.some((open) => isIn(target, open) && open.length >= targetRoom.length) === true;
}

/** Imports that the tables do not allow. */
export function forbiddenImports(
  files: readonly SourceFile[],
  declared: (file: string, packageName: string) => boolean,
): Violation[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path);
    if (room === null) return [violation(file, null, 'stands in no room of the table')];
    const open = rooms[room]?.join(', ') || 'nothing else';
    return [
      ...file.files
        .filter((to) => !mayImport(room, to))
        .map((to) => violation(file, to, `imports ${to}, but ${room} may import ${open}`)),
      ...file.packages
        .filter((name) =>
          isIn(room, 'packages') ? !declared(file.path, name) : packages[name]?.includes(room) !== true,
        )
        .map((name) => violation(file, name, `imports the package ${name}, which is not for ${room}`)),
    ];
  });
}

/** Tests may be longer, in packages as in `test/`. */
export function longFiles(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path, lines }) => lines > maxLines && !/^packages\/[^/]+\/test\//.test(path))
    .map((file) => violation(file, null, `has ${file.lines} lines, more than ${maxLines}`));
}

export function environmentReaders(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => isIn(path, 'src') && path !== environmentReader)
    .filter(({ readsEnvironment }) => readsEnvironment)
    .map((file) => violation(file, null, `reads process.env, which only ${environmentReader} does`));
}

/** Every file and package that is loaded with a file. */
export function loadedWith(path: string, files: readonly SourceFile[]): string[] {
  const loadedBy = new Map(files.map(({ path: from, loaded }) => [from, loaded]));
  const all = new Set([path]);
  // A set also yields what is added while it is walked.
  for (const one of all) for (const next of loadedBy.get(one) ?? []) all.add(next);
  return [...all];
}

/** Groups of files each of which imports, on some way, every other of its group (Tarjan's algorithm). */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const imports = new Map(files.map(({ path, files }) => [path, files]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  const visit = (file: string): number => {
    const place = order.size;
    order.set(file, place);
    lowest.set(file, place);
    open.push(file);
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue;
      const reached = order.has(next)
        ? open.includes(next)
          ? (order.get(next) as number)
          : place
        : visit(next);
      lowest.set(file, Math.min(lowest.get(file) as number, reached));
    }
    if (lowest.get(file) === place) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1 || imports.get(file)?.includes(file) === true) circles.push(circle.toSorted());
    }
    return lowest.get(file) as number;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

const violation = ({ path }: SourceFile, to: string | null, rule: string): Violation => ({
  file: path,
  to,
  message: `${path} ${rule}`,
});
