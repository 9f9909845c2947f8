import { SetupError } from '../../bot/setup.ts';
import { CommandFailure } from '../output.ts';
import type { Answers, Known, World } from './answers.ts';
import { discordQuestions } from './discord-questions.ts';
import { flagOf, optionNames, type OptionName } from './options.ts';
import { Cancelled } from './prompts.ts';
import { givenBy, type Question, UsageMistake } from './question.ts';
import { serverQuestions } from './server-questions.ts';
import { limits } from '../limits.ts';

/** In the order in which they are asked. */
const questions: readonly Question[] = [...serverQuestions, ...discordQuestions];

/**
 * Answers each question of the table: by its option, else on the terminal, else by its default. On a terminal, a wrong answer
 * is asked for again, and Enter alone leads back.
 * @throws CommandFailure
 */
export async function answerAll(world: World): Promise<Known> {
  const { prompts } = world;
  const answers: Known = {};
  /** In the order in which they were answered. */
  const done: { question: Question; wasAsked: boolean }[] = [];
  /** What was given for them is wrong, or given up by going back, so that the terminal is asked. */
  const refused = new Set<Question>();
  const used = new Set<OptionName>();
  const failures = new Map<Question, number>();
  const goBackTo = (key: keyof Answers): void => {
    for (let last = done.pop(); last !== undefined; last = done.pop()) {
      delete answers[last.question.key];
      if (last.question.key !== key) continue;
      refused.add(last.question);
      return;
    }
  };
  for (;;) {
    const question = questions.find(({ key, when }) => !(key in answers) && when(answers, world));
    if (question === undefined) break;
    const { key, option, ask, back } = question;
    if (option !== undefined) used.add(option);
    const given = refused.has(question) ? null : givenBy(question, world);
    const asked = given === null && prompts !== null ? ask : undefined;
    try {
      const text =
        given?.read() ?? (await asked?.(prompts as NonNullable<typeof prompts>, answers, world)) ?? null;
      if (asked !== undefined && text === '' && back !== undefined) {
        goBackTo(back);
        continue;
      }
      const answer = await question.check(text === '' ? null : text, answers, world);
      Object.assign(answers, { [key]: answer });
      done.push({ question, wasAsked: asked !== undefined });
    } catch (error) {
      const isExpected = error instanceof CommandFailure || error instanceof SetupError;
      if (!isExpected || error instanceof Cancelled) throw error;
      const message = given === null ? error.message : `${given.origin}: ${error.message}`;
      if (error instanceof UsageMistake) throw new UsageMistake(message);
      const count = (failures.get(question) ?? 0) + 1;
      failures.set(question, count);
      const again = ask === undefined ? (back ?? done.findLast((one) => one.wasAsked)?.question.key) : key;
      if (prompts === null || again === undefined) throw new CommandFailure(message, { cause: error });
      if (count === limits.attempts)
        throw new CommandFailure(`${message} Nothing was written. Run the command again.`, { cause: error });
      world.warn(message);
      refused.add(question);
      if (again !== key) goBackTo(again);
    }
  }
  refuseUnused(world, used);
  return answers;
}

/** No option is ignored in silence. */
function refuseUnused({ options, prompts, warn }: World, used: ReadonlySet<OptionName>): void {
  for (const name of optionNames) {
    if (options[name] === undefined || used.has(name)) continue;
    const message = `${flagOf(name)} has no effect beside the other options`;
    if (prompts === null) throw new UsageMistake(message);
    warn(`${message}.`);
  }
}
