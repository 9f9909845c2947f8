import { linesOf, textOf } from '../text.ts';
import { readDayzLine } from './ban-txt.ts';
import { readBattleyeLine } from './battleye.ts';
import type { BanLine } from './entry.ts';
import { readNitradoLine } from './nitrado.ts';
import { readVppRecord, readVppRecords } from './vpp.ts';

/** Reads one kind of ban file. */
export interface BanFileFormat {
  /** @throws when the text as a whole is of another format */
  read(bytes: Buffer): BanLine[];
  /** The content of such a file, for the error about a file of another format. */
  readonly expected: string;
  /** The file appears with the first ban; left out: with the server. */
  readonly appearsWithFirstBan?: true;
  /** The folder in which the file usually is, beside those of other formats. */
  readonly folder?: string;
}

/**
 * `battleye`: BattlEye's bans.txt. `dayz`: the game's ban.txt. `vpp`: BanList.json of VPP Admin Tools. `nitrado`: the banned
 * names in the settings of a server at Nitrado.
 */
export type BanFormat = 'battleye' | 'dayz' | 'vpp' | 'nitrado';

export const banFormats: Readonly<Record<BanFormat, BanFileFormat>> = {
  battleye: {
    read: (bytes) => linesOf(bytes).map(readBattleyeLine),
    expected: 'a BattlEye GUID or an address on each line',
    appearsWithFirstBan: true,
    folder: 'battleye',
  },
  dayz: {
    read: (bytes) => linesOf(bytes).map(readDayzLine),
    expected: "a DayZ id, a SteamID64 or a player's name on each line",
  },
  vpp: {
    read: (bytes) => readVppRecords(textOf(bytes)).map(readVppRecord),
    expected: 'a Steam64Id or GUID in each record',
  },
  nitrado: {
    // Web interfaces and other programs end lines in different ways.
    read: (bytes) =>
      textOf(bytes)
        .split(/[\r\n]+/)
        .map(readNitradoLine),
    expected: "a player's name on each line",
  },
};
