import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** A message in which a kill feed posted deaths. */
export interface FeedMessage {
  /** The feed's key. */
  feed: string;
  channelId: string;
  messageId: string;
  /** Their ids. */
  deaths: readonly number[];
}

/** Remembers a message for as long as its deaths are kept. @param revision that its text agrees with (`rights.revision`) */
export async function saveFeedMessage(
  db: Database,
  { feed, channelId, messageId, deaths }: FeedMessage,
  revision: number,
): Promise<void> {
  await sql`
    INSERT OR REPLACE INTO feed_message (death_id, feed, channel_id, message_id, revision)
    SELECT death.id, ${feed}, ${channelId}, ${messageId}, ${revision}
    FROM json_each(${JSON.stringify(deaths)}) AS posted JOIN death ON death.id = posted.value
  `.execute(db);
}

/** The first messages that name players who were hidden, shown or forgotten since, with the ids of all their deaths. */
export async function readOutdatedMessages(
  db: Pick<Database, 'selectFrom'>,
  limit: number,
): Promise<FeedMessage[]> {
  const rows = await db
    .selectFrom('feed_message')
    .select(['feed', 'channel_id', 'message_id', sql<string>`json_group_array(death_id)`.as('deaths')])
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
        .limit(limit),
    )
    .groupBy('message_id')
    .execute();
  return rows.map(({ feed, channel_id, message_id, deaths }) => ({
    feed,
    channelId: channel_id,
    messageId: message_id,
    deaths: (JSON.parse(deaths) as number[]).toSorted((one, other) => one - other),
  }));
}

/** Records that a message's text agrees with a revision. */
export async function saveReworded(db: Database, messageId: string, revision: number): Promise<void> {
  await db.updateTable('feed_message').set({ revision }).where('message_id', '=', messageId).execute();
}
