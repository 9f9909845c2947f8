import type { BanlistConfig } from '../../../config/schema.ts';
import { banFolders, banFormatOf } from '../../../server/ingest/bans/formats/index.ts';
import { isNotCreatedYet, readBanFile } from '../../../server/ingest/bans/read-file.ts';
import type { FilePort } from '../../../server/files/file-port.ts';
import { count } from '../../output.ts';
import { type CheckResult, good, warning } from '../finding.ts';

const noBans = { entries: [], ipBans: 0, unread: 0 };

/** Checks whether a ban file can be read and has the configured format. */
export async function checkBanFile(
  { file, format }: BanlistConfig['sources'][number],
  port: FilePort,
): Promise<CheckResult> {
  const isNew = await isNotCreatedYet(file, port);
  const { entries, ipBans, unread } = isNew ? noBans : await readBanFile(file, format, port);
  const other = isNew ? await otherBanFile(file, format, port) : null;
  if (other !== null) {
    return warning(
      `does not exist, but ${other.file} has ${count(other.bans, 'ban')}`,
      'correct the path if that file is meant',
    );
  }
  const ended = entries.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= Date.now()).length;
  const found = isNew
    ? 'does not exist yet: no bans'
    : `${count(entries.length, 'ban')}, ${ipBans} of IP addresses (not served), ${count(unread, 'unread line')}${ended === 0 ? '' : `; of the bans, ${ended} ended`}`;
  if (isNew && banFormatOf(format).appearsWithFirstBan !== true) {
    return warning(found, 'check the path, unless the server has never been started');
  }
  return good(found);
}

/** A ban file with bans near one that does not exist: its name may be mistyped, or its folder left out. */
async function otherBanFile(
  file: string,
  format: BanlistConfig['sources'][number]['format'],
  port: FilePort,
): Promise<{ file: string; bans: number } | null> {
  const { dirname, extname, join } = port.path;
  // In a file of lines, almost any text could be a banned name.
  const isJson = extname(file).toLowerCase() === '.json';
  const matching = isJson ? /ban.*\.json$/i : /ban.*\.txt$/i;
  for (const folder of [dirname(file), ...banFolders.map((name) => join(dirname(file), name))]) {
    const entries = await port.list(folder, { matching, stat: [] }).catch(() => []);
    for (const { name } of entries) {
      const other = join(folder, name);
      // What is of another format is another file.
      const { entries: bans, ipBans } = await readBanFile(other, format, port).catch(() => noBans);
      if (bans.length + ipBans > 0) return { file: other, bans: bans.length + ipBans };
    }
  }
  return null;
}
