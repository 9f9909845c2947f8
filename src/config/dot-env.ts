import { existsSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError } from './error.ts';
import { readProblem, readTextFile, TextFileError } from './text-file.ts';

/** The variables of a `.env` file, none when it is missing. Warnings quote no value: it may be a secret. */
export function readDotEnv(file: string): { variables: Record<string, string>; warnings: string[] } {
  try {
    const text = readTextFile(file);
    return { variables: parseEnv(text) as Record<string, string>, warnings: lostLines(file, text) };
  } catch (error) {
    if (error instanceof TextFileError) throw new ConfigError(error.message);
    const problem = error as NodeJS.ErrnoException;
    if (problem.code !== 'ENOENT') throw new ConfigError(readProblem(file, problem));
  }
  // Windows hides the ending that Notepad adds.
  const warnings = existsSync(`${file}.txt`) ? [`${file}.txt is not read: rename it to ${file}`] : [];
  return { variables: {}, warnings };
}

/** Lines of which something else is read than they say, silently. */
function lostLines(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const mistake = mistakeIn(line);
    return mistake === null ? [] : [`${file}, line ${index + 1}: ${mistake}`];
  });
}

function mistakeIn(line: string): string | null {
  const name = /^\s*([A-Z][A-Z0-9_]*)(?::|[ \t]+[^=\s])/.exec(line)?.[1];
  if (name !== undefined) return `expected ${name}=…, so this line is not read`;
  // Blanks before the # show that a comment is meant.
  const cut = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(?!\s*["'`])(?:[^#]*[^#\s])?#/.exec(line)?.[1];
  if (cut === undefined) return null;
  return `# begins a comment, so the value of ${cut} ends before it: put the whole value in 'single quotes'`;
}
