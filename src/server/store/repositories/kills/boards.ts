import { sql } from 'kysely';
import type { PlayerReference } from '../../../../api/resources.ts';
import type { ReadDatabase } from '../../engine/database.ts';
import { toReference } from '../players/player-profiles.ts';

/** Which kills a board counts. Moments are epoch milliseconds. */
export interface KillFilter {
  /** The first moment; 0: all that are kept. */
  from: number;
  /** The first moment that does not count any more; null: it still runs. */
  until: number | null;
  /** By its name in the game; null: any. */
  weapon: string | null;
}

/** The players of a project with the most kills, most first; those with as many in a fixed order. */
export async function readKillBoard(
  db: ReadDatabase['db'],
  projectId: string,
  { from, until, weapon }: KillFilter,
  limit: number,
): Promise<{ player: PlayerReference; kills: number }[]> {
  const best = db
    .selectFrom('server')
    .innerJoin('death', 'death.server_id', 'server.id')
    .select(({ fn }) => ['killer_id', fn.countAll<number>().as('kills')])
    .where('server.project_id', '=', projectId)
    .where('death.at', '>=', from)
    .where('death.at', '<', until ?? Number.MAX_SAFE_INTEGER)
    .where('killer_id', 'is not', null)
    .where(isShown(projectId))
    .$if(weapon !== null, (query) => query.where('weapon', '=', weapon))
    .groupBy('killer_id')
    .orderBy('kills', 'desc')
    .orderBy('killer_id')
    .limit(limit);
  const rows = await db
    .selectFrom(best.as('best'))
    .innerJoin('player', 'player.id', 'best.killer_id')
    .select(['steam_id64', 'battleye_guid', 'cftools_id', 'name', 'kills'])
    .orderBy('kills', 'desc')
    .orderBy('player.id')
    .execute();
  return rows.map(({ kills, ...row }) => ({ player: toReference(row), kills }));
}

/** Hidden and forgotten players are few, and found by their own index. */
const isShown = (projectId: string) => sql<boolean>`
  killer_id NOT IN (SELECT id FROM player WHERE player.project_id = ${projectId} AND player.hidden <> 0)
`;

/** So many of a server's latest kills say which weapons are in use. */
const latestKills = 5_000;

/** The weapons with which players of a project killed each other lately, the most used first. */
export async function readWeapons(
  db: ReadDatabase['db'],
  projectId: string,
  limit: number,
): Promise<string[]> {
  const servers = await db.selectFrom('server').select('id').where('project_id', '=', projectId).execute();
  const kills = new Map<string, number>();
  for (const { id } of servers) {
    const latest = db
      .selectFrom('death')
      .select('weapon')
      .where('server_id', '=', id)
      .where('killer_id', 'is not', null)
      .orderBy('at', 'desc')
      .limit(latestKills);
    const rows = await db
      .selectFrom(latest.as('latest'))
      .select(({ fn }) => ['weapon', fn.countAll<number>().as('kills')])
      .groupBy('weapon')
      .execute();
    for (const row of rows) {
      if (row.weapon !== null) kills.set(row.weapon, (kills.get(row.weapon) ?? 0) + row.kills);
    }
  }
  const byUse = [...kills].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return byUse.slice(0, limit).map(([weapon]) => weapon);
}
