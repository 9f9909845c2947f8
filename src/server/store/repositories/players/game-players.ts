import { sql } from 'kysely';
import { dayzIdOf } from '../../../../api/identifiers.ts';
import { joinInOrder, rowsOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';

/** The stored players with these ids of the game, by that id. */
export async function findGamePlayers(
  tx: Database,
  projectId: string,
  gameIds: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const wanted = gameIds.map((id) => [id, id.length === 17 ? dayzIdOf(id) : id] as const);
  await eachChunk(wanted, async (chunk) => {
    const { rows } = await sql<{ game_id: string; id: number }>`
      SELECT wanted.game_id, player.id
      FROM ${rowsOf('wanted', { game_id: 'text', dayz_id: 'text' }, chunk)}
      ${joinInOrder} player ON player.project_id = ${projectId} AND player.dayz_id = wanted.dayz_id
    `.execute(tx);
    for (const { game_id, id } of rows) found.set(game_id, id);
  });
  return found;
}
