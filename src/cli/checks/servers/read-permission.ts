import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
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
  if (uid === process.geteuid?.()) return `. Run: chmod u+${rights} ${closed}`;
  // Nobody is to be in root's group.
  if (gid === 0) return '';
  const commands = [
    ...((mode & bits) === bits ? [] : [`sudo chmod g+${rights} ${closed}`]),
    ...(process.getgroups().includes(gid) ? [] : [joinGroup(gid, isContainer)]),
  ];
  return commands.length === 0
    ? ''
    : `. ${closed} is closed to that user: ${commands.join(', ')}, then restart Outpost`;
}

function joinGroup(gid: number, isContainer: boolean): string {
  if (isContainer) return `group_add: ['${gid}'] in compose.yaml`;
  const name = new RegExp(`^([^:]+):[^:]*:${gid}:`, 'm').exec(readFileSync('/etc/group', 'utf8'))?.[1];
  return `sudo usermod --append --groups ${name ?? gid} ${userInfo().username}`;
}

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
