import { sql } from 'kysely';
import type { Ban } from '../../../../api/resources.ts';
import { cliSource, configPrefix } from './ban-sources.ts';
import { valuesOf } from '../../engine/dialect.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { inProject } from '../../engine/scopes.ts';
import { writeTogether } from '../../engine/send-together.ts';
import { deletes, upsert } from '../../engine/table-rows.ts';
import { projectOfBanList, writeBanList } from './bans.ts';

/** A ban made by hand that is in force, with every id that a game's file may use for the player. */
export interface BanByHand {
  banId: number;
  steamId64: string | null;
  dayzId: string | null;
  battleyeGuid: string | null;
  name: string | null;
  reason: string | null;
  /** Epoch milliseconds; NULL: permanent. */
  expiresAt: number | null;
}

/** The bans made by hand that are in force in a list, oldest first. */
export async function findBansByHand(db: Reader, listId: string, now: number): Promise<BanByHand[]> {
  return await db
    .selectFrom('ban')
    .innerJoin('player', 'player.id', 'ban.player_id')
    .select([
      'ban.id as banId',
      'steam_id64 as steamId64',
      'dayz_id as dayzId',
      'battleye_guid as battleyeGuid',
      'name',
      'reason',
      'expires_at as expiresAt',
    ])
    .where('list_id', '=', listId)
    .where('source', '=', cliSource)
    .where('lifted_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('ban.id')
    .execute();
}

/** A line that was written into a file for a ban, in the form in which it is read back. */
export interface WrittenLine {
  key: string;
  reason: string | null;
  expiresAt: number | null;
}

/** The outcome of writing a ban into a file: `line` is NULL where none was written, `error` says why it failed. */
export interface BanWrite {
  banId: number;
  line: WrittenLine | null;
  error: string | null;
}

/** The writes of a list's bans into a file, failed ones included. */
export async function findBanWrites(db: Reader, listId: string, source: string): Promise<BanWrite[]> {
  const rows = await db
    .selectFrom('ban_write')
    .innerJoin('ban', 'ban.id', 'ban_write.ban_id')
    .select(['ban_id', 'entry_key', 'ban_write.reason', 'ban_write.expires_at', 'error'])
    .where('ban_write.source', '=', source)
    .where('list_id', '=', listId)
    .orderBy('ban_id')
    .execute();
  return rows.map(({ ban_id, entry_key, reason, expires_at, error }) => ({
    banId: ban_id,
    line: entry_key === null ? null : { key: entry_key, reason, expiresAt: expires_at },
    error,
  }));
}

/** Stores the outcomes of writing bans into a file, replacing earlier ones of the same bans. */
export async function saveBanWrites(
  tx: Database,
  source: string,
  writes: readonly BanWrite[],
): Promise<void> {
  const rows = writes.map(({ banId, line, error }) => ({
    ban_id: banId,
    source,
    entry_key: line?.key ?? null,
    reason: line?.reason ?? null,
    expires_at: line?.expiresAt ?? null,
    error,
  }));
  await upsert(tx, { table: 'ban_write', key: ['ban_id', 'source'] }, rows);
}

export async function deleteBanWrites(
  tx: Database,
  source: string,
  banIds: readonly number[],
): Promise<void> {
  const gone = banIds.map((ban_id) => ({ ban_id, source }));
  await writeTogether(tx, deletes('ban_write', gone));
}

interface TakingFile {
  listId: string;
  format: string;
  source: string;
  /** All sources of the list that the config names. */
  inConfig: readonly string[];
}

/**
 * Takes over the lines that were written into a file of the same format that the config no longer names: that file has
 * moved, with them in it. Where it has not, a line that is not in the file is written, and one of somebody else stays.
 */
export async function takeLeftLines(
  db: Database,
  { listId, format, source, inConfig }: TakingFile,
): Promise<void> {
  const own = db.selectFrom('ban_write').select('ban_id').where('source', '=', source);
  const left = await db
    .selectFrom('ban_write')
    .innerJoin('ban', 'ban.id', 'ban_write.ban_id')
    .select(({ fn }) => ['ban_id', fn.min('ban_write.source').as('source')])
    .where('list_id', '=', listId)
    .where('ban_write.source', 'like', `${configPrefix}${format}:%`)
    .where('ban_write.source', 'not in', valuesOf('text', inConfig))
    .where('entry_key', 'is not', null)
    .where('ban_id', 'not in', own.where('entry_key', 'is not', null))
    .groupBy('ban_id')
    .execute();
  if (left.length === 0) return;
  await writeBanList(db, listId, async (tx) => {
    for (const { ban_id, source: before } of left) {
      await tx.deleteFrom('ban_write').where('ban_id', '=', ban_id).where('source', '=', source).execute();
      await tx
        .updateTable('ban_write')
        .set({ source })
        .where('ban_id', '=', ban_id)
        .where('source', '=', before)
        .execute();
    }
  });
}

/** Deletes failed writes into files of a list that the config does not (or no longer) let Outpost write. */
export async function forgetFailures(
  db: Database,
  listId: string,
  writable: readonly string[],
): Promise<void> {
  const bans = db.selectFrom('ban').select('id').where('list_id', '=', listId);
  const failures = db
    .selectFrom('ban_write')
    .select('ban_id')
    .where('error', 'is not', null)
    .where('source', 'not in', valuesOf('text', writable))
    .where('ban_id', 'in', bans);
  if ((await failures.limit(1).executeTakeFirst()) === undefined) return;
  await inProject(db, await projectOfBanList(db, listId))
    .updateTable('ban_write')
    .set({ error: null })
    .where('error', 'is not', null)
    .where('source', 'not in', valuesOf('text', writable))
    .where('ban_id', 'in', bans)
    .execute();
}

export interface BanBehindLine extends WrittenLine {
  category: Ban['category'];
  startsAt: number | null;
  banExpiresAt: number | null;
}

/** What the store knows about the lines that Outpost wrote into a file and the file itself cannot hold. */
export async function findBansBehindLines(
  db: Reader,
  listId: string,
  source: string,
): Promise<BanBehindLine[]> {
  return await db
    .selectFrom('ban_write')
    .innerJoin('ban', 'ban.id', 'ban_write.ban_id')
    .select([
      sql<string>`entry_key`.as('key'),
      'ban_write.reason',
      'ban_write.expires_at as expiresAt',
      sql<Ban['category']>`category`.as('category'),
      'starts_at as startsAt',
      'ban.expires_at as banExpiresAt',
    ])
    .where('ban_write.source', '=', source)
    .where('list_id', '=', listId)
    .where('entry_key', 'is not', null)
    .orderBy('ban_id')
    .execute();
}

/** The lines written into files for these bans. */
export async function findLinesOfBans(
  db: Reader,
  banIds: readonly number[],
): Promise<{ source: string; key: string }[]> {
  return await db
    .selectFrom('ban_write')
    .select(['source', sql<string>`entry_key`.as('key')])
    .where('ban_id', 'in', banIds)
    .where('entry_key', 'is not', null)
    .execute();
}
