import type { SeenPlayer } from '../../ingest/counting/events.ts';
import { dayzIdPattern, steamIdPattern } from '../../ingest/counting/game-ids.ts';

/** More ids than a server's log holds in weeks; beyond it the table begins anew. */
const maxWords = 10_000;

/** An id with the name that went with it last. */
export interface KnownId {
  id: string;
  rawName: string;
  player: SeenPlayer;
}

/**
 * The ids and names of a log, each held once: a log says the same few over and over. What is held here is free of the
 * text it was cut from, of which a piece would otherwise keep the whole in memory.
 */
export class Vocabulary {
  readonly #ids = new Map<string, KnownId>();
  /** By a few of their characters, for a look that cuts nothing out: ids are hashes, so these tell them apart. */
  readonly #byEnding = new Map<number, KnownId>();
  readonly #decode: (raw: string) => string;

  /** @param decode gives a name as it is to be shown, from the characters of the text that is read */
  constructor(decode: (raw: string) => string = (raw) => raw) {
    this.#decode = decode;
  }

  /** The id of the game's that stands between two indices, or null when this is none. */
  id(text: string, from: number, to: number): KnownId | null {
    const ending = endingOf(text, to);
    const likely = this.#byEnding.get(ending);
    if (likely !== undefined && likely.id.length === to - from && text.startsWith(likely.id, from)) {
      return likely;
    }
    const raw = text.slice(from, to);
    const known = this.#ids.get(raw) ?? this.#newId(raw);
    if (known !== null) this.#byEnding.set(ending, known);
    return known;
  }

  /** The player of an id under the name that stands between two indices. */
  player(known: KnownId, text: string, from: number, to: number): SeenPlayer {
    const { rawName } = known;
    if (rawName.length !== to - from || !text.startsWith(rawName, from)) {
      known.rawName = copyOf(text.slice(from, to));
      known.player = { id: known.id, name: copyOf(this.#decode(known.rawName)) };
    }
    return known.player;
  }

  #newId(raw: string): KnownId | null {
    if (!dayzIdPattern.test(raw) && !steamIdPattern.test(raw)) return null;
    if (this.#ids.size >= maxWords) {
      this.#ids.clear();
      this.#byEnding.clear();
    }
    const id = copyOf(raw);
    const known = { id, rawName: '', player: { id, name: '' } };
    this.#ids.set(id, known);
    return known;
  }
}

/** SteamID64s all begin alike, and DayZ ids end in `=`. */
function endingOf(text: string, to: number): number {
  let ending = 0;
  for (let at = to - 7; at < to - 1; at += 1) ending = (ending << 5) ^ text.charCodeAt(at);
  return ending;
}

/** The same text in memory of its own; V8 lets a slice refer to what it was cut from. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
