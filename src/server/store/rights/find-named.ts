import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { identityColumns } from '../players/person-identity.ts';
import type { StoredPerson } from './erase-player.ts';

/** The players of all projects who go or went by a name, as typed, or in small, capital or title letters. */
export async function findPlayersNamed(
  db: Pick<Database, 'selectFrom'>,
  name: string,
): Promise<StoredPerson[]> {
  const wanted = writtenForms(name.trim());
  return await db
    .selectFrom('player')
    .select(['id', 'project_id', 'name', 'hidden', ...identityColumns])
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('player_alias')
        .select('player_id')
        .where(
          sql<boolean>`player_alias.name COLLATE NOCASE IN (SELECT value FROM json_each(${JSON.stringify(wanted)}))`,
        ),
    )
    .execute();
}

/** SQLite knows no letters but those of ASCII, and no composed characters. */
function writtenForms(name: string): string[] {
  const lower = name.toLowerCase();
  const title = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  const forms = [name, lower, name.toUpperCase(), title].flatMap((form) => [
    form,
    form.normalize('NFC'),
    form.normalize('NFD'),
  ]);
  return [...new Set(forms)].filter((form) => form !== '');
}
