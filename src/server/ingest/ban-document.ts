import { EOL } from 'node:os';
import { isSeq, type Node, parseDocument } from 'yaml';
import {
  type BanEntry,
  type BanFormat,
  type BanLine,
  readBattleyeLine,
  readDayzLine,
  readVppRecord,
} from './ban-formats.ts';
import { textOf } from './text.ts';

/** A ban file to be changed in single places: what is not touched stays as it is, byte for byte. */
export interface BanDocument {
  /** The bans of players by their places in the file; null where there is none, or none any more. */
  readonly entries: readonly (BanEntry | null)[];
  /** The ban that a text says, as `textOfBan` makes it. */
  read(text: string): BanEntry | null;
  replace(place: number, text: string): void;
  remove(place: number): void;
  append(text: string): void;
  bytes(): Buffer;
}

/** @throws when the bytes are not of that format */
export function openBanDocument(format: BanFormat, bytes: Buffer): BanDocument {
  if (format === 'vpp') return new ListDocument(bytes);
  return new LineDocument(bytes, format === 'dayz' ? readDayzLine : readBattleyeLine);
}

/** A file of the format in which nobody is banned. */
export function emptyBanFile(format: BanFormat): Buffer {
  return Buffer.from(format === 'vpp' ? `{${EOL}    "m_BanList": []${EOL}}${EOL}` : '');
}

const entryOrNull = (line: BanLine): BanEntry | null => (typeof line === 'object' ? line : null);

/**
 * A file of lines. Its bytes are held as Latin-1, one character a byte, so that lines in any encoding come out as they
 * went in.
 */
class LineDocument implements BanDocument {
  readonly entries: (BanEntry | null)[];
  readonly #lines: string[];
  readonly #end: string;
  readonly #readLine: (line: string) => BanLine;

  constructor(bytes: Buffer, readLine: (line: string) => BanLine) {
    const text = bytes.toString('latin1');
    this.#lines = text === '' ? [] : text.split(/(?<=\n)/);
    this.#end = /\r?\n/.exec(text)?.[0] ?? EOL;
    this.#readLine = readLine;
    this.entries = this.#lines.map((line) => this.read(textOf(Buffer.from(line, 'latin1'))));
  }

  read(text: string): BanEntry | null {
    return entryOrNull(this.#readLine(text));
  }

  replace(place: number, text: string): void {
    this.#lines[place] = this.#line(text);
    this.entries[place] = this.read(text);
  }

  remove(place: number): void {
    this.#lines[place] = '';
    this.entries[place] = null;
  }

  append(text: string): void {
    const last = this.#lines.length - 1;
    const line = this.#lines[last];
    if (line !== undefined && line !== '' && !line.endsWith('\n')) this.#lines[last] = line + this.#end;
    this.#lines.push(this.#line(text));
    this.entries.push(this.read(text));
  }

  bytes(): Buffer {
    return Buffer.from(this.#lines.join(''), 'latin1');
  }

  #line(text: string): string {
    return Buffer.from(text + this.#end).toString('latin1');
  }
}

/** VPP's BanList.json: of its list `m_BanList` single records are changed, everything else stays as it is. */
class ListDocument implements BanDocument {
  readonly entries: (BanEntry | null)[];
  /** What stands before the first record and after the last. */
  readonly #head: string;
  readonly #tail: string;
  /** Each record with what stands between it and the one before. */
  readonly #records: ({ text: string; before: string } | null)[];
  readonly #newline: string;
  readonly #margin: string;

  constructor(bytes: Buffer) {
    const text = bytes.toString('utf8');
    // JSON is YAML, and the parser of YAML tells where each record stands.
    const plain = text.replace(/^\uFEFF/, ' ');
    const values = (JSON.parse(plain) as { m_BanList?: unknown } | null)?.m_BanList;
    const list = parseDocument(plain, { schema: 'json', uniqueKeys: false }).get('m_BanList', true);
    if (!isSeq<Node>(list) || !Array.isArray(values) || list.range == null) {
      throw new Error('is not a VPP BanList.json: an object with a list "m_BanList" was expected');
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
    this.entries = values.map((value) => entryOrNull(readVppRecord(value)));
  }

  read(text: string): BanEntry | null {
    return entryOrNull(readVppRecord(JSON.parse(text)));
  }

  replace(place: number, text: string): void {
    this.#records[place] = { text: this.#laidOut(text), before: this.#records[place]?.before ?? '' };
    this.entries[place] = this.read(text);
  }

  remove(place: number): void {
    this.#records[place] = null;
    this.entries[place] = null;
  }

  append(text: string): void {
    this.#records.push({ text: this.#laidOut(text), before: `,${this.#newline}${this.#margin}` });
    this.entries.push(this.read(text));
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
