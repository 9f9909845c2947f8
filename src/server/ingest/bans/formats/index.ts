import { banFormats } from '../../../games/index.ts';
import type { BanFileFormat } from '../../../games/game.ts';
import type { GameBanFormat } from '../../../games/table.ts';
import { textOf } from '../../../files/text.ts';
import { type BanEntry, eachLine } from './entry.ts';
import { parseNitradoLine } from './nitrado.ts';

export type BanFormat = GameBanFormat | 'nitrado';

/** Those of all games, and the banned names of a server at Nitrado. */
const formats: Readonly<Record<BanFormat, BanFileFormat>> = {
  ...banFormats,
  nitrado: {
    // Web interfaces and other programs end lines in different ways.
    parse: (bytes) => eachLine(textOf(bytes).split(/[\r\n]+/), parseNitradoLine),
    expected: "a player's name on each line",
  },
};

export const banFormatOf = (format: BanFormat): BanFileFormat => formats[format];

/** Folders in which ban files usually are, beside the file of another format. */
export const banFolders: readonly string[] = Object.values(formats).flatMap(({ folder }) => folder ?? []);

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
 * A file without bans is an empty list. It is of another format if it contains what the format never does: no id at
 * all, and more such lines than names, since almost any line could be a name.
 * @throws when the bytes are not of that format
 */
export function parseBanFile(format: BanFormat, bytes: Buffer): BanFile {
  const entries = new Map<string, BanEntry>();
  let ids = 0;
  let names = 0;
  let addresses = 0;
  let examples = 0;
  let foreign = 0;
  for (const line of formats[format].parse(bytes)) {
    if (line === 'address') addresses += 1;
    else if (line === 'nobody') examples += 1;
    else if (line === 'foreign') foreign += 1;
    else if (line !== 'empty') {
      if (line.identity === null) names += 1;
      else ids += 1;
      const earlier = entries.get(line.key);
      if (earlier === undefined) entries.set(line.key, line);
      else merge(earlier, line);
    }
  }
  if (ids + addresses === 0 && foreign > names) {
    throw new Error(
      `is not a ban file of the format "${format}": ${formats[format].expected} was expected, ` +
        `${foreign} of ${foreign + names} hold something else`,
    );
  }
  return {
    entries: [...entries.values()],
    ipBans: addresses,
    unread: examples + foreign,
    blank: bytes.length === 0,
  };
}

/** A player with two entries in a file has one ban: that of the entry that ends last, of equal ends the later one. */
function merge(earlier: BanEntry, entry: BanEntry): void {
  earlier.playerName = entry.playerName ?? earlier.playerName;
  const [before, end] = [earlier, entry].map(({ expiresAt }) => expiresAt ?? Infinity) as [number, number];
  if (end < before) return;
  earlier.reason = end === before ? (entry.reason ?? earlier.reason) : entry.reason;
  earlier.expiresAt = entry.expiresAt;
}
