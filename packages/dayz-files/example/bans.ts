import { readFile } from 'node:fs/promises';
import { readBans } from 'dayz-files';

/** The players whom BattlEye's bans.txt bans, until when and why. */
export async function listBans(path: string): Promise<string[]> {
  const { entries } = readBans('battleye', await readFile(path));
  return entries.map(({ identity, expiresAt, reason }) => {
    const until = expiresAt === null ? 'for good' : `until ${new Date(expiresAt).toISOString()}`;
    return `${identity?.battleyeGuid} ${until}: ${reason ?? 'no reason given'}`;
  });
}
