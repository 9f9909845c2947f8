import type { BanByHand, BanWrite, WrittenLine } from '../../store/repositories/bans/ban-writes.ts';
import { type BanEntry, type EditableBanFile, UnwritableBan } from './formats/entry.ts';
import { type BanFormat, banFormatOf } from './formats/index.ts';

/** The changes of a ban file. */
interface BanEdits {
  /** The file's new content; null: unchanged. */
  bytes: Buffer | null;
  /** The line of each ban made by hand in the new content. */
  writes: BanWrite[];
  /** Lines added or rewritten, and removed. */
  written: number;
  removed: number;
  /** The keys of these bans in the new content. */
  keys: ReadonlySet<string>;
}

/**
 * Adds every player who is banned by hand to a ban file, and removes the lines that Outpost wrote for bans that are
 * over. A line that somebody else wrote or changed is theirs: it stays, and if it bans the player, no other is added.
 * A missing line of Outpost's is added again, since a running game may write its own list over it.
 * @param before the lines that Outpost wrote into this file, by the ids of their bans
 * @throws when the bytes are not of that format
 */
export function editBans(
  format: BanFormat,
  bytes: Buffer,
  bans: readonly BanByHand[],
  before: ReadonlyMap<number, BanWrite>,
  now: number,
): BanEdits {
  const { open, format: textOf } = banFormatOf(format);
  const file = open(bytes);
  const keys = [...Array.from(before.values(), ({ line }) => line?.key), ...bans.flatMap(idsOf)];
  const found = new BansInFile(file, new Set(keys));
  const wanted = new Set(bans.map(({ banId }) => banId));
  let written = 0;
  let removed = 0;

  for (const { banId, line } of before.values()) {
    const place = wanted.has(banId) ? undefined : found.placeOf(line);
    if (line === null || place === undefined) continue;
    file.put(place, null);
    found.delete(line.key, place);
    removed += 1;
  }

  const write = (ban: BanByHand): BanWrite => {
    const { banId } = ban;
    const line = before.get(banId)?.line ?? null;
    const own = found.placeOf(line);
    if (own === undefined && found.hold(ban, now)) return { banId, line: null, error: null };
    let text: string;
    try {
      text = textOf(ban);
    } catch (error) {
      if (!(error instanceof UnwritableBan)) throw error;
      return { banId, line: null, error: error.message };
    }
    const entry = file.parse(text);
    if (typeof entry !== 'object') {
      return { banId, line: null, error: 'a file of this format cannot hold the ban' };
    }
    if (line !== null && own !== undefined) {
      if (isLine(entry, line)) return { banId, line, error: null };
      file.put(own, text);
      found.delete(line.key, own);
      found.add(entry, own);
    } else found.add(entry, file.push(text));
    written += 1;
    const { key, reason, expiresAt } = entry;
    return { banId, line: { key, reason, expiresAt }, error: null };
  };
  const writes = bans.map(write);
  return { bytes: written + removed > 0 ? file.bytes() : null, writes, written, removed, keys: found.keys };
}

const idsOf = ({ steamId64, dayzId, battleyeGuid }: BanByHand) => [steamId64, dayzId, battleyeGuid];

const isLine = (entry: BanEntry, { key, reason, expiresAt }: WrittenLine): boolean =>
  entry.key === key && entry.reason === reason && entry.expiresAt === expiresAt;

/** Some bans of a file, by their keys and places. */
class BansInFile {
  readonly #byKey = new Map<string, Map<number, BanEntry>>();

  /** @param keys of the relevant bans: a list of 200,000 must not be held in memory for one of them */
  constructor(file: EditableBanFile, keys: ReadonlySet<string | null | undefined>) {
    let place = 0;
    for (const line of file.read()) {
      if (typeof line === 'object' && keys.has(line.key)) this.add(line, place);
      place += 1;
    }
  }

  get keys(): ReadonlySet<string> {
    return new Set(this.#byKey.keys());
  }

  add(entry: BanEntry, place: number): void {
    const known = this.#byKey.get(entry.key) ?? new Map<number, BanEntry>();
    this.#byKey.set(entry.key, known.set(place, entry));
  }

  delete(key: string, place: number): void {
    const known = this.#byKey.get(key);
    known?.delete(place);
    if (known?.size === 0) this.#byKey.delete(key);
  }

  /** The place of a written line that nobody has changed. */
  placeOf(line: WrittenLine | null): number | undefined {
    if (line === null) return undefined;
    const known = [...(this.#byKey.get(line.key) ?? [])];
    return known.find(([, entry]) => isLine(entry, line))?.[0];
  }

  /** Whether the file bans a player now. */
  hold(ban: BanByHand, now: number): boolean {
    const entries = idsOf(ban).flatMap((id) =>
      id === null ? [] : [...(this.#byKey.get(id)?.values() ?? [])],
    );
    return entries.some(({ expiresAt }) => expiresAt === null || expiresAt > now);
  }
}
