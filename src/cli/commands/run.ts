import type { Output } from '../output.ts';

/** What a command does. Commander passes its arguments, its options and itself. */
type Action<Args extends unknown[]> = (output: Output, ...args: Args) => void | Promise<void>;

/** Makes an action that is loaded when its command runs, so that `--help` and `--version` load none. */
export type Run = <Args extends unknown[]>(
  load: () => Promise<Action<Args>>,
) => (...args: Args) => Promise<void>;

export const runWith =
  (output: Output): Run =>
  (load) =>
  async (...args) =>
    await (
      await load()
    )(output, ...args);
