import { CommandFailure } from '../output.ts';
import type { Answers, Known, World } from './answers.ts';
import { flagOf, type OptionName, readSecretFile } from './options.ts';
import type { Prompts } from './prompts.ts';

/** One row of the table of questions. The answers before it are known to it. */
export interface Question<Key extends keyof Answers = keyof Answers> {
  /** What it answers. Of several rows with a key, the first whose `when` holds counts. */
  key: Key;
  when(answers: Known, world: World): boolean;
  /** The option that answers it. */
  option?: OptionName;
  /** The option names a file that holds the answer. */
  isSecretFile?: true;
  /** What answers it in place of the option alone; null: nothing does, so that it is asked. */
  given?(world: World): Given | null;
  /** Asks on the terminal; empty: Enter alone. Left out: it is not asked. */
  ask?(prompts: Prompts, answers: Known, world: World): Promise<string>;
  /** The question to which Enter alone leads back, and a failure of a row that is not asked. */
  back?: keyof Answers;
  /** Makes the answer of a text, which is null where nobody said anything. @throws CommandFailure when it is wrong */
  check(text: string | null, answers: Known, world: World): Answers[Key] | Promise<Answers[Key]>;
}

/** An answer that nobody has to be asked for. */
export interface Given {
  /** What says it, for the message that it is wrong: `--folder`. */
  origin: string;
  /** @throws CommandFailure */
  read: () => string;
}

/** A row whose `check` answers its key. */
export const question = <Key extends keyof Answers>(row: Question<Key>): Question => row;

export function givenBy(row: Question, world: World): Given | null {
  if (row.given !== undefined) return row.given(world);
  const { option, isSecretFile } = row;
  const value = option && world.options[option];
  if (option === undefined || value === undefined) return null;
  return { origin: flagOf(option), read: () => (isSecretFile ? readSecretFile(value) : value) };
}

/** A mistake in the options of the call; exit code 2. */
export class UsageMistake extends CommandFailure {}
