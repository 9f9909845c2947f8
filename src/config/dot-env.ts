import { existsSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { misnamed, readTextIfThere } from './text-file.ts';

/** The variables of a `.env` file, none when it is missing. Warnings quote no value: it may be a secret. */
export function readDotEnv(file: string): { variables: Record<string, string>; warnings: string[] } {
  const text = readTextIfThere(file);
  if (text !== null) return { variables: parseDotEnv(text), warnings: [] };
  const warnings = existsSync(`${file}.txt`) ? [misnamed(`${file}.txt`, file)] : [];
  return { variables: {}, warnings };
}

/** Node.js takes a line without "=", as a heading without "#", for the beginning of the next name. */
export const parseDotEnv = (text: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(text) as Record<string, string>).map(([name, value]) => {
      const own = name.split('\n').at(-1)?.trim() ?? '';
      return [own.replace(/^export\s+/, ''), value];
    }),
  );
