import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { identityColumns } from '../players/person-identity.ts';
import type { StoredPerson } from './erase-player.ts';

/** The players of all projects who go or went by a name, in whatever ASCII case. */
export async function findPlayersNamed(
  db: Pick<Database, 'selectFrom'>,
  name: string,
): Promise<StoredPerson[]> {
  const wanted = name.trim();
  if (wanted === '') return [];
  return await db
    .selectFrom('player')
    .select(['id', 'project_id', 'name', 'hidden', ...identityColumns])
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('player_alias')
        .select('player_id')
        .where(sql<boolean>`player_alias.name = ${wanted} COLLATE NOCASE`),
    )
    .execute();
}
