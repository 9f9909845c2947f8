import * as clack from '@clack/prompts';
import { CommandFailure } from '../output.ts';
import { plainOutput, type Terminal } from './terminal.ts';
import { wrap } from './wrap.ts';

interface Choice<T> {
  value: T;
  label: string;
  hint?: string;
}

class Cancelled extends CommandFailure {
  constructor() {
    super('Cancelled. Nothing was written.');
  }
}
const again = 'Nothing was written. Run the command again.';
/** The end of a question that leads back to the one before it. */
export const orBack = '(Enter alone: back)';
/** Longer lists scroll. */
const shownChoices = 12;

/** Asks on a terminal. Each question throws a CommandFailure on Ctrl+C. */
export class Prompts {
  readonly #input: Terminal['input'];
  readonly #output: ReturnType<typeof plainOutput>;

  constructor({ input, output }: Terminal) {
    this.#input = input;
    this.#output = plainOutput(output);
  }

  get #common() {
    return { input: this.#input, output: this.#output };
  }

  /** Beside the line at the left. */
  #lines(text: string): string {
    return wrap(printable(text), Math.max(20, this.#output.columns - 4));
  }

  begin(title: string): void {
    clack.intro(title, this.#common);
  }

  end(text: string): void {
    // Behind the line at the left, only the first of several lines stands where it belongs.
    clack.outro(this.#lines(text).replaceAll(/\n(?=.)/g, '\n   '), this.#common);
  }

  /** What was found or done. */
  step(text: string): void {
    clack.log.step(this.#lines(text), { output: this.#output });
  }

  info(text: string): void {
    clack.log.message(this.#lines(text), { output: this.#output });
  }

  warn(text: string): void {
    clack.log.warn(this.#lines(text), { output: this.#output });
  }

  async select<T>(message: string, choices: readonly Choice<T>[]): Promise<T> {
    const byIndex = choices.map(({ label, hint }, value) => ({
      value,
      label: printable(label),
      ...(hint === undefined ? {} : { hint: printable(hint) }),
    }));
    const options = { ...this.#common, message, options: byIndex, maxItems: shownChoices };
    const index = answered(await clack.select<number>(options));
    return (choices[index] as Choice<T>).value;
  }

  /** @param check returns what is wrong with an answer */
  async text(
    message: string,
    { placeholder, check }: { placeholder?: string; check: (text: string) => string | null },
  ): Promise<string> {
    const validate = (text: string | undefined): string | undefined => check(text?.trim() ?? '') ?? undefined;
    const options = {
      ...this.#common,
      message,
      validate,
      ...(placeholder === undefined ? {} : { placeholder }),
    };
    return answered(await clack.text(options)).trim();
  }

  /** A password or token; empty when it was left out. */
  async secret(message: string, check: (text: string) => string | null = () => null): Promise<string> {
    const validate = (text: string | undefined): string | undefined => check(text?.trim() ?? '') ?? undefined;
    const answer = answered<string | undefined>(await clack.password({ ...this.#common, message, validate }));
    return answer?.trim() ?? '';
  }

  /**
   * Asks until the work on an answer succeeds, and shows why it does not. Null: Enter alone.
   * @param attempts so many times at most; the last failure is thrown
   */
  async until<T>(
    ask: () => Promise<string>,
    work: (answer: string) => Promise<T>,
    attempts = Infinity,
  ): Promise<T | null> {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask();
      if (answer === '') return null;
      try {
        return await work(answer);
      } catch (error) {
        if (error instanceof Cancelled || !(error instanceof CommandFailure)) throw error;
        if (attempt === attempts) throw new CommandFailure(`${error.message} ${again}`, { cause: error });
        this.warn(error.message);
      }
    }
  }

  /** Waits for work that the owner can leave with Enter; null: they did. */
  async waitOrLeave<T>(message: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.info(message);
    const controller = new AbortController();
    let onKey: (data: Buffer | string) => void = () => undefined;
    const left = new Promise<null>((resolve, reject) => {
      onKey = (data) => {
        if (String(data).includes('\x03')) reject(new Cancelled());
        else if (/[\r\n]/.test(String(data))) resolve(null);
      };
    });
    this.#input.setRawMode?.(true);
    this.#input.on('data', onKey);
    this.#input.resume();
    try {
      return await Promise.race([work(controller.signal), left]);
    } finally {
      controller.abort();
      this.#input.off('data', onKey);
      this.#input.setRawMode?.(false);
      this.#input.pause();
    }
  }
}

/** Names come from game servers and Discord: none may control the terminal. */
const printable = (text: string): string => text.replaceAll(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');

function answered<T>(answer: T | typeof clack.CANCEL_SYMBOL): T {
  if (clack.isCancel(answer)) throw new Cancelled();
  return answer;
}
