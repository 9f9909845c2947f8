import { type BanFormat, banFormats } from './ban-formats.ts';
import type { BanEntry } from './entry.ts';

export interface BanFile {
  entries: BanEntry[];
  /** Bans of IP addresses, which name no player. */
  ipBans: number;
  /** Lines or records without a ban, including the game's own example lines. */
  unread: number;
  /** Whether the file contains nothing at all, not even a comment. */
  blank: boolean;
}

/**
 * The bans in a file. A file without any is an empty list. It is of another format if it contains what the format never does: no id at
 * all, and more such lines than names, since almost any line could be a name.
 * @throws when the bytes are not of that format
 */
export function readBans(format: BanFormat, bytes: Buffer): BanFile {
  const entries = new Map<string, BanEntry>();
  const without = { address: 0, nobody: 0, foreign: 0, empty: 0 };
  let ids = 0;
  let names = 0;
  for (const line of banFormats[format].read(bytes)) {
    if (typeof line === 'string') {
      without[line] += 1;
      continue;
    }
    if (line.identity === null) names += 1;
    else ids += 1;
    const earlier = entries.get(line.key);
    if (earlier === undefined) entries.set(line.key, line);
    else merge(earlier, line);
  }
  const { address, nobody, foreign } = without;
  if (ids + address === 0 && foreign > names) {
    throw new Error(
      `is not a ban file of the format "${format}": ${banFormats[format].expected} was expected, ` +
        `${foreign} of ${foreign + names} hold something else`,
    );
  }
  const blank = bytes.length === 0;
  return { entries: [...entries.values()], ipBans: address, unread: nobody + foreign, blank };
}

/** A player with two entries in a file has one ban: that of the entry that ends last, of equal ends the later one. */
function merge(earlier: BanEntry, entry: BanEntry): void {
  earlier.playerName = entry.playerName ?? earlier.playerName;
  const [before, end] = [earlier, entry].map(({ expiresAt }) => expiresAt ?? Infinity) as [number, number];
  if (end < before) return;
  earlier.reason = end === before ? (entry.reason ?? earlier.reason) : entry.reason;
  earlier.expiresAt = entry.expiresAt;
}
