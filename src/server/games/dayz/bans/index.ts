import { eachLine } from '../../../ingest/bans/formats/entry.ts';
import { LineFile } from '../../../ingest/bans/formats/lines.ts';
import { linesOf, textOf } from '../../../files/text.ts';
import type { BanFileFormat } from '../../game.ts';
import { formatDayzLine, parseDayzLine } from './ban-txt.ts';
import { formatBattleyeLine, parseBattleyeLine } from './battleye.ts';
import { emptyVppFile, VppFile } from './vpp-file.ts';
import { formatVppRecord, parseVppRecord, parseVppRecords } from './vpp.ts';

/** BattlEye's bans.txt, the game's ban.txt, VPP Admin Tools' BanList.json. The names are those of the config. */
export const banFormats = {
  battleye: {
    parse: (bytes) => eachLine(linesOf(bytes), parseBattleyeLine),
    format: formatBattleyeLine,
    open: (bytes, keys) => new LineFile(bytes, keys, parseBattleyeLine),
    empty: '',
    expected: 'a BattlEye GUID or an address on each line',
    appearsWithFirstBan: true,
    folder: 'battleye',
  },
  dayz: {
    parse: (bytes) => eachLine(linesOf(bytes), parseDayzLine),
    format: formatDayzLine,
    open: (bytes, keys) => new LineFile(bytes, keys, parseDayzLine),
    empty: '',
    expected: "a DayZ id, a SteamID64 or a player's name on each line",
  },
  vpp: {
    parse: (bytes) => eachLine(parseVppRecords(textOf(bytes)), parseVppRecord),
    format: formatVppRecord,
    open: (bytes, keys) => new VppFile(bytes, keys),
    empty: emptyVppFile,
    expected: 'a Steam64Id or GUID in each record',
  },
} as const satisfies Record<string, BanFileFormat>;
