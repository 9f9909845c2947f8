import type { BanByHand, BanWrite, WrittenLine } from '../../store/repositories/bans/ban-writes.ts';
import { type BanEntry, UnwritableBan } from './formats/entry.ts';
import { type BanFormat, formatBan, openBanFile } from './formats/index.ts';

/** The changes of a ban file. */
export interface BanEdits {
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
 * @param before the lines that Outpost wrote into this file
 * @throws when the bytes are not of that format
 */
export function editBans(
  format: BanFormat,
  bytes: Buffer,
  bans: readonly BanByHand[],
  before: readonly BanWrite[],
  now: number,
): BanEdits {
  const ids = bans.flatMap(({ steamId64, dayzId, battleyeGuid }) => [steamId64, dayzId, battleyeGuid]);
  const keysOfInterest = [...before.map(({ line }) => line?.key), ...ids].filter((key) => key != null);
  const file = openBanFile(format, bytes, new Set(keysOfInterest));
  const places = new Places(file.entries);
  const lines = new Map(before.map(({ banId, line }) => [banId, line]));
  const wanted = new Set(bans.map(({ banId }) => banId));
  let written = 0;
  let removed = 0;

  for (const { banId, line } of before) {
    const place = wanted.has(banId) ? undefined : places.ofLine(line);
    if (place === undefined) continue;
    file.remove(place);
    removed += 1;
  }

  const write = (ban: BanByHand): BanWrite => {
    const { banId } = ban;
    const line = lines.get(banId) ?? null;
    const own = places.ofLine(line);
    if (own === undefined && places.hold(ban, now)) return { banId, line: null, error: null };
    let text: string;
    try {
      text = formatBan(format, ban);
    } catch (error) {
      if (!(error instanceof UnwritableBan)) throw error;
      return { banId, line: null, error: error.message };
    }
    const entry = file.parse(text);
    if (entry === null) return { banId, line: null, error: 'a file of this format cannot hold the ban' };
    if (own !== undefined && isLine(entry, line)) return { banId, line, error: null };
    if (own === undefined) {
      places.add(entry, file.append(text));
    } else file.replace(own, text);
    written += 1;
    const { key, reason, expiresAt } = entry;
    return { banId, line: { key, reason, expiresAt }, error: null };
  };
  const writes = bans.map(write);
  const keys = new Set(Array.from(file.entries.values(), ({ key }) => key));
  return { bytes: written + removed > 0 ? file.bytes() : null, writes, written, removed, keys };
}

function isLine(entry: BanEntry, line: WrittenLine | null): boolean {
  return (
    line !== null &&
    entry.key === line.key &&
    entry.reason === line.reason &&
    entry.expiresAt === line.expiresAt
  );
}

/** Where a file bans each player, by all ids in its lines. */
class Places {
  readonly #entries: ReadonlyMap<number, BanEntry>;
  readonly #byId = new Map<string, number[]>();

  constructor(entries: ReadonlyMap<number, BanEntry>) {
    this.#entries = entries;
    for (const [place, entry] of entries) this.add(entry, place);
  }

  add(entry: BanEntry, place: number): void {
    if (entry.identity === null) return;
    const known = this.#byId.get(entry.key);
    if (known === undefined) this.#byId.set(entry.key, [place]);
    else known.push(place);
  }

  /** The place of a written line that nobody has changed. */
  ofLine(line: WrittenLine | null): number | undefined {
    if (line === null) return undefined;
    return this.#byId.get(line.key)?.find((place) => {
      const entry = this.#entries.get(place);
      return entry !== undefined && isLine(entry, line);
    });
  }

  /** Whether the file bans a player now. */
  hold({ steamId64, dayzId, battleyeGuid }: BanByHand, now: number): boolean {
    return [steamId64, dayzId, battleyeGuid].some(
      (id) =>
        id !== null &&
        this.#byId.get(id)?.some((place) => {
          const entry = this.#entries.get(place);
          return entry !== undefined && (entry.expiresAt === null || entry.expiresAt > now);
        }),
    );
  }
}
