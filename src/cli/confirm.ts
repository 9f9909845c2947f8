import { createInterface } from 'node:readline/promises';
import { CommandFailure } from './output.ts';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/**
 * Asks on the terminal; only "yes" lets the command go on.
 * @param refused what to say of another answer, and of Ctrl+C
 * @param noTerminal what to say where there is no terminal
 * @throws CommandFailure
 */
export async function confirm(
  question: string,
  refused: string,
  noTerminal = 'This cannot be undone: add --yes.',
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (!input.isTTY) throw new CommandFailure(noTerminal);
  const terminal = createInterface({ input, output });
  try {
    const answer = await terminal.question(`${question} (yes/no) `).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
      output.write('\n');
      return '';
    });
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure(refused);
  } finally {
    terminal.close();
  }
}
