import { maxWordLength, type SeenPlayer } from './events.ts';
import { dayzIdPattern, steamIdPattern } from '../ids.ts';

/** More ids than a server's log contains in weeks; beyond this the table starts empty again. */
const maxIds = 10_000;

/** An id with the last name that was used with it. */
export interface KnownId {
  id: string;
  rawName: string;
  player: SeenPlayer;
}

/**
 * The ids of a log and their players' names, each stored once, because a log repeats the same few. All strings are copies:
 * a slice would keep the whole text it was cut from in memory.
 */
export class Vocabulary {
  readonly #ids = new Map<string, KnownId>();
  readonly #decode: (raw: string) => string;

  /** @param decode converts a name from the raw text into the form to be shown */
  constructor(decode: (raw: string) => string = (raw) => raw) {
    this.#decode = decode;
  }

  /** The game's id between two indices; null if it is none. */
  id(text: string, from: number, to: number): KnownId | null {
    const raw = text.slice(from, to);
    return this.#ids.get(raw) ?? this.#newId(raw);
  }

  /** The player of an id, with the name between two indices. */
  player(known: KnownId, text: string, from: number, to: number): SeenPlayer {
    const { rawName } = known;
    if (rawName.length !== to - from || !text.startsWith(rawName, from)) {
      known.rawName = copyOf(text.slice(from, to));
      known.player = { id: known.id, name: copyOf(this.#decode(known.rawName)) };
    }
    return known.player;
  }

  /** The name between two indices, of a player without an id. */
  name(text: string, from: number, to: number): string {
    return copyOf(this.#decode(text.slice(from, to)));
  }

  /** The name of an object of the game or a mod, cut to a maximum length. */
  word(raw: string | null | undefined): string | null {
    if (raw === null || raw === undefined || raw === '') return null;
    // Converted through bytes, which removes a character that the cut divided.
    return Buffer.from(this.#decode(raw).slice(0, maxWordLength)).toString();
  }

  #newId(raw: string): KnownId | null {
    if (!dayzIdPattern.test(raw) && !steamIdPattern.test(raw)) return null;
    if (this.#ids.size >= maxIds) this.#ids.clear();
    const id = copyOf(raw);
    const known = { id, rawName: '', player: { id, name: '' } };
    this.#ids.set(id, known);
    return known;
  }
}

/** A copy of the text; V8 lets a slice refer to the text it was cut from. */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
