import type { BanEntry, BanLine } from './entry.ts';

/** A ban file in which single lines or records are changed; everything else stays the same, byte for byte. */
export abstract class EditableBanFile {
  /** The file's bans with the keys for which it was opened, by their places. */
  readonly entries = new Map<number, BanEntry>();

  abstract bytes(): Buffer;
  protected abstract parsed(text: string): BanLine;
  /** Null removes what is there. */
  protected abstract put(place: number, text: string | null): void;
  /** @returns the place behind the last one */
  protected abstract push(text: string): number;

  /** Parses a line or record in the form that `formatBan` produces. */
  parse(text: string): BanEntry | null {
    return entryOrNull(this.parsed(text));
  }

  replace(place: number, text: string): void {
    this.put(place, text);
    this.#note(place, text);
  }

  remove(place: number): void {
    this.put(place, null);
    this.entries.delete(place);
  }

  /** @returns its place */
  append(text: string): number {
    const place = this.push(text);
    this.#note(place, text);
    return place;
  }

  /** @param keys of the relevant bans: a list of 200,000 must not be held in memory for one of them */
  protected noteAll(lines: Iterable<BanLine>, keys: ReadonlySet<string>): void {
    let place = 0;
    for (const line of lines) {
      const entry = entryOrNull(line);
      if (entry !== null && keys.has(entry.key)) this.entries.set(place, entry);
      place += 1;
    }
  }

  #note(place: number, text: string): void {
    const entry = this.parse(text);
    if (entry === null) this.entries.delete(place);
    else this.entries.set(place, entry);
  }
}

const entryOrNull = (line: BanLine): BanEntry | null => (typeof line === 'object' ? line : null);
