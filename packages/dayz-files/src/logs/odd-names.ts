import * as z from 'zod';
import { copyOf } from './vocabulary.ts';

/** A name of a player as the log has it, before decoding. */
export const oddNames = z.array(z.object({ id: z.string(), name: z.string() }));

type OddName = z.infer<typeof oddNames>[number];

/** Far more than the game allows; longer ones are not kept, so that a stored state stays small. */
const maxNameLength = 512;
const maxNames = 200;

/**
 * The latest names in a run that contain what the log itself writes (`(id=`, or the start of a line), by the player's
 * id. A line about one player ends with that player's mark, so it leaves no doubt where the name ends; in a line
 * about two players the names from earlier lines decide.
 */
export class OddNames {
  readonly #names: Map<string, string>;

  constructor(names: readonly OddName[] = []) {
    this.#names = new Map(names.map(({ id, name }) => [id, name]));
  }

  /** As plain data, to continue from. */
  state(): OddName[] {
    return Array.from(this.#names, ([id, name]) => ({ id, name }));
  }

  /** Undefined: the player has another name, or was not seen yet. */
  of(id: string): string | undefined {
    return this.#names.get(id);
  }

  set(id: string, name: string): void {
    this.#names.delete(id);
    if (name.length > maxNameLength) return;
    this.#names.set(id, copyOf(name));
    const [oldest] = this.#names.keys();
    if (this.#names.size > maxNames && oldest !== undefined) this.#names.delete(oldest);
  }

  /** The player has a name without anything of that kind. */
  delete(id: string): void {
    if (this.#names.size > 0) this.#names.delete(id);
  }
}
