import type { KnownHosts, RemotePlaces } from 'game-files';
import { InitError } from '../../bot/init-bot.ts';
import type { Environment } from '../../config/environment.ts';
import { ConfigError } from '../../config/error.ts';
import { limits } from '../limits.ts';
import { CommandFailure } from '../output.ts';
import { flagOf, type InitOptions, optionNames, type OptionName, readSecretFile } from './options.ts';
import { type Prompts, SetupEnded } from './prompts.ts';

/** What the setup works with. */
export interface World {
  options: InitOptions;
  environment: Environment;
  /** Null: there is no terminal to ask on. */
  prompts: Prompts | null;
  questions: Questions;
  remote: RemotePlaces;
  knownHosts: KnownHosts;
  report: (text: string) => void;
  warn: (text: string) => void;
}

interface Question<Answer> {
  option?: OptionName | undefined;
  /** The option names a file that holds the answer. */
  isSecretFile?: true;
  /** Its answer where the option is left out, and what gives it, for the message that it is wrong: `DISCORD_TOKEN`. */
  given?: { origin: string; read: () => string } | undefined;
  /** Asks on the terminal; empty: Enter alone. Left out: it is not asked. */
  ask?: ((prompts: Prompts) => Promise<string>) | undefined;
  /** What to say where no option answers it and nobody can be asked. Left out: there is a default. */
  missing?: string | undefined;
  /**
   * Makes the answer of a text; null: Enter alone, or the default.
   * @param isAsked whether the text was typed
   * @throws CommandFailure when it is wrong
   */
  check(text: string | null, isAsked: boolean): Answer | Promise<Answer>;
}

/** A mistake in the options of the call; exit code 2. */
export class UsageMistake extends CommandFailure {}

/** Thrown by a check: the question is to be asked again, and what is wrong was said already. */
export class AskAgain extends Error {}

/** Answers questions: by their options, else on the terminal, else by their defaults. */
export class Questions {
  readonly #options: InitOptions;
  readonly #prompts: Prompts | null;
  readonly #warn: (text: string) => void;
  readonly #used = new Set<OptionName>();

  constructor({ options, prompts, warn }: Pick<World, 'options' | 'prompts' | 'warn'>) {
    this.#options = options;
    this.#prompts = prompts;
    this.#warn = warn;
  }

  /** On a terminal, what is wrong is asked for again, a few times. @throws CommandFailure */
  async answer<Answer>(question: Question<Answer>): Promise<Answer> {
    const { option, isSecretFile, given, ask, missing, check } = question;
    const value = option && this.take(option);
    let known = given;
    if (option !== undefined && value !== undefined)
      known = { origin: flagOf(option), read: () => (isSecretFile ? readSecretFile(value) : value) };
    for (let attempt = 1; ; attempt++) {
      const asks = known === undefined && this.#prompts !== null ? ask : undefined;
      try {
        const text = known?.read() ?? (await asks?.(this.#prompts as Prompts));
        if (!text && asks === undefined && missing !== undefined) throw new CommandFailure(missing);
        return await check(text || null, asks !== undefined);
      } catch (error) {
        if (!(error instanceof AskAgain)) this.#refuse(error, known?.origin, ask === undefined, attempt);
        known = undefined;
      }
    }
  }

  /** The value of an option, which has its effect then. */
  take(option: OptionName): string | undefined {
    this.#used.add(option);
    return this.#options[option];
  }

  /** Says what is wrong with an answer. @throws where it is not asked for again */
  #refuse(error: unknown, origin: string | undefined, isFinal: boolean, attempt: number): void {
    const isExpected = [CommandFailure, InitError, ConfigError].some((kind) => error instanceof kind);
    if (!(error instanceof Error) || !isExpected || error instanceof SetupEnded) throw error;
    // A question within this one may have named its option.
    const isNamed = origin === undefined || error.message.startsWith('--');
    const message = isNamed ? error.message : `${origin}: ${error.message}`;
    if (error instanceof UsageMistake) throw new UsageMistake(message);
    if (this.#prompts === null || isFinal) throw new CommandFailure(message, { cause: error });
    if (attempt === limits.attempts)
      throw new SetupEnded(`${message} Nothing was written. Run the command again.`, { cause: error });
    this.#warn(message);
  }

  /** No option is ignored in silence. */
  refuseUnused(): void {
    for (const name of optionNames) {
      if (this.#options[name] === undefined || this.#used.has(name)) continue;
      const message = `${flagOf(name)} has no effect beside the other options`;
      if (this.#prompts === null) throw new UsageMistake(message);
      this.#warn(`${message}.`);
    }
  }
}
