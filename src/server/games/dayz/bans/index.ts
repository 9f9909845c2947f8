import { eachLine } from '../../../ingest/bans/formats/entry.ts';
import { lineFormat } from '../../../ingest/bans/formats/lines.ts';
import { textOf } from '../../../files/text.ts';
import type { BanFileFormat } from '../../game.ts';
import { formatDayzLine, parseDayzLine } from './ban-txt.ts';
import { formatBattleyeLine, parseBattleyeLine } from './battleye.ts';
import { emptyVppFile, VppFile } from './vpp-file.ts';
import { formatVppRecord, parseVppRecord, parseVppRecords } from './vpp.ts';

/** BattlEye's bans.txt, the game's ban.txt, VPP Admin Tools' BanList.json. The names are those of the config. */
export const banFormats = {
  battleye: {
    ...lineFormat(parseBattleyeLine),
    format: formatBattleyeLine,
    expected: 'a BattlEye GUID or an address on each line',
    appearsWithFirstBan: true,
    folder: 'battleye',
  },
  dayz: {
    ...lineFormat(parseDayzLine),
    format: formatDayzLine,
    expected: "a DayZ id, a SteamID64 or a player's name on each line",
  },
  vpp: {
    parse: (bytes) => eachLine(parseVppRecords(textOf(bytes)), parseVppRecord),
    format: formatVppRecord,
    open: (bytes) => new VppFile(bytes),
    empty: emptyVppFile,
    expected: 'a Steam64Id or GUID in each record',
  },
} as const satisfies Record<string, BanFileFormat>;
