/** Splits a command line at the blanks outside of double quotes. */
export function splitCommandLine(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s"]|"[^"]*"?)+/g), ([word]) => word.replaceAll('"', ''));
}
