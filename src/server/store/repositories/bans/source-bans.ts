import { valuesOf } from '../../engine/dialect.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { liftBans, saveBans, type StatedBan, statedColumns, writeBanList } from './bans.ts';
import { hasNotEnded } from './served-bans.ts';

export interface BanChanges {
  added: number;
  updated: number;
  lifted: number;
  unchanged: number;
}

/** How many bans of a source are compared in a transaction. Other writers of the project wait for it. */
const comparedAtOnce = 2_000;

/** Called after each transaction: how many of the entries are stored. */
export type OnStored = (progress: { done: number; total: number }) => void;

/** How the entries of a source become bans, as of one transaction. */
interface BanReading<Entry> {
  banOf(entry: Entry): StatedBan;
  /** Returns the players of new and changed entries, in their order. */
  findPlayers(changed: readonly Entry[]): Promise<(number | null)[]>;
}

/**
 * Makes a list agree with one of its sources: adds new bans (or puts them in force again), updates changed ones, and
 * lifts those that the source no longer contains. A long source takes several transactions; what is interrupted is
 * completed when the source is read again.
 */
export async function replaceSourceBans<Entry extends { key: string }>(
  db: Database,
  {
    onProgress,
    ...target
  }: { listId: string; source: string; now: number; onProgress?: OnStored | undefined },
  entries: readonly Entry[],
  readingOf: (tx: Database, projectId: string) => Promise<BanReading<Entry>>,
): Promise<BanChanges> {
  const changes: BanChanges = { added: 0, updated: 0, lifted: 0, unchanged: 0 };
  let start = 0;
  do {
    const some = entries.slice(start, start + comparedAtOnce);
    start += comparedAtOnce;
    const isLast = start >= entries.length;
    const found = await writeBanList(db, target.listId, async (tx, projectId) => {
      const compared = await compareBans(tx, target, some, await readingOf(tx, projectId));
      if (!isLast) return { ...compared, lifted: 0 };
      const keys = new Set(entries.map(({ key }) => key));
      const lifted = await liftSource(tx, target.listId, target.source, target.now, keys);
      return { ...compared, lifted };
    });
    for (const kind of ['added', 'updated', 'lifted', 'unchanged'] as const) changes[kind] += found[kind];
    onProgress?.({ done: Math.min(start, entries.length), total: entries.length });
  } while (start < entries.length);
  return changes;
}

async function compareBans<Entry extends { key: string }>(
  tx: Database,
  { listId, source, now }: { listId: string; source: string; now: number },
  entries: readonly Entry[],
  { banOf, findPlayers }: BanReading<Entry>,
): Promise<Omit<BanChanges, 'lifted'>> {
  const changes = { added: 0, updated: 0, unchanged: 0 };
  const some = entries.map((entry) => ({ entry, ban: banOf(entry) }));
  const known = await readBansOfSource(
    tx,
    listId,
    source,
    some.map(({ entry }) => entry.key),
  );
  const changed = some.filter(({ entry, ban }) => {
    const row = known.get(entry.key);
    if (row === undefined || row.lifted_at !== null) changes.added += 1;
    else if (statedColumns.every((column) => row[column] === ban[column])) {
      changes.unchanged += 1;
      return false;
    } else changes.updated += 1;
    return true;
  });
  const playerIds = await findPlayers(changed.map(({ entry }) => entry));
  await saveBans(
    tx,
    listId,
    source,
    changed.map(({ entry, ban }, i) => ({ ...ban, source_key: entry.key, player_id: playerIds[i] ?? null })),
    now,
  );
  return changes;
}

async function readBansOfSource(tx: Database, listId: string, source: string, keys: readonly string[]) {
  const rows = await tx
    .selectFrom('ban')
    .select(['source_key', 'lifted_at', ...statedColumns])
    .where('list_id', '=', listId)
    .where('source', '=', source)
    .where('source_key', 'in', valuesOf('text', keys))
    .execute();
  return new Map(rows.map((row) => [row.source_key, row]));
}

/** The sources whose names start with `prefix` and from which a list has bans that are not lifted. */
export async function findBanSources(db: Reader, listId: string, prefix: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ban')
    .select('source')
    .distinct()
    .where('list_id', '=', listId)
    .where('source', '>=', prefix)
    .where('source', '<', `${prefix}\u{10ffff}`)
    .where('lifted_at', 'is', null)
    .orderBy('source')
    .execute();
  return rows.map(({ source }) => source);
}

/** Lifts the bans of a source, but for those with these keys. @returns how many */
export async function liftSource(
  tx: Database,
  listId: string,
  source: string,
  now: number,
  kept: ReadonlySet<string> = new Set(),
): Promise<number> {
  const rows = await unlifted(tx, listId, source).execute();
  const gone = rows.filter(({ source_key }) => !kept.has(source_key)).map(({ id }) => id);
  await liftBans(tx, gone, now);
  return gone.length;
}

/** Whether a list has bans of a source that are not lifted. */
export async function hasBansOfSource(db: Reader, listId: string, source: string): Promise<boolean> {
  const ban = await unlifted(db, listId, source).limit(1).executeTakeFirst();
  return ban !== undefined;
}

/** How many bans of a source are in force, and how many of those have none of these keys. */
export async function countMissingBans(
  db: Database,
  listId: string,
  source: string,
  keys: ReadonlySet<string>,
  now: number,
): Promise<{ inForce: number; missing: number }> {
  const inForce = await unlifted(db, listId, source).where(hasNotEnded(now)).execute();
  return {
    inForce: inForce.length,
    missing: inForce.filter(({ source_key }) => !keys.has(source_key)).length,
  };
}

const unlifted = (db: Reader, listId: string, source: string) =>
  db
    .selectFrom('ban')
    .select(['id', 'source_key'])
    .where('list_id', '=', listId)
    .where('source', '=', source)
    .where('lifted_at', 'is', null);
