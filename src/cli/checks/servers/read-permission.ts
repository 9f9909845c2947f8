import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The commands that let this user read a path on this machine, as the end of an advice. Most often a home folder above it is closed.
 * Empty: they are not known.
 */
export function commandsToRead(path: string, isContainer: boolean): string {
  const closed = foldersAbove(path).find((folder) => !mayEnter(folder)) ?? path;
  const stats = statSync(closed, { throwIfNoEntry: false });
  // Windows has no groups.
  if (stats === undefined || process.getgroups === undefined) return '';
  const { uid, gid, mode } = stats;
  const [bits, rights] = stats.isDirectory() ? [0o050, 'rx'] : [0o040, 'r'];
  if (uid === process.geteuid?.()) return `. Run: chmod u+${rights} ${quoted(closed)}`;
  // Outpost's user is not to join root's group.
  if (gid === 0) return '';
  const commands = [
    ...((mode & bits) === bits ? [] : [`sudo chmod g+${rights} ${quoted(closed)}`]),
    ...(process.getgroups().includes(gid) ? [] : [joinGroup(gid, isContainer)]),
  ];
  return commands.length === 0
    ? ''
    : `. ${closed} is closed to that user: ${commands.join(', ')}, then restart Outpost`;
}

function joinGroup(gid: number, isContainer: boolean): string {
  if (isContainer) return `group_add: ['${gid}'] in compose.yaml`;
  const user = nameIn('/etc/passwd', process.geteuid?.() ?? 0);
  return `sudo usermod --append --groups ${nameIn('/etc/group', gid)} ${user}`;
}

/** The name of an id; the id itself where the file has none, as of a user that a supervisor made up. */
function nameIn(file: string, id: number): string {
  return new RegExp(`^([^:]+):[^:]*:${id}:`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? String(id);
}

const quoted = (path: string): string =>
  /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;

/** From the root. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [...foldersAbove(folder), folder];
}

function mayEnter(folder: string): boolean {
  try {
    return statSync(`${folder}/.`).isDirectory();
  } catch {
    return false;
  }
}
