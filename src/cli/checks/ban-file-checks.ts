import type { FilePort } from 'game-files';
import type { BanlistConfig } from '../../config/schema.ts';
import { banFormats } from 'dayz-files';
import { isNotCreatedYet, readBanFile } from '../../server/ingest/bans/read-file.ts';
import { count } from '../output.ts';
import type { Finding, Report } from './finding.ts';

type BanSource = BanlistConfig['sources'][number];

/** Checks whether a ban file can be read and has the configured format. */
export async function checkBanFile(source: BanSource, port: FilePort, report: Report): Promise<Finding> {
  const { file, format } = source;
  if (await isNotCreatedYet(file, port)) {
    const other = await otherBanFile(source, port);
    if (other !== null) return report('bans.mistyped', other);
    return report(banFormats[format].appearsWithFirstBan === true ? 'bans.new' : 'bans.missing');
  }
  const { entries, ipBans, unread } = await readBanFile(file, format, port);
  const ended = entries.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= Date.now()).length;
  const found = `${count(entries.length, 'ban')}, ${ipBans} of IP addresses (not served), ${count(unread, 'unread line')}`;
  return report('bans.good', { found: ended === 0 ? found : `${found}; of the bans, ${ended} ended` });
}

/** Folders in which ban files usually are, beside the file of another format. */
const banFolders = Object.values(banFormats).flatMap(({ folder }) => folder ?? []);

/** A ban file with bans near one that does not exist: its name may be mistyped, or its folder left out. */
async function otherBanFile(
  { file, format }: BanSource,
  port: FilePort,
): Promise<{ file: string; bans: string } | null> {
  const { dirname, extname, join } = port.path;
  // In a file of lines, almost any text could be a banned name.
  const isJson = extname(file).toLowerCase() === '.json';
  const matching = isJson ? /ban.*\.json$/i : /ban.*\.txt$/i;
  for (const folder of [dirname(file), ...banFolders.map((name) => join(dirname(file), name))]) {
    const entries = await port.list(folder, { matching, stat: [] }).catch(() => []);
    for (const { name } of entries) {
      const other = join(folder, name);
      // What is of another format is another file.
      const found = await readBanFile(other, format, port).catch(() => ({ entries: [], ipBans: 0 }));
      const bans = found.entries.length + found.ipBans;
      if (bans > 0) return { file: other, bans: count(bans, 'ban') };
    }
  }
  return null;
}
