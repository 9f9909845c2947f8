import { eachLine } from '../../../ingest/bans/formats/entry.ts';
import { linesOf, textOf } from '../../../files/text.ts';
import type { BanFileFormat } from '../../game.ts';
import { parseDayzLine } from './ban-txt.ts';
import { parseBattleyeLine } from './battleye.ts';
import { parseVppRecord, parseVppRecords } from './vpp.ts';

/** BattlEye's bans.txt, the game's ban.txt, VPP Admin Tools' BanList.json. The names are those of the config. */
export const banFormats = {
  battleye: {
    parse: (bytes) => eachLine(linesOf(bytes), parseBattleyeLine),
    expected: 'a BattlEye GUID or an address on each line',
    appearsWithFirstBan: true,
    folder: 'battleye',
  },
  dayz: {
    parse: (bytes) => eachLine(linesOf(bytes), parseDayzLine),
    expected: "a DayZ id, a SteamID64 or a player's name on each line",
  },
  vpp: {
    parse: (bytes) => eachLine(parseVppRecords(textOf(bytes)), parseVppRecord),
    expected: 'a Steam64Id or GUID in each record',
  },
} as const satisfies Record<string, BanFileFormat>;
