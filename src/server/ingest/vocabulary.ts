import { dayzIdPattern, steamIdPattern } from './game-ids.ts';

/** More different words than a server's log holds in months; beyond it the table begins anew. */
const maxWords = 50_000;

/**
 * The ids and names of a log, each held once: a log says the same few over and over. What is held here is free of the
 * text it was cut from, of which a piece would otherwise keep the whole in memory.
 */
export class Vocabulary {
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #decode: (raw: string) => string;

  /** @param decode gives a name as it is to be shown, from the characters of the text that is read */
  constructor(decode: (raw: string) => string = (raw) => raw) {
    this.#decode = decode;
  }

  /** An id of the game's, or null when this is none. */
  id(raw: string): string | null {
    const known = this.#ids.get(raw);
    if (known !== undefined) return known;
    if (!dayzIdPattern.test(raw) && !steamIdPattern.test(raw)) return null;
    return hold(this.#ids, raw, raw);
  }

  name(raw: string): string {
    return this.#names.get(raw) ?? hold(this.#names, raw, this.#decode(raw));
  }
}

function hold(words: Map<string, string>, raw: string, word: string): string {
  if (words.size >= maxWords) words.clear();
  const own = copyOf(word);
  words.set(raw === word ? own : copyOf(raw), own);
  return own;
}

/** The same text in memory of its own; V8 lets a slice refer to what it was cut from. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
