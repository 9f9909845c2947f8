import { EOL } from 'node:os';
import { isSeq, type Node, parseDocument } from 'yaml';
import { type BanLine, eachLine, type EditableBanFile } from '../../../ingest/bans/formats/entry.ts';
import { notVpp, parseVppRecord } from './vpp.ts';

/** A file without bans. */
export const emptyVppFile = `{${EOL}    "m_BanList": []${EOL}}${EOL}`;

/** VPP's BanList.json: single records of its list `m_BanList` are changed, everything else stays the same. */
export class VppFile implements EditableBanFile {
  readonly #values: readonly unknown[];
  /** The text before the first record and after the last. */
  readonly #head: string;
  readonly #tail: string;
  /** Each record with the text between it and the one before. */
  readonly #records: ({ text: string; before: string } | null)[];
  readonly #newline: string;
  readonly #margin: string;

  constructor(bytes: Buffer) {
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
    this.#values = values;
  }

  read(): Iterable<BanLine> {
    return eachLine(this.#values, parseVppRecord);
  }

  bytes(): Buffer {
    const records = this.#records.filter((record) => record !== null);
    const list = records.map(({ text, before }, i) => (i === 0 ? text : before + text));
    return Buffer.from(this.#head + list.join('') + this.#tail);
  }

  parse(text: string): BanLine {
    return parseVppRecord(JSON.parse(text));
  }

  put(place: number, text: string | null): void {
    const before = this.#records[place]?.before ?? '';
    this.#records[place] = text === null ? null : { text: this.#laidOut(text), before };
  }

  push(text: string): number {
    return this.#records.push({ text: this.#laidOut(text), before: `,${this.#newline}${this.#margin}` }) - 1;
  }

  #laidOut(text: string): string {
    return text.replaceAll('\n', this.#newline + this.#margin);
  }
}
