import { createInterface } from 'node:readline/promises';
import { CommandFailure } from './output.ts';

/**
 * Asks on the terminal; only "yes" lets the command go on.
 * @param refused what to say of another answer
 * @param noTerminal what to say where there is no terminal
 * @throws CommandFailure
 */
export async function confirm(
  question: string,
  refused: string,
  noTerminal = 'This cannot be undone: add --yes.',
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
