import { sql } from 'kysely';
import { valuesOf } from '../../engine/dialect.ts';
import type { Database, Reader } from '../../engine/database.ts';

/** A message in which a kill feed posted deaths. */
interface FeedMessage {
  /** The feed's key. */
  feed: string;
  channelId: string;
  messageId: string;
  /** Their ids. */
  deaths: readonly number[];
}

/**
 * Remembers a message of a project for as long as its deaths are kept.
 * @param revision that its text agrees with (`rights.revision`)
 */
export async function saveFeedMessage(
  db: Database,
  { feed, channelId, messageId, deaths }: FeedMessage,
  revision: number,
): Promise<void> {
  await sql`
    INSERT INTO feed_message (death_id, feed, channel_id, message_id, revision)
    SELECT id, ${feed}, ${channelId}, ${messageId}, ${revision} FROM death WHERE id IN ${valuesOf('integer', deaths)}
    ON CONFLICT (death_id, feed) DO UPDATE SET
      channel_id = excluded.channel_id, message_id = excluded.message_id, revision = excluded.revision
  `.execute(db);
}

/**
 * The latest messages that name players who were hidden, shown or forgotten since, with the ids of all their deaths, the
 * newest first. @param before the id of a message; null: the newest ones
 */
export async function readOutdatedMessages(
  db: Reader,
  before: string | null,
  limit: number,
): Promise<FeedMessage[]> {
  const rows = await db
    .selectFrom('feed_message')
    .select(['feed', 'channel_id', 'message_id', 'death_id'])
    .where('message_id', 'in', (query) =>
      query
        .selectFrom('death')
        // Few deaths are reworded, and a cross join begins with them.
        .crossJoin('feed_message as posted')
        .select('posted.message_id')
        .distinct()
        .where('reworded', '>', sql.lit(0))
        .whereRef('posted.death_id', '=', 'death.id')
        .whereRef('reworded', '>', 'posted.revision')
        .$if(before !== null, (older) => older.where('posted.message_id', '<', before))
        .orderBy('posted.message_id', 'desc')
        .limit(limit),
    )
    .orderBy('message_id', 'desc')
    .orderBy('death_id')
    .execute();
  const messages = new Map<string, FeedMessage & { deaths: number[] }>();
  for (const { feed, channel_id, message_id, death_id } of rows) {
    const known = messages.get(message_id);
    if (known !== undefined) known.deaths.push(death_id);
    else messages.set(message_id, { feed, channelId: channel_id, messageId: message_id, deaths: [death_id] });
  }
  return [...messages.values()];
}

/** Records that a message's text agrees with a revision. */
export async function saveReworded(db: Database, messageId: string, revision: number): Promise<void> {
  await db.updateTable('feed_message').set({ revision }).where('message_id', '=', messageId).execute();
}
