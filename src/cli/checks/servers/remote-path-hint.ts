import type { FilePort } from '../../../server/files/file-port.ts';

const shownNames = 8;

/** What lies in the nearest folder above a path that is not there: paths at a host are seldom what its panel shows. */
export async function remotePathHint(port: FilePort, path: string): Promise<string> {
  const { dirname } = port.path;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const entries = await port.list(folder, { matching: /^/, stat: [] }).catch(() => null);
    if (entries === null && folder !== dirname(folder)) continue;
    if (entries === null) return 'check the path, as it is seen after the login';
    const names = entries.map(({ name }) => name).toSorted();
    const shown = names.slice(0, shownNames).join(', ') || 'nothing';
    const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
    return `check the path, as it is seen after the login: ${folder} has ${shown}${more}`;
  }
}
