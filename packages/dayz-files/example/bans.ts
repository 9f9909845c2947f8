import { readFile } from 'node:fs/promises';
import { parseBanFile } from 'dayz-files';

/** The players whom BattlEye's bans.txt bans, until when and why. */
export async function readBans(path: string): Promise<string[]> {
  const { entries } = parseBanFile('battleye', await readFile(path));
  return entries.map(({ identity, expiresAt, reason }) => {
    const until = expiresAt === null ? 'for good' : `until ${new Date(expiresAt).toISOString()}`;
    return `${identity?.battleyeGuid} ${until}: ${reason ?? 'no reason given'}`;
  });
}
