import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from '../../../src/cli/init/prompts.ts';

export const keys = { enter: '\r', down: '\x1b[B', space: ' ', cancel: '\x03' } as const;

/** A terminal of 80 columns on which a test types. */
export interface TypedTerminal {
  terminal: Terminal;
  /** All that was shown so far, without colours and cursor movements. */
  shown(): string;
  /** As it was written. */
  raw(): string;
  /** Waits until a text is shown behind what was shown before the last call, then types. */
  answer(shown: string, ...typed: string[]): Promise<void>;
}

export function typedTerminal({ columns = 80 } = {}): TypedTerminal {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  let raw = '';
  let seen = 0;
  const waiting = new Set<() => void>();
  const output = new Writable({
    write(chunk, _encoding, done) {
      raw += String(chunk);
      for (const look of waiting) look();
      done();
    },
  });
  const shown = (): string => stripVTControlCharacters(raw);
  const terminal = Object.assign(output, { columns, rows: 50, isTTY: true });
  return {
    terminal: { input, output: terminal },
    shown,
    raw: () => raw,
    async answer(text, ...typed) {
      await new Promise<void>((resolve) => {
        const look = (): void => {
          const at = shown().indexOf(text, seen);
          if (at < 0) return;
          waiting.delete(look);
          seen = at + text.length;
          resolve();
        };
        waiting.add(look);
        look();
      });
      for (const one of typed) {
        // Each key is an event of its own, as on a keyboard.
        await new Promise(setImmediate);
        input.write(one);
      }
    },
  };
}
