import { EOL } from 'node:os';
import { isSeq, type Node, parseDocument } from 'yaml';
import { decodeRaw } from '../files/text.ts';
import { parseBattleyeLine } from './formats/battleye.ts';
import { parseDayzLine } from './formats/dayz.ts';
import type { BanEntry, BanLine } from './formats/entry.ts';
import type { BanFormat } from './formats/index.ts';
import { notVpp, parseVppRecord } from './formats/vpp.ts';

/** A ban file in which single places are changed; everything else stays the same, byte for byte. */
export interface EditableBanFile {
  /** The file's bans with the keys for which it was opened, by their places. */
  readonly entries: ReadonlyMap<number, BanEntry>;
  /** Parses a line or record in the form that `formatBan` produces. */
  parse(text: string): BanEntry | null;
  replace(place: number, text: string): void;
  remove(place: number): void;
  /** @returns its place */
  append(text: string): number;
  bytes(): Buffer;
}

/**
 * @param keys of the relevant bans: a list of 200,000 must not be held in memory for one of them
 * @throws when the bytes are not of that format
 */
export function openBanFile(format: BanFormat, bytes: Buffer, keys: ReadonlySet<string>): EditableBanFile {
  if (format === 'vpp') return new VppFile(bytes, keys);
  return new LineFile(bytes, keys, format === 'dayz' ? parseDayzLine : parseBattleyeLine);
}

/** A file of the format without bans. */
export function emptyBanFile(format: BanFormat): Buffer {
  return Buffer.from(format === 'vpp' ? `{${EOL}    "m_BanList": []${EOL}}${EOL}` : '');
}

function note(entries: Map<number, BanEntry>, place: number, entry: BanEntry | null): void {
  if (entry === null) entries.delete(place);
  else entries.set(place, entry);
}

const entryOrNull = (line: BanLine): BanEntry | null => (typeof line === 'object' ? line : null);

/**
 * A file of lines. Its bytes are kept as Latin-1, one character per byte, so that lines in any encoding stay
 * unchanged.
 */
class LineFile implements EditableBanFile {
  readonly entries = new Map<number, BanEntry>();
  readonly #lines: string[];
  readonly #end: string;
  readonly #readLine: (line: string) => BanLine;

  constructor(bytes: Buffer, keys: ReadonlySet<string>, readLine: (line: string) => BanLine) {
    const text = bytes.toString('latin1');
    this.#lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    this.#end = /\r?\n/.exec(text)?.[0] ?? EOL;
    this.#readLine = readLine;
    for (const [place, line] of this.#lines.entries()) {
      const entry = this.parse(decodeRaw(line));
      if (entry !== null && keys.has(entry.key)) this.entries.set(place, entry);
    }
  }

  parse(text: string): BanEntry | null {
    return entryOrNull(this.#readLine(text));
  }

  replace(place: number, text: string): void {
    this.#lines[place] = this.#line(text);
    note(this.entries, place, this.parse(text));
  }

  remove(place: number): void {
    this.#lines[place] = '';
    this.entries.delete(place);
  }

  append(text: string): number {
    const last = this.#lines.length - 1;
    const line = this.#lines[last];
    if (line !== undefined && line !== '' && !line.endsWith('\n')) this.#lines[last] = line + this.#end;
    const place = this.#lines.push(this.#line(text)) - 1;
    note(this.entries, place, this.parse(text));
    return place;
  }

  bytes(): Buffer {
    return Buffer.from(this.#lines.join(''), 'latin1');
  }

  #line(text: string): string {
    return Buffer.from(text + this.#end).toString('latin1');
  }
}

/** VPP's BanList.json: single records of its list `m_BanList` are changed, everything else stays the same. */
class VppFile implements EditableBanFile {
  readonly entries = new Map<number, BanEntry>();
  /** The text before the first record and after the last. */
  readonly #head: string;
  readonly #tail: string;
  /** Each record with the text between it and the one before. */
  readonly #records: ({ text: string; before: string } | null)[];
  readonly #newline: string;
  readonly #margin: string;

  constructor(bytes: Buffer, keys: ReadonlySet<string>) {
    const text = bytes.toString('utf8');
    // JSON is a subset of YAML, and the YAML parser reports the place of each record.
    const plain = text.replace(/^\uFEFF/, ' ');
    const values = (JSON.parse(plain) as { m_BanList?: unknown } | null)?.m_BanList;
    const list = parseDocument(plain, { schema: 'json', uniqueKeys: false }).get('m_BanList', true);
    if (!isSeq<Node>(list) || !Array.isArray(values) || list.range == null) {
      throw new Error(notVpp);
    }
    const spans = list.items.map(({ range }) => range as [from: number, to: number, end: number]);
    this.#newline = /\r?\n/.exec(text)?.[0] ?? EOL;
    const [first, last] = [spans[0], spans.at(-1)];
    if (first === undefined || last === undefined) {
      this.#margin = ' '.repeat(8);
      this.#head = text.slice(0, list.range[0] + 1) + this.#newline + this.#margin;
      this.#tail = `${this.#newline}    ${text.slice(list.range[1] - 1)}`;
    } else {
      this.#head = text.slice(0, first[0]);
      this.#tail = text.slice(last[1]);
      this.#margin = /[\t ]*$/.exec(this.#head)?.[0] ?? '';
    }
    this.#records = spans.map(([from, to], i) => ({
      text: text.slice(from, to),
      before: text.slice(spans[i - 1]?.[1] ?? from, from),
    }));
    for (const [place, value] of values.entries()) {
      const entry = entryOrNull(parseVppRecord(value));
      if (entry !== null && keys.has(entry.key)) this.entries.set(place, entry);
    }
  }

  parse(text: string): BanEntry | null {
    return entryOrNull(parseVppRecord(JSON.parse(text)));
  }

  replace(place: number, text: string): void {
    this.#records[place] = { text: this.#laidOut(text), before: this.#records[place]?.before ?? '' };
    note(this.entries, place, this.parse(text));
  }

  remove(place: number): void {
    this.#records[place] = null;
    this.entries.delete(place);
  }

  append(text: string): number {
    const record = { text: this.#laidOut(text), before: `,${this.#newline}${this.#margin}` };
    const place = this.#records.push(record) - 1;
    note(this.entries, place, this.parse(text));
    return place;
  }

  bytes(): Buffer {
    const records = this.#records.filter((record) => record !== null);
    const list = records.map(({ text, before }, i) => (i === 0 ? text : before + text));
    return Buffer.from(this.#head + list.join('') + this.#tail);
  }

  #laidOut(text: string): string {
    return text.replaceAll('\n', this.#newline + this.#margin);
  }
}
