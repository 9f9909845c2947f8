import { z } from 'zod';
import { latestBanEnd } from '../../store/bans.ts';
import type { PersonIdentity } from '../../store/players.ts';
import { linesOf, textOf } from '../files/text.ts';
import { dayzIdPattern, dayzIdSource, steamIdPattern, steamIdSource } from '../counting/game-ids.ts';

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
  /** Whether there is nothing in the file at all, not even a comment. */
  blank: boolean;
}

/** Where each format comes from: BattlEye's bans.txt, the game's ban.txt, VPP Admin Tools' BanList.json. */
const readers = {
  battleye: (bytes: Buffer) => each(linesOf(bytes), readBattleyeLine),
  dayz: (bytes: Buffer) => each(linesOf(bytes), readDayzLine),
  vpp: (bytes: Buffer) => each(vppRecords(textOf(bytes)), readVppRecord),
} as const satisfies Record<string, (bytes: Buffer) => Iterable<BanLine>>;

export type BanFormat = keyof typeof readers;

export const banFormats = Object.keys(readers) as BanFormat[];

/** One at a time: a long list is not to be held twice. */
function* each<Part>(parts: readonly Part[], read: (part: Part) => BanLine): Generator<BanLine, void, void> {
  for (const part of parts) yield read(part);
}

const expected = {
  battleye: 'a BattlEye GUID or an address on each line',
  dayz: "a DayZ id, a SteamID64 or a player's name on each line",
  vpp: 'a Steam64Id or GUID in each record',
} as const satisfies Record<BanFormat, string>;

/**
 * A file without bans is an empty list. It is of another format where it holds what the format never has: no id at all,
 * and more such lines than names, since almost any line could be a name.
 * @throws when the bytes are not of that format
 */
export function readBans(format: BanFormat, bytes: Buffer): BanFile {
  const file = new Collector(bytes.length === 0);
  for (const line of readers[format](bytes)) file.take(line);
  const { ids, names, foreign } = file;
  if (ids === 0 && foreign > names) {
    throw new Error(
      `is not a ban file of the format "${format}": ${expected[format]} was expected, ` +
        `${foreign} of ${foreign + names} hold something else`,
    );
  }
  return file;
}

const guid = /^[0-9a-f]{32}$/i;
const ipv4 = /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$/;

/**
 * A line of a ban file: the ban of a player or of an address; `nobody`: a line of the format that bans nobody, such as an
 * example; `foreign`: something that the format never has.
 */
export type BanLine = BanEntry | 'address' | 'nobody' | 'foreign' | 'empty';

/** `<32-hex GUID | IPv4> [<-1 | epoch seconds> [<reason>]]`; a bare GUID is permanent. */
export function readBattleyeLine(line: string): BanLine {
  const content = contentOf(line);
  if (content === '') return 'empty';
  const [who = '', rest = ''] = splitOnce(content);
  if (ipv4.test(who)) return 'address';
  if (!guid.test(who)) return isNote(content) ? 'nobody' : 'foreign';
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

/** What owners write between bans. */
const isNote = (line: string): boolean => /^[#;]/.test(line) || isRuler(line);

/**
 * One DayZ id, SteamID64 or, on newer servers, name, with a `//` comment. The file that comes with the game holds an
 * example: an id that runs on into dashes, or 44 characters that no id ends with. Neither bans anybody.
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
  if (isRuler(content) || isExample(who, remark)) return 'nobody';
  if (content.length > maxNameLength || markup.test(content) || anId.test(content)) return 'foreign';
  return {
    key: `name:${content}`,
    identity: null,
    playerName: content,
    reason: wordsOrNull(remark),
    expiresAt: null,
  };
}

const isRuler = (line: string): boolean => /[-=*_#]{5}/.test(line);

/** `1111111111112222222222222333333333XXXXXXAAAA //Example of a character ID` */
const isExample = (who: string, remark: string): boolean =>
  /^[\w-]{44}$/.test(who) || /^\s*example of a character id/i.test(remark);

/** Steam's limit; the game cuts names off sooner. */
const maxNameLength = 32;
/** Marks of JSON, XML, code and other settings; a line with one bans no name. */
const markup = /[{}":;<>]/;
/** An id to which something else is glued, as in a table: no name holds one. */
const anId = new RegExp(`${dayzIdSource}|${steamIdSource}`);

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

function vppRecords(text: string): unknown[] {
  const list = z.object({ m_BanList: z.array(z.unknown()) }).safeParse(parseJson(text));
  if (!list.success)
    throw new Error('is not a VPP BanList.json: an object with a list "m_BanList" was expected');
  return list.data.m_BanList;
}

/**
 * A record of VPP's list. Its dates have no zone and are read as UTC. The record that comes with VPP (SteamID64
 * `00000000000000000`, GUID `123456789`) bans nobody.
 */
export function readVppRecord(record: unknown): BanLine {
  const { success, data } = vppEntry.safeParse(record);
  if (!success || [data.Steam64Id, data.GUID].every((id) => typeof id !== 'string')) return 'foreign';
  const identity = vppIdentity(data);
  if (identity === null) return 'nobody';
  const expiresAt = vppEnd(data.expirationDate);
  if (Number.isNaN(expiresAt)) return 'nobody';
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
  /** Lines with an id or address, with a bare name, and with what the format never has. */
  ids = 0;
  names = 0;
  foreign = 0;
  readonly blank: boolean;
  readonly #entries = new Map<string, BanEntry>();

  constructor(blank: boolean) {
    this.blank = blank;
  }

  get entries(): BanEntry[] {
    return [...this.#entries.values()];
  }

  take(line: BanLine): void {
    switch (line) {
      case 'empty':
        return;
      case 'address':
        this.ids += 1;
        this.ipBans += 1;
        return;
      case 'foreign':
        this.foreign += 1;
        this.unread += 1;
        return;
      case 'nobody':
        this.unread += 1;
        return;
      default:
        if (line.identity === null) this.names += 1;
        else this.ids += 1;
        this.add(line);
    }
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
  const content = line.replace(/^\uFEFF/, '').trim();
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
