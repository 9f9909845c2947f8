import { type Readable, Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';

/** The terminal of a conversation. */
export interface Terminal {
  input: Readable & { setRawMode?: (isRaw: boolean) => unknown };
  output: Pick<WriteStream, 'write' | 'columns' | 'rows' | 'on' | 'off'> &
    NodeJS.WritableStream & { hasColors?: () => boolean };
}

const escape = String.fromCodePoint(0x1b);
/** Not those that move the cursor. */
const colorCodes = new RegExp(`${escape}\\[[0-9;]*m`, 'g');

/** A terminal's output without colours where the terminal or `NO_COLOR` wants none. */
export function plainOutput(terminal: Terminal['output']): Writable & { columns: number; rows: number } {
  const hasColors = terminal.hasColors?.() ?? true;
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = String(chunk);
      terminal.write(hasColors ? text : text.replaceAll(colorCodes, ''));
      done();
    },
  });
  terminal.on('resize', () => output.emit('resize'));
  return Object.defineProperties(output, {
    columns: { get: () => terminal.columns || 80 },
    rows: { get: () => terminal.rows || 24 },
    isTTY: { value: true },
  }) as Writable & { columns: number; rows: number };
}
