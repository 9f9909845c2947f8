import { EOL } from 'node:os';
import type { BanFileFormat } from '../../../games/game.ts';
import { decodeRaw, linesOf } from '../../../files/text.ts';
import { type BanLine, eachLine, type EditableBanFile } from './entry.ts';

/** Reads and edits files that have a ban on each line. */
export function lineFormat(
  parseLine: (line: string) => BanLine,
): Pick<BanFileFormat, 'parse' | 'open' | 'empty'> {
  return {
    parse: (bytes) => eachLine(linesOf(bytes), parseLine),
    open: (bytes) => new LineFile(bytes, parseLine),
    empty: '',
  };
}

/** Its bytes are kept as Latin-1, one character per byte, so that lines in any encoding stay unchanged. */
class LineFile implements EditableBanFile {
  readonly #lines: string[];
  readonly #end: string;
  readonly #parseLine: (line: string) => BanLine;

  constructor(bytes: Buffer, parseLine: (line: string) => BanLine) {
    const text = bytes.toString('latin1');
    this.#lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    this.#end = /\r?\n/.exec(text)?.[0] ?? EOL;
    this.#parseLine = parseLine;
  }

  read(): Iterable<BanLine> {
    return eachLine(this.#lines, (line) => this.#parseLine(decodeRaw(line)));
  }

  parse(text: string): BanLine {
    return this.#parseLine(text);
  }

  put(place: number, text: string | null): void {
    this.#lines[place] = text === null ? '' : this.#line(text);
  }

  push(text: string): number {
    const last = this.#lines.length - 1;
    const line = this.#lines[last];
    if (line !== undefined && line !== '' && !line.endsWith('\n')) this.#lines[last] = line + this.#end;
    return this.#lines.push(this.#line(text)) - 1;
  }

  bytes(): Buffer {
    return Buffer.from(this.#lines.join(''), 'latin1');
  }

  #line(text: string): string {
    return Buffer.from(text + this.#end).toString('latin1');
  }
}
