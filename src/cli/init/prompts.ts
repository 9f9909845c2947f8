import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as clack from '@clack/prompts';
import { CommandFailure } from '../output.ts';
import { wrap } from '../wrap.ts';
import { limits } from '../limits.ts';

/** The terminal of a conversation. */
export interface Terminal {
  input: Readable;
  output: Writable & { columns?: number };
}

interface Choice {
  value: string;
  label: string;
  hint?: string;
}

/** Nothing more is asked. */
export class SetupEnded extends CommandFailure {}

/** By Ctrl+C. */
const cancelled = (): SetupEnded => new SetupEnded('Cancelled. Nothing was written.');

/** Asks on a terminal. Each question throws a CommandFailure on Ctrl+C. */
export class Prompts {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Beside the line at the left. */
  #lines(text: string): string {
    return wrap(printable(text), Math.max(20, (this.#terminal.output.columns || 80) - 4));
  }

  begin(title: string): void {
    clack.intro(title, this.#terminal);
  }

  end(text: string): void {
    // Only the first of several lines is drawn behind the line at the left; the others need its indent.
    clack.outro(this.#lines(text).replaceAll(/\n(?=.)/g, '\n   '), this.#terminal);
  }

  /** What was found or done. */
  step(text: string): void {
    clack.log.step(this.#lines(text), this.#terminal);
  }

  info(text: string): void {
    clack.log.message(this.#lines(text), this.#terminal);
  }

  warn(text: string): void {
    clack.log.warn(this.#lines(text), this.#terminal);
  }

  async select(message: string, choices: readonly Choice[]): Promise<string> {
    const options = shown(choices);
    return answered(
      await clack.select({ ...this.#terminal, message, options, maxItems: limits.shownChoices }),
    );
  }

  /** Any of the choices, or none. @param initialValues those that are chosen at first */
  async selectSeveral(
    message: string,
    choices: readonly Choice[],
    initialValues: string[],
  ): Promise<string[]> {
    const options = { ...this.#terminal, message, options: shown(choices), initialValues, required: false };
    return answered(await clack.multiselect<string>(options));
  }

  /** Empty: Enter alone. */
  async text(message: string, placeholder: string): Promise<string> {
    return typed(await clack.text({ ...this.#terminal, message, placeholder }));
  }

  /** A password or token; empty: Enter alone. */
  async secret(message: string): Promise<string> {
    return typed(await clack.password({ ...this.#terminal, message }));
  }

  /** Waits for work that the owner can leave with Enter; null: they did. */
  async waitOrLeave<T>(message: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.info(message);
    const stop = new AbortController();
    const keyboard = createInterface({ input: this.#terminal.input, terminal: true });
    const left = new Promise<null>((resolve, reject) => {
      keyboard.once('line', () => resolve(null)).once('SIGINT', () => reject(cancelled()));
    });
    try {
      return await Promise.race([work(stop.signal), left]);
    } finally {
      stop.abort();
      keyboard.close();
    }
  }
}

/** Names come from game servers and Discord: none may control the terminal. */
const printable = (text: string): string => text.replaceAll(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');

const shown = (choices: readonly Choice[]): Choice[] =>
  choices.map(({ value, label, hint }) => ({
    value,
    label: printable(label),
    ...(hint !== undefined && { hint: printable(hint) }),
  }));

function answered<T>(answer: T | typeof clack.CANCEL_SYMBOL): T {
  if (clack.isCancel(answer)) throw cancelled();
  return answer;
}

/** Undefined: nothing was typed. */
const typed = (answer: string | undefined | typeof clack.CANCEL_SYMBOL): string =>
  answered(answer)?.trim() ?? '';
