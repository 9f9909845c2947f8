import { EOL } from 'node:os';
import { decodeRaw } from '../../../files/text.ts';
import { EditableBanFile } from './editable-file.ts';
import type { BanLine } from './entry.ts';

/**
 * A file of lines. Its bytes are kept as Latin-1, one character per byte, so that lines in any encoding stay
 * unchanged.
 */
export class LineFile extends EditableBanFile {
  readonly #lines: string[];
  readonly #end: string;
  readonly #parseLine: (line: string) => BanLine;

  constructor(bytes: Buffer, keys: ReadonlySet<string>, parseLine: (line: string) => BanLine) {
    super();
    const text = bytes.toString('latin1');
    this.#lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    this.#end = /\r?\n/.exec(text)?.[0] ?? EOL;
    this.#parseLine = parseLine;
    this.noteAll(this.#parsedLines(), keys);
  }

  bytes(): Buffer {
    return Buffer.from(this.#lines.join(''), 'latin1');
  }

  protected parsed(text: string): BanLine {
    return this.#parseLine(text);
  }

  protected put(place: number, text: string | null): void {
    this.#lines[place] = text === null ? '' : this.#line(text);
  }

  protected push(text: string): number {
    const last = this.#lines.length - 1;
    const line = this.#lines[last];
    if (line !== undefined && line !== '' && !line.endsWith('\n')) this.#lines[last] = line + this.#end;
    return this.#lines.push(this.#line(text)) - 1;
  }

  /** Parsed one at a time, so that a long list is not held twice. */
  *#parsedLines(): Generator<BanLine, void, void> {
    for (const line of this.#lines) yield this.#parseLine(decodeRaw(line));
  }

  #line(text: string): string {
    return Buffer.from(text + this.#end).toString('latin1');
  }
}
