import { CommandFailure } from '../output.ts';
import type { Answers, World } from './answers.ts';
import { flagOf, type OptionName, readSecretFile } from './options.ts';
import type { Prompts } from './prompts.ts';

export type Known = Partial<Answers>;

/** One row of the table of questions. The answers before it are known to it. */
export interface Question<Key extends keyof Answers = keyof Answers> {
  /** What it answers. Of several rows with a key, the first whose `when` holds counts. */
  key: Key;
  /** The option that answers it. */
  option?: OptionName;
  isGiven(world: World): boolean;
  /** What the option says. @throws CommandFailure */
  given(world: World): string | null;
  /** What says it, for the message that it is wrong. */
  origin(world: World): string;
  when(answers: Known, world: World): boolean;
  /** Asks on the terminal; empty: Enter alone. Left out: it is not asked. */
  ask?(prompts: Prompts, answers: Known, world: World): Promise<string>;
  /** The question to which Enter alone leads back, and a failure of a row that is not asked. */
  back?: keyof Answers;
  /** Makes the answer of a text, which is null where nobody said anything. @throws CommandFailure when it is wrong */
  check(text: string | null, answers: Known, world: World): Answers[Key] | Promise<Answers[Key]>;
}

type Row<Key extends keyof Answers> = Pick<Question<Key>, 'key' | 'when' | 'check'> &
  Partial<Question<Key>> & { isSecretFile?: true };

export function question<Key extends keyof Answers>({ isSecretFile, ...row }: Row<Key>): Question {
  const { option } = row;
  const value = ({ options }: World): string | null =>
    option === undefined || options[option] === undefined ? null : String(options[option]);
  return {
    isGiven: (world: World) => value(world) !== null,
    given: (world: World) => (isSecretFile ? readSecretFile(value(world) as string) : value(world)),
    origin: () => (option === undefined ? '' : flagOf(option)),
    ...row,
  };
}

/** A mistake in the options of the call; exit code 2. */
export class UsageMistake extends CommandFailure {}
