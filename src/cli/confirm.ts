import { createInterface } from 'node:readline/promises';
import { CommandFailure } from './output.ts';

/**
 * Asks on the terminal; only "yes" lets the command go on.
 * @throws CommandFailure when the answer is another one, or there is no terminal
 */
export async function confirm(
  question: string,
  { refused, noTerminal }: { refused: string; noTerminal: string },
): Promise<void> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) throw new CommandFailure(noTerminal);
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`${question} (yes/no) `);
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure(refused);
  } finally {
    terminal.close();
  }
}
