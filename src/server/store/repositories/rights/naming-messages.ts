import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { isPostgres, valuesOf } from '../../engine/dialect.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { upsert } from '../../engine/table-rows.ts';
import { write } from '../../engine/transactions.ts';

/** A message of the bot that everyone in its channel sees. */
interface NamingMessage {
  channelId: string;
  messageId: string;
  players: readonly number[];
  /** Moderators see hidden players, too. */
  forModerators: boolean;
}

/** Later ones replace the oldest: years of a busy kill feed. */
const mostMessages = 100_000;

/** Remembers a message. @returns whether a player in it has been hidden or forgotten since it was written */
export async function saveNamingMessage(db: Database, message: NamingMessage): Promise<boolean> {
  const { channelId, messageId, forModerators } = message;
  const players = [...new Set(message.players)];
  return await write(db, async (tx) => {
    const seen = forModerators ? [visibility.shown, visibility.hidden] : [visibility.shown];
    const rows = await tx
      .selectFrom('player')
      .select('id')
      .where('id', 'in', valuesOf('integer', players))
      .where('hidden', 'in', seen)
      // Who hides or forgets one of them now waits, and then finds the message.
      .$if(isPostgres(tx), (query) => query.forShare())
      .execute();
    const shown = new Set(rows.map(({ id }) => id));
    const named = players.map((player_id) => ({
      message_id: messageId,
      player_id,
      channel_id: channelId,
      for_moderators: Number(forModerators),
      outdated: Number(!shown.has(player_id)),
    }));
    // The same message may be sent again, because an answer of Discord was lost.
    await upsert(tx, { table: 'naming_message', key: ['message_id', 'player_id'], set: null }, named);
    return shown.size < players.length;
  });
}

/**
 * Some of the messages that name a player who was hidden or forgotten, the newest first.
 * @param before the id of a message; null: the newest ones
 */
export async function readOutdatedMessages(
  db: Reader,
  before: string | null,
  limit: number,
): Promise<{ channelId: string; messageId: string }[]> {
  return await db
    .selectFrom('naming_message')
    .select(['channel_id as channelId', 'message_id as messageId'])
    .distinct()
    .where('outdated', '=', sql.lit(1))
    .$if(before !== null, (older) => older.where('message_id', '<', before))
    .orderBy('message_id', 'desc')
    .limit(limit)
    .execute();
}

/** A message is deleted, or never will be. */
export async function deleteNamingMessage(db: Database, messageId: string): Promise<void> {
  await db.deleteFrom('naming_message').where('message_id', '=', messageId).execute();
}

/** Deletes the oldest, where there are too many. */
export async function deleteOldNamingMessages(db: Database): Promise<void> {
  const oldest = db
    .selectFrom('naming_message')
    .select('message_id')
    .orderBy('message_id', 'desc')
    .limit(1)
    .offset(mostMessages);
  await db.deleteFrom('naming_message').where('message_id', '<=', oldest).execute();
}

/** Players were hidden, shown or forgotten: the messages that name them are to be deleted, or not any more. */
export async function markNamingMessages(
  tx: Database,
  playerIds: readonly number[],
  hidden: number,
): Promise<void> {
  const outdated =
    hidden === visibility.shown
      ? sql.lit(0)
      : hidden === visibility.hidden
        ? sql`1 - for_moderators`
        : sql.lit(1);
  await sql`
    UPDATE naming_message SET outdated = ${outdated} WHERE player_id IN ${valuesOf('integer', playerIds)}
  `.execute(tx);
}
