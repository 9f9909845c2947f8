import { sql } from 'kysely';
import { type CharacterStats, joinTotals } from './characters.ts';
import type { Database } from '../database.ts';
import { greatest } from '../dialect.ts';
import { moveDeaths } from '../kills/save-deaths.ts';
import { moveRunPlayers } from '../logs/run-players.ts';
import { chooseServedBans } from '../bans/served-bans.ts';
import { widenSpan } from './widen-span.ts';

/**
 * Merges two players: moves all data of `from` to `into` and deletes `from`. The caller gives `into` the identifiers
 * of both and refreshes its statistics.
 */
export async function mergePlayers(tx: Database, from: number, into: number): Promise<void> {
  await moveRunPlayers(tx, from, into);
  await moveDeaths(tx, from, into);
  await mergeCharacters(tx, from, into);
  await tx.updateTable('imported_stats').set({ player_id: into }).where('player_id', '=', from).execute();
  await tx.updateTable('ban').set({ player_id: into }).where('player_id', '=', from).execute();
  await chooseServedBans(tx, [into]);
  await sql`
    INSERT INTO player_alias (player_id, name, server_id, first_seen_at, last_seen_at)
    SELECT ${into}, name, server_id, first_seen_at, last_seen_at FROM player_alias WHERE player_id = ${from}
    ON CONFLICT (player_id, name, server_id) DO UPDATE SET ${widenSpan('player_alias', 'excluded')}
  `.execute(tx);
  await sql`
    UPDATE player SET ${widenSpan('player', 'gone')}, hidden = ${greatest(sql.ref('player.hidden'), sql.ref('gone.hidden'))}
    FROM player AS gone WHERE player.id = ${into} AND gone.id = ${from}
  `.execute(tx);
  await tx.deleteFrom('player').where('id', '=', from).execute();
}

async function mergeCharacters(tx: Database, from: number, into: number): Promise<void> {
  const theirs = await tx.selectFrom('character').selectAll().where('player_id', '=', from).execute();
  for (const row of theirs) {
    const mine = await tx
      .selectFrom('character')
      .selectAll()
      .where('player_id', '=', into)
      .where('server_id', '=', row.server_id)
      .executeTakeFirst();
    if (mine === undefined) {
      await tx
        .insertInto('character')
        .values({ ...row, player_id: into })
        .execute();
      continue;
    }
    const [ours, other] = [mine, row].map(({ total }) => JSON.parse(total) as CharacterStats);
    const total = joinTotals(ours ?? {}, other ?? {});
    const last = row.sampled_at > mine.sampled_at ? row : mine;
    await tx
      .updateTable('character')
      .set({ total: JSON.stringify(total), last: last.last, sampled_at: last.sampled_at })
      .where('player_id', '=', into)
      .where('server_id', '=', row.server_id)
      .execute();
  }
  await tx.deleteFrom('character').where('player_id', '=', from).execute();
}
