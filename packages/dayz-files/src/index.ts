/** The files of a DayZ server as data: bytes in, events and records out. Nothing here opens a file. */

// Logs: .ADM, .RPT and serverconsole.log.
export { adminLog } from './logs/admin-log.ts';
export { readAdminLogLine, type LineResult } from './logs/admin-log-line.ts';
export { serverConsole, serverReport } from './logs/identity-log.ts';
export {
  fileNamesOf,
  formatOf,
  namesOfFiles,
  type LogBlock,
  type LogFormat,
  type LogReader,
  type LogStarts,
  type OnEvent,
  type ReaderOptions,
  type RunRead,
} from './logs/log-format.ts';
export { type LogRest, type RestRun, runOfRest } from './logs/log-rest.ts';
export type {
  DeathCause,
  GameEvent,
  IdentifiedEvent,
  LonelyDeath,
  Position,
  SeenIdentity,
  SeenPlayer,
} from './logs/events.ts';
export { howKilled, type HowKilled, type NamedBlow, type WeaponKind } from './logs/weapons.ts';
export { timeOfDayMs } from './logs/local-time.ts';
export { LocalZone } from './logs/local-zone.ts';
export { RunClock } from './logs/run-clock.ts';
export { type Block, type ByteSource, maxLineBytes, readBlocks, readBytes } from './logs/blocks.ts';

// Ban files: bans.txt, ban.txt, BanList.json.
export { type BanFile, readBans } from './bans/ban-file.ts';
export { type BanFileFormat, type BanFormat, banFormats } from './bans/ban-formats.ts';
export type { BanEntry, BanLine } from './bans/entry.ts';

// players.db, serverDZ.cfg, messages.xml, start scripts.
export {
  type CharacterFigures,
  type Character,
  type Characters,
  type PlayerRow,
  readCharacters,
} from './players-db/characters.ts';
export {
  defaultInstanceId,
  isMissionName,
  isServerConfig,
  maxServerConfigBytes,
  readServerConfig,
  type DayzServerConfig,
} from './server-config.ts';
export { type AnnouncedRestart, readMessagesXml } from './messages-xml.ts';

// Ids of players, and text as the game and its owners write it.
export { dayzIdPattern, type PlayerIds, steamIdPattern } from './ids.ts';
export { linesOf, textOf } from './text.ts';
