import { z } from 'zod';
import { latestBanEnd } from '../store/bans.ts';
import type { PersonIdentity } from '../store/players.ts';
import { dayzIdPattern, steamIdPattern } from './game-ids.ts';

/** A ban as a game's file holds it. */
export interface BanEntry {
  /** Names the entry within its file: whom it bans. */
  key: string;
  /** NULL where a bare name is banned. */
  identity: PersonIdentity | null;
  playerName: string | null;
  reason: string | null;
  /** Epoch milliseconds; NULL: permanent. */
  expiresAt: number | null;
}

export interface BanFile {
  entries: BanEntry[];
  /** Bans of an address, which name no player. */
  ipBans: number;
  /** Lines or records that are no ban; the game's own example lines among them. */
  unread: number;
}

/** Where each format comes from: BattlEye's bans.txt, the game's ban.txt, VPP Admin Tools' BanList.json. */
export const banFormats = { battleye: parseBattleye, dayz: parseDayz, vpp: parseVpp } as const;

export type BanFormat = keyof typeof banFormats;

const guid = /^[0-9a-f]{32}$/i;
const ipv4 = /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$/;

/** A line of a ban file: the ban of a player or of an address, or no ban. */
export type BanLine = BanEntry | 'address' | 'unread' | 'empty';

/** `<32-hex GUID | IPv4> [<-1 | epoch seconds> [<reason>]]`; a bare GUID is permanent. */
export function readBattleyeLine(line: string): BanLine {
  const content = contentOf(line);
  if (content === '') return 'empty';
  const [who = '', rest = ''] = splitOnce(content);
  if (ipv4.test(who)) return 'address';
  if (!guid.test(who)) return 'unread';
  const [time = '', words = ''] = splitOnce(rest);
  const timed = /^-?[0-9]{1,12}$/.test(time);
  const battleyeGuid = who.toLowerCase();
  return {
    key: battleyeGuid,
    identity: { battleyeGuid },
    playerName: null,
    reason: wordsOrNull(timed ? words : rest),
    expiresAt: timed && Number(time) >= 0 ? endOrNever(Number(time) * 1000) : null,
  };
}

function parseBattleye(text: string): BanFile {
  const file = new Collector();
  for (const line of text.split('\n')) file.take(readBattleyeLine(line));
  return file;
}

/**
 * One DayZ id, SteamID64 or, on newer servers, name, with a `//` comment. The file that comes with the game holds an
 * example id that runs on into dashes: that bans nobody, so an id counts only where it ends.
 */
export function readDayzLine(line: string): BanLine {
  const text = contentOf(line);
  if (text === '') return 'empty';
  const comment = text.indexOf('//');
  const content = (comment < 0 ? text : text.slice(0, comment)).trim();
  const remark = comment < 0 ? '' : text.slice(comment + 2);
  const [who = '', rest = ''] = splitOnce(content);
  const identity = identityOf(who);
  if (identity !== null) {
    return {
      key: who,
      identity,
      playerName: null,
      reason: wordsOrNull(`${rest} ${remark}`),
      expiresAt: null,
    };
  }
  if (isRuler(content) || content.length > maxNameLength || markup.test(content)) return 'unread';
  return {
    key: `name:${content}`,
    identity: null,
    playerName: content,
    reason: wordsOrNull(remark),
    expiresAt: null,
  };
}

/** Any text file is a list of names; so that none is taken for one, no more lines may be names than ids. */
function parseDayz(text: string): BanFile {
  const file = new Collector();
  let ids = 0;
  let others = 0;
  for (const line of text.split('\n')) {
    const read = readDayzLine(line);
    file.take(read);
    if (typeof read === 'object' && read.identity !== null) ids += 1;
    else if (read !== 'empty' && !isRuler(line.split('//', 1)[0] ?? '')) others += 1;
  }
  if (others > ids) {
    throw new Error(
      `is not a ban file of the format "dayz": a DayZ id or a SteamID64 was expected at the beginning of most lines, ` +
        `${ids} of ${ids + others} have one`,
    );
  }
  return file;
}

const isRuler = (line: string): boolean => /[-=*_#]{5}/.test(line);

const maxNameLength = 64;
/** Marks of JSON, XML, code and other settings; a line with one bans no name. */
const markup = /[{}":;<>]/;

function identityOf(id: string): PersonIdentity | null {
  if (dayzIdPattern.test(id)) return { dayzId: id };
  return steamIdPattern.test(id) ? { steamId64: id } : null;
}

const number = z.coerce.number().int();
const vppEntry = z.object({
  playerName: z.string().nullish(),
  Steam64Id: z.string().nullish(),
  GUID: z.string().nullish(),
  banReason: z.string().nullish(),
  expirationDate: z
    .object({
      Year: number,
      Month: number,
      Day: number,
      Hour: number,
      Minute: number,
      Permanent: z.union([z.boolean(), number]).optional(),
    })
    .nullish(),
});

/** VPP's list says its dates without a zone; they are read as UTC. */
function parseVpp(text: string): BanFile {
  const list = z.object({ m_BanList: z.array(z.unknown()) }).safeParse(parseJson(text));
  if (!list.success)
    throw new Error('is not a VPP BanList.json: an object with a list "m_BanList" was expected');
  const file = new Collector();
  for (const record of list.data.m_BanList) file.take(readVppRecord(record));
  return file;
}

/** A record of VPP's list. */
export function readVppRecord(record: unknown): BanEntry | 'unread' {
  const { success, data } = vppEntry.safeParse(record);
  const identity = success ? vppIdentity(data) : null;
  if (!success || identity === null) return 'unread';
  const expiresAt = vppEnd(data.expirationDate);
  if (Number.isNaN(expiresAt)) return 'unread';
  return {
    key: Object.values(identity)[0] as string,
    identity,
    playerName: wordsOrNull(data.playerName ?? ''),
    reason: wordsOrNull(data.banReason ?? ''),
    expiresAt,
  };
}

/** NULL: permanent; NaN: no date. */
function vppEnd(date: z.infer<typeof vppEntry>['expirationDate']): number | null {
  if (date === null || date === undefined || Boolean(date.Permanent)) return null;
  if (date.Year < 1970) return Number.NaN;
  if (date.Year > 9999) return null;
  return endOrNever(Date.UTC(date.Year, date.Month - 1, date.Day, date.Hour, date.Minute));
}

/** An end that no calendar reaches is none. */
function endOrNever(end: number): number | null {
  return end > latestBanEnd ? null : end;
}

function vppIdentity(entry: z.infer<typeof vppEntry>): PersonIdentity | null {
  if (steamIdPattern.test(entry.Steam64Id ?? '')) return { steamId64: entry.Steam64Id as string };
  const other = entry.GUID ?? '';
  if (dayzIdPattern.test(other)) return { dayzId: other };
  return guid.test(other) ? { battleyeGuid: other.toLowerCase() } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Gathers entries; one that stands twice is one ban, with the later reason and the later end. */
class Collector implements BanFile {
  ipBans = 0;
  unread = 0;
  readonly #entries = new Map<string, BanEntry>();

  get entries(): BanEntry[] {
    return [...this.#entries.values()];
  }

  take(line: BanLine): void {
    if (line === 'address') this.ipBans += 1;
    else if (line === 'unread') this.unread += 1;
    else if (line !== 'empty') this.add(line);
  }

  add(entry: BanEntry): void {
    const earlier = this.#entries.get(entry.key);
    if (earlier === undefined) {
      this.#entries.set(entry.key, entry);
      return;
    }
    earlier.reason = entry.reason ?? earlier.reason;
    earlier.playerName = entry.playerName ?? earlier.playerName;
    const ends = [earlier.expiresAt, entry.expiresAt];
    earlier.expiresAt = ends.includes(null) ? null : Math.max(...(ends as number[]));
  }
}

/** What a line says; empty for a comment. */
function contentOf(line: string): string {
  const content = line.trim();
  return content.startsWith('//') ? '' : content;
}

function splitOnce(text: string): string[] {
  const at = text.search(/\s/);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at).trim()];
}

const maxReasonLength = 1000;

function wordsOrNull(text: string): string | null {
  const words = text.trim();
  if (words === '') return null;
  return words.length > maxReasonLength ? Buffer.from(words.slice(0, maxReasonLength)).toString() : words;
}
