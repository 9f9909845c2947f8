import { copyOf } from './vocabulary.ts';

/** Far more than the game allows; longer ones are not kept. */
const maxNameLength = 512;
const maxNames = 200;

/**
 * The latest names in a run that contain what the log itself writes (`(id=`, or the start of a line), by the player's
 * id. A line about one player ends with that player's mark, so it leaves no doubt where the name ends; in a line
 * about two players the names from earlier lines decide.
 */
export class OddNames {
  /** As the log has them, before decoding. */
  readonly #names = new Map<string, string>();

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
